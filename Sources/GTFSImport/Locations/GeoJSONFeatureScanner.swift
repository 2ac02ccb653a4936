import GTFSFeed

/// Cuts a GeoJSON feature collection into its features; each is returned as the bytes in the file.
///
///     var scanner = GeoJSONFeatureScanner(source)
///     while case let piece = try scanner.next(), piece != .end { … }
///
/// A collection can be larger than memory, and no available JSON library reads one as a stream. So the scanner reads
/// only the outermost object and its array `features` (RFC 7946, section 3.3), and leaves their contents to a parser.
/// It reads every text that RFC 8259 allows; if a text is not JSON, it returns the pieces before the fault. Memory: one
/// piece.
struct GeoJSONFeatureScanner {
    enum Piece: Equatable {
        /// A member of the collection other than an array `features`: its name with quotes, and its value.
        case member(name: [UInt8], value: [UInt8])
        /// The elements of an array `features` follow.
        case features
        /// One element, whatever it is.
        case feature([UInt8])
        /// The end of the collection and of the file.
        case end
        /// The file has nothing but white space.
        case empty
    }

    /// Where and why the text cannot be cut any further.
    struct Fault: Error, Equatable {
        /// Bytes before the fault.
        let offset: Int
        let message: String
    }

    /// Limits on the size of a piece; the defaults are far above what a zone needs.
    struct Limits {
        var pieceBytes = 16 << 20
        var depth = 1_000
    }

    private enum Expectation {
        case collection, firstMember, member, afterMember, firstFeature, feature, afterFeature, nothing
    }

    private var bytes: GeoJSONBytes
    private let limits: Limits
    private var expectation = Expectation.collection
    /// The bytes of an incomplete piece, and the name before it if it is a member.
    private var unfinished: [UInt8] = []
    private var unfinishedName: [UInt8] = []

    init(_ source: any ByteSource, bufferBytes: Int = 64 << 10, limits: Limits = Limits()) {
        bytes = GeoJSONBytes(source, bufferBytes: bufferBytes)
        self.limits = limits
    }

    /// The next piece. Throws `Fault`, after which only `rest` may be called, and what the source throws.
    mutating func next() throws -> Piece {
        while true {
            let byte = try bytes.peekPastSpace()
            switch (expectation, byte) {
            case (.collection, nil): return .empty
            case (.collection, UInt8(ascii: "{")): pass(to: .firstMember)
            case (.firstMember, UInt8(ascii: "}")), (.afterMember, UInt8(ascii: "}")): pass(to: .nothing)
            case (.firstMember, UInt8(ascii: "\"")), (.member, UInt8(ascii: "\"")): return try readMember()
            case (.afterMember, UInt8(ascii: ",")): pass(to: .member)
            case (.firstFeature, UInt8(ascii: "]")), (.afterFeature, UInt8(ascii: "]")): pass(to: .afterMember)
            case (.firstFeature, _), (.feature, _):
                let feature = try readValue(expected: "a feature")
                expectation = .afterFeature
                return .feature(feature)
            case (.afterFeature, UInt8(ascii: ",")): pass(to: .feature)
            case (.nothing, nil): return .end
            default: throw fault(expected: Self.words(for: expectation), found: byte)
            }
        }
    }

    /// After a fault: the bytes of the piece that could not be cut out, then the rest of the file; empty at the end.
    mutating func rest() throws -> [UInt8] {
        let begun = unfinishedName + unfinished
        unfinishedName = []
        unfinished = []
        return begun.isEmpty ? try bytes.takeRest() : begun
    }

    private mutating func pass(to next: Expectation) {
        bytes.skip()
        expectation = next
    }

    private mutating func readMember() throws -> Piece {
        let name = try readValue(expected: "a member")
        unfinishedName = name
        let colon = try bytes.peekPastSpace()
        guard colon == UInt8(ascii: ":") else { throw fault(expected: "\":\" after a member's name", found: colon) }
        unfinishedName.append(UInt8(ascii: ":"))
        bytes.skip()
        if try bytes.peekPastSpace() == UInt8(ascii: "["), Self.isFeatures(name) {
            unfinishedName = []
            pass(to: .firstFeature)
            return .features
        }
        let value = try readValue(expected: "a value")
        unfinishedName = []
        expectation = .afterMember
        return .member(name: name, value: value)
    }

    /// Whether a name with its quotes is `features`, however it is spelled.
    private static func isFeatures(_ name: [UInt8]) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        return (GeoJSONEscapes(name)?.repaired ?? name) == "\"features\""
    }

    /// The bytes of the value that begins here.
    private mutating func readValue(expected: String) throws -> [UInt8] {
        switch try bytes.peek() {
        case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"):
            var end = GeoJSONValueEnd(maximumDepth: limits.depth)
            while end.progress == .unfinished {
                guard try bytes.take(&end, into: &unfinished) else { throw fault(in: expected, end.progress) }
                try checkSize(of: expected)
            }
            guard end.progress == .complete else { throw fault(in: expected, end.progress) }
        case let byte:
            while try bytes.takeWordByte(into: &unfinished) { try checkSize(of: expected) }
            if unfinished.isEmpty { throw fault(expected: expected, found: byte) }
        }
        let value = unfinished
        unfinished = []
        return value
    }
}

extension GeoJSONFeatureScanner {
    private func checkSize(of piece: String) throws(Fault) {
        guard unfinished.count > limits.pieceBytes else { return }
        throw Fault(offset: bytes.offset, message: "\(piece) is longer than \(limits.pieceBytes) bytes")
    }

    private func fault(in piece: String, _ progress: GeoJSONValueEnd.Progress) -> Fault {
        let message =
            switch progress {
            case .tooDeep: "\(piece) has more than \(limits.depth) brackets within each other"
            case .wrongBracket: "\(piece) closes a bracket that is not the one it opened"
            case .unfinished, .complete: "the file ends within \(piece)"
            }
        return Fault(offset: bytes.offset, message: message)
    }

    private func fault(expected: String, found byte: UInt8?) -> Fault {
        let found = byte.map { 0x21..<0x7F ~= $0 ? "\"\(Unicode.Scalar($0))\" stands" : "the byte \($0) stands" }
        return Fault(offset: bytes.offset, message: "\(found ?? "the file ends") where \(expected) is expected")
    }

    private static func words(for expectation: Expectation) -> String {
        switch expectation {
        case .collection: "an object"
        case .firstMember: "a member's name or \"}\""
        case .member: "a member's name"
        case .afterMember: "\",\" or \"}\""
        case .firstFeature, .feature: "a feature"
        case .afterFeature: "\",\" or \"]\""
        case .nothing: "the end of the file"
        }
    }
}
