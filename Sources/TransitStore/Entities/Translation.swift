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
    /// `table_name` of translations.txt.
    public var tableName: String { text(Column.table_name.rawValue) }
    /// `field_name` of translations.txt.
    public var fieldName: String { text(Column.field_name.rawValue) }
    /// `language` of translations.txt.
    public var language: String { text(Column.language.rawValue) }
    /// `translation` of translations.txt.
    public var translation: String { text(Column.translation.rawValue) }
    /// `record_id` of translations.txt.
    public var recordID: String { text(Column.record_id.rawValue) }
    /// `record_sub_id` of translations.txt.
    public var recordSubID: String { text(Column.record_sub_id.rawValue) }
    /// `field_value` of translations.txt.
    public var fieldValue: String { text(Column.field_value.rawValue) }
}
