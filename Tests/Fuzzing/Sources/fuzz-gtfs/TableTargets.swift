import GTFSFeed
import GTFSSchema

@testable import GTFSImport

/// Parses the bytes as every kind of field. A parsed time or integer must parse to the same value when written again.
func readFields(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { text in
        // An empty array may have no address, and the parsers need one.
        guard text.baseAddress != nil else { return }
        if let time = TimeCell.parse(text.bytes) {
            let spelled = Array(TimeCell.text(time).utf8).withUnsafeBytes { TimeCell.parse($0.bytes) }
            precondition(spelled == time, "a time reads otherwise when written")
        }
        if let number = Numbers.parseInteger(text.bytes) {
            let spelled = Array("\(number)".utf8).withUnsafeBytes { Numbers.parseInteger($0.bytes) }
            precondition(spelled == number, "a number reads otherwise when written")
        }
        if let number = Numbers.parseFloat(text.bytes) {
            let other = Double(String(decoding: text, as: UTF8.self))
            precondition(number.isFinite && (other == nil || other == number), "a number is not what Swift reads")
        }
        if let date = DateCell.parse(text.bytes) {
            precondition((101...99_991_231).contains(date), "a date out of range")
        }
        _ = (TimeCell.parseLeniently(text.bytes), Numbers.parseIntegerLeniently(text.bytes))
        _ = (TextRules.isColor(text), TextRules.isURL(text), TextRules.isEmail(text), TextRules.isPhoneNumber(text))
        _ = (CasedWords.lackMixedCase(text), TextRules.isPrintableASCII(text), TextRules.hasUnusualBytes(text))
        _ = (TextRules.isMostlyUTF8(text), TextRules.containsReplacementCharacter(text))
        let isUTF8 = String(validating: text, as: UTF8.self) != nil
        precondition(TextRules.isUTF8(text) == isUTF8, "what is UTF-8 is not what Swift says")
        let trimmed = TextRules.trimmed(text)
        precondition(trimmed.lowerBound >= 0 && trimmed.upperBound <= text.count, "trimming left the text")
    }
}

/// Reads the bytes as one file of GTFS; the first byte chooses which.
func readTable(_ bytes: [UInt8]) {
    let files = Specification.gtfs.files.filter { $0.name != "locations.geojson" }
    guard let number = bytes.first else { return }
    let definition = files[Int(number) % files.count]
    let state = ReadingState(notices: NoticeLog(keptPerCode: 20))
    let source = ByteArraySource(bytes: Array(bytes.dropFirst()), most: .max)
    guard let reader = try? CSVReader(source: source, blockBytes: 4 << 10) else { return }
    state.beginFile(definition.name, hasByteOrderMark: reader.encoding.hasByteOrderMark)
    let header = HeaderReader(file: definition.name, definition: definition, header: reader.header)
        .plan(&state.notices)
    let plan = TablePlan(file: definition.name, definition: definition, header: header, namespaces: state.namespaces)
    let table = TableReader(plan: plan, shared: state)
    let block = ParsedBlock()
    reader.limitBlocks(to: max((1 << 20) / max(plan.stride, 1), 64))
    while let records = try? reader.nextBlock(reusing: block.records) { table.read(records, into: block) }
}

/// Reads the bytes as locations.geojson, through a buffer of 512 bytes.
func readLocations(_ bytes: [UInt8]) {
    let state = ReadingState(notices: NoticeLog(keptPerCode: 20))
    var records = 0
    let reader = try? LocationsReader(file: "locations.geojson", state: state) { event in
        if case .location = event { records += 1 }
    }
    try? reader?.read(ByteArraySource(bytes: bytes, most: 4_093), bufferBytes: 512)
    precondition(records <= bytes.count, "more features than bytes")
}
