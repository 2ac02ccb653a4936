/* The notices of the GTFS validator that depend on the day. The table notice does not have them, because the same feed gives the
   same store on every day.

   today   the day as a number, such as 20261024; today by the machine's clock if it is not bound

   The columns are those of the table notice. */
WITH
today(day, text) AS (
    SELECT CAST(digits AS INTEGER), substr(digits, 1, 4) || '-' || substr(digits, 5, 2) || '-' || substr(digits, 7, 2)
    FROM (SELECT coalesce(:today, strftime('%Y%m%d', 'now', 'localtime')) AS digits)
),
-- A week, 30 days and two years from today, as numbers such as 20261024.
ahead(week, month, two_years) AS (
    SELECT CAST(strftime('%Y%m%d', text, '+7 days') AS INTEGER),
        CAST(strftime('%Y%m%d', text, '+30 days') AS INTEGER),
        CAST(strftime('%Y%m%d', text, '+730 days') AS INTEGER)
    FROM today
),
set_days(day_set, first, last) AS (
    SELECT day_set, min(date), max(date) FROM service_day GROUP BY day_set
),
running(id, service_id, in_calendar, first, last) AS (
    SELECT service.id, service.service_id, service.in_calendar, set_days.first, set_days.last
    FROM service JOIN set_days USING (day_set)
),
-- How many rides the trips of a set of days make on each of these days. frequencies.txt repeats a trip.
rides(day_set, number) AS (
    SELECT service.day_set, sum(coalesce((
        SELECT sum(1 + iif(f.headway_secs > 0, (f.end_time - f.start_time - 1) / f.headway_secs, 0))
        FROM frequency AS f WHERE f.trip = trip.id), 1))
    FROM trip JOIN service ON service.id = trip.service
    GROUP BY service.day_set
),
busy_day(date, number) AS (
    SELECT date, sum(number) FROM service_day JOIN rides USING (day_set) GROUP BY date
),
-- How many rides a day needs so that most trips run: three quarters of those of a busy day. The busiest tenth of the days, 30 at
-- most, counts as exceptions.
most(number) AS (
    SELECT CAST(0.75 * number AS INTEGER) FROM busy_day ORDER BY number
    LIMIT 1 OFFSET (SELECT max(CAST(count(*) * 0.9 AS INTEGER), count(*) - 30) FROM busy_day)
),
main_period(first, last) AS (
    -- If frequencies end before they begin, numbers are negative, and no day may have enough.
    SELECT ifnull(min(date) FILTER (WHERE number >= (SELECT number FROM most)), min(date)),
        ifnull(max(date) FILTER (WHERE number >= (SELECT number FROM most)), max(date))
    FROM busy_day
)
SELECT 'expired_calendar' AS code, 'WARNING' AS severity, 'calendar.txt' AS file, id + 1 AS row_number,
    'service_id' AS field, service_id AS value, 'runs on no day after ' || last AS message
FROM running WHERE in_calendar AND last < (SELECT day FROM today)
UNION ALL
SELECT 'expired_calendar', 'WARNING', 'calendar_dates.txt',
    (SELECT min(id) + 1 FROM service_exception WHERE service = running.id),
    'service_id', service_id, 'runs on no day after ' || last || ', nor does any other service run'
FROM running
WHERE NOT EXISTS (SELECT 1 FROM service WHERE in_calendar) AND (SELECT max(last) FROM running) < (SELECT day FROM today)
UNION ALL
SELECT iif(f.end_date < ahead.week, 'feed_expiration_date7_days', 'feed_expiration_date30_days'), 'WARNING', 'feed_info.txt',
    f.id + 1, 'feed_end_date', f.end_date,
    iif(f.end_date < today.day, 'the feed has ended',
        'the feed ends in less than ' || iif(f.end_date < ahead.week, 7, 30) || ' days')
FROM feed_info AS f JOIN today JOIN ahead WHERE f.end_date < ahead.month
UNION ALL
SELECT 'trip_coverage_not_active_for_next7_days', 'WARNING', NULL, NULL, NULL, NULL,
    'most trips run from ' || first || ' to ' || last || ' only'
FROM main_period JOIN today JOIN ahead WHERE first > day OR last < week
UNION ALL
SELECT 'future_calendar', 'INFO', NULL, NULL, NULL, NULL, 'no trip runs before ' || first
FROM (SELECT min(first) AS first FROM running WHERE id IN (SELECT service FROM trip)) JOIN today WHERE first > day
UNION ALL
SELECT 'future_feed', 'INFO', 'feed_info.txt', NULL, 'feed_start_date', first, 'the feed begins after today'
FROM (SELECT min(start_date) AS first FROM feed_info) JOIN today WHERE first > day
UNION ALL
SELECT 'service_extends_far_in_the_future', 'INFO', 'calendar.txt', id + 1, 'service_id', service_id,
    'runs until ' || last || ', more than two years from today'
FROM running JOIN ahead WHERE in_calendar AND last > two_years
ORDER BY code, row_number;
