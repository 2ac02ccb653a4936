@testable import GTFSImport

/// Rules about stops. Each feed breaks a rule and has rows that just do not.
extension NoticeCases {
    static let rulesOfStops: [NoticeCase] = [
        NoticeCase(
            .missingStopName,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,,50.1,8.1,,\n"
                    + "s2,Two,50.2,8.2,,\nz,,50.3,8.3,1,\np,Platform,50.3,8.3,,z\nn,,,,3,z\n"
            ],
            [
                "stops.txt, row 2: the stop has no stop_name; stored as it is",
                "stops.txt, row 4: the station has no stop_name; stored as it is",
            ]),
        NoticeCase(
            .sameNameAndDescriptionForStop,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,stop_desc\ns1,Öst,50.1,8.1,öST\n"
                    + "s2,Two,50.2,8.2,Two!\n"
            ],
            [
                "stops.txt, row 2, stop_desc: \"öST\" only repeats stop_name; stored as it is"
            ]),
        NoticeCase(
            .stopWithoutLocation,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,,,,\n"
                    + "s2,Two,50.2,,0,\nz,Station,,8.3,1,\np,Platform,50.3,8.3,,z\nn,,,,3,z\n"
                    + "q,Unread,\"50,1\",8.1,,\nr,Half,\"50,1\",,,\n"
            ],
            [
                "stops.txt, row 7, stop_lat: \"50,1\" is not a number; the column is left empty and the text "
                    + "kept in kept_value",
                "stops.txt, row 8, stop_lat: \"50,1\" is not a number; the column is left empty and the text "
                    + "kept in kept_value",
                "stops.txt, row 2: the stop has no stop_lat and no stop_lon; stored as it is",
                "stops.txt, row 3: the stop has no stop_lon; stored as it is",
                "stops.txt, row 4: the station has no stop_lat; stored as it is",
                "stops.txt, row 8: the stop has no stop_lon; stored as it is",
            ]),
        NoticeCase(
            .stationWithParentStation,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
                    + "s1,One,50.1,8.1,,y\ns2,Two,50.2,8.2,,z\nz,Station,50.3,8.3,1,y\n"
                    + "y,Station,50.3,8.3,1,\n"
            ],
            [
                "stops.txt, row 4: the station has a parent_station, which must be empty; stored as it is"
            ]),
        NoticeCase(
            .locationWithoutParentStation,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
                    + "s1,One,50.1,8.1,,z\ns2,Two,50.2,8.2,,\nz,Station,50.3,8.3,1,\n"
                    + "e,Entrance,50.3,8.3,2,\nn,Node,50.3,8.3,3,z\nb,Area,50.3,8.3,4,\n"
                    + "f,Entrance,50.3,8.3,2,gone\n"
            ],
            [
                "stops.txt, row 8, parent_station: \"gone\" is not a stop_id of stops.txt; the column is left empty "
                    + "and the text kept in kept_value",
                "stops.txt, row 5: the entrance has no parent_station; stored as it is",
                "stops.txt, row 7: the boarding area has no parent_station; stored as it is",
            ]),
        NoticeCase(
            .wrongParentLocationType,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
                    + "s1,One,50.1,8.1,,s2\ns2,Two,50.2,8.2,,z\nz,Station,50.3,8.3,1,\n"
                    + "e,Entrance,50.3,8.3,2,z\nn,Node,50.3,8.3,3,e\nb,Area,50.3,8.3,4,s2\n"
                    + "d,Area,50.3,8.3,4,z\n"
            ],
            [
                "stops.txt, row 2, parent_station: \"s2\" is not a station, which the parent of a stop must "
                    + "be; stored as it is",
                "stops.txt, row 6, parent_station: \"e\" is not a station, which the parent of a node must "
                    + "be; stored as it is",
                "stops.txt, row 8, parent_station: \"z\" is not a stop or platform, which the parent of a "
                    + "boarding area must be; stored as it is",
            ]),
        NoticeCase(
            .platformWithoutParentStation,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code\n"
                    + "s1,One,50.1,8.1,,,1\ns2,Two,50.2,8.2,,z,2\nz,Station,50.3,8.3,1,,3\n"
            ],
            [
                "stops.txt, row 2: the platform \"1\" has no parent_station; stored as it is"
            ]),
        NoticeCase(
            .sameStopAndAgencyUrl,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,stop_url\ns1,One,50.1,8.1,http://A.example\n"
                    + "s2,Two,50.2,8.2,http://a.example/2\n"
            ],
            [
                "stops.txt, row 2, stop_url: \"http://A.example\" is also the agency_url of row 2 of "
                    + "agency.txt; stored as it is"
            ]),
        NoticeCase(
            .sameStopAndRouteUrl,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type,route_url\n"
                    + "r,a,1,3,http://a.example/lines\nq,a,2,3,http://a.example/Lines\np,a,3,3,\n",
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,stop_url\n"
                    + "s1,One,50.1,8.1,http://a.example/lines\ns2,Two,50.2,8.2,http://a.example/2\n",
            ],
            [
                "stops.txt, row 2, stop_url: \"http://a.example/lines\" is also the route_url of row 2 of "
                    + "routes.txt; stored as it is",
                "stops.txt, row 2, stop_url: \"http://a.example/lines\" is also the route_url of row 2 of "
                    + "routes.txt and of others; stored as it is",
            ]),
        NoticeCase(
            .stopAccessSpecifiedForStopWithNoParentStation,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,,,1\ns2,Two,50.2,8.2,,z,,0\nz,Station,50.3,8.3,1,,,\n"
            ],
            [
                "stops.txt, row 2, stop_access: \"1\" is only for stops of a station, and the stop has no "
                    + "parent_station; stored as it is"
            ]),
        NoticeCase(
            .stopAccessSpecifiedForIncorrectLocation,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,,,\ns2,Two,50.2,8.2,,z,,0\nz,Station,50.3,8.3,1,,,0\n"
                    + "y,Kiosk,50.3,8.3,9,,,1\n"
            ],
            [
                "stops.txt, row 5, location_type: \"9\" is not one of the values that the field has; stored as it is",
                "stops.txt, row 4, stop_access: \"0\" is only for stops and platforms, not for this station; "
                    + "stored as it is",
                "stops.txt, row 5, stop_access: \"1\" is only for stops and platforms, not for this place of "
                    + "another kind; stored as it is",
            ]),
        NoticeCase(
            .unusedStation,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
                    + "s1,One,50.1,8.1,,z\ns2,Two,50.2,8.2,,\nz,Station,50.3,8.3,1,\ny,Empty,50.3,8.3,1,\n"
                    + "e,Entrance,50.3,8.3,2,y\n"
            ],
            [
                "stops.txt, row 5, stop_id: \"y\" is a station that no stop names as its parent; stored as "
                    + "it is"
            ]),
    ]
}
