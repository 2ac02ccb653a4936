import Console

extension FetchArguments {
    static let usage = "Usage: fetch-gtfs STORE COMMAND [options]"

    /// What `--help` prints; the option lines come from the tables that parse them.
    static let help = """
        Asks a store that import-gtfs has made.

        \(usage)

        Commands:
          info               what the store holds and where it is from; as json with the arrays files and notices, as csv
                             with names such as files.stops.txt.rows and notices.unknown_file.count
          check              whether every byte is as import-gtfs published it; names the damaged tables
          departures STOP…   what leaves from stops, or from stations with all their platforms (by stop_id), soonest
                             first. The column min counts minutes from --from. A time with ~ is approximate: the
                             line runs by headway, or the feed gives no time for that stop
          trips STOP         what leaves from a stop on a service day (--on), also after its midnight
          fetch ENTITY       rows of an entity (Stop, StopTime, Station, …) or table (stop_time, fare_attribute, …), which
                             info --entities lists
          near LAT,LON       stops around a place in degrees, the nearest first, with their distance in metres. --limit N
                             without --meters finds the nearest N, however far they are; --limit 0 finds all
          search TEXT        stops by the beginnings of words in their names, the best match first; also by code or id, and
                             in other spellings (Goerlitz for Görlitz). Each word may have one wrong letter if it has five or
                             more; in a word of four, one may be missing. A station stands for all stops below it

        Options:
        \(commonOptions.lines)

        Options of info:
        \(infoOptions.lines)

        Options of check:
        \(checkOptions.lines)

        Options of departures:
        \(departureOptions.lines)

        Options of trips, beside --arrivals, --route and --limit:
        \(tripsOptions.lines)

        Options of fetch, search and near (without --departures):
        \(requestOptions.lines)

        Options of fetch:
        \(fetchOptions.lines)

        Options of near:
        \(nearOptions.lines)

        Defaults are in parentheses.

        Conditions are written as for NSPredicate; names are those of properties or columns:
          name BEGINSWITH[cd] 'u gorli' AND SUBQUERY(stopTimes, $x, $x.departureTime BETWEEN {'8:00', '8:30'}).@count > 0
        Comparisons: = != < <= > >= BETWEEN {a, b} IN {a, b}; for texts also BEGINSWITH CONTAINS ENDSWITH LIKE MATCHES,
        each with [c] (any case), [cd] (any case, any diacritics) or, except for MATCHES, [d]. AND OR NOT, ANY ALL NONE,
        NIL, + - * /. Paths: stop.name, stopTimes.@count, stopTimes.@min.departureTime. Times are 'H:MM:SS' or seconds,
        dates 'YYYY-MM-DD' or YYYYMMDD.

        Values of --set are texts, read as what they are compared with; {U1, 'a, b'} is a list, NIL is NULL. Texts such as
        'NIL', '{a}', those that begin with a quote, and elements with commas stand in quotes, single or double.

        Examples:
          fetch-gtfs berlin.sqlite departures 900013102 --within 20m
          fetch-gtfs berlin.sqlite departures 900013102 --from 2026-10-25T02:30 --within 2h --route U1 --format json
          fetch-gtfs berlin.sqlite near 52.499249,13.418167 --departures --limit 10
          fetch-gtfs berlin.sqlite fetch Stop --where "name CONTAINS[cd] 'gorlitz'" --properties stopID,name
          fetch-gtfs berlin.sqlite fetch StopTime --where "stop.stopID = '900013102' AND departureTime >= '8:00'" \\
            --sort departureTime --limit 10 --properties "departureTime, trip.route.shortName AS line, trip.headsign"
          fetch-gtfs berlin.sqlite fetch Trip --group-by route.shortName --having "@count > 100" --format csv
          fetch-gtfs berlin.sqlite fetch Trip --set DATE=2026-12-25 --where 'route.shortName = "U1" AND
            (service.friday = TRUE AND service.startDate <= $DATE AND service.endDate >= $DATE
               AND SUBQUERY(service.exceptions, $x, $x.date = $DATE AND $x.exceptionType = 2).@count = 0
             OR SUBQUERY(service.exceptions, $x, $x.date = $DATE AND $x.exceptionType = 1).@count > 0)'
          fetch-gtfs berlin.sqlite near 52.499249,13.418167 --meters 800
          fetch-gtfs berlin.sqlite search gorl bahn --limit 5

        A file of templates (--templates) holds sections such as
          [departures]
          entity     = StopTime
          where      = stop.stopID = $STOP AND departureTime >= $AFTER
          sort       = departureTime
          properties = departureTime, trip.headsign AS to
        with the settings entity, where, sort, limit, offset, properties, distinct, group-by, having and prefetch.

        Exit codes:
            0  done
           64  the arguments are wrong
           65  a condition, sort, property, value or template cannot be understood, or the feed has no such stop or line; or the
               store is damaged (for check: any byte of it has changed)
           66  the store, or the file of templates, cannot be opened
           70  a bug in this program
           74  the store cannot be read any more, or was written over meanwhile; or standard output cannot be written
           75  it took longer than --timeout
          130  stopped by SIGINT (Ctrl-C)
          141  the program that reads standard output ended first, as head does (SIGPIPE)

        """
}
