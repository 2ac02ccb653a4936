// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, so that the library's users and tests never build it. It sees what every other program sees:
/// the public interface, from another package.
let package = Package(
    name: "import-gtfs-benchmarks",
    dependencies: [.package(name: "import-gtfs", path: "../..")],
    targets: [
        .target(
            name: "CFetch", path: "Baselines/CFetch",
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("m")]),
        .executableTarget(
            name: "fetch-bench",
            dependencies: ["CFetch", .product(name: "TransitStore", package: "import-gtfs")],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        .client("outside-client", .v6),
        // The same file, by a link: programs in the language mode of Swift 5 use the library as well.
        .client("outside-client-swift5", .v5),
    ]
)

extension Target {
    static func client(_ name: String, _ mode: SwiftLanguageMode) -> Target {
        .executableTarget(
            name: name,
            dependencies: [
                .product(name: "GTFSImport", package: "import-gtfs"),
                .product(name: "TransitStore", package: "import-gtfs"),
            ],
            swiftSettings: [.swiftLanguageMode(mode), .treatAllWarnings(as: .error)])
    }
}
