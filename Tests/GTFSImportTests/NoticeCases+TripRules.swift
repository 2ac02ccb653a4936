@testable import GTFSImport

/// Rules about trips beside their calls, and about places that pathways do not reach. Each feed breaks a rule and has
/// rows that just do not.
extension NoticeCases {
    private static let withPlaces = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"

    static let rulesOfTrips: [NoticeCase] = [
        // The route's fares by zone count, not those without a route. No trip calls at s3; z is a station.
        NoticeCase(
            .stopWithoutZoneId,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,zone_id,location_type\ns1,One,50.1,8.1,A,\n"
                    + "s2,Two,50.2,8.2,,0\ns3,Three,50.2,8.2,,\n",
                "fare_attributes.txt":
                    "fare_id,price,currency_type,payment_method,transfers,agency_id\nf,1,EUR,0,0,a\n",
                "fare_rules.txt": "fare_id,route_id,origin_id,destination_id,contains_id\nf,r,,,A\nf,q,,,\nf,,A,,\n",
            ],
            [
                "stops.txt, row 3: has no zone_id, though fare_rules.txt has fares by zone for route_id \"r\", whose "
                    + "trips call there; stored as it is"
            ]),
        // The platform p has the area b. No pathway leads to q's station.
        NoticeCase(
            .pathwayUnreachableLocation,
            [
                "stops.txt": withPlaces + "s1,One,50.1,8.1,0,z\ns2,Two,50.2,8.2,,\nz,Station,50.3,8.3,1,\n"
                    + "y,Station,50.3,8.3,1,\ne,Entrance,50.3,8.3,2,z\nn,Platform,50.3,8.3,,z\nm,Platform,50.3,8.3,,z\n"
                    + "o,Platform,50.3,8.3,0,z\np,Platform,50.3,8.3,0,z\nb,Area,50.3,8.3,4,p\nq,Other,50.3,8.3,,y\n",
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nx,e,s1,1,1\n"
                    + "y,n,s1,1,0\nz,s1,m,1,0\nw,o,b,1,1\n",
            ],
            [
                "stops.txt, row 7, stop_id: \"n\" cannot be reached by pathways from an entrance; stored as it is",
                "stops.txt, row 8, stop_id: \"m\" has no way out by pathways to an entrance; stored as it is",
                "stops.txt, row 9, stop_id: \"o\" is joined by pathways to no entrance; stored as it is",
                "stops.txt, row 11, stop_id: \"b\" is joined by pathways to no entrance; stored as it is",
            ]),
        // The only call of t. u has two calls, and v may only be boarded.
        NoticeCase(
            .missingStopTimesRecord,
            [
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,x\nr,w,v,x\n",
                "stop_times.txt":
                    "trip_id,location_group_id,stop_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type,pickup_booking_rule_id,drop_off_booking_rule_id\n"
                    + "t,g,,1,08:00:00,09:00:00,2,2,k,k\nu,g,,1,08:00:00,09:00:00,2,2,k,k\n"
                    + "u,g,,2,08:00:00,09:00:00,2,2,k,k\nv,g,,1,08:00:00,09:00:00,2,1,k,k\n",
                "booking_rules.txt": "booking_rule_id,booking_type\nk,0\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1: is the only call of a trip on demand, where riders "
                    + "may board and alight; a second call is missing; stored as it is"
            ]),
    ]
}
