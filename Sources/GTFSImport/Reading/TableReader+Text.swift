// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell.

import GTFSFeed
import GTFSSchema
import ICU

/// Checks of text in its stored form; no check changes the value.
extension TableReader {
    typealias Column = UnsafeMutablePointer<ColumnPlan>
    typealias Text = UnsafeRawBufferPointer

    /// Trims spaces beyond ASCII: no-break spaces, and the wide spaces of Japanese keyboards.
    @inline(never)
    func trimWideSpaces(_ start: inout Int, _ end: inout Int) {
        let range = shared.trimmed(UnsafeRawBufferPointer(start: bytes + start, count: end - start))
        (start, end) = (start + range.lowerBound, start + range.upperBound)
    }

    /// Enters identifiers, and checks the text against its field's format.
    func examineText(_ column: Column, _ text: Text) {
        switch column.pointee.parser {
        case .text: examineProse(column, text)
        case .ownIdentifier: enterIdentifier(column, text)
        case .group: examineGroup(column, text)
        case .url:
            expect(
                TextRules.isURL(text), .invalidUrl, column, text,
                TextRules.endOfScheme(text) == nil
                    ? "is not a URL that begins with http:// or https://"
                    : "is not a well-formed URL (RFC 3986)")
        case .email: expect(TextRules.isEmail(text), .invalidEmail, column, text, "is not an email address")
        case .phone: expect(TextRules.isPhoneNumber(text), .invalidPhoneNumber, column, text, "is not a phone number")
        case .color:
            expect(TextRules.isColor(text), .invalidColor, column, text, "is not a color of six hexadecimal digits")
        case .language:
            expect(
                shared.languages.isRight(text) { Languages.isWellFormed($0) }, .invalidLanguageCode, column, text,
                "is not a language code (BCP 47)")
        case .timezone:
            expect(
                shared.timezones.isRight(text) { TimeZones.isKnown($0) }, .invalidTimezone, column, text,
                "is not a time zone of the IANA database")
        case .currency:
            expect(
                shared.currencies.isRight(text) { Currencies.fractionDigits($0) != nil }, .invalidCurrency, column,
                text,
                "is not a currency code of ISO 4217")
        default: break
        }
    }

    @inline(__always)
    private func expect(
        _ isRight: Bool, _ kind: NoticeKind, _ column: Column, _ text: Text, _ fault: @autoclosure () -> String
    ) {
        if !isRight { note(kind, column, text, fault(), .storedAsItIs) }
    }

    private func examineProse(_ column: Column, _ text: Text) {
        if column.pointee.isMixedCaseRecommended, CasedWords.lackMixedCase(text) {
            note(
                .mixedCaseRecommendedField, column, text, "has no word with both capitals and small letters",
                .storedAsItIs)
        }
        if let cell = plan.normalizedNameCell, column.pointee.field?.column == "name" {
            shared.normalize(text) { setOtherText(cell, $0) }
        }
    }

    private func enterIdentifier(_ column: Column, _ text: Text) {
        examinePrintability(column, text)
        let key = Int32(truncatingIfNeeded: rowNumber - 1)
        guard
            let earlier = column.pointee.unretainedIdentifiers?._withUnsafeGuaranteedRef({
                $0.insert(text, key: key)
            })
        else { return }
        refusal = .duplicateKey
        note(
            .duplicateKey, column, text,
            "is already the ID of row \(earlier + 1); this row is not in \(plan.table) but kept in kept_row")
    }

    @inline(__always)
    private func defineGroup(_ column: Column, _ text: Text) {
        _ = column.pointee.unretainedDefined?._withUnsafeGuaranteedRef { $0.insert(text, key: 0) }
    }

    private func examineGroup(_ column: Column, _ text: Text) {
        let short = ShortText(text)
        if let short, short == column.pointee.rightGroup { return }
        let isPrintable = examinePrintability(column, text)
        // A row's own ID is read before, so it is already known whether the row is stored.
        if refusal == nil { defineGroup(column, text) }
        guard let first = column.pointee.identifiers, first.key(of: text) == nil,
            !column.pointee.otherIdentifiers.contains(where: { $0.key(of: text) != nil })
        else {
            if isPrintable, refusal == nil { column.pointee.rightGroup = short }
            return
        }
        note(.foreignKeyViolation, column, text, "is not \(column.pointee.field?.targetWords ?? "")", .storedAsItIs)
    }

    /// Returns whether the text is printable ASCII.
    @discardableResult
    func examinePrintability(_ column: Column, _ text: Text) -> Bool {
        guard !isPrintable, !TextRules.isPrintableASCII(text) else { return true }
        note(
            .nonAsciiOrNonPrintableChar, column, text,
            "is an ID with characters other than printable ASCII", .storedAsItIs)
        return false
    }

    /// Returns the converted text if the text is not UTF-8; nil if it can be stored as it is. Called only for blocks
    /// with bytes beyond plain ASCII.
    func examineCharacters(_ column: Column, _ text: Text) -> [UInt8]? {
        guard TextRules.hasUnusualBytes(text) else { return nil }
        guard TextRules.isUTF8(text) else { return convertLegacyText(column, text) }
        if column.pointee.isProse, let converted = shared.convertedFromChance(text) {
            noteConversion(column, converted, "is UTF-8 in the feed only by chance")
            return converted
        }
        if TextRules.containsReplacementCharacter(text) {
            note(.invalidCharacter, column, text, "has a replacement character (U+FFFD)", .storedAsItIs)
        } else if text.contains(0) {
            note(.invalidCharacter, column, text, "has a NUL character", .storedAsItIs)
        }
        return nil
    }

    func convertLegacyText(_ column: Column, _ text: Text) -> [UInt8] {
        let converted = shared.convert(text)
        noteConversion(column, converted, "is not UTF-8 in the feed")
        return converted
    }

    private func noteConversion(_ column: Column, _ converted: [UInt8], _ fault: String) {
        converted.withUnsafeBytes { note(.invalidCharacter, column, $0, "\(fault); \(shared.conversion)") }
    }

    /// Keeps the text of a row that may be a duplicate; this is known only when all rows are sorted.
    @inline(never)
    func keepText(sequence: Int64) {
        greatestTime.doubt(row: rowNumber)
        block.possibleDuplicates.append(
            PossibleDuplicate(rowNumber: rowNumber, sequence: sequence, text: rowText()))
    }

    /// Where a text is in the block's bytes. Text that is not UTF-8 or not in these bytes is put into `otherText`.
    func blockText(_ text: Text) -> BlockText {
        let start = text.baseAddress.map { $0 - UnsafeRawPointer(bytes) } ?? 0
        guard isPlain || TextRules.isUTF8(text), start >= 0, start + text.count <= rawCount else {
            return block.convert(shared.text(text))
        }
        return BlockText(isConverted: false, start: UInt32(clamping: start), count: UInt32(clamping: text.count))
    }

    /// The text of the row at hand, to be kept as a whole.
    func rowText() -> BlockText {
        let text = records.rawRow(row)
        let isASCII = isPlain || !text.contains { $0 >= 0x80 }
        return isASCII ? blockText(text) : block.convert(shared.text(ofValues: text))
    }
}
