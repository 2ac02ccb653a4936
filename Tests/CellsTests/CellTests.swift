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
                            tags: tags, payloads: payloads, text: text, otherText: otherText, rowCount: 1, stride: 6)
                        return (0..<6).map { batch[0].text($0).map { String(decoding: $0, as: UTF8.self) } }
                    }
                }
            }
        }
        #expect(texts == ["Zoo", "Au", nil, nil, nil, ""])
    }

    @Test func rowsReadTheirOwnCells() {
        let tags = [CellTag.integer, CellTag.null, CellTag.integer, CellTag.double]
        let payloads = [4, 0, 5, CellNumber.payload(of: 52.5)]
        tags.withUnsafeBufferPointer { tags in
            payloads.withUnsafeBufferPointer { payloads in
                guard let start = tags.baseAddress, let payloads = payloads.baseAddress else { return }
                let batch = CellBatch(
                    tags: start, payloads: payloads, text: payloads, otherText: payloads, rowCount: 2, stride: 2)
                #expect(batch.rows.map(\.id) == [4, 5])
                #expect(batch.rows.map { $0.isNull(1) } == [true, false])
                #expect(batch.rows.map { $0.integer(1) } == [nil, nil])
                #expect(batch[0].number(1).isNaN)
                #expect(batch[1].number(1) == 52.5)
                #expect(batch[1].number(0) == 5)
            }
        }
    }
}
