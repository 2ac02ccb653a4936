/// A day on which a service is added or removed: a row of calendar_dates.txt.
public final class ServiceException: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, service, date, exception_type
    }

    public static let entity = EntityDescription(
        ServiceException.self, name: "ServiceException", table: "service_exception",
        columns: [
            .key("id"), .reference("service", to: "service", required: true), .date("date"),
            .optionalInteger("exception_type"),
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// The service that is changed; without a row in calendar.txt the service runs on its added days only
    /// (`service_id`).
    public var service: Service { toOne(Column.service.rawValue) }
    /// The service day that is changed, as YYYYMMDD (`date`).
    public var date: ServiceDate? { date(Column.date.rawValue) }
    /// What happens on that day: 1 the service runs, 2 it does not (`exception_type`).
    public var exceptionType: ExceptionType? { optionalEnumeration(Column.exception_type.rawValue) }
}
