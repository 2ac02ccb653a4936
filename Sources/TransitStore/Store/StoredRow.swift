/// A row of a table that has no class of its own; columns are read by name.
///
///     let request = FetchRequest<StoredRow>(entity: "fare_attribute")
///     for fare in try context.fetch(request) { print(fare["price"], fare["currency_type"]) }
public final class StoredRow: StoreObject {
    /// The value of a column; NULL when the table has no such column.
    public subscript(name: String) -> QueryValue { value(of: name) ?? .null }
}
