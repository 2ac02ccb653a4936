/// The days on which trips run: a row of calendar.txt, or a service that only calendar_dates.txt names.
public final class Service: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, service_id, monday, tuesday, wednesday, thursday, friday, saturday, sunday, start_date, end_date
        case in_calendar
    }

    public static let entity = EntityDescription(
        Service.self, name: "Service", table: "service",
        columns: [
            .key("id"), .text("service_id"), .flag("monday"), .flag("tuesday"), .flag("wednesday"),
            .flag("thursday"), .flag("friday"), .flag("saturday"), .flag("sunday"), .date("start_date"),
            .date("end_date"), .flag("in_calendar"),
        ],
        toMany: [
            ToManyDescription("trips", to: "trip", inverse: "service"),
            ToManyDescription("exceptions", to: "service_exception", inverse: "service"),
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// `service_id` of calendar.txt.
    public var serviceID: String { text(Column.service_id.rawValue) }
    /// `monday` of calendar.txt.
    public var monday: Bool { flag(Column.monday.rawValue) }
    /// `tuesday` of calendar.txt.
    public var tuesday: Bool { flag(Column.tuesday.rawValue) }
    /// `wednesday` of calendar.txt.
    public var wednesday: Bool { flag(Column.wednesday.rawValue) }
    /// `thursday` of calendar.txt.
    public var thursday: Bool { flag(Column.thursday.rawValue) }
    /// `friday` of calendar.txt.
    public var friday: Bool { flag(Column.friday.rawValue) }
    /// `saturday` of calendar.txt.
    public var saturday: Bool { flag(Column.saturday.rawValue) }
    /// `sunday` of calendar.txt.
    public var sunday: Bool { flag(Column.sunday.rawValue) }
    /// `start_date` of calendar.txt.
    public var startDate: ServiceDate { date(Column.start_date.rawValue) }
    /// `end_date` of calendar.txt.
    public var endDate: ServiceDate { date(Column.end_date.rawValue) }
    /// Whether calendar.txt has the service; false when only calendar_dates.txt names it.
    public var inCalendar: Bool { flag(Column.in_calendar.rawValue) }

    /// The trips that run on this service’s days.
    public var trips: Related<Trip> { toMany(0) }

    /// Days added to or removed from this service.
    public var exceptions: Related<ServiceException> { toMany(1) }
}
