// Unsafe only where the bytes of a text are lent to rules that also check cells.

import GTFSFeed
import Glibc

/// Findings about the file and its features. A message reads: file, feature, fault; what was done.
extension LocationsReader {
    func note(
        _ kind: NoticeKind, field: String? = nil, value: String? = nil, _ message: @autoclosure () -> String
    ) {
        state.notices.add(kind, file: file, in: place, field: field, value: value, "\(file): \(message())")
    }

    func noteFeature(
        _ kind: NoticeKind, field: String? = nil, value: String? = nil, _ fault: @autoclosure () -> String,
        _ outcome: Notice.Outcome? = nil
    ) {
        state.notices.add(kind, in: place) {
            let name = id.map { " (id \"\(Notice.shortened($0))\")" } ?? ""
            return Notice(
                kind: kind, file: file, rowNumber: features, field: field, value: value.map(Notice.shortened),
                fault: "\(file), feature \(features)\(name): \(fault())", outcome: outcome)
        }
    }

    // MARK: Members

    func noteType(_ type: GeoJSONValue?) {
        guard let type, type.type != "null" else {
            return noteFeature(
                .missingRequiredElement, field: "type", "has no member type, which is required; read as a Feature")
        }
        guard type != GeoJSONValue(type: "text", text: "Feature") else { return }
        noteFeature(
            .unsupportedFeatureType, field: "type", value: type.text,
            "type is \"\(Notice.shortened(type.text))\", not \"Feature\"; stored all the same")
    }

    /// Checks the id as spelled in the file; `id` is already trimmed.
    func noteID(_ spelled: String?) {
        guard let spelled, var id else { return }
        _ = trimmed(spelled, "id")
        guard !id.withUTF8({ TextRules.isPrintableASCII(UnsafeRawBufferPointer($0)) }) else { return }
        noteFeature(
            .nonAsciiOrNonPrintableChar, field: "id", value: id,
            "is an ID with characters other than printable ASCII", .storedAsItIs)
    }

    func noteRepetitions(in object: String, path: String, kept: String) throws {
        try parser.forEachRepetition(in: object) { name, count in
            let name = Notice.shortened(name)
            noteFeature(
                .geoJsonDuplicatedElement, field: path + name,
                "\(path + name) is there \(count) times; the first is read, the others kept in \(kept)")
        }
    }

    func noteUnknown(in rest: String, known: [String], path: String, kept: String) throws {
        try parser.forEachName(in: rest) { name in
            // By bytes: Swift takes quadratic time for endless marks on a letter.
            guard !known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return }
            let name = Notice.shortened(name)
            noteFeature(
                .geoJsonUnknownElement, field: path + name, "\(path + name) is not known to GTFS; kept in \(kept)")
        }
    }

    // MARK: Geometry

    func noteGeometryType(_ type: String) {
        noteFeature(
            .unsupportedGeometryType, field: "geometry.type", value: type,
            "geometry.type is \"\(Notice.shortened(type))\", not \"Polygon\" or \"MultiPolygon\"", .storedAsItIs)
    }

    func noteCoordinates(_ rules: GeoJSONGeometryRules, type: String) {
        let field = "geometry.coordinates"
        if let fault = rules.fault ?? rules.ringFault {
            noteFeature(.invalidGeometry, field: field, value: type, "\(type): \(fault)", .storedAsItIs)
        }
        for (kind, found, what) in [
            (NoticeKind.pointNearOrigin, rules.nearOrigin, "the point 0, 0"),
            (.pointNearPole, rules.nearPole, "a pole"),
        ] {
            guard let found else { continue }
            noteFeature(
                kind, field: field, value: found.position.text,
                "\(type): \(found.place) is \(found.position.text), near \(what)", .storedAsItIs)
        }
    }

    // MARK: Text

    /// The value without white space around it; notes if there was any.
    func trimmed(_ value: String, _ field: String) -> String? {
        let text = Self.trimmed(value)
        if let text, text.utf8.count != value.utf8.count {
            noteFeature(
                .leadingOrTrailingWhitespaces, field: field, value: value,
                "\(field) has white space around it, which was removed")
        }
        return text
    }

    /// The value without white space around it; nil if nothing is left.
    static func trimmed(_ value: String) -> String? {
        var value = value
        return value.withUTF8 { bytes in
            let all = UnsafeRawBufferPointer(bytes)
            var range = TextRules.trimmed(all)
            // A member's original spelling cannot be kept elsewhere, so white space that is more than blanks stays.
            for removed in [0..<range.lowerBound, range.upperBound..<all.count]
            where TextRules.isMoreThanBlank(UnsafeRawBufferPointer(rebasing: all[removed])) { range = 0..<all.count }
            return range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self)
        }
    }

    /// JSON is UTF-8 (RFC 8259, section 8.1); other text is converted from the encoding that it seems to have.
    func text(of bytes: [UInt8], feature: Bool = false) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let text = bytes.withUnsafeBytes { state.text(ofValues: $0) }
        noteCharacter(feature, "is not UTF-8 in the feed; \(state.conversion)")
        return text
    }

    private func noteCharacter(_ feature: Bool, _ fault: String) {
        if feature {
            noteFeature(.invalidCharacter, fault)
        } else {
            note(.invalidCharacter, "a member of the collection \(fault)")
        }
    }

    /// Replaces escapes of what UTF-8 text cannot have by U+FFFD, and escapes of letters by the letters.
    func withoutFaultyEscapes(_ json: String, feature: Bool = false) -> String {
        guard let escapes = GeoJSONEscapes(json) else { return json }
        if escapes.hasNul { noteCharacter(feature, "has a NUL character (\\u0000); stored as U+FFFD") }
        if let half = escapes.halfPair {
            noteCharacter(feature, "has half of a surrogate pair (\(half)); stored as U+FFFD")
        }
        return escapes.repaired
    }
}
