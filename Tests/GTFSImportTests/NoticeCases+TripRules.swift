@testable import GTFSImport

/// Rules about trips beside their calls, and about places that pathways do not reach. Each feed breaks a rule and has
/// rows that just do not.
extension NoticeCases {

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
    ]
}
