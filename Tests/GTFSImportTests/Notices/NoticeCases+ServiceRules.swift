@testable import GTFSImport

/// Rules about trips, services and shapes. Each feed breaks a rule and has rows that just do not.
extension NoticeCases {
    static let rulesOfServicesAndShapes: [NoticeCase] = [
        // A point without a distance is compared with none.
        NoticeCase(
            .decreasingShapeDistance,
            [
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,y\n",
                "shapes.txt":
                    "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\ny,50.1,8.1,1,1\n"
                    + "y,50.2,8.2,2,0.5\ny,50.3,8.3,3,\ny,50.4,8.4,4,0.1\nx,50.1,8.1,1,0\nx,50.2,8.2,2,1.5\n",
            ],
            [
                "shapes.txt, shape_id \"y\", shape_pt_sequence 2, shape_dist_traveled: \"0.5\" is less than "
                    + "1.0, the distance at shape_pt_sequence 1; stored as it is"
            ]),
        NoticeCase(
            .equalShapeDistanceSameCoordinates,
            [
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,y\n",
                "shapes.txt":
                    "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\nx,50.1,8.1,1,0\n"
                    + "x,50.2,8.2,2,1.5\ny,50.1,8.1,1,0\ny,50.1,8.1,2,0\ny,50.1,8.1,3,0.1\n",
            ],
            [
                "shapes.txt, shape_id \"y\", shape_pt_sequence 2, shape_dist_traveled: \"0.0\" is also the "
                    + "distance at shape_pt_sequence 1, at the same place; stored as it is"
            ]),
        // A hundred-thousandth of a degree of latitude is 1.11 m.
        NoticeCase(
            .equalShapeDistanceDiffCoordinates,
            [
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,y\n",
                "shapes.txt":
                    "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\nx,50.1,8.1,1,0\n"
                    + "x,50.2,8.2,2,1.5\ny,50.1,8.1,1,0\ny,50.10001,8.1,2,0\ny,50.3,8.1,3,2\n",
            ],
            [
                "shapes.txt, shape_id \"y\", shape_pt_sequence 2, shape_dist_traveled: \"0.0\" is also the "
                    + "distance at shape_pt_sequence 1, which lies 1.11 m or more away; stored as it is"
            ]),
        NoticeCase(
            .equalShapeDistanceDiffCoordinatesDistanceBelowThreshold,
            [
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,y\n",
                "shapes.txt":
                    "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\nx,50.1,8.1,1,0\n"
                    + "x,50.2,8.2,2,1.5\ny,50.1,8.1,1,0\ny,50.100009,8.1,2,0\ny,50.3,8.1,3,2\n",
            ],
            [
                "shapes.txt, shape_id \"y\", shape_pt_sequence 2, shape_dist_traveled: \"0.0\" is also the "
                    + "distance at shape_pt_sequence 1, which lies less than 1.11 m away; stored as it is"
            ]),
        NoticeCase(
            .missingBikeAllowance,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,4\nq,a,2,3\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id,bikes_allowed\nr,w,t,x,0\nr,w,u,x,\nr,w,v,x,1\n"
                    + "r,w,y,x,2\nq,w,z,x,\nr,w,k,x,yes\n",
            ],
            [
                "trips.txt, row 7, bikes_allowed: \"yes\" is not a whole number; the column is left empty and "
                    + "the text kept in kept_value",
                "trips.txt, row 2: a trip by ferry does not say in bikes_allowed whether bicycles may come "
                    + "along; stored as it is",
                "trips.txt, row 3: a trip by ferry does not say in bikes_allowed whether bicycles may come "
                    + "along; stored as it is",
            ]),
        // A service without weekdays may still have days of calendar_dates.txt, but its row says nothing.
        NoticeCase(
            .serviceHasNoActiveDayOfTheWeek,
            [
                "calendar.txt":
                    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "w,1,1,1,1,1,0,0,20260101,20261231\nd,0,0,0,0,0,0,0,20260101,20261231\n"
                    + "e,0,0,0,0,0,0,1,20260101,20261231\n",
                "calendar_dates.txt": "service_id,date,exception_type\nd,20260704,1\nf,20260704,1\n",
            ],
            [
                "calendar.txt, row 3, service_id: \"d\" runs on no day of the week; stored as it is"
            ]),
        // 14 days without service for w, and 13 for v. No row of calendar.txt is about d.
        NoticeCase(
            .bigGapInService,
            [
                "calendar.txt": days + "w,0,0,0,0,0,0,0,20260101,20261231\nv,1,1,1,1,1,1,1,20260101,20260110\n"
                    + "u,1,1,1,1,1,1,1,20260101,20261231\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,u,u,x\n",
                "calendar_dates.txt": "service_id,date,exception_type\nw,20260101,1\nw,20260115,1\nw,20260130,1\n"
                    + "v,20260124,1\nd,20260101,1\nd,20260601,1\n",
            ],
            [
                "calendar.txt, row 2, service_id: \"w\" runs on no day of the week; stored as it is",
                "calendar.txt, row 2, service_id: \"w\" does not run between 20260115 and 20260130, for more "
                    + "than 13 days; stored as it is",
            ]),
        // The feed is valid in 2026. No trip takes y.
        NoticeCase(
            .serviceWindowOutsideFeedPeriod,
            [
                "calendar.txt": days + "w,1,0,0,0,0,0,0,20251230,20260130\nv,0,0,0,0,1,0,0,20260101,20270101\n"
                    + "x,0,0,0,1,0,0,0,20251229,20270106\ny,1,1,1,1,1,1,1,20200101,20200131\n",
                "calendar_dates.txt": "service_id,date,exception_type\nd,20251231,1\nd,20260101,1\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,v,u,x\nr,x,t2,x\nr,d,t3,x\n",
            ],
            [
                "calendar.txt, row 3, service_id: \"v\" runs from 20260102 to 20270101, but the feed is valid "
                    + "from 20260101 to 20261231; stored as it is",
                "calendar_dates.txt, service_id: \"d\" runs from 20251231 to 20260101, but the feed is valid "
                    + "from 20260101 to 20261231; stored as it is",
            ]),
        // The services of trips end 15 days before the feed does. No trip takes v.
        NoticeCase(
            .feedValidBeyondTotalServiceWindow,
            ["calendar.txt": days + "w,1,1,1,1,1,1,1,20260101,20261216\nv,1,1,1,1,1,1,1,20200101,20301231\n"],
            [
                "feed_info.txt, row 2: the feed is valid from 20260101 to 20261231, more than 14 days beyond its "
                    + "services, which run from 20260101 to 20261216; stored as it is"
            ]),
        NoticeCase(
            .singleShapePoint,
            [
                "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nx,50.1,8.1,1\nx,50.2,8.2,2\n"
                    + "y,50.1,8.1,1\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,y\n",
            ],
            [
                "shapes.txt, shape_id: \"y\" is a shape of only one point; stored as it is"
            ]),
    ]
}
