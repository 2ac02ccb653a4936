/* The arrivals at a stop or station on one service day, between two times of that day.

   stop_id      the feed's id of the stop; a station answers for all places below it
   date         the service day as a number, such as 20261024
   from_time    seconds since noon minus 12 hours of that day; arrivals at from_time or later
   until_time   the same; arrivals before until_time

   Parameters are bound by these names, or by position in this order.

   CROSS JOIN keeps SQLite to the order in which the tables stand here, so that each is asked by an index.

   SQLite 3.40 expects billions of rows from a recursive query. It then reads all of stop_time for a Bloom filter before it
   asks the index. Two things keep it from that in tables of more than 20,000 rows: the LIMIT, and that conditions on a row also name
   the row that led to it. */
WITH RECURSIVE
-- Gives the parameters their numbers, for programs that bind them by position.
parameters AS (SELECT :stop_id, :date, :from_time, :until_time),
place(id) AS (
    SELECT id FROM stop WHERE stop_id = :stop_id
    UNION
    SELECT child.id FROM place CROSS JOIN stop AS child ON child.parent_station = place.id
    WHERE (SELECT location_type FROM stop WHERE stop_id = :stop_id) = 1
    LIMIT 10000
),
-- Each row of frequencies.txt sends the trip off at start_time, and again every headway_secs before end_time.
-- Some drivers bind whole numbers as doubles or texts. CAST makes them integers, because / must divide integers.
ride(stop, trip, stop_sequence, time, until, headway, frequency) AS (
    SELECT f.stop, f.trip, f.stop_sequence,
        q.start_time + f.arrival
            + max(0, (CAST(:from_time AS INTEGER) - q.start_time - f.arrival + q.headway_secs - 1) / q.headway_secs)
                * q.headway_secs,
        min(CAST(:until_time AS INTEGER), q.end_time + f.arrival), q.headway_secs, q.id
    FROM place
    CROSS JOIN frequency_call AS f ON f.stop = place.id
    CROSS JOIN frequency AS q ON q.trip = f.trip
    WHERE q.start_time < q.end_time AND q.headway_secs > 0
    UNION ALL
    SELECT stop, trip, stop_sequence, time + headway, until, headway, frequency FROM ride WHERE time + headway < until
),
call(trip, stop_sequence, time, frequency) AS (
    SELECT c.trip, c.stop_sequence, c.arrival_time, NULL
    FROM place
    CROSS JOIN stop_time AS c
        -- The index has departures: they follow their arrivals by no more than the longest dwell of the feed.
        ON c.stop = place.id AND c.departure_time >= :from_time + (SELECT shortest_dwell FROM feed)
            AND c.departure_time < :until_time + (SELECT longest_dwell FROM feed)
    WHERE CASE WHEN place.id IS NOT NULL THEN c.arrival_time >= :from_time AND c.arrival_time < :until_time END
        AND NOT EXISTS (
            SELECT 1 FROM frequency_call AS f
            WHERE f.stop = place.id AND f.trip = c.trip AND f.stop_sequence = c.stop_sequence)
    UNION ALL
    SELECT trip, stop_sequence, time, frequency FROM ride WHERE time < until
)
SELECT call.time AS arrival_time,
    coalesce(route.timezone, (SELECT timezone FROM feed)) AS timezone,
    coalesce(route.id, 0) AS route, trip.id AS trip, trip.trip_id, c.stop_sequence, stop.stop_id, stop.platform_code,
    route.route_id, route.short_name AS route_short_name,
    coalesce(c.stop_headsign, trip.headsign, (
        SELECT last.name FROM stop_time AS l LEFT JOIN stop AS last ON last.id = l.stop
        WHERE l.trip = c.trip ORDER BY l.stop_sequence DESC LIMIT 1)) AS headsign,
    coalesce(c.pickup_type, 0) AS pickup_type,
    coalesce(c.drop_off_type, 0) AS drop_off_type, c.filled_times IS 3 AS interpolated,
    CASE WHEN q.id IS NULL THEN NULL WHEN q.exact_times = 1 THEN 'exact' ELSE 'headway' END AS frequency
FROM call
CROSS JOIN trip ON trip.id = call.trip
CROSS JOIN service ON service.id = trip.service
    AND EXISTS (
        SELECT 1 FROM service_day AS day
        WHERE trip.service IS NOT NULL AND day.date = :date AND day.day_set = service.day_set)
CROSS JOIN stop_time AS c ON c.trip = call.trip AND c.stop_sequence = call.stop_sequence
CROSS JOIN stop ON stop.id = c.stop
LEFT JOIN route ON route.id = trip.route
LEFT JOIN frequency AS q ON q.id = call.frequency
WHERE CASE WHEN call.time IS NOT NULL THEN
        c.drop_off_type IS NOT 1
        AND c.start_pickup_drop_off_window IS NULL AND c.end_pickup_drop_off_window IS NULL
        AND c.location IS NULL AND c.location_group IS NULL
    END
    -- The first call of a trip is no arrival.
    AND EXISTS (SELECT 1 FROM stop_time AS n WHERE n.trip = call.trip AND n.stop_sequence < c.stop_sequence)
ORDER BY call.time, route.id, trip.id, c.stop_sequence, q.id;
