import GTFSSchema

/// What is known of a feed once all rows are stored, to tell which rules of schema/rules.tsv its rows may break.
struct RuleNeeds {
    let files: [FileSummary]
    /// The plans of the feed's tables, by the table.
    let plans: [String: TablePlan]
    let facts: RowFacts
    let translatedRecords: TranslatedRecords?
    /// Whether no filter has left rows out.
    let hasEverything: Bool
    /// The rows that were seen, by the words with which rules ask for them.
    let found: Set<String>

    /// The files that the feed has, without locations.geojson, which translations do not name.
    var filesOfFeed: [FileDefinition] {
        Specification.gtfs.files.filter { plans[$0.table] != nil && $0.name.hasSuffix(".txt") }
    }

    /// Whether the feed has rows that may break the rule. Whether any does is up to SQL, or to `ComparedRules`.
    func areMet(by rule: FeedRule) -> Bool {
        guard rule.when.map(facts.holds) ?? true, let own = Specification.gtfs.file(named: rule.file)?.table,
            rule.isAboutHeader || files.contains(where: { $0.table == own && $0.rows > $0.keptRows })
        else { return false }
        return rule.needs.allSatisfy { meets($0, rule) }
    }

    private func meets(_ need: FeedRule.Need, _ rule: FeedRule) -> Bool {
        switch need {
        case .field(let names): names.contains { plans[rule.table]?.present.contains($0) == true }
        case .file(let name): Specification.gtfs.file(named: name).map { plans[$0.table] != nil } ?? false
        case .row(let any): any.contains(where: facts.holds)
        case .everything: hasEverything
        case .found(let what): found.contains(what)
        case .names(let names): translationsMayName(names)
        }
    }

    private func translationsMayName(_ names: [String]) -> Bool {
        guard let named = translatedRecords?.tableNames else { return true }
        return named.contains { name in
            let name = name.lowercased()
            return names.contains(name) || names == ["others"] && !filesOfFeed.contains { $0.stem == name }
        }
    }
}

extension FeedRules {
    /// The rules one table after the other, each with those of its table.
    static func byTable(_ rules: [FeedRule]) -> [[FeedRule]] {
        var (rest, tables): (ArraySlice<FeedRule>, [[FeedRule]]) = (rules[...], [])
        while let first = rest.first {
            let own = rest.prefix { $0.table == first.table }
            tables.append(Array(own))
            rest = rest.dropFirst(own.count)
        }
        return tables
    }
}
