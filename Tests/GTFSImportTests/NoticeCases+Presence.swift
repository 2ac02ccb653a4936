@testable import GTFSImport

/// Fields that must or should have a value because of other fields or rows.
extension NoticeCases {
    private static let agencyHeader = "agency_id,agency_name,agency_url,agency_timezone\n"

    static let aboutPresence: [NoticeCase] = [
        NoticeCase(
            .missingRequiredAgencyId,
            [
                "agency.txt": agencyHeader + "a,A,http://a.example,Europe/Berlin\n,B,http://b.example,Europe/Berlin\n",
                "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,,1,3\nq,gone,2,3\n",
                "fare_attributes.txt": "fare_id,price,currency_type,payment_method,transfers\nf,1.00,EUR,0,0\n",
            ],
            [
                "routes.txt, row 3, agency_id: \"gone\" is not in agency.agency_id; the column is left empty and the "
                    + "text kept in kept_value",
                "agency.txt, row 3: agency_id is empty but required in a feed with several agencies",
                "routes.txt, row 2: agency_id is empty but required in a feed with several agencies",
                "fare_attributes.txt, row 2: agency_id is empty but required in a feed with several agencies",
            ]),
        NoticeCase(
            .missingRecommendedField,
            [
                "agency.txt": agencyHeader + ",A,http://a.example,Europe/Berlin\n",
                "routes.txt": "route_id,route_short_name,route_type\nr,1,3\n",
                "fare_attributes.txt":
                    "fare_id,price,currency_type,payment_method,transfers,agency_id\nf,1.00,EUR,0,0,\n",
            ],
            [
                "agency.txt, row 2: agency_id is empty but recommended in a feed with one agency",
                "routes.txt, row 2: agency_id is empty but recommended in a feed with one agency",
                "fare_attributes.txt, row 2: agency_id is empty but recommended in a feed with one agency",
            ]),
        // Columns that must be there, but whose empty cells mean 0.
    ]
}
