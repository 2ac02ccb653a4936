import Foundation

/// Reads the raw records of an index b-tree from a database file, in order. The code is slow and obvious.
struct PlainTreeReader {
    private let bytes: [UInt8]
    private let pageSize: Int
    /// Number of levels of the tree that was read last.
    private(set) var depth = 0

    init(_ path: String) throws {
        bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65_536 : size
    }

    mutating func records(root: UInt32) -> [[UInt8]] {
        depth = 0
        return records(page: Int(root), level: 1)
    }

    private mutating func records(page: Int, level: Int) -> [[UInt8]] {
        depth = max(depth, level)
        let start = (page - 1) * pageSize
        let isLeaf = bytes[start] == 0x0A
        precondition(isLeaf || bytes[start] == 0x02, "page \(page) has type \(bytes[start])")
        var found: [[UInt8]] = []
        for cell in 0..<number(start + 3, 2) {
            var place = start + number(start + (isLeaf ? 8 : 12) + 2 * cell, 2)
            if !isLeaf {
                found += records(page: number(place, 4), level: level + 1)
                place += 4
            }
            found.append(payload(at: place))
        }
        return isLeaf ? found : found + records(page: number(start + 8, 4), level: level + 1)
    }

    private func payload(at start: Int) -> [UInt8] {
        var place = start
        var length = 0
        repeat {
            length = length << 7 | Int(bytes[place] & 0x7F)
            place += 1
        } while bytes[place - 1] >= 0x80
        let (longest, shortest) = ((pageSize - 12) * 64 / 255 - 23, (pageSize - 12) * 32 / 255 - 23)
        let filling = shortest + (length - shortest) % (pageSize - 4)
        let local = length <= longest ? length : filling <= longest ? filling : shortest
        var payload = Array(bytes[place..<place + local])
        var next = local < length ? number(place + local, 4) : 0
        while next != 0 {
            let page = (next - 1) * pageSize
            payload += bytes[page + 4..<page + 4 + min(pageSize - 4, length - payload.count)]
            next = number(page, 4)
        }
        precondition(payload.count == length)
        return payload
    }

    private func number(_ start: Int, _ length: Int) -> Int {
        bytes[start..<start + length].reduce(0) { $0 << 8 | Int($1) }
    }
}
