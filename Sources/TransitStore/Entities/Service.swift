/// The days on which trips run: a row of calendar.txt, or a service that only calendar_dates.txt names.
public final class Service: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, service_id, monday, tuesday, wednesday, thursday, friday, saturday, sunday, start_date, end_date
        case in_calendar, day_set
    }

    public static let entity = EntityDescription(
        Service.self, name: "Service", table: "service",
        columns: [
            .key("id"), .text("service_id"), .flag("monday"), .flag("tuesday"), .flag("wednesday"),
            .flag("thursday"), .flag("friday"), .flag("saturday"), .flag("sunday"), .date("start_date"),
            .date("end_date"), .flag("in_calendar"), .optionalInteger("day_set"),
        ],
        toMany: [
            ToManyDescription("trips", to: "trip", inverse: "service"),
            ToManyDescription("exceptions", to: "service_exception", inverse: "service"),
        ])

    /// The key that references hold: the row's number in calendar.txt minus 1. Services that only calendar_dates.txt
    /// names have the numbers after these.
    public var id: Int { key(Column.id.rawValue) }
    /// The feed's name for the set of days (`service_id`). Empty when missing.
    public var serviceID: String { text(Column.service_id.rawValue) }
    /// Whether the service runs on Mondays from start to end date: 1 yes, 0 no (`monday`).
    public var monday: Bool { flag(Column.monday.rawValue) }
    /// Whether the service runs on Tuesdays from start to end date: 1 yes, 0 no (`tuesday`).
    public var tuesday: Bool { flag(Column.tuesday.rawValue) }
    /// Whether the service runs on Wednesdays from start to end date: 1 yes, 0 no (`wednesday`).
    public var wednesday: Bool { flag(Column.wednesday.rawValue) }
    /// Whether the service runs on Thursdays from start to end date: 1 yes, 0 no (`thursday`).
    public var thursday: Bool { flag(Column.thursday.rawValue) }
    /// Whether the service runs on Fridays from start to end date: 1 yes, 0 no (`friday`).
    public var friday: Bool { flag(Column.friday.rawValue) }
    /// Whether the service runs on Saturdays from start to end date: 1 yes, 0 no (`saturday`).
    public var saturday: Bool { flag(Column.saturday.rawValue) }
    /// Whether the service runs on Sundays from start to end date: 1 yes, 0 no (`sunday`).
    public var sunday: Bool { flag(Column.sunday.rawValue) }
    /// The first service day that the week pattern covers, as YYYYMMDD (`start_date`).
    public var startDate: ServiceDate? { date(Column.start_date.rawValue) }
    /// The last service day that the week pattern covers, itself included, as YYYYMMDD (`end_date`).
    public var endDate: ServiceDate? { date(Column.end_date.rawValue) }
    /// Whether calendar.txt has the service; false when only calendar_dates.txt names it.
    public var inCalendar: Bool { flag(Column.in_calendar.rawValue) }

    /// The key of the first service with the same calendar and exceptions, by which `service_day` knows their days; nil
    /// where this service never runs. Two such keys may have the same days (`day_set`, made when importing).
    public var daySet: Int? { optionalInteger(Column.day_set.rawValue) }

    /// The trips that run on this service's days.
    public var trips: Related<Trip> { toMany(0) }

    /// Days added to or removed from this service.
    public var exceptions: Related<ServiceException> { toMany(1) }
}

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

    /// The row's number in its file minus 1.
    public var id: Int { key(Column.id.rawValue) }
    /// The service that is changed; without a row in calendar.txt the service runs on its added days only
    /// (`service_id`).
    public var service: Service { toOne(Column.service.rawValue) }
    /// The service day that is changed, as YYYYMMDD (`date`).
    public var date: ServiceDate? { date(Column.date.rawValue) }
    /// What happens on that day: 1 the service runs, 2 it does not (`exception_type`).
    public var exceptionType: ExceptionType? { optionalEnumeration(Column.exception_type.rawValue) }
}
