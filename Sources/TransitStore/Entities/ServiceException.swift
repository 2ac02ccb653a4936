/// A day on which a service is added or removed: a row of calendar_dates.txt.
public final class ServiceException: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, service, date, exception_type
    }

    public static let entity = EntityDescription(
        ServiceException.self, name: "ServiceException", table: "service_exception",
        columns: [
            .key("id"), .reference("service", to: "service", required: true), .date("date"),
            .integer("exception_type"),
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// `service_id` of calendar_dates.txt.
    public var service: Service { toOne(Column.service.rawValue) }
    /// `date` of calendar_dates.txt.
    public var date: ServiceDate { date(Column.date.rawValue) }
    /// `exception_type` of calendar_dates.txt.
    public var exceptionType: Int { integer(Column.exception_type.rawValue) }
}
