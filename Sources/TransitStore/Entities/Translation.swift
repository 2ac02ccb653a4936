/// A text in another language: a row of translations.txt.
public final class Translation: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, table_name, field_name, language, translation, record_id, record_sub_id, field_value
    }

    public static let entity = EntityDescription(
        Translation.self, name: "Translation", table: "translation",
        columns: [
            .key("id"), .text("table_name"), .text("field_name"), .text("language"), .text("translation"),
            .text("record_id"), .text("record_sub_id"), .text("field_value"),
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// The file whose text is translated, without its ending, such as stops or routes (`table_name`). Empty when
    /// missing.
    public var tableName: String { text(Column.table_name.rawValue) }
    /// The field whose text is translated, such as stop_name (`field_name`). Empty when missing.
    public var fieldName: String { text(Column.field_name.rawValue) }
    /// The language of the translation as a BCP 47 tag such as en or zh-Hant (`language`). Empty when missing.
    public var language: String { text(Column.language.rawValue) }
    /// The text in that language (`translation`). Empty when missing.
    public var translation: String { text(Column.translation.rawValue) }
    /// The first key of the translated record, such as the stop_id; empty where field_value is given, and for feed_info
    /// (`record_id`). Empty when missing.
    public var recordID: String { text(Column.record_id.rawValue) }
    /// The second key of the translated record where one is not enough, such as the stop_sequence of a stop time
    /// (`record_sub_id`). Empty when missing.
    public var recordSubID: String { text(Column.record_sub_id.rawValue) }
    /// The original words, which are translated wherever the field holds them; empty where record_id is given, and for
    /// feed_info (`field_value`). Empty when missing.
    public var fieldValue: String { text(Column.field_value.rawValue) }
}
