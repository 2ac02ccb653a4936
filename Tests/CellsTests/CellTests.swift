import Testing

@testable import Cells

@Suite struct CellTests {
    /// Offsets from 2 GB on take the sign bit.
    @Test(arguments: [0, 1, 1 << 20, Int(Int32.max), 1 << 31, Int(UInt32.max)], [0, 1, 1 << 20, Int(UInt32.max)])
    func thePayloadOfATextHasItsOffsetAndItsLength(offset: Int, count: Int) {
        let payload = CellText.payload(offset: offset, count: count)
        #expect(CellText.offset(of: payload) == offset)
        #expect(CellText.count(of: payload) == count)
    }

    @Test func aBatchFindsTextsInTheirMemoryAndNothingInOtherCells() {
        let tags = [CellTag.text, CellTag.otherText, CellTag.integer, CellTag.double, CellTag.null, CellTag.text]
        let payloads = [
            CellText.payload(offset: 1, count: 3), CellText.payload(offset: 0, count: 2), 7, 1 << 62, 0,
            CellText.payload(offset: 4, count: 0),
        ]
        let (text, otherText) = (Array("xZoox".utf8), Array("Au".utf8))
        let texts = text.withUnsafeBytes { text in
            otherText.withUnsafeBytes { otherText in
                tags.withUnsafeBufferPointer { tags in
                    payloads.withUnsafeBufferPointer { payloads -> [String?] in
                        guard let tags = tags.baseAddress, let payloads = payloads.baseAddress,
                            let text = text.baseAddress, let otherText = otherText.baseAddress
                        else { return [] }
                        let batch = CellBatch(
                            tags: tags, payloads: payloads, text: text, otherText: otherText, rowCount: 1)
                        return (0..<6).map { batch.text(ofCell: $0).map { String(decoding: $0, as: UTF8.self) } }
                    }
                }
            }
        }
        #expect(texts == ["Zoo", "Au", nil, nil, nil, ""])
    }
}
