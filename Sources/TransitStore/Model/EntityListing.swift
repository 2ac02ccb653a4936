import GTFSSchema

/// An entity and its properties, described for people.
package struct EntityListing: Sendable, Hashable {
    /// A property, or a relationship.
    package struct Property: Sendable, Hashable {
        /// The name in Swift and in texts, such as `departureTime`.
        package let name: String
        /// `text`, `number`, `time`, `date`; `Stop` for one object, `many StopTime` for those that refer back.
        package let type: String
        /// The GTFS field that it comes from, or that refers back; nil for a property that the importer adds.
        package let field: String?
        /// The file of that field.
        package let file: String?
    }

    /// The entity's name, such as `StopTime`; the table for an entity without a class.
    package let name: String
    package let table: String
    /// The GTFS file that the rows come from; nil for a table that the importer adds.
    package let file: String?
    package let properties: [Property]
}

extension StoreModel {
    /// All entities: those with a class in the order of `typedEntities`, then the tables by name.
    package var listing: [EntityListing] {
        let typed = Self.typedEntities
        let others = entities.filter { entity in !typed.contains(entity) }
        return (typed + others.sorted { $0.table < $1.table }).map(listing(of:))
    }

    /// One entity. A sub-entity such as `Station` is listed as the entity it belongs to.
    /// Throws `StoreError.unknownEntity`.
    package func listing(named name: String) throws -> EntityListing {
        listing(of: try FetchRequest<StoreObject>(entity: name).entity(in: self))
    }

    private func listing(of entity: EntityDescription) -> EntityListing {
        let file = Specification.gtfs.file(ofTable: entity.table)
        let columns = entity.columns.indices.map { index in
            let column = entity.columns[index]
            let field = file?.fields.first { $0.column == column.name }
            return EntityListing.Property(
                name: column.property, type: typeName(entity.kind(ofColumn: index)), field: field?.name,
                file: field == nil ? nil : file?.name)
        }
        let many = entity.toMany.map { relationship in
            let file = Specification.gtfs.file(ofTable: relationship.table)
            let field = file?.fields.first { $0.column == relationship.inverse }
            return EntityListing.Property(
                name: relationship.name, type: "many \(entityName(ofTable: relationship.table))", field: field?.name,
                file: field == nil ? nil : file?.name)
        }
        return EntityListing(
            name: entity.name, table: entity.table, file: file?.name, properties: columns + many)
    }

    private func typeName(_ kind: ValueKind) -> String {
        switch kind {
        case .text: "text"
        case .number, .unknown: "number"
        case .time: "time"
        case .date: "date"
        case .reference(let table): entityName(ofTable: table)
        }
    }

    private func entityName(ofTable table: String) -> String { entity(named: table)?.name ?? table }
}
