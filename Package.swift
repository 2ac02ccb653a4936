// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 language mode, no warning survives, existentials are spelled `any`.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Targets without pointers also promise strict memory safety; the others confine them to files that say why.
let safeHouse: [SwiftSetting] = house + [.strictMemorySafety()]

let package = Package(
    name: "import-gtfs",
    products: [
        .library(name: "TransitStore", targets: ["TransitStore"]),
        .library(name: "GTFSImport", targets: ["GTFSImport"]),
        .executable(name: "import-gtfs", targets: ["import-gtfs"]),
        .executable(name: "fetch-gtfs", targets: ["fetch-gtfs"]),
    ],
    targets: [
        // C libraries: one module each, imported by one Swift target (zlib by two).
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "CICU",
            linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc"), .linkedLibrary("icudata")]
        ),

        // Paths as bytes, and system calls that are done to their end.
        .systemLibrary(name: "CSystem"),
        .target(name: "SystemFiles", dependencies: ["CSystem"], swiftSettings: house),
        // File systems for SQLite that have one file each; a target, so that sanitizers and coverage see them.
        .target(name: "CSQLiteFiles", dependencies: ["CSQLite"], linkerSettings: [.linkedLibrary("sqlite3")]),
        // Rows of cells in memory, as the stages of an import and SQLite hand them on.
        .target(name: "Cells", swiftSettings: house),
        .target(name: "SQLite", dependencies: ["Cells", "CSQLite", "CSQLiteFiles"], swiftSettings: house),
        .target(name: "SQLitePages", dependencies: ["Cells", "CZlib", "SystemFiles"], swiftSettings: house),
        .target(name: "KeySorting", dependencies: ["SystemFiles"], swiftSettings: house),
        // Days of the calendar: their numbers, their dates, their weekdays. Knows no time zone.
        .target(name: "CivilTime", swiftSettings: safeHouse),
        .target(name: "ICU", dependencies: ["CICU"], swiftSettings: house),
        .target(
            name: "GTFSSchema",
            exclude: [
                "schema/README.md", "schema/tables.md", "schema/departures.sql", "schema/arrivals.sql",
                "schema/notices_today.sql", "schema/samples",
            ],
            resources: [
                .embedInCode("schema/gtfs.tsv"), .embedInCode("schema/notices.tsv"), .embedInCode("schema/rules.tsv"),
                .embedInCode("schema/indexes.sql"),
            ],
            swiftSettings: safeHouse
        ),
        .target(name: "GTFSFeed", dependencies: ["CZlib", "ICU", "SystemFiles"], swiftSettings: house),
        .target(name: "SearchText", dependencies: ["ICU"], swiftSettings: safeHouse),
        // Conditions and requests in words: text in, tree out. Knows no entity, no store, no SQL.
        .target(name: "RequestGrammar", dependencies: ["SearchText"], swiftSettings: safeHouse),
        // What both programs share: options in, words, numbers and JSON out. TransitStore does not know it.
        .target(name: "Console", dependencies: ["SearchText", "SystemFiles"], swiftSettings: house),
        // The page about an import: values in, HTML out.
        .target(name: "ReportPage", dependencies: ["CivilTime", "Console", "SystemFiles"], swiftSettings: safeHouse),
        .target(
            name: "GTFSImport",
            dependencies: [
                "Cells", "CivilTime", "GTFSFeed", "GTFSSchema", "KeySorting", "SearchText", "SQLite", "SQLitePages",
                "ICU",
                "Console", "SystemFiles", "ReportPage",
            ],
            // Release builds do not know the places where tests kill an import.
            swiftSettings: house + [.define("FAILPOINTS", .when(configuration: .debug))]
        ),
        .target(
            name: "TransitStore",
            dependencies: ["CivilTime", "GTFSSchema", "RequestGrammar", "SearchText", "SQLite", "SystemFiles", "ICU"],
            swiftSettings: house),
        .executableTarget(
            name: "import-gtfs",
            dependencies: [
                "CivilTime", "GTFSImport", "GTFSFeed", "GTFSSchema", "ReportPage", "SQLite", "SystemFiles", "ICU",
                "Console",
            ],
            swiftSettings: house),
        .executableTarget(
            name: "fetch-gtfs",
            dependencies: ["TransitStore", "GTFSSchema", "SQLite", "SQLitePages", "SystemFiles", "ICU", "Console"],
            swiftSettings: house),

        // What tests share: temporary folders, the built programs, feeds of agencies, random numbers.
        .target(name: "TestSupport", dependencies: ["SQLite"], path: "Tests/TestSupport", swiftSettings: house),
        .testTarget(name: "CellsTests", dependencies: ["Cells"], swiftSettings: house),
        .testTarget(name: "SystemFilesTests", dependencies: ["SystemFiles", "TestSupport"], swiftSettings: house),
        .testTarget(name: "SQLiteTests", dependencies: ["Cells", "SQLite", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "SQLitePagesTests", dependencies: ["Cells", "SQLitePages", "SQLite", "TestSupport"],
            swiftSettings: house),
        .testTarget(name: "KeySortingTests", dependencies: ["KeySorting", "TestSupport"], swiftSettings: house),
        .testTarget(name: "CivilTimeTests", dependencies: ["CivilTime"], swiftSettings: house),
        .testTarget(name: "ICUTests", dependencies: ["ICU", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "GTFSSchemaTests", dependencies: ["GTFSSchema", "SQLite", "TestSupport"], swiftSettings: house),
        .testTarget(name: "GTFSFeedTests", dependencies: ["GTFSFeed", "TestSupport"], swiftSettings: house),
        .testTarget(name: "RequestGrammarTests", dependencies: ["RequestGrammar"], swiftSettings: house),
        .testTarget(name: "SearchTextTests", dependencies: ["SearchText", "ICU", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "GTFSImportTests",
            dependencies: [
                "CivilTime", "GTFSImport", "GTFSFeed", "GTFSSchema", "SQLite", "SQLitePages", "Console", "SystemFiles",
                "ReportPage", "TestSupport",
            ],
            exclude: ["Support"], swiftSettings: house),
        .testTarget(
            name: "ImportProgramTests",
            dependencies: [
                "import-gtfs", "GTFSImport", "GTFSFeed", "GTFSSchema", "SQLite", "Console", "SystemFiles",
                "TestSupport",
            ],
            swiftSettings: house),
        .testTarget(
            name: "TransitStoreTests",
            dependencies: ["TransitStore", "GTFSImport", "GTFSSchema", "SearchText", "SQLite", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "PipelineTests", dependencies: ["GTFSImport", "TestSupport"], exclude: ["Support"],
            swiftSettings: house),
        .testTarget(name: "ConsoleTests", dependencies: ["Console"], swiftSettings: house),
        .testTarget(
            name: "ReportPageTests", dependencies: ["ReportPage", "GTFSImport", "TestSupport"], exclude: ["Support"],
            swiftSettings: house),
        .testTarget(
            name: "FetchProgramTests", dependencies: ["GTFSImport", "GTFSSchema", "SQLite", "TestSupport"],
            swiftSettings: house),
    ]
)
