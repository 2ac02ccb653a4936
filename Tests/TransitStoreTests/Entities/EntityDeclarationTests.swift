import GTFSSchema
import SQLite
import Testing

@testable import TransitStore

/// The typed entities and the declaration of GTFS must not drift apart.
@Suite struct EntityDeclarationTests {
    @Test(arguments: StoreModel.typedEntities)
    func columnsAreThoseOfTheDeclaration(_ entity: EntityDescription) throws {
        guard let file = Specification.gtfs.file(ofTable: entity.table) else {
            // The importer makes these tables; they are no files of GTFS.
            return #expect([Feed.entity, Shape.entity, SearchTerm.entity].contains { $0 === entity }, "\(entity.name)")
        }
        for field in file.fields {
            let position = try #require(entity.columnIndex(field.column), "\(entity.name) lacks \(field.column)")
            let column = entity.columns[position]
            let storage: ColumnDescription.Storage =
                switch field.type.storage {
                case .text: .text
                case .integer: .integer
                case .real: .real
                }
            #expect(column.storage == storage, "\(entity.name).\(field.column)")
            #expect(column.target == field.referencedTable, "\(entity.name).\(field.column)")
        }
    }

    /// Columns that are never NULL in a store need no COALESCE. All other columns need one.
    @Test func columnsThatAreNeverMissingAreNotNull() throws {
        let store = try TestStore.berlin()
        let connection = try Connection(path: store.path, mode: .immutable)
        // The table feed has one row: a COALESCE costs nothing there.
        for entity in StoreModel.typedEntities where entity != Feed.entity {
            let info = try connection.prepare(
                "SELECT name, \"notnull\" OR pk FROM pragma_table_info('\(entity.table)')")
            var found: Set<String> = []
            while try info.step() {
                let name = try #require(info.text(0))
                // Only columns of the importer have no property.
                guard let index = entity.columnIndex(name) else { continue }
                found.insert(name)
                // The column is NOT NULL with a default, but the entity declares it like the other flags.
                if name == "in_calendar" { continue }
                #expect((entity.columns[index].absence == .never) == (info.integer(1) == 1), "\(entity.name).\(name)")
            }
            #expect(found == Set(entity.columns.map(\.name)), "\(entity.name)")
        }
    }

    @Test func columnsAreInTheOrderOfTheirEnumeration() {
        #expect(Stop.Column.allCases.map { "\($0)" } == Stop.entity.columns.map(\.name))
        #expect(StopTime.Column.allCases.map { "\($0)" } == StopTime.entity.columns.map(\.name))
        #expect(Trip.Column.allCases.map { "\($0)" } == Trip.entity.columns.map(\.name))
        #expect(Route.Column.allCases.map { "\($0)" } == Route.entity.columns.map(\.name))
        #expect(Agency.Column.allCases.map { "\($0)" } == Agency.entity.columns.map(\.name))
        #expect(Service.Column.allCases.map { "\($0)" } == Service.entity.columns.map(\.name))
        #expect(ServiceException.Column.allCases.map { "\($0)" } == ServiceException.entity.columns.map(\.name))
        #expect(Frequency.Column.allCases.map { "\($0)" } == Frequency.entity.columns.map(\.name))
        #expect(Transfer.Column.allCases.map { "\($0)" } == Transfer.entity.columns.map(\.name))
        #expect(Shape.Column.allCases.map { "\($0)" } == Shape.entity.columns.map(\.name))
        #expect(ShapePoint.Column.allCases.map { "\($0)" } == ShapePoint.entity.columns.map(\.name))
        #expect(SearchTerm.Column.allCases.map { "\($0)" } == SearchTerm.entity.columns.map(\.name))
        #expect(Level.Column.allCases.map { "\($0)" } == Level.entity.columns.map(\.name))
        #expect(Pathway.Column.allCases.map { "\($0)" } == Pathway.entity.columns.map(\.name))
        #expect(Translation.Column.allCases.map { "\($0)" } == Translation.entity.columns.map(\.name))
        #expect(Feed.Column.allCases.map { "\($0)" } == Feed.entity.columns.map(\.name))
        #expect(FeedInfo.Column.allCases.map { "\($0)" } == FeedInfo.entity.columns.map(\.name))
    }

    @Test func relationshipsHaveInverses() throws {
        for entity in StoreModel.declared.entities {
            for relationship in entity.toMany {
                let target = try #require(StoreModel.declared.entity(named: relationship.table))
                let inverse = try #require(target.columnIndex(relationship.inverse))
                #expect(target.columns[inverse].target == entity.table)
            }
        }
    }

    /// Every reference of the specification is a relationship in both directions, each with its own name.
    @Test func referencesAreRelationshipsBothWays() throws {
        for file in Specification.gtfs.files {
            let entity = try #require(StoreModel.declared.entity(named: file.table))
            for field in file.fields {
                guard let table = field.referencedTable else { continue }
                #expect(entity.relatedTable(field.column) == table, "\(file.table).\(field.column)")
                let owner = try #require(StoreModel.declared.entity(named: table))
                let inverses = owner.toMany.filter { $0.table == file.table && $0.inverse == field.column }
                #expect(inverses.count == 1, "\(table) of \(file.table).\(field.column)")
                for inverse in inverses { #expect(owner.relatedTable(inverse.name) == file.table) }
            }
            #expect(Set(entity.relationshipNames).count == entity.relationshipNames.count)
        }
    }
}
