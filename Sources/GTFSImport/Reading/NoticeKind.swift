import GTFSSchema

/// The findings that the importer makes; their names in the validator's spelling are `code`.
package enum NoticeKind: Int, CaseIterable, Sendable {
    case csvParsingFailed, duplicateGeoJsonKey, duplicateGeographyId, duplicateKey, duplicatedColumn, emptyColumnName
    case emptyFile, foreignKeyViolation, geoJsonDuplicatedElement, invalidCharacter, invalidColor, invalidCurrency
    case invalidCurrencyAmount, invalidDate, invalidEmail, invalidFloat, invalidGeometry, invalidInputFilesInSubfolder
    case invalidInteger, invalidLanguageCode, invalidPhoneNumber, invalidRowLength, invalidTime, invalidTimezone
    case invalidUrl, malformedJson, missingCalendarAndCalendarDateFiles, missingRequiredColumn, missingRequiredElement
    case missingRequiredField, missingRequiredFile, newLineInValue, numberOutOfRange, pointNearOrigin, pointNearPole
    case startAndEndRangeEqual, startAndEndRangeOutOfOrder, tooManyRows, translationForeignKeyViolation
    case unsupportedFeatureType, unsupportedGeoJsonType, unsupportedGeometryType, emptyRow, leadingOrTrailingWhitespaces
    case missingRecommendedField, missingRecommendedFile, mixedCaseRecommendedField, moreThanOneEntity
    case nonAsciiOrNonPrintableChar, unexpectedEnumValue, geoJsonUnknownElement, unknownColumn, unknownFile
    case serviceExtendsFarInTheFuture
    /// The only code that is not the validator's, which says nothing of archives.
    case containerAnomaly

    /// Code and severity as schema/notices.tsv has them.
    package var code: NoticeCode { Self.codes[rawValue] }

    /// Reads schema/notices.tsv, which is otherwise done with the first code that is asked for.
    static func readCodes() { _ = codes }

    private static let codes = allCases.map { kind in
        var name: [UInt8] = []
        for letter in String(describing: kind).utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
            name += isCapital ? [UInt8(ascii: "_"), letter | 0x20] : [letter]
        }
        return NoticeCode(String(decoding: name, as: UTF8.self))
    }
}
