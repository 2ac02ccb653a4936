import GTFSSchema

/// Counts every finding, and keeps the first ones of each kind with all details.
///
/// A feed may repeat a fault in every row, so a finding beyond the cap must cost no more than an addition: a closure
/// makes the message, and is called only for findings that are kept.
struct NoticeLog {
    private(set) var kept: [Notice] = []
    private var counts = FindingCounts()
    private var keptCounts = [Int](repeating: 0, count: NoticeKind.allCases.count)
    /// How many findings of each kind are kept with all details.
    let cap: Int
    /// Whether the findings are about a file that GTFS does not know. GTFS has no rules for it, so whatever the fault,
    /// it counts as `unknownFileAnomaly` and not as an error of the feed.
    var isInUnknownFile = false

    init(keptPerCode cap: Int) { self.cap = cap }

    /// Where a file's findings are counted. Looking this up by name for each finding took as long as counting.
    struct FilePlace {
        private static let places = Dictionary(
            uniqueKeysWithValues: Specification.gtfs.files.enumerated().map { ($1.name, $0) })
        /// One more than the files of the specification.
        fileprivate static var count: Int { places.count + 1 }

        /// The last place is that of all other files, whose findings are not counted by file.
        fileprivate let index: Int

        /// STOPS.TXT is the place of stops.txt.
        init(_ file: String?) {
            index = file.flatMap { Self.places[$0] ?? Self.places[$0.lowercased()] } ?? Self.places.count
        }

        fileprivate var isOfSpecification: Bool { index < Self.places.count }
    }

    mutating func add(_ kind: NoticeKind, in place: FilePlace, _ notice: () -> Notice) {
        if count(kind, in: place) { keep(notice()) }
    }

    /// Counts a finding, and returns whether to keep it with all details.
    mutating func count(_ kind: NoticeKind, in place: FilePlace) -> Bool {
        let kind = counted(kind)
        counts.add(1, kind, place)
        return keptCounts[kind.rawValue] < cap
    }

    private func counted(_ kind: NoticeKind) -> NoticeKind { isInUnknownFile ? .unknownFileAnomaly : kind }

    /// Adds the findings of another log. No kind of finding may be in both, so each log keeps enough with all details.
    mutating func add(_ other: NoticeLog) {
        kept += other.kept
        for kind in NoticeKind.allCases { keptCounts[kind.rawValue] += other.keptCounts[kind.rawValue] }
        counts.add(other.counts)
    }

    mutating func keep(_ notice: Notice) {
        var notice = notice
        notice.kind = counted(notice.kind)
        keptCounts[notice.kind.rawValue] += 1
        kept.append(notice)
    }

    mutating func add(
        _ kind: NoticeKind, file: String?, row: Int? = nil, field: String? = nil, value: String? = nil,
        _ fault: @autoclosure () -> String, _ outcome: Notice.Outcome? = nil,
        so consequence: @autoclosure () -> String? = nil
    ) {
        add(kind, in: FilePlace(file)) {
            Notice(
                kind: kind, file: file, rowNumber: row, field: field, value: value, fault: fault(), outcome: outcome,
                consequence: consequence())
        }
    }

    /// Changes the findings of the row that was read last, which is kept as a whole. They are the last ones in the log.
    mutating func moveToKeptRow(_ row: Int, of plan: TablePlan) {
        for index in kept.indices.reversed() {
            guard kept[index].rowNumber == row, kept[index].file == plan.file else { return }
            kept[index].moveToKeptRow(notIn: plan.table)
        }
    }

    /// Changes the findings of rows that turned out later to be duplicates and are kept as a whole.
    mutating func moveToKeptRow(_ duplicates: LateDuplicates) {
        for index in kept.indices where kept[index].file == duplicates.plan.file {
            guard let row = kept[index].rowNumber, duplicates.contains(row) else { continue }
            kept[index].moveToKeptRow(notIn: duplicates.plan.table)
        }
    }

    /// Counts findings without details.
    mutating func count(_ kind: NoticeKind, in file: String?, times: Int) {
        count(kind, in: FilePlace(file), times: times)
    }

    mutating func count(_ kind: NoticeKind, in place: FilePlace, times: Int) {
        counts.add(times, counted(kind), place)
    }

    /// How many more findings of a kind would be kept with all details.
    func room(for kind: NoticeKind) -> Int { max(0, cap - keptCounts[kind.rawValue]) }

    func count(_ kind: NoticeKind) -> Int { counts.total(kind) }
    func keptCount(_ kind: NoticeKind) -> Int { keptCounts[kind.rawValue] }

    /// How often each kind occurred, errors first, then by code.
    var totals: [(kind: NoticeKind, count: Int)] {
        let order: [NoticeCode.Severity: Int] = [.error: 0, .warning: 1, .info: 2]
        return NoticeKind.allCases.map { ($0, count($0)) }.filter { $0.1 > 0 }
            .sorted { a, b in
                let (rankA, rankB) = (order[a.0.code.severity] ?? 0, order[b.0.code.severity] ?? 0)
                return rankA == rankB ? a.0.code.name < b.0.code.name : rankA < rankB
            }
    }

    func count(ofSeverity severity: NoticeCode.Severity) -> Int {
        NoticeKind.allCases.reduce(0) { $1.code.severity == severity ? $0 + count($1) : $0 }
    }

    func count(ofSeverity severity: NoticeCode.Severity, in file: String) -> Int {
        NoticeKind.allCases.reduce(0) { $1.code.severity == severity ? $0 + counts.count($1, in: file) : $0 }
    }

    func count(ofCode name: String) -> Int {
        NoticeKind.allCases.reduce(0) { $1.code.name == name ? $0 + count($1) : $0 }
    }
}

/// How often each finding occurred in each file of the specification, and in all other files together.
private struct FindingCounts {
    private static let kinds = NoticeKind.allCases.count

    private var counts: [Int] = []

    mutating func add(_ number: Int, _ kind: NoticeKind, _ place: NoticeLog.FilePlace) {
        if counts.isEmpty { counts = [Int](repeating: 0, count: NoticeLog.FilePlace.count * Self.kinds) }
        counts[place.index * Self.kinds + kind.rawValue] += number
    }

    mutating func add(_ other: FindingCounts) {
        if counts.isEmpty { return counts = other.counts }
        for (index, number) in other.counts.enumerated() { counts[index] += number }
    }

    func total(_ kind: NoticeKind) -> Int {
        stride(from: kind.rawValue, to: counts.count, by: Self.kinds).reduce(0) { $0 + counts[$1] }
    }

    func count(_ kind: NoticeKind, in file: String) -> Int {
        let place = NoticeLog.FilePlace(file)
        guard !counts.isEmpty, place.isOfSpecification else { return 0 }
        return counts[place.index * Self.kinds + kind.rawValue]
    }
}

/// The findings that the importer makes; `code` has their names in the validator's spelling.
///
/// A `CodingKey` for the names of its cases, which the compiler then writes down. Looking them up at run time took 1 %
/// of the import of a small feed.
package enum NoticeKind: Int, CaseIterable, CodingKey, BitwiseCopyable {
    case csvParsingFailed, duplicateGeoJsonKey, duplicateGeographyId, duplicateKey, duplicatedColumn, emptyColumnName
    case emptyFile, foreignKeyViolation, geoJsonDuplicatedElement, invalidCharacter, invalidColor, invalidCurrency
    case invalidCurrencyAmount, invalidDate, invalidEmail, invalidFloat, invalidGeometry, invalidInputFilesInSubfolder
    case invalidInteger, invalidLanguageCode, invalidPhoneNumber, invalidRowLength, invalidTime, invalidTimezone
    case invalidUrl, malformedJson, missingCalendarAndCalendarDateFiles, missingRequiredColumn, missingRequiredElement
    case missingRequiredAgencyId, missingRequiredField, missingRequiredFile, newLineInValue, numberOutOfRange,
        pointNearOrigin, pointNearPole
    case startAndEndRangeEqual, startAndEndRangeOutOfOrder, translationForeignKeyViolation
    case unsupportedFeatureType, unsupportedGeoJsonType, unsupportedGeometryType, emptyRow, leadingOrTrailingWhitespaces
    case missingRecommendedField, missingRecommendedFile, mixedCaseRecommendedField, moreThanOneEntity
    case nonAsciiOrNonPrintableChar, unexpectedEnumValue, geoJsonUnknownElement, unknownColumn, unknownFile
    case serviceExtendsFarInTheFuture
    // Rules of schema/rules.tsv, in its order.
    case inconsistentAgencyTimezone, inconsistentAgencyLang, feedInfoLangAndAgencyLangMismatch, missingStopName
    case sameNameAndDescriptionForStop, stopWithoutLocation, stationWithParentStation, locationWithoutParentStation
    case wrongParentLocationType, platformWithoutParentStation, sameStopAndAgencyUrl, sameStopAndRouteUrl
    case stopAccessSpecifiedForStopWithNoParentStation, stopAccessSpecifiedForIncorrectLocation, unusedStation
    case missingLevelId, pathwayDanglingGenericNode, stopWithoutStopTime, locationWithUnexpectedStopTime
    case stopWithoutZoneId, pathwayUnreachableLocation
    case routeBothShortAndLongNameMissing, routeShortNameTooLong
    case routeLongNameContainsShortName, sameNameAndDescriptionForRoute, sameRouteAndAgencyUrl, duplicateRouteName
    case routeColorContrast, routeNetworksSpecifiedInMoreThanOneFile, unusedTrip, unusableTrip, unsortedStopTimes
    case missingBikeAllowance, tripHeadsignMatchesIntermediateStop, inconsistentRouteTypeForBlockId
    case blockTripsWithOverlappingStopTimes, tripWithShapeDistTraveledButNoShapeDistances
    case tripDistanceExceedsShapeDistance, tripDistanceExceedsShapeDistanceBelowThreshold
    case stopTooFarFromShape, stopTooFarFromShapeUsingUserDistance
    case stopHasTooManyMatchesForShape, stopsMatchShapeOutOfOrder
    case stopTimeWithArrivalBeforePreviousDepartureTime, stopTimeWithOnlyArrivalOrDepartureTime, missingTripEdge
    case decreasingOrEqualStopTimeDistance, stopTimeTimepointWithoutTimes, missingTimepointValue, forbiddenPickupType
    case forbiddenDropOffType, missingPickupDropOffBookingRuleId, forbiddenArrivalOrDepartureTime
    case missingPickupOrDropOffWindow, invalidPickupDropOffWindow, forbiddenGeographyId, forbiddenShapeDistTraveled
    case forbiddenContinuousPickupDropOff, missingStopTimesRecord
    case overlappingZoneAndPickupDropOffWindow, fastTravelBetweenConsecutiveStops, fastTravelBetweenFarStops
    case serviceHasNoActiveDayOfTheWeek, bigGapInService, serviceWindowOutsideFeedPeriod, overlappingFrequency
    case transferWithInvalidStopLocationType, transferWithInvalidTripAndRoute, transferWithInvalidTripAndStop
    case transferDistanceTooLarge, transferDistanceAbove2Km, inconsistentRouteTypeForInSeatTransfer
    case transferWithSuspiciousMidTripInSeat
    case pathwayLoop, bidirectionalExitGate, pathwayToWrongLocationType, pathwayToPlatformWithBoardingAreas
    case pathwayToStopWithAccessOutsideOfStationPathways, forbiddenRealTimeBookingFieldValue
    case forbiddenSameDayBookingFieldValue, forbiddenPriorDayBookingFieldValue, missingPriorNoticeDurationMin
    case invalidPriorNoticeDurationMin, forbiddenPriorNoticeStartDay, priorNoticeLastDayAfterStartDay
    case missingPriorNoticeLastDay, missingPriorNoticeLastTime, forbiddenPriorNoticeStartTime
    case missingPriorNoticeStartTime, fareTransferRuleDurationLimitWithoutType
    case fareTransferRuleDurationLimitTypeWithoutDurationLimit, fareTransferRuleInvalidTransferCount
    case fareTransferRuleWithoutTransferCount, fareTransferRuleWithForbiddenTransferCount, duplicateFareMedia
    case fareProductWithMultipleDefaultRiderCategories, timeframeOnlyStartOrEndTimeSpecified
    case timeframeStartOrEndTimeGreaterThanTwentyFourHours, timeframeOverlap, missingFeedInfoDate
    case feedValidBeyondTotalServiceWindow
    case missingFeedContactEmailAndUrl, attributionWithoutRole, translationUnknownTableName
    case translationUnexpectedValue, unusedShape, singleShapePoint, decreasingShapeDistance
    case equalShapeDistanceSameCoordinates, equalShapeDistanceDiffCoordinates
    case equalShapeDistanceDiffCoordinatesDistanceBelowThreshold
    /// The only codes that the validator does not have: it says nothing about archives and reads no unknown files.
    case containerAnomaly, unknownFileAnomaly

    /// Code and severity from schema/notices.tsv.
    package var code: NoticeCode { Self.codes[rawValue] }

    /// Nil for a code that the importer does not give.
    init?(code: String) {
        guard let kind = Self.allCases.first(where: { $0.code.name == code }) else { return nil }
        self = kind
    }

    /// Reads schema/notices.tsv now; otherwise the first use of `code` reads it.
    static func readCodes() { _ = codes }

    private static let codes = allCases.map { code(ofCase: $0.stringValue) }

    /// The code that a case names: `invalidUrl` is invalid_url. A number is a word of its own, as in
    /// transfer_distance_above_2_km, unless schema/notices.tsv joins it to the word before, as in
    /// feed_expiration_date7_days.
    static func code(ofCase name: String) -> NoticeCode {
        let code = NoticeCode(words(of: name, numbersAreWords: true))
        guard code.meaning.isEmpty else { return code }
        let joined = NoticeCode(words(of: name, numbersAreWords: false))
        return joined.meaning.isEmpty ? code : joined
    }

    private static func words(of name: String, numbersAreWords: Bool) -> String {
        var words: [UInt8] = []
        var isInNumber = false
        for letter in name.utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
            let beginsNumber = isDigit && !isInNumber && numbersAreWords
            if isCapital || beginsNumber { words.append(UInt8(ascii: "_")) }
            words.append(letter | 0x20)
            isInNumber = isDigit
        }
        return String(decoding: words, as: UTF8.self)
    }
}
