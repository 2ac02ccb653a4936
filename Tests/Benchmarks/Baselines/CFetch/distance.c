#include "distance.h"
#include <math.h>

static const double radians = M_PI / 180;

static double spherical_distance(double latitude, double longitude, double other_latitude, double other_longitude) {
    double half_latitude = sin((other_latitude - latitude) * radians / 2);
    double half_longitude = sin((other_longitude - longitude) * radians / 2);
    double h = half_latitude * half_latitude
        + cos(latitude * radians) * cos(other_latitude * radians) * half_longitude * half_longitude;
    return 2 * EARTH_RADIUS * asin(fmin(1, sqrt(h)));
}

/// Vincenty's inverse formula (Survey Review 23, 1975); for places that are not almost opposite to each other.
static double geodesic_distance(double latitude, double longitude, double other_latitude, double other_longitude) {
    const double a = 6378137, f = 1 / 298.257223563, b = a * (1 - f);
    double u1 = atan((1 - f) * tan(latitude * radians)), u2 = atan((1 - f) * tan(other_latitude * radians));
    double difference = (other_longitude - longitude) * radians, lambda = difference;
    for (int i = 0; i < 40; i++) {
        double east = cos(u2) * sin(lambda), north = cos(u1) * sin(u2) - sin(u1) * cos(u2) * cos(lambda);
        double sin_sigma = hypot(east, north), cos_sigma = sin(u1) * sin(u2) + cos(u1) * cos(u2) * cos(lambda);
        if (sin_sigma == 0) return 0;
        double sigma = atan2(sin_sigma, cos_sigma), sin_alpha = cos(u1) * cos(u2) * sin(lambda) / sin_sigma;
        double squared = 1 - sin_alpha * sin_alpha;
        double m = squared == 0 ? 0 : cos_sigma - 2 * sin(u1) * sin(u2) / squared;
        double c = f / 16 * squared * (4 + f * (4 - 3 * squared));
        double next = difference
            + (1 - c) * f * sin_alpha * (sigma + c * sin_sigma * (m + c * cos_sigma * (2 * m * m - 1)));
        double change = fabs(next - lambda);
        lambda = next;
        if (change > 1e-12) continue;
        double u = squared * (a * a - b * b) / (b * b);
        double big_a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)));
        double big_b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)));
        double inner = cos_sigma * (2 * m * m - 1);
        double outer = big_b / 6 * m * (4 * sin_sigma * sin_sigma - 3) * (4 * m * m - 3);
        return b * big_a * (sigma - big_b * sin_sigma * (m + big_b / 4 * (inner - outer)));
    }
    return spherical_distance(latitude, longitude, other_latitude, other_longitude);
}

/// The length on a sphere differs by 0.6 % at most and costs a tenth: the other is for the places that it leaves in
/// doubt.
bool is_within(double meters, double latitude, double longitude, double other_latitude, double other_longitude) {
    double estimate = spherical_distance(latitude, longitude, other_latitude, other_longitude);
    if (estimate > meters * 1.01) return false;
    if (estimate < meters * 0.99) return true;
    return geodesic_distance(latitude, longitude, other_latitude, other_longitude) <= meters;
}
