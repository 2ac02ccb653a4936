import Glibc
import SQLite
import SearchText
import SystemFiles

/// Why a store could not be opened, a request was not understood or a fetch failed.
///
///     do {
///         _ = try context.fetch(request)
///     } catch {
///         guard error.code == .corrupt else { throw error }
///         print(error)
///     }
///
/// The message says what was asked, what is wrong and what can be done.
public struct StoreError: Error, Sendable, Hashable {
    /// The kind of failure; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case missing, notAStore, otherVersion, truncated, corrupt, unreadable, readFailed
            case untranslatable, unknownEntity, unknownProperty, syntax, missingVariable, unknownVariable
            case unsuitableValue, unknownTemplate, ambiguousName, ungrouped, unknownStore, detached, overflow
            case readOnly, interrupted, timedOut, tooComplex, unknownRow, failed
        }

        private let kind: Kind
        public var description: String { kind.rawValue }

        /// There is no file at the path.
        public static let missing = Code(kind: .missing)
        /// The file is not a store that import-gtfs made.
        public static let notAStore = Code(kind: .notAStore)
        /// The store has the layout of another version.
        public static let otherVersion = Code(kind: .otherVersion)
        /// The file is shorter than its header says.
        public static let truncated = Code(kind: .truncated)
        /// The file is damaged, or its schema is not one that import-gtfs writes.
        public static let corrupt = Code(kind: .corrupt)
        /// The file cannot be opened.
        public static let unreadable = Code(kind: .unreadable)
        /// The disk failed to read the file, someone cut or overwrote it while it was open, or a temporary file failed.
        public static let readFailed = Code(kind: .readFailed)
        /// A predicate or request has a part that cannot be translated to SQL.
        public static let untranslatable = Code(kind: .untranslatable)
        /// The store has no such entity.
        public static let unknownEntity = Code(kind: .unknownEntity)
        /// The entity has no such property.
        public static let unknownProperty = Code(kind: .unknownProperty)
        /// A textual predicate or a statement of your own has a syntax error.
        public static let syntax = Code(kind: .syntax)
        /// A template was used without a value for one of its variables.
        public static let missingVariable = Code(kind: .missingVariable)
        /// A value was given for a variable that a request does not have.
        public static let unknownVariable = Code(kind: .unknownVariable)
        /// A value does not fit where it is used: a variable, a property or a place on the earth.
        public static let unsuitableValue = Code(kind: .unsuitableValue)
        /// There is no template of that name.
        public static let unknownTemplate = Code(kind: .unknownTemplate)
        /// Two properties to fetch have the same name.
        public static let ambiguousName = Code(kind: .ambiguousName)
        /// A grouped request asks for a value that the rows of a group do not share, an aggregate stands in
        /// `predicate`, or there is a `havingPredicate` without groups and aggregates.
        public static let ungrouped = Code(kind: .ungrouped)
        /// A request, an id or an object belongs to a store that the context does not have, or the context has no
        /// store.
        public static let unknownStore = Code(kind: .unknownStore)
        /// A property was set on an object that cannot change: it was inserted and then deleted or rolled back, or it
        /// is the placeholder for a missing reference.
        public static let detached = Code(kind: .detached)
        /// A sum of whole numbers does not fit into 64 bits.
        public static let overflow = Code(kind: .overflow)
        /// The store cannot be changed.
        public static let readOnly = Code(kind: .readOnly)
        /// The fetch was cancelled. Callers of the library get a `CancellationError`.
        static let interrupted = Code(kind: .interrupted)
        /// The fetch took longer than the store's `timeLimit`.
        public static let timedOut = Code(kind: .timedOut)
        /// The request is larger or deeper than SQLite or this library allows, a pattern in it takes too long, or
        /// frequencies repeat trips too often.
        public static let tooComplex = Code(kind: .tooComplex)
        /// A request names a stop or line that the feed does not have, or the store has no row with an object's id.
        public static let unknownRow = Code(kind: .unknownRow)
        /// Anything else, such as a statement that SQLite refused for another reason.
        public static let failed = Code(kind: .failed)
    }

    /// Where the error is: in the file of a store or of templates, or in a text such as `predicate`.
    public struct Place: Sendable, Hashable {
        /// The path of a file, or the name that messages give to another text.
        public let source: String
        /// Counts from 1; nil if the whole text is meant.
        public let line: Int?
        /// Counts Unicode scalars from 1.
        public let column: Int?

        /// A place in a file or text. Lines and columns count from 1; nil if the whole text is meant.
        public init(_ source: String, line: Int? = nil, column: Int? = nil) {
            (self.source, self.line, self.column) = (source, line, column)
        }
    }

    /// What SQLite answered, if it refused something.
    public struct Cause: Sendable, Hashable {
        /// SQLite's extended result code (<https://sqlite.org/rescode.html>).
        public let code: Int32
        /// SQLite's own words.
        public let message: String
        /// The statement or path that SQLite worked on.
        public let context: String
    }

    /// The kind of failure.
    public let code: Code
    /// What was asked, what is wrong, and what can be done; includes place and cause.
    public let message: String
    /// Where the error is, if that is known.
    public let place: Place?
    /// What SQLite answered; nil if it refused nothing.
    public let cause: Cause?

    /// An error that a program makes itself, without a place and a cause.
    public init(_ code: Code, _ message: String) { self.init(code, message, at: nil) }

    init(_ code: Code, _ message: String, at place: Place?, cause: Cause? = nil) {
        (self.code, self.message, self.place, self.cause) = (code, message, place, cause)
    }

    /// Equal when code and message are equal: the message already includes place and cause.
    public static func == (one: StoreError, other: StoreError) -> Bool {
        one.code == other.code && one.message == other.message
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

extension StoreError {
    /// Runs `body` and turns every error that it throws into a `StoreError`: public functions declare that type,
    /// internal ones throw any error.
    @inline(__always)
    static func only<Result>(at place: Place? = nil, _ body: () throws -> Result) throws(StoreError) -> Result {
        do { return try body() } catch {
            let known = StoreError(any: error)
            throw StoreError(known.code, known.message, at: known.place ?? place, cause: known.cause)
        }
    }

    init(any error: any Error) { self = error as? StoreError ?? StoreError(.failed, "\(error)") }
}

extension StoreError: CustomStringConvertible {
    public var description: String { message }
}

extension StoreError {
    /// An error of SQLite in our own words.
    init(_ error: SQLiteError, path: String) {
        let (code, message) = Self.meaning(of: error, path: path)
        let cause = Cause(code: error.code, message: error.message, context: error.context)
        self.init(code, message, at: Place(path), cause: cause)
    }

    private static func meaning(of error: SQLiteError, path: String) -> (Code, String) {
        if error.isInterruption { return (.interrupted, "The fetch was cancelled.") }
        if error.isCorruption {
            return (.corrupt, "\(path) is damaged: \(error.message). Import the feed again.")
        }
        if error.isOfTemporaryFile {
            return (
                .readFailed,
                "A temporary file, which SQLite makes for a large sort, cannot be written: \(error.systemWords). "
                    + "SQLITE_TMPDIR may name another folder for it"
            )
        }
        if error.isInputOutput { return (.readFailed, "\(path) cannot be read: \(error.systemWords)") }
        if error.isTooComplex {
            let reason =
                error.message == "parser stack overflow"
                ? "its conditions are nested too deeply; SQLite takes about ten subqueries within each other"
                : error.message
            return (.tooComplex, "The request is too large or too complex: \(reason)")
        }
        if error.message == "integer overflow" { return (overflow.code, overflow.message) }
        return (.failed, "SQLite refused a statement: \(error.message) (\(error.context))")
    }

    /// The file is no longer what was opened. Replaces whatever error SQLite found in its pages.
    package static func changedInPlace(_ path: String) -> StoreError {
        StoreError(
            .readFailed,
            "\(path) was cut or written over while it was open; open it again. Stores are replaced by renaming, as import-gtfs and mv do",
            at: Place(path))
    }

    /// SQLite's "integer overflow". Of our statements, only sums fail with it.
    static let overflow = StoreError(
        .overflow, "A sum of whole numbers does not fit into 64 bits; sum up fractions, or ask for the average")

    static func untranslatable(_ node: String, _ reason: String) -> StoreError {
        StoreError(.untranslatable, "\(node) has no SQL translation: \(reason)")
    }

    /// A to-many relationship where one value is needed.
    static func manyRows(behind path: PropertyPath) -> StoreError {
        let name = path.joined(separator: ".")
        return StoreError(
            .untranslatable,
            "\(name) leads to many rows, so it cannot be sorted by, fetched or grouped by. Use their number: .count in a key "
                + "path, \(name).@count in words")
    }

    static func unknownStop(_ id: String) -> StoreError {
        StoreError(
            .unknownRow, "The feed has no stop \"\(id)\" (stop_id); search for the stop's name to find its stop_id")
    }

    static func unknownStop(_ key: Int64) -> StoreError {
        let id = ObjectID(Stop.entity, .row(key))
        return StoreError(.unknownRow, "The store has no row \(id); a fetch finds the ids of stops")
    }

    static func unknownRow(_ id: ObjectID) -> StoreError {
        StoreError(
            .unknownRow,
            "The store has no row \(id) (\(id.entity.name)), so its properties read as missing; existingObject(with:) tells "
                + "whether there is one")
    }

    static func unknownTemplate(_ name: String, among names: [String]) -> StoreError {
        let hint = NearestName.find(name, among: names).map { "did you mean \($0)?" }
        let known = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
        return StoreError(.unknownTemplate, "There is no template \(name); \(hint ?? known)")
    }

    static func unknownStore(_ id: ObjectID) -> StoreError {
        StoreError(
            .unknownStore,
            "\(id) is a row of a store that the context does not read; a StoreCoordinator makes contexts that read several"
        )
    }

    static func detached(_ object: StoreObject, setting name: String) -> StoreError {
        let id = object.objectID
        guard id.key != .row(ObjectID.missingRow) else {
            return StoreError(
                .detached, "\(id.entity.name) stands for a missing reference, so there is no row to set its \(name)")
        }
        return StoreError(
            .detached, "\(id) was inserted and then deleted or rolled back; insert a new object to set its \(name)")
    }

    static func unknownRelationship(_ name: String, of entity: EntityDescription) -> StoreError {
        StoreError(.unknownProperty, entity.noRelationship(name))
    }

    static func unknownProperty(_ name: String, of entity: EntityDescription, path: PropertyPath) -> StoreError {
        let whole = path.count > 1 ? " (in \(path.joined(separator: ".")))" : ""
        return StoreError(
            .unknownProperty,
            "\(entity.name) has no property \(name)\(whole); \(entity.hint(forProperty: name))")
    }
}

extension SQLiteError {
    /// Whether SQLite failed to open or write a file. It can only be a temporary one, because the store is already open
    /// and never written.
    fileprivate var isOfTemporaryFile: Bool { isCannotOpen || isOfWriting }

    /// What the system said, if SQLite has kept it.
    fileprivate var systemWords: String {
        if isDiskFull { return SystemError(number: ENOSPC).words }
        return systemFailure.map { SystemError(number: $0.number).words } ?? message
    }
}
