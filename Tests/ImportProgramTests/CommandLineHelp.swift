extension CommandLineTests {
    /// The exact output of `--help`, which people and scripts read.
    static let helpText = """
        Turns a GTFS feed into a read-only SQLite store.

        Usage: import-gtfs FEED OUT [options]
               import-gtfs --rollback OUT

          FEED   a zip, a folder, outer.zip#inner.zip, feed.zip#folder/, or - for standard input
          OUT    the store, in a folder that exists; an older store is replaced in one instant, once the new one is complete

        Options:
          --json                 print one JSON object about the import when it is done, also when it failed
          --quiet                say nothing unless something went wrong
          --progress             report progress even when standard error is not a terminal
          --force                import even when the store already holds this feed, and replace a file that is not a store
          --keep N               keep N earlier stores as OUT.1 (the youngest) to OUT.N (0); those beyond OUT.N stay
          --batch-size ROWS      rows in one transaction (500000)
          --memory SIZE          stop with 74 once more memory than SIZE is used, such as 300M or 2G
          --notices-per-code N   store N notices of each code; all are counted (1000)
          --routes IDS           store only trips of these routes and what they need: 1,2,"a,b", or @FILE with one ID per line
          --agencies IDS         store only trips of these agencies' routes; IDs as for --routes
          --dates FROM..TO       store only trips that run on one of these days, such as 20261122..
          --box S,W,N,E          store only trips that call within this box: degrees south, west, north, east
          --max-errors LIST      refuse a feed with more errors: 10, or stops.txt:5,invalid_url:100,*:10 for files, codes and all together
          --strict               refuse a feed with any error, as --max-errors 0 does
          --max-shrink PERCENT   refuse a feed whose stop times, trips or stops shrink by more than this, such as 20%
          --service-within DAYS  refuse a feed without a trip on any of the next DAYS days
          --date YYYYMMDD        the first of these days (today in UTC)
          --max-size SIZE        refuse a feed with more bytes when unpacked (64G)
          --max-file-size SIZE   refuse a file with more bytes when unpacked (32G)
          --max-ratio N          refuse what unpacks to N times its size and over 64M, or becomes a store of N times the zip and over 256M (200)
          --max-files N          refuse an archive or folder with more files (100000)
          --max-depth N          refuse more archives within archives (3)
          --max-spool SIZE       refuse more bytes in temporary copies of standard input and inner archives (4G)
          --max-rows N           refuse more rows in all files together (1000000000)
          --max-field SIZE       refuse a field with more bytes; a row is cut at SIZE, or at 1M if that is more (1M)
          --max-store SIZE       refuse a feed whose store becomes larger, temporary files beside it included (64G)
          --max-growth N         refuse a feed whose store has N times the bytes of its files and over 256M (10)
          --max-time SECONDS     refuse a feed whose import takes longer (14400)
          --log-json             write messages to standard error as JSON lines
          --report FILE          write a page (HTML) about the import, also when it failed
          --metrics FILE         write metrics in Prometheus' text format, also when the import failed
          --after COMMAND        run COMMAND by sh when the store is current, with IMPORT_GTFS_STORE and IMPORT_GTFS_STATUS set; its failure is a warning
          --list FILE            alone: print the feeds of a Mobility Database CSV or DMFR file for pipelines/nightly
          --index FOLDER         alone: list the report pages of FOLDER in its index.html
          --rollback             with OUT alone: make OUT.1 the store again, and the present one the last of OUT.N
          -h, --help             print this text
          --version              print the versions of the program and its libraries
        Defaults are in parentheses. An option's value may also be attached: --keep=3. Two dashes end the options.

        Examples:
          import-gtfs berlin.zip berlin.sqlite
          import-gtfs --keep 3 --json berlin.zip /srv/gtfs/berlin.sqlite > report.json
          import-gtfs --strict --max-shrink 20% --service-within 7 berlin.zip berlin.sqlite
          curl -sSf https://example.org/gtfs.zip | import-gtfs - berlin.sqlite
          sqlite3 berlin.sqlite "SELECT stop_name FROM gtfs_stops LIMIT 5"

        Exit codes:
            0  the store is current: published, or unchanged
           64  the arguments are wrong
           65  the feed is refused: not a zip archive, damaged, without a required file or usable stop times, beyond a
               limit, against a policy, taken back by --rollback, or without a trip that a filter keeps
           66  the feed, or the earlier store for --rollback, cannot be opened
           70  a bug in this program
           73  the store cannot be created; or the file in its place is not a store (see --force)
           74  reading or writing failed, for example because the disk is full; memory ran out; or the report of
               --json could not be written, although the store is current
           75  another import is writing this store
          130  stopped by SIGINT (Ctrl-C); a second one stops at once
          143  stopped by SIGTERM or SIGHUP
        If the store is not current, an earlier one is as it was, and no temporary files stay.

        """
}
