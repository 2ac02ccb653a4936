import CivilTime

/// The days of one service, computed from its weekdays and exceptions in memory.
struct ServiceCalendar {
    /// Whether it runs on Monday to Sunday.
    private let weekdays: [Bool]
    /// The days since 1970-01-01; nil for a service that has only exceptions.
    private let span: ClosedRange<Int64>?
    /// Days that are added (true) or removed (false). If two rows have the same date, the first counts.
    private var exceptions: [Int64: Bool] = [:]

    /// The tables on which the days depend.
    static let tables = ["service", "service_exception"]

    init(_ service: Service) {
        weekdays = [
            service.monday, service.tuesday, service.wednesday, service.thursday, service.friday, service.saturday,
            service.sunday,
        ]
        let (start, end) = (service.startDate, service.endDate)
        let first = service.inCalendar ? start?.dayNumber : nil
        let last = end?.dayNumber
        span = if let first, let last, first <= last { first...last } else { nil }
        let taken = service.exceptions.objects.compactMap { exception in
            exception.date?.dayNumber.map { (day: $0, exception: exception) }
        }
        let order = taken.sorted { $0.exception.objectID.isOrderedBefore($1.exception.objectID) }
        for (day, exception) in order where exceptions[day] == nil {
            guard let type = exception.exceptionType, type.isKnown else { continue }
            exceptions[day] = type == .added
        }
    }

    /// Whether the service runs on a day since 1970-01-01.
    func runs(onDay number: Int64) -> Bool {
        if let exception = exceptions[number] { return exception }
        guard let span, span.contains(number) else { return false }
        return weekdays[CivilDay(daysSince1970: number).weekday]
    }

    /// A range that contains all days on which the service runs; nil if there are none.
    var bounds: ClosedRange<Int64>? {
        let added = exceptions.filter(\.value).keys
        let first = [span?.lowerBound, added.min()].compactMap { $0 }.min()
        let last = [span?.upperBound, added.max()].compactMap { $0 }.max()
        guard let first, let last else { return nil }
        return first...last
    }
}
