import GTFSSchema
import SystemFiles

/// The findings that the importer makes; `code` has their names in the validator's spelling.
///
/// It is a `CodingKey`, so that the compiler writes down the names of its cases. Looking them up at run time took 1 %
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
            let isDigit = letter.isDigit
            let beginsNumber = isDigit && !isInNumber && numbersAreWords
            if isCapital || beginsNumber { words.append(UInt8(ascii: "_")) }
            words.append(letter | 0x20)
            isInNumber = isDigit
        }
        return String(decoding: words, as: UTF8.self)
    }
}
