/// A text file of named requests.
///
/// ```ini
/// # What leaves a stop.
/// [departures]
/// entity     = StopTime
/// where      = stop.stopID == $STOP AND departureTime >= $AFTER
///              AND trip.route.routeType IN $TYPES
/// sort       = departureTime
/// limit      = 20
/// properties = departureTime, trip.route.shortName AS line, trip.headsign AS to
/// ```
///
/// A name in brackets begins a template. Its settings are those of `RequestText.Part`; `entity` is required. A line
/// that begins with white space continues the previous line; a line that begins with # or ; is a comment. The file is
/// UTF-8.
public struct TemplateFile: Sendable {
    /// The requests by name.
    public let requests: [String: RequestText]

    /// 1 MiB, more than any file written by hand.
    static let mostBytes = 1 << 20

    /// Reads a file.
    ///
    ///     let file = try TemplateFile(contentsOf: "departures.ini")
    ///     let values: [String: Any] = ["STOP": "markt", "AFTER": "8:00", "TYPES": [0]]
    ///     let request: FetchRequest<StopTime> = try file.request(named: "departures").request(in: store, values)
    ///
    /// Throws `StoreError`: `missing`; `unreadable`, also for more than 1 MiB and for a text that is not UTF-8;
    /// `syntax` with the file's name and line.
    public init(contentsOf path: String) throws(StoreError) {
        let text = try StoreError.only { try TextFile.read(path, atMost: Self.mostBytes) }
        try self.init(text: text, name: path)
    }

    /// Reads a text; `name` is what messages call it.
    ///
    ///     let file = try TemplateFile(text: "[stations]\nentity = Station", name: "example")
    ///     print(file.names)       // ["stations"]
    ///
    /// Throws `StoreError.syntax` with this name and the line.
    public init(text: String, name: String) throws(StoreError) {
        requests = try StoreError.only {
            var reader = TemplateFileReader(name: name)
            // Editors on Windows may begin a file with a byte order mark.
            let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            for (index, line) in lines.enumerated() { try reader.read(String(line), number: index + 1) }
            return try reader.finished()
        }
    }

    /// The names of the requests, sorted.
    public var names: [String] { requests.keys.sorted() }

    /// The request of a name. Throws `StoreError.unknownTemplate` if there is none.
    public func request(named name: String) throws(StoreError) -> RequestText {
        try StoreError.only {
            if let request = requests[name] { return request }
            throw StoreError.unknownTemplate(name, among: names)
        }
    }
}

extension RequestTemplates {
    /// Reads the templates of a file (`TemplateFile`); their variables stay unbound.
    ///
    ///     let templates = try RequestTemplates(contentsOf: "departures.ini")
    ///     let request: FetchRequest<StopTime> = try templates.request(
    ///         "departures", ["STOP": "900013102", "AFTER": "8:00", "TYPES": [0, 1]])
    ///
    /// Entities that have no class of their own need the store that has their table. Throws `StoreError` as
    /// `TemplateFile(contentsOf:)` and `RequestText.request(in:_:)` do; for a mistake in a text, it names the line and
    /// place.
    public init(contentsOf path: String, for store: TransitStore? = nil) throws(StoreError) {
        self.init()
        do { try read(TemplateFile(contentsOf: path), for: store) } catch { throw StoreError(any: error) }
    }

    private mutating func read(_ file: TemplateFile, for store: TransitStore?) throws {
        for name in file.names {
            guard let text = file.requests[name] else { continue }
            // Reads the whole schema now: a model that reads it later would keep the store open.
            let model = try store?.model ?? .typed
            let entity = try FetchRequest<StoreObject>(entity: text.entity).entity(in: model)
            if let type = entity.objectType as? any StoreEntity.Type {
                try add(text, as: type, name, store == nil ? .declared : model)
            } else {
                let request: ReadRequest<StoredRow> = try text.read(model: model, [:])
                set(request.request, name, model)
            }
        }
    }

    private mutating func add<Entity: StoreEntity>(
        _ text: RequestText, as type: Entity.Type, _ name: String, _ model: StoreModel
    ) throws {
        let request: ReadRequest<Entity> = try text.read(model: model, [:])
        set(request.request, name, model)
    }
}
