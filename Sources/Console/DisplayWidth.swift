extension String {
    /// How many columns of a terminal the text takes: 0 for combining marks, 2 for the letters of East Asia and for
    /// emoji.
    ///
    /// Follows East Asian Width (Unicode Annex 11) by blocks, as most terminals do; ambiguous letters take one column.
    package var displayWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// How wide a column of a table may become. A longer cell moves the rest of its own row aside: padding all rows to
    /// the width of one would print gigabytes for a name of a megabyte.
    private static let widestColumn = 100

    /// The width of a table's column: that of its widest cell, but at most 100.
    package static func columnWidth(of cells: some Sequence<String>) -> Int {
        cells.reduce(0) { Swift.max($0, Swift.min($1.displayWidth, widestColumn)) }
    }

    /// The beginning of the text that fits into `width` columns.
    package func cut(toColumns width: Int) -> Substring {
        var left = width
        return prefix { letter in
            left -= letter.displayWidth
            return left >= 0
        }
    }

    /// The text, padded with spaces on the right to `width` columns.
    package func leftAligned(columns width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth))
    }

    /// The text, padded with spaces on the left to `width` columns.
    package func rightAligned(columns width: Int) -> String {
        String(repeating: " ", count: max(0, width - displayWidth)) + self
    }
}

extension Character {
    /// The sum over its scalars, as terminals count: Swift takes several letters of Thai or Hindi for one character.
    /// Joined emoji take the columns of one.
    fileprivate var displayWidth: Int {
        var (sum, widest, isEmoji) = (0, 0, false)
        for scalar in unicodeScalars {
            let width = scalar.displayWidth
            (sum, widest) = (sum + width, max(widest, width))
            isEmoji = isEmoji || scalar.properties.isEmojiPresentation
        }
        return isEmoji ? widest : sum
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if properties.isEmojiPresentation { return 2 }
        // The vowels and ends of Korean syllables stand in the columns of their first letters.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul Jamo
        0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,  // CJK, kana
        0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,  // Yi, Hangul
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,  // compatibility and full-width forms
        0x1_7000...0x1_8CFF, 0x1_B000...0x1_B2FF, 0x2_0000...0x3_FFFD,  // Tangut, kana, further ideographs
    ]
}
