@testable import GTFSImport

/// Rules about booking and fares. Each feed breaks a rule and has rows that just do not.
extension NoticeCases {
    static let rulesOfBooking: [NoticeCase] = [
        NoticeCase(
            .forbiddenRealTimeBookingFieldValue,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,0,,,,,,,\ny,0,30,,,12:00:00,,,w\n"
            ],
            [
                "booking_rules.txt, row 3, booking_type: \"0\" is booking at the time of travel, which must "
                    + "not have prior_notice_duration_min, prior_notice_last_time, prior_notice_service_id; stored "
                    + "as it is"
            ]),
        NoticeCase(
            .forbiddenSameDayBookingFieldValue,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,1,30,60,,,,,\ny,1,30,,1,,,,w\n"
            ],
            [
                "booking_rules.txt, row 3, booking_type: \"1\" is booking on the same day, which must not "
                    + "have prior_notice_last_day, prior_notice_service_id; stored as it is"
            ]),
        NoticeCase(
            .forbiddenPriorDayBookingFieldValue,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,2,,,1,12:00:00,,,w\ny,2,,60,1,12:00:00,,,\n"
            ],
            [
                "booking_rules.txt, row 3, booking_type: \"2\" is booking on an earlier day, which must not "
                    + "have prior_notice_duration_max; stored as it is"
            ]),
        NoticeCase(
            .missingPriorNoticeDurationMin,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,1,30,,,,,,\ny,1,,60,,,,,\nz,1,half,,,,,,\n"
            ],
            [
                "booking_rules.txt, row 4, prior_notice_duration_min: \"half\" is not a whole number; the "
                    + "column is left empty and the text kept in kept_value",
                "booking_rules.txt, row 3: booking on the same day (booking_type 1) has no "
                    + "prior_notice_duration_min; stored as it is",
            ]),
        NoticeCase(
            .invalidPriorNoticeDurationMin,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,1,60,60,,,,,\ny,1,61,60,,,,,\n"
            ],
            [
                "booking_rules.txt, row 3, prior_notice_duration_min: \"61\" is more than "
                    + "prior_notice_duration_max 60; stored as it is"
            ]),
        NoticeCase(
            .forbiddenPriorNoticeStartDay,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,1,30,60,,,,,\ny,1,30,60,,,2,12:00:00,\n"
            ],
            [
                "booking_rules.txt, row 3, prior_notice_start_day: \"2\" stands beside "
                    + "prior_notice_duration_max 60; only one of them is allowed; stored as it is"
            ]),
        NoticeCase(
            .priorNoticeLastDayAfterStartDay,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,2,,,2,12:00:00,2,12:00:00,\ny,2,,,3,12:00:00,2,12:00:00,\n"
            ],
            [
                "booking_rules.txt, row 3, prior_notice_last_day: \"3\" is more than prior_notice_start_day "
                    + "2: booking closes before it opens; stored as it is"
            ]),
        NoticeCase(
            .missingPriorNoticeLastDay,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,2,,,1,12:00:00,,,\ny,2,,,,12:00:00,,,\n"
            ],
            [
                "booking_rules.txt, row 3: booking on an earlier day (booking_type 2) has no "
                    + "prior_notice_last_day; stored as it is"
            ]),
        NoticeCase(
            .missingPriorNoticeLastTime,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,2,,,1,12:00:00,,,\ny,2,,,1,,,,\n"
            ],
            [
                "booking_rules.txt, row 3: booking on an earlier day (booking_type 2) has no "
                    + "prior_notice_last_time; stored as it is"
            ]),
        NoticeCase(
            .forbiddenPriorNoticeStartTime,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,2,,,1,12:00:00,2,12:00:00,\ny,2,,,1,12:00:00,,12:00:00,\n"
            ],
            [
                "booking_rules.txt, row 3: has prior_notice_start_time without prior_notice_start_day; "
                    + "stored as it is"
            ]),
        NoticeCase(
            .missingPriorNoticeStartTime,
            [
                "booking_rules.txt":
                    "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_last_day,prior_notice_last_time,prior_notice_start_day,prior_notice_start_time,prior_notice_service_id\n"
                    + "x,2,,,1,12:00:00,2,12:00:00,\ny,2,,,1,12:00:00,2,,\n"
            ],
            [
                "booking_rules.txt, row 3: has prior_notice_start_day without prior_notice_start_time; "
                    + "stored as it is"
            ]),
    ]

    static let rulesOfFares: [NoticeCase] = [
        NoticeCase(
            .fareTransferRuleDurationLimitWithoutType,
            [
                "areas.txt": "area_id\nx\n",
                "fare_products.txt": "fare_product_id,amount,currency\nf,1.50,EUR\n",
                "fare_leg_rules.txt": "leg_group_id,fare_product_id,from_area_id\ng,f,\nh,f,x\n",
                "fare_transfer_rules.txt":
                    "from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,duration_limit_type,fare_transfer_type\n"
                    + "g,h,,60,1,0\ng,h,,90,,0\n",
            ],
            [
                "fare_transfer_rules.txt, row 3: has duration_limit without duration_limit_type; stored as "
                    + "it is"
            ]),
        NoticeCase(
            .fareTransferRuleDurationLimitTypeWithoutDurationLimit,
            [
                "areas.txt": "area_id\nx\n",
                "fare_products.txt": "fare_product_id,amount,currency\nf,1.50,EUR\n",
                "fare_leg_rules.txt": "leg_group_id,fare_product_id,from_area_id\ng,f,\nh,f,x\n",
                "fare_transfer_rules.txt":
                    "from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,duration_limit_type,fare_transfer_type\n"
                    + "g,h,,60,1,0\ng,h,,,1,0\n",
            ],
            [
                "fare_transfer_rules.txt, row 3: has duration_limit_type without duration_limit; stored as "
                    + "it is"
            ]),
        NoticeCase(
            .fareTransferRuleInvalidTransferCount,
            [
                "areas.txt": "area_id\nx\n",
                "fare_products.txt": "fare_product_id,amount,currency\nf,1.50,EUR\n",
                "fare_leg_rules.txt": "leg_group_id,fare_product_id,from_area_id\ng,f,\nh,f,x\n",
                "fare_transfer_rules.txt":
                    "from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,duration_limit_type,fare_transfer_type\n"
                    + "g,g,-1,,,0\ng,g,1,,,0\ng,g,-2,,,0\n",
            ],
            [
                "fare_transfer_rules.txt, row 4, transfer_count: \"-2\" is neither -1 nor 1 or more; stored "
                    + "as it is"
            ]),
        NoticeCase(
            .fareTransferRuleWithoutTransferCount,
            [
                "areas.txt": "area_id\nx\n",
                "fare_products.txt": "fare_product_id,amount,currency\nf,1.50,EUR\n",
                "fare_leg_rules.txt": "leg_group_id,fare_product_id,from_area_id\ng,f,\nh,f,x\n",
                "fare_transfer_rules.txt":
                    "from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,duration_limit_type,fare_transfer_type\n"
                    + "g,g,1,,,0\nh,h,,,,0\ng,h,,,,0\ng,g,some,,,0\n",
            ],
            [
                "fare_transfer_rules.txt, row 5, transfer_count: \"some\" is not a whole number; the column "
                    + "is left empty and the text kept in kept_value",
                "fare_transfer_rules.txt, row 3: has no transfer_count, though both leg groups are the same; "
                    + "stored as it is",
            ]),
        NoticeCase(
            .fareTransferRuleWithForbiddenTransferCount,
            [
                "areas.txt": "area_id\nx\n",
                "fare_products.txt": "fare_product_id,amount,currency\nf,1.50,EUR\n",
                "fare_leg_rules.txt": "leg_group_id,fare_product_id,from_area_id\ng,f,\nh,f,x\n",
                "fare_transfer_rules.txt":
                    "from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,duration_limit_type,fare_transfer_type\n"
                    + "g,g,1,,,0\ng,h,1,,,0\n,,2,,,0\n",
            ],
            [
                "fare_transfer_rules.txt, row 3, transfer_count: \"1\" is only for transfers within one leg "
                    + "group; stored as it is",
                "fare_transfer_rules.txt, row 4, transfer_count: \"2\" is only for transfers within one leg "
                    + "group; stored as it is",
            ]),
        NoticeCase(
            .duplicateFareMedia,
            [
                "fare_media.txt": "fare_media_id,fare_media_name,fare_media_type\na,Card,2\nb,Card,1\nc,Card,2\nd,,2\n"
            ],
            [
                "fare_media.txt, row 5: fare_media_name is empty but recommended with fare_media_type 2",
                "fare_media.txt, row 4, fare_media_id: \"c\" has the same fare_media_name and "
                    + "fare_media_type as an earlier row; stored as it is",
            ]),
        NoticeCase(
            .fareProductWithMultipleDefaultRiderCategories,
            [
                "rider_categories.txt":
                    "rider_category_id,rider_category_name,is_default_fare_category\na,Adult,1\nb,All,1\n"
                    + "c,Child,0\n",
                "fare_media.txt": "fare_media_id,fare_media_name,fare_media_type\nm,Card,2\n",
                "fare_products.txt": "fare_product_id,amount,currency,rider_category_id,fare_media_id\nf,1.50,EUR,a,\n"
                    + "f,1.50,EUR,a,m\nf,1.00,EUR,c,\nf,1.50,EUR,b,\ng,1.50,EUR,b,\n",
            ],
            [
                "fare_products.txt, row 5, fare_product_id: \"f\" is offered to several rider categories "
                    + "that are the default; stored as it is"
            ]),
    ]
}
