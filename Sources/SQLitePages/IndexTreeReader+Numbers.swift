// Unsafe: cells are looked up in the memory of a page. Each record's length is checked against its page.

extension IndexTreeReader {
    /// Appends the next records as long as their first value is `parent`, and leaves the reader at the record behind
    /// them. Appends nothing if the next record has another first value. Stops at `most` rows.
    ///
    /// Takes a third of the instructions of `next` and `RecordCells.read`.
    public func readNumbers(of parent: Int64, to rows: NumberRows, most: Int) throws {
        while depth > 0, rows.count < most {
            let top = depth - 1
            let level = levels[top]
            if level.isLeaf {
                let isAtEnd = try readLeaf(level, of: parent, to: rows, most: most)
                guard isAtEnd else { return }
                depth = top
            } else if !level.hasDescended {
                levels[top].hasDescended = true
                try descend(to: child(of: level))
            } else if level.cell < level.cellCount {
                guard rows.append(try beginning(of: level), of: parent) else { return }
                levels[top].hasDescended = false
                levels[top].cell += 1
            } else {
                depth = top
            }
        }
    }

    /// Reads the rest of a leaf. False if a record of another parent came, or as many rows as wanted.
    private func readLeaf(
        _ level: ReadLevel, of parent: Int64, to rows: NumberRows, most: Int
    ) throws -> Bool {
        let (memory, end, count) = (UnsafeRawPointer(level.memory.baseAddress), pageSize, level.cellCount)
        guard let memory, 8 + 2 * count <= end else { throw PageFileError.damagedTree(level.page) }
        var number = level.cell
        defer { levels[depth - 1].cell = number }
        while number < count {
            guard rows.count < most else { return false }
            var place = Int(memory.loadUnaligned(fromByteOffset: 8 + 2 * number, as: UInt16.self).bigEndian)
            // Pages begin with a header of eight bytes.
            guard place >= 8, place < end else { throw PageFileError.damagedTree(level.page) }
            let length = Varint.read(memory + place, upTo: end - place)
            place += length.length
            // The first bytes of a long record have the numbers, unless a long text stands before them.
            let local = payload.localLength(length.value)
            guard place + local <= end else { throw PageFileError.damagedTree(level.page) }
            var record = UnsafeRawBufferPointer(start: memory + place, count: local)
            if local < length.value {
                levels[depth - 1].cell = number
                record = try beginning(of: levels[depth - 1])
            }
            guard rows.append(record, of: parent) else { return false }
            number += 1
        }
        return true
    }
}
