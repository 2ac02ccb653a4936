// swift-tools-version: 6.2
import PackageDescription

/// A separate package, so that the library's users and tests never build it. Like every other program, it sees only the
/// public interface.
let package = Package(
    name: "import-gtfs-benchmarks",
    dependencies: [.package(name: "import-gtfs", path: "../..")],
    targets: [
        .target(
            name: "CFetch", path: "Baselines/CFetch",
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("m")]),
        .bench("fetch-bench", ["CFetch"]),
        .bench("growth-bench", []),
        .client("outside-client", .v6),
        // A link to the same file, because programs in the Swift 5 language mode use the library as well.
        .client("outside-client-swift5", .v5),
    ]
)

extension Target {
    /// Built beside the benchmarks, so that one optimized build of the libraries serves both.
    static var programs: [Target.Dependency] {
        ["import-gtfs", "fetch-gtfs"].map { .product(name: $0, package: "import-gtfs") }
    }

    static func bench(_ name: String, _ targets: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name, dependencies: targets + [.product(name: "TransitStore", package: "import-gtfs")] + programs,
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ])
    }

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
