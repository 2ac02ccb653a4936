/// The expected outcome of each faulty feed. A line has the feed and one of these: `refused` and words of the message;
/// `published`; or a notice that the store must have, with its file and row (the header is row 1). faulty.tsv, beside
/// the feeds, says what is wrong in each.
enum FaultyFeedOutcomes {
    static let table = """
        cl-caltrain-fare-zones | published
        cl-fake-agency | foreign_key_violation | stops.txt 6
        cl-fake-agency | missing_required_field | agency.txt 2
        cl-fake-agency-interpolated-stop-times | foreign_key_violation | trips.txt 2
        cl-fake-agency-interpolated-stop-times | missing_required_field | agency.txt 2
        cl-fake-agency-mtc-long-fields | published
        cl-fake-agency-overlapping-trips | duplicate_key | frequencies.txt 6
        cl-fake-agency-overlapping-trips | missing_required_column | fare_attributes.txt 1
        cl-tri-delta-fare-rules | published
        cl-vta-gtfs-multiple-trips | foreign_key_violation | stops.txt 28
        empty-metrolink | refused | holds no files, only folders or hidden ones
        et-accessibility | refused | stop_times.txt has no rows, so there is no timetable to store
        et-check-id | duplicate_key | stop_times.txt 3
        et-check-id | foreign_key_violation | routes.txt 2
        et-check-id | point_near_origin | stops.txt 6
        et-check-id | missing_required_field | stops.txt 6
        et-coordinate-with-driver-stops | duplicate_key | stop_times.txt 3
        et-coordinate-with-driver-stops | foreign_key_violation | stops.txt 4
        et-coordinate-with-driver-stops | invalid_currency | fare_attributes.txt 3
        et-coordinate-with-driver-stops | unexpected_enum_value | routes.txt 3
        et-duplicate-stops | foreign_key_violation | stops.txt 12
        et-duplicate-stops | missing_required_field | routes.txt 6
        et-duration-distance | foreign_key_violation | routes.txt 2
        et-duration-distance | point_near_origin | stops.txt 6
        et-duration-distance | missing_required_agency_id | agency.txt 2
        et-fare-attributes | duplicate_key | stop_times.txt 3
        et-fare-attributes | foreign_key_violation | stops.txt 4
        et-fare-attributes | invalid_currency | fare_attributes.txt 3
        et-fare-attributes | unexpected_enum_value | routes.txt 3
        et-interpolated-stop-times | foreign_key_violation | stops.txt 4
        et-interpolated-stop-times | unexpected_enum_value | routes.txt 3
        et-interpolated-stop-times | missing_required_agency_id | agency.txt 2
        et-interpolated-stop-times | leading_or_trailing_whitespaces | stops.txt 2
        et-invalid-stop-file | foreign_key_violation | stops.txt 12
        et-invalid-stop-file | invalid_float | stops.txt 13
        et-invalid-stop-file | missing_required_field | routes.txt 6
        et-missing-mandatory-files | refused | required file stop_times.txt is missing; the feed has
        et-route-type-invalid | duplicate_key | stop_times.txt 3
        et-route-type-invalid | foreign_key_violation | routes.txt 2
        et-route-type-invalid | point_near_origin | stops.txt 6
        et-route-type-invalid | unexpected_enum_value | routes.txt 2
        et-shapes | foreign_key_violation | stops.txt 12
        et-shapes | number_out_of_range | stops.txt 12
        et-shapes | point_near_origin | shapes.txt 2
        et-stop-times-location-type | foreign_key_violation | stops.txt 2
        et-stop-times-location-type | missing_required_field | routes.txt 6
        et-unusable-trip | duplicate_key | stop_times.txt 3
        et-unusable-trip | foreign_key_violation | trips.txt 2
        et-unusable-trip | missing_calendar_and_calendar_date_files | - -
        gt-testfeed-err | foreign_key_violation | trips.txt 10
        gt-testfeed-err | invalid_float | stops.txt 6
        gt-testfeed-err | point_near_origin | shapes.txt 2
        gt-testfeed-err | start_and_end_range_out_of_order | stop_times.txt 5
        gv-aachener-73069683 | unexpected_enum_value | routes.txt 2
        gv-bogus-calendars | refused | stop_times.txt has no rows, so there is no timetable to store
        gv-bogus-frequencies | invalid_time | frequencies.txt 10
        gv-bogus-frequencies | start_and_end_range_out_of_order | frequencies.txt 4
        gv-bogus-frequencies | missing_required_field | frequencies.txt 5
        gv-bogus-shape | duplicate_key | shapes.txt 6
        gv-bogus-shape | foreign_key_violation | trips.txt 4
        gv-bogus-shape | invalid_integer | shapes.txt 14
        gv-bogus-shape | invalid_float | shapes.txt 14
        gv-bogus-transfers | duplicate_key | transfers.txt 4
        gv-bogus-transfers | foreign_key_violation | transfers.txt 5
        gv-bogus-transfers | number_out_of_range | transfers.txt 5
        gv-different-station-too-close | invalid_row_length | trips.txt 2
        gv-duplicate-trips | published
        gv-fares-v2 | duplicate_key | fare_leg_rules.txt 6
        gv-fares-v2 | foreign_key_violation | stops.txt 3
        gv-fares-v2 | missing_required_field | fare_products.txt 3
        gv-fares-v2 | empty_row | stop_areas.txt 5
        gv-incomplete-shapes | foreign_key_violation | stop_times.txt 14
        gv-invalid-stoptime-type | published
        gv-mbta-random-shapes | missing_required_field | calendar.txt 3
        gv-noservice | published
        gv-route-colors | published
        gv-single-agency | foreign_key_violation | stops.txt 3
        gv-split-or-joined-trips | foreign_key_violation | stops.txt 3
        gv-stops-toofar | published
        gv-timetravels | start_and_end_range_out_of_order | stop_times.txt 4
        gv-toomanydayswoservice | published
        gv-trip-transfers-type-45 | duplicate_key | transfers.txt 3
        gv-trip-transfers-type-45 | foreign_key_violation | stops.txt 2
        gv-trip-transfers-type-45 | empty_row | stops.txt 5
        gv-trip-transfers-type-45 | leading_or_trailing_whitespaces | calendar.txt 3
        gv-verybad | duplicate_key | levels.txt 4
        gv-verybad | foreign_key_violation | stops.txt 3
        gv-verybad | missing_required_column | agency.txt 1
        gv-verybad | invalid_url | agency.txt 2
        gv-verybad | invalid_timezone | agency.txt 3
        gv-verybad | invalid_language_code | agency.txt 3
        gv-verybad | invalid_phone_number | agency.txt 3
        gv-verybad | invalid_email | agency.txt 3
        gv-verybad | invalid_color | routes.txt 9
        gv-verybad | invalid_date | calendar_dates.txt 16
        gv-verybad | invalid_time | frequencies.txt 12
        gv-verybad | invalid_float | fare_attributes.txt 4
        gv-verybad | invalid_currency | fare_attributes.txt 4
        gv-verybad | invalid_integer | transfers.txt 8
        gv-verybad | number_out_of_range | stops.txt 17
        gv-verybad | point_near_origin | stops.txt 20
        gv-verybad | start_and_end_range_out_of_order | calendar.txt 6
        gv-verybad | unexpected_enum_value | stops.txt 18
        gv-verybad | missing_required_field | agency.txt 3
        html-octranspo | refused | is not a zip archive: it starts with "<!DOCTYPE html>"
        io-bad-gtfs | refused | required file trips.txt is missing; the feed has trips_bad_name.txt,
        io-locations-feed | published
        io-subdirectories | foreign_key_violation | trips.txt 2
        io-subdirectories | invalid_input_files_in_subfolder | subdir/calendar.txt -
        io-subdirectories | invalid_timezone | agency.txt 2
        io-subdirectories | missing_calendar_and_calendar_date_files | - -
        ntd-mtc-fares-only | refused | holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 5 files: debug_settings
        oba-badagency | refused | required files stops.txt, routes.txt, trips.txt, stop_times.txt are missing; the feed ha
        otp-interlining | published
        otp-umlaut-utf8-no-efs | refused | holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 1 file: ümläüt.txt
        pg-calendar-dates-only | foreign_key_violation | stops.txt 3
        r5-fiji-ferry | published
        r5-flex-multipolygon | published
        r5-flex-pointstop | published
        r5-flex-valid | published
        rs-fares-v2 | refused | stop_times.txt has no rows, so there is no timetable to store
        rs-gtfs | duplicate_key | stop_times.txt 3
        rs-gtfs | foreign_key_violation | stops.txt 4
        rs-gtfs | missing_required_agency_id | agency.txt 2
        rs-macosx | duplicate_key | stop_times.txt 3
        rs-macosx | foreign_key_violation | stops.txt 4
        rs-macosx | unexpected_enum_value | routes.txt 3
        rs-macosx | missing_required_agency_id | agency.txt 2
        rs-only-required-fields | foreign_key_violation | routes.txt 2
        rs-only-required-fields | missing_required_agency_id | agency.txt 2
        rs-only-required-fields | leading_or_trailing_whitespaces | stops.txt 2
        stub-rust-metra | invalid_input_files_in_subfolder | - -
        stub-rust-metra | leading_or_trailing_whitespaces | agency.txt 1
        tf-au-sydney-entrances | refused | required files routes.txt, trips.txt, stop_times.txt are missing; the feed has
        tf-bad-eol | empty_row | routes.txt 6
        tf-bad-eol | leading_or_trailing_whitespaces | trips.txt 1
        tf-contains-null | invalid_character | stops.txt 9
        tf-duplicate-stop-sequence | duplicate_key | stop_times.txt 4
        tf-empty-file | foreign_key_violation | routes.txt 2
        tf-empty-file | empty_file | agency.txt -
        tf-filter-unusual-trips | published
        tf-invalid-agency-ids | missing_required_agency_id | agency.txt 3
        tf-missing-agency | refused | required file agency.txt is missing; the feed has
        tf-missing-column | missing_required_column | agency.txt 1
        tf-missing-endpoint-times | published
        tf-missing-row-cells | invalid_row_length | routes.txt 4
        tf-missing-stops | refused | required file stops.txt is missing; the feed has
        tf-missing-weekday-column | missing_required_column | calendar.txt 1
        tf-only-calendar-dates | published
        tf-same-short-long-name | published
        tf-undefined-stop | foreign_key_violation | stop_times.txt 11
        tf-unknown-format | refused | is not a zip archive: it starts with "not a real zip file"
        tf-unused-stop | published
        tf-utf8bom | published
        tl-bart-errors | number_out_of_range | stops.txt 49
        tl-example-nested-dir-ambiguous | refused | holds 2 feeds; name one of them: tl-example-nested-dir-ambiguous.zip#example-nested-dir/
        tl-example-nested-two-feeds | refused | holds 2 feeds; name one of them: tl-example-nested-two-feeds.zip#example1/, tl-example-n
        tl-invalid | refused | is not a zip archive: it starts with "not a zip file"
        tlb-agency-agency-id-recommended | missing_required_agency_id | agency.txt 3
        tlb-calendar-all-days-empty | invalid_row_length | calendar.txt 2
        tlb-calendar-too-short | invalid_row_length | calendar.txt 2
        tlb-frequency-duration | start_and_end_range_equal | frequencies.txt 3
        tlb-frequency-duration | empty_row | frequencies.txt 7
        tlb-route-name-invalid-chars | invalid_row_length | routes.txt 2
        tlb-routes-duplicate-long-name | invalid_row_length | routes.txt 2
        tlb-routes-insufficient-color-contrast | invalid_row_length | routes.txt 2
        tlb-routes-short-name-too-long | invalid_row_length | routes.txt 2
        tlb-shape-zero-coordinates | point_near_origin | shapes.txt 4
        tlb-stop-too-close | invalid_row_length | stops.txt 2
        tlb-stop-too-far | invalid_row_length | stops.txt 2
        tlb-transfers-min-transfer-time | duplicate_key | transfers.txt 3
        tle-agency-duplicate | duplicate_key | agency.txt 3
        tle-agency-duplicate | empty_row | agency.txt 4
        tle-attributions-unknown-agency-id | foreign_key_violation | attributions.txt 2
        tle-attributions-unknown-trip-id | foreign_key_violation | attributions.txt 2
        tle-calendar-duplicate | duplicate_key | calendar.txt 3
        tle-fare-attributes-unknown-agency-id | foreign_key_violation | fare_attributes.txt 2
        tle-fare-leg-rules-unknown-from-area-id | foreign_key_violation | fare_leg_rules.txt 2
        tle-fare-leg-rules-unknown-to-area-id | foreign_key_violation | fare_leg_rules.txt 2
        tle-fare-products-route-based-network-id | foreign_key_violation | fare_leg_rules.txt 3
        tle-fare-products-unknown-rider-category-id | foreign_key_violation | fare_products.txt 2
        tle-fare-rules-unknown-contains-id | foreign_key_violation | fare_rules.txt 2
        tle-fare-rules-unknown-fare-id | foreign_key_violation | fare_rules.txt 2
        tle-fare-rules-unknown-route-id | foreign_key_violation | fare_rules.txt 2
        tle-fare-transfer-rules-unknown-filter-fare-product-id | invalid_row_length | fare_products.txt 2
        tle-fare-transfer-rules-unknown-to-leg-group-id | foreign_key_violation | fare_transfer_rules.txt 2
        tle-feed-headers-missing | refused | stop_times.txt has no rows, so there is no timetable to store; its first row names no column of GTFS and so is not a header
        tle-networks-duplicate-network-id | duplicate_key | networks.txt 3
        tle-route-networks-unknown-network-id | foreign_key_violation | route_networks.txt 2
        tle-routes-conditional-agency-id | missing_required_agency_id | routes.txt 2
        tle-routes-unknown-agency-id | foreign_key_violation | routes.txt 2
        tle-routes-unknown-agency-id | empty_row | routes.txt 3
        tle-shapes-sequence | duplicate_key | shapes.txt 4
        tle-stop-areas-unknown-stop-id | foreign_key_violation | stop_areas.txt 2
        tle-stop-times-unknown-stop-id | foreign_key_violation | stop_times.txt 4
        tle-stops-duplicate | duplicate_key | stops.txt 5
        tle-stops-unknown-parent-stationn | foreign_key_violation | stops.txt 5
        tle-transfer-unknown-from-stop-id | foreign_key_violation | transfers.txt 2
        tle-transfer-unknown-to-route-id | foreign_key_violation | transfers.txt 2
        tle-transfer-unknown-to-trip-id | foreign_key_violation | transfers.txt 2
        tle-trips-backwards-time | invalid_row_length | stop_times.txt 2
        tle-trips-no-final-arrival-time | invalid_row_length | stop_times.txt 2
        tle-trips-one | invalid_row_length | fare_products.txt 2
        tle-trips-unknown-service-id | foreign_key_violation | trips.txt 2
        tm-ntfs | refused | required file agency.txt is missing; the feed has
        tm-subdir | invalid_input_files_in_subfolder | - -
        ty-routing-na-times | published
        ty-sample-feed-calendar_dates | foreign_key_violation | trips.txt 9
        ty-sample-feed-calendar_dates | empty_row | feed_info.txt 3
        ty-sample-feed-plus | foreign_key_violation | trips.txt 9
        ty-sample-feed-plus | unknown_file_anomaly | empty_file.txt -
        ty-sample-feed-plus | unknown_file_anomaly | single_col.txt 1
        wild-bangkok-no-stop-times | refused | required file stop_times.txt is missing; the feed has
        wild-hk-airport-hhmm | refused | required file agency.txt is missing; the feed has
        wild-kyiv-rgtfs-resources | refused | holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 22 files: structure_roz
        wild-vietnam-feed-icons | refused | holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 33 files: feed/chrome.p
        """
}
