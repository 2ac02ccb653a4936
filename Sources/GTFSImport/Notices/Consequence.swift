import GTFSSchema

/// What follows for the timetable from a field without a usable value, for fields where more than the value is lost.
struct Consequence {
    /// If one cell is missing or unusable.
    let ofCell: String
    /// If the whole column is missing.
    let ofColumn: String

    /// Nil for a field whose value alone is lost.
    init?(of field: String?, in file: FileDefinition?) {
        switch (file?.name, field) {
        case ("calendar.txt", "start_date"), ("calendar.txt", "end_date"):
            (ofCell, ofColumn) = ("the row gives its service no days", "the file gives no service any days")
        case ("agency.txt", "agency_timezone"):
            (ofCell, ofColumn) = ("the agency's times are read in UTC", "all times are read in UTC")
        default: return nil
        }
    }
}

extension NoticeKind {
    /// Whether the value is unusable: a date or time zone that cannot be read.
    var isUnusableValue: Bool { self == .invalidDate || self == .invalidTimezone }
}
