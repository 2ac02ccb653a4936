/// Writes sound and damaged zip archives byte by byte (APPNOTE 6.3.10, section 4.3).
///
/// It shares no code with the reader, so that each can check the other.
struct ZipWriter {
    struct Member {
        var name: [UInt8]
        var content: [UInt8] = []
        var method: UInt16 = 0
        var flags: UInt16 = 0
        var madeBy: UInt16 = 20
        var externalAttributes: UInt32 = 0
        /// The extra field 0x0001 holds sizes and offset, and the header's own fields are at their maximum.
        var isZip64 = false
        /// The local header has no sizes; they follow the data.
        var hasDescriptor = false
        var localExtra: [UInt8] = []
        var centralExtra: [UInt8] = []

        // Wrong values that a damaged archive has in place of the true ones.
        var packed: [UInt8]?
        var localName: [UInt8]?
        var localMethod: UInt16?
        var checksum: UInt32?
        var size: UInt64?
        var packedSize: UInt64?
        var offset: UInt64?
        var disk: UInt16 = 0

        init(_ name: String, _ content: String = "", method: UInt16 = 0) {
            self.init(name: Array(name.utf8), content: Array(content.utf8), method: method)
        }

        init(name: [UInt8], content: [UInt8] = [], method: UInt16 = 0) {
            self.name = name
            self.content = content
            self.method = method
        }

        /// A copy with something changed.
        func with(_ change: (inout Member) -> Void) -> Member {
            var copy = self
            change(&copy)
            return copy
        }

        var data: [UInt8] { packed ?? (method == 8 ? deflated(content) : content) }
    }

    var members: [Member]
    /// Bytes before the archive that its offsets do not count.
    var prefix: [UInt8] = []
    var comment: [UInt8] = []
    /// Bytes after the archive.
    var trailing: [UInt8] = []
    var hasZip64End = false
    /// What follows the known fields of the zip64 end record (APPNOTE 4.3.14.2).
    var moreOfZip64End: [UInt8] = []
    /// Whether the plain end record's fields are at their maximum when there is a zip64 end record.
    var endIsAtMaximum = true
    var entryCount: UInt64?
    var directoryOffset: UInt64?
    var disk: UInt16 = 0

    init(_ members: [Member]) { self.members = members }

    /// The whole archive.
    var bytes: [UInt8] {
        var out: [UInt8] = []
        var offsets: [UInt64] = []
        for member in members {
            offsets.append(UInt64(out.count))
            out += local(member)
        }
        let start = out.count
        for (member, offset) in zip(members, offsets) { out += central(member, offset: member.offset ?? offset) }
        let size = out.count - start
        out += end(offset: directoryOffset ?? UInt64(start), size: UInt64(size), position: UInt64(out.count))
        return prefix + out + trailing
    }

    private func local(_ member: Member) -> [UInt8] {
        let data = member.data
        let isBlank = member.hasDescriptor
        let name = member.localName ?? member.name
        var out = le(UInt32(0x0403_4b50)) + le(UInt16(20)) + le(member.flags | (isBlank ? 8 : 0))
        out += le(member.localMethod ?? member.method) + le(UInt32(0))
        out += le(isBlank ? 0 : member.checksum ?? crc32(member.content))
        out += le(isBlank ? 0 : UInt32(truncatingIfNeeded: data.count))
        out += le(isBlank ? 0 : UInt32(truncatingIfNeeded: member.content.count))
        out += le(UInt16(name.count)) + le(UInt16(member.localExtra.count)) + name + member.localExtra + data
        if isBlank {
            out += le(UInt32(0x0807_4b50)) + le(crc32(member.content)) + le(UInt32(data.count))
            out += le(UInt32(member.content.count))
        }
        return out
    }

    private func central(_ member: Member, offset: UInt64) -> [UInt8] {
        let size = member.size ?? UInt64(member.content.count)
        let packedSize = member.packedSize ?? UInt64(member.data.count)
        var extra = member.centralExtra
        if member.isZip64 { extra += le(UInt16(1)) + le(UInt16(24)) + le(size) + le(packedSize) + le(offset) }
        func field(_ value: UInt64) -> [UInt8] { le(member.isZip64 ? .max : UInt32(truncatingIfNeeded: value)) }
        var out = le(UInt32(0x0201_4b50)) + le(member.madeBy) + le(UInt16(20))
        out += le(member.flags | (member.hasDescriptor ? 8 : 0)) + le(member.method) + le(UInt32(0))
        out += le(member.checksum ?? crc32(member.content)) + field(packedSize) + field(size)
        out += le(UInt16(member.name.count)) + le(UInt16(extra.count)) + le(UInt16(0)) + le(member.disk) + le(UInt16(0))
        return out + le(member.externalAttributes) + field(offset) + member.name + extra
    }

    private func end(offset: UInt64, size: UInt64, position: UInt64) -> [UInt8] {
        var out: [UInt8] = []
        let count = entryCount ?? UInt64(members.count)
        if hasZip64End {
            out += le(UInt32(0x0606_4b50)) + le(UInt64(44 + moreOfZip64End.count))
            out += le(UInt16(45)) + le(UInt16(45)) + le(UInt32(disk))
            out += le(UInt32(0)) + le(count) + le(count) + le(size) + le(offset) + moreOfZip64End
            out += le(UInt32(0x0706_4b50)) + le(UInt32(0)) + le(position) + le(UInt32(1))
        }
        let isMaximum = hasZip64End && endIsAtMaximum
        out += le(UInt32(0x0605_4b50)) + le(isMaximum ? .max : disk) + le(isMaximum ? .max : UInt16(0))
        for _ in 0..<2 { out += le(isMaximum ? .max : UInt16(truncatingIfNeeded: count)) }
        out += le(isMaximum ? .max : UInt32(truncatingIfNeeded: size))
        out += le(isMaximum ? .max : UInt32(truncatingIfNeeded: offset))
        return out + le(UInt16(comment.count)) + comment
    }
}

/// An integer's bytes, least significant first.
func le<T: FixedWidthInteger & UnsignedInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> T(8 * $0)) }
}

/// CRC-32, computed bit by bit as in its definition.
func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xffff_ffff
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return ~crc
}

/// A deflate stream of one block with fixed codes and literals only (RFC 1951, 3.2.6). It is correct but longer than
/// necessary.
func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    var bits = 0
    func put(_ bit: Int) {
        if bits % 8 == 0 { out.append(0) }
        out[out.count - 1] |= UInt8(bit << (bits % 8))
        bits += 1
    }
    func putCode(_ code: Int, length: Int) { for index in (0..<length).reversed() { put(code >> index & 1) } }
    put(1)  // the last block
    put(1)  // type 01, lower bit first
    put(0)
    for byte in bytes {
        if byte < 144 { putCode(0x30 + Int(byte), length: 8) } else { putCode(0x190 + Int(byte) - 144, length: 9) }
    }
    putCode(0, length: 7)
    return out
}
