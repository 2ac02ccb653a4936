import Console

/// The options about what is written beside the store when an import has ended.
extension ImportArguments {
    static let telling: [OptionDefinition] = [
        OptionDefinition("--log-json", "say what is said on standard error as JSON lines"),
        OptionDefinition("--report", value: "FILE", "write a page (HTML) about the import, also when it failed"),
        OptionDefinition(
            "--metrics", value: "FILE", "write metrics in Prometheus' text format, also when the import failed"),
        OptionDefinition(
            "--after", value: "COMMAND",
            "run COMMAND by sh when the store is current, with IMPORT_GTFS_STORE and IMPORT_GTFS_STATUS set"),
        OptionDefinition(
            "--list", value: "FILE",
            "alone: print the feeds of a Mobility Database CSV or DMFR file for pipelines/nightly"),
        OptionDefinition("--index", value: "FOLDER", "alone: write index.html over the pages in FOLDER"),
    ]

    mutating func readTelling(_ parsed: OptionTable.Arguments) throws(UsageError) {
        pagePath = try Self.path("--report", parsed)
        metricsPath = try Self.path("--metrics", parsed)
        afterCommand = try Self.path("--after", parsed)
        options.gathersDetails = pagePath != nil
    }

    private static func path(_ option: String, _ parsed: OptionTable.Arguments) throws(UsageError) -> String? {
        guard let value = parsed.values[option] else { return nil }
        guard !value.isEmpty else { throw UsageError("\(option) is empty") }
        return value
    }
}
