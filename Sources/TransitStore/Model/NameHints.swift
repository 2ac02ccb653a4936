import GTFSSchema
import SearchText

/// Hints for unknown names: what a GTFS name is called here, what was probably meant, or which names there are.
extension StoreModel {
    /// A hint for an unknown entity: "stops.txt is Stop here", "did you mean Stop?"; nil when no name is similar.
    ///
    /// The names of files (`stops`, `stops.txt`) and views (`gtfs_stops`) only lead to a hint. A request does not
    /// accept them: it takes the entity's name or its table's.
    func hint(forEntity name: String) -> String? {
        let wanted = name.lowercased()
        let stem = (wanted.hasPrefix("gtfs_") ? wanted.dropFirst(5) : wanted[...]).prefix { $0 != "." }
        if let file = Specification.gtfs.files.first(where: { $0.stem == stem }),
            let entity = entity(named: file.table)
        {
            return "\(file.name) is \(entity.name) here"
        }
        if let own = entities.first(where: { $0.table.lowercased() == "extra_\(stem)" }) {
            return "\(stem).txt is \(own.name) here"
        }
        let names = entities.flatMap { [$0.name, $0.table] } + LocationType.knownValues.compactMap(\.entityName)
        return NearestName.find(name, among: names).map { "did you mean \($0)?" }
    }
}

extension EntityDescription {
    /// A hint for an unknown property: "stop_name is called name here", "did you mean name?", or all names there are.
    func hint(forProperty name: String, further: [String] = [], mayBeText: Bool = false) -> String {
        let fields = Specification.gtfs.file(ofTable: table)?.fields ?? []
        if let field = fields.first(where: { $0.name == name }) { return "\(name) is called \(path(to: field)) here" }
        if name == "objectID" { return "SELF stands for the row, as in SELF = 3" }
        let names = propertyNames + further
        switch NearestName.find(name, among: names + fields.map(\.name)) {
        case nil:
            let quoting = mayBeText ? "a text needs quotes ('\(name)'); " : ""
            let isOfFeed = name.contains("_") && objectType != StoredRow.self
            let own = isOfFeed ? "; feedColumns() reads the columns that only this feed has" : ""
            return "\(quoting)it has \(names.joined(separator: ", "))\(own)"
        case let near?:
            let field = names.contains(near) ? nil : fields.first { $0.name == near }
            return "did you mean \(field.map(path(to:)) ?? near)?"
        }
    }

    /// The relationship that a GTFS field has become; nil for fields that are not references and for other names.
    func reference(ofField name: String) -> String? {
        guard let field = Specification.gtfs.file(ofTable: table)?.field(named: name), field.referencedTable != nil
        else { return nil }
        return ColumnDescription.propertyName(ofColumn: field.column)
    }

    /// The path to a field's value: `name`. For a reference, the path to the id that the feed has: `stop.stopID`.
    private func path(to field: FieldDefinition) -> String {
        let property = ColumnDescription.propertyName(ofColumn: field.column)
        guard let table = field.referencedTable, let id = Specification.gtfs.file(ofTable: table)?.idField else {
            return property
        }
        return property + "." + ColumnDescription.propertyName(ofColumn: id.column)
    }
}

extension EntityDescription {
    /// The message for a name that is not a relationship. It suggests the nearest relationship, or else lists all of
    /// them.
    func noRelationship(_ name: String) -> String {
        let names = relationshipNames
        let hint =
            reference(ofField: name).map { "\(name) is called \($0) here" }
            ?? NearestName.find(name, among: names).map { "did you mean \($0)?" }
        let known = names.isEmpty ? "it has no relationships" : "it has \(names.joined(separator: ", "))"
        return "\(self.name) has no relationship \(name); \(hint ?? known)"
    }
}
