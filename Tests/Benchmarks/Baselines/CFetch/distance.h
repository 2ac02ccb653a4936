// Whether two places are within so many metres of each other over the ellipsoid (WGS 84), the second pass over a box.
#pragma once
#include <stdbool.h>

#define EARTH_RADIUS 6371009.0

bool is_within(double meters, double latitude, double longitude, double other_latitude, double other_longitude);
