/// The SQL of a store: tables, indexes and views, derived from the declaration and from the columns and files of one
/// feed.
///
///     StoreSchema.createTable(of: stops, present: ["stop_id", "stop_name"], extra: [])
package enum StoreSchema {
    /// Marks a file as a store of this project ("GTFS" in ASCII), in `PRAGMA application_id`.
    package static let applicationID: Int32 = 0x4754_4653
    /// The layout's version, in `PRAGMA user_version`; a reader refuses any other version.
    package static let version: Int32 = 3

    /// A column of the feed that the specification does not know, kept as text.
    package struct ExtraColumn: Sendable, Equatable {
        /// The column's name in the entity table.
        package let column: String
        /// The column's name in the view: the feed's own, made distinct where needed.
        package let viewColumn: String

        package init(column: String, viewColumn: String) {
            self.column = column
            self.viewColumn = viewColumn
        }
    }

    /// An identifier in double quotes, with inner ones doubled.
    package static func quoted(_ identifier: String) -> String { quote(identifier, UInt8(ascii: "\"")) }

    /// Text as an SQL literal.
    package static func literal(_ text: String) -> String { quote(text, UInt8(ascii: "'")) }

    /// Works on bytes, as SQLite does: Swift treats a quote with an accent on it as a different character.
    private static func quote(_ text: String, _ quote: UInt8) -> String {
        guard text.utf8.contains(quote) else {
            let mark = Character(Unicode.Scalar(quote))
            return "\(mark)\(text)\(mark)"
        }
        var bytes = [quote]
        for byte in text.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }
}

/// The version of both programs and of the library, as it is printed and recorded in stores.
package enum ToolVersion {
    /// Follows semantic versioning (<https://semver.org>).
    package static let number = "0.1.0"
}
