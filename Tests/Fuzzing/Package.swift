// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, because its builds are instrumented: `make fuzz` passes the flags.
let package = Package(
    name: "transit-store-fuzzing",
    dependencies: [.package(name: "transit-store", path: "../..")],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz-gtfs",
            dependencies: [
                "CFuzzer",
                .product(name: "GTFSImport", package: "transit-store"),
                .product(name: "TransitStore", package: "transit-store"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ]
)
