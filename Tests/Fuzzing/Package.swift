// swift-tools-version: 6.2
import PackageDescription

/// A separate package, because its builds are instrumented. `make fuzz` passes the flags.
let package = Package(
    name: "import-gtfs-fuzzing",
    dependencies: [.package(name: "import-gtfs", path: "../..")],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz-gtfs",
            dependencies: [
                "CFuzzer",
                .product(name: "GTFSImport", package: "import-gtfs"),
                .product(name: "TransitStore", package: "import-gtfs"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ]
)
