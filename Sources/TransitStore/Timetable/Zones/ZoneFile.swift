import Glibc

/// The rules of one zone from a file of the system (RFC 8536, TZif): a list of changes, then a rule for all later
/// years.
struct ZoneFile: ZoneRules {
    /// When the clocks were changed, ascending.
    private let changes: [Int64]
    /// Seconds east of UTC before the first change and after each.
    private let offsets: [Int]
    private let rule: ZoneRule?

    static let folder = "/usr/share/zoneinfo/"
    /// The largest zone file has 5 kB.
    private static let mostBytes = 1 << 20

    /// Nil if there is no such file or it cannot be parsed.
    init?(named name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0.hasPrefix(".") }), let bytes = Self.read(Self.folder + name)
        else { return nil }
        self.init(bytes)
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count <= mostBytes {
            let block = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
                count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            if block.isEmpty { return bytes }
            bytes += block
        }
        return nil
    }

    /// Nil if the bytes are not a TZif file of version 2 or later.
    init?(_ bytes: [UInt8]) {
        guard let old = Header(bytes, at: 0), old.version >= UInt8(ascii: "2"),
            let header = Header(bytes, at: Header.size + old.length(timeSize: 4))
        else { return nil }
        let times = header.start
        let kinds = times + header.timeCount * 8
        let types = kinds + header.timeCount
        let footer = times + header.length(timeSize: 8)
        guard footer <= bytes.count, header.typeCount > 0 else { return nil }
        func offset(ofType type: Int) -> Int? {
            type < header.typeCount ? Int(bytes.bigEndian32(types + type * 6)) : nil
        }
        guard let first = offset(ofType: 0) else { return nil }
        var (changes, offsets) = ([Int64](), [first])
        for index in 0..<header.timeCount {
            guard let offset = offset(ofType: Int(bytes[kinds + index])), abs(offset) < 2 * 86_400 else { return nil }
            let time = bytes.bigEndian64(times + index * 8)
            if let last = changes.last, time <= last { return nil }
            // Skips entries that change only the zone's abbreviation or the summer time flag, not the offset.
            guard offset != offsets[offsets.count - 1] else { continue }
            changes.append(time)
            offsets.append(offset)
        }
        (self.changes, self.offsets) = (changes, offsets)
        let text = bytes[footer...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
        rule = text.isEmpty ? nil : ZoneRule(String(decoding: text, as: UTF8.self))
        if !text.isEmpty, rule == nil { return nil }
    }

    func period(at unixSeconds: Int64) -> ZonePeriod {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= unixSeconds { low = middle + 1 } else { high = middle }
        }
        if low < changes.count { return ZonePeriod(offset: offsets[low], end: changes[low]) }
        return rule?.period(at: unixSeconds) ?? ZonePeriod(offset: offsets[low], end: nil)
    }

    /// The header of each of a file's two parts.
    private struct Header {
        static let size = 44
        let version: UInt8
        /// Where the data after the header begins.
        let start: Int
        let timeCount, typeCount: Int
        private let utcCount, standardCount, leapCount, letterCount: Int

        init?(_ bytes: [UInt8], at place: Int) {
            guard place >= 0, bytes.count >= Self.size, place <= bytes.count - Self.size,
                bytes[place..<place + 4].elementsEqual("TZif".utf8)
            else { return nil }
            version = bytes[place + 4]
            start = place + Self.size
            let counts = (0..<6).map { Int(UInt32(bitPattern: bytes.bigEndian32(place + 20 + $0 * 4))) }
            guard counts.allSatisfy({ $0 < 100_000 }) else { return nil }
            (utcCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
            (timeCount, typeCount, letterCount) = (counts[3], counts[4], counts[5])
        }

        func length(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + letterCount + leapCount * (timeSize + 4) + standardCount
                + utcCount
        }
    }
}

extension [UInt8] {
    /// The caller has checked that the bytes exist.
    fileprivate func bigEndian32(_ place: Int) -> Int32 {
        Int32(bitPattern: self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }

    fileprivate func bigEndian64(_ place: Int) -> Int64 {
        Int64(bitPattern: self[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) })
    }
}
