import SearchText
import SystemFiles

/// Reads a template file line by line.
struct TemplateFileReader {
    /// A setting as it was written, over one line or several.
    private struct Setting {
        let part: RequestText.Part
        let line: Int
        var value: String
    }

    let name: String
    private var requests: [String: RequestText] = [:]
    private var section: (name: String, line: Int)?
    private var settings: [Setting] = []

    init(name: String) { self.name = name }

    mutating func read(_ line: String, number: Int) throws {
        let content = line.trimmingWhitespace
        let first = line.unicodeScalars.first
        if first == "#" || first == ";" || content.isEmpty { return }
        if first?.properties.isWhitespace == true { return try goOn(content, number) }
        if content.begins(with: "[") {
            try endSection()
            section = (try sectionName(content, number), number)
        } else {
            try begin(content, number)
        }
    }

    /// All requests, once all lines are read.
    consuming func finished() throws -> [String: RequestText] {
        try endSection()
        return requests
    }

    private func sectionName(_ content: String, _ number: Int) throws -> String {
        let name = content.without(prefix: "[")?.without(suffix: "]")?.trimmingWhitespace ?? ""
        if name.isEmpty { throw problem("expected a name in brackets: [departures]", number) }
        if requests[name] != nil { throw problem("there is a template \(name) before this one", number) }
        return name
    }

    private mutating func begin(_ content: String, _ number: Int) throws {
        guard section != nil else { throw problem("expected the name of a template in brackets: [departures]", number) }
        let sides = content.parts(at: "=", mostSplits: 1)
        guard sides.count == 2 else { throw problem("expected a setting, as in: limit = 20", number) }
        let word = sides[0].trimmingWhitespace
        guard let part = RequestText.Part(rawValue: word.lowercased()) else {
            let names = RequestText.Part.allCases.map(\.rawValue)
            let hint = NearestName.find(word, among: names).map { "did you mean \($0)?" }
            throw problem(
                "there is no setting \(word); \(hint ?? "there are \(names.joined(separator: ", "))")", number)
        }
        if let before = settings.first(where: { $0.part == part }) {
            throw problem("\(part.rawValue) is set before, in line \(before.line)", number)
        }
        settings.append(Setting(part: part, line: number, value: sides[1].trimmingWhitespace))
    }

    private mutating func goOn(_ content: String, _ number: Int) throws {
        guard !settings.isEmpty else { throw problem("this line continues a setting, but none is before it", number) }
        settings[settings.count - 1].value += "\n" + content
    }

    private mutating func endSection() throws {
        defer { (section, settings) = (nil, []) }
        guard let section else { return }
        guard let entity = settings.first(where: { $0.part == .entity }), !entity.value.isEmpty else {
            throw problem("the template \(section.name) has no entity", section.line)
        }
        var request = RequestText(entity: entity.value)
        for setting in settings {
            try set(setting, of: &request)
            request.labels[setting.part] = "\(name):\(setting.line): [\(section.name)] \(setting.part.rawValue)"
        }
        requests[section.name] = request
    }

    private func set(_ setting: Setting, of request: inout RequestText) throws {
        let value = setting.value
        switch setting.part {
        case .entity: break
        case .predicate: request.predicate = value
        case .sort: request.sort = value
        case .limit: request.limit = try number(setting)
        case .offset: request.offset = try number(setting)
        case .properties: request.properties = value
        case .groupBy: request.groupBy = value
        case .having: request.having = value
        case .prefetch: request.prefetch = value
        case .distinct:
            guard value == "yes" || value == "no" else {
                throw problem("distinct is yes or no, not \(value)", setting.line)
            }
            request.isDistinct = value == "yes"
        }
    }

    private func number(_ setting: Setting) throws -> Int {
        guard setting.value.utf8.allSatisfy(\.isDigit), let number = Int(setting.value) else {
            throw problem("\(setting.part.rawValue) takes a whole number, not \(setting.value)", setting.line)
        }
        return number
    }

    private func problem(_ reason: String, _ line: Int) -> StoreError {
        StoreError(.syntax, "\(name):\(line): \(reason)", at: StoreError.Place(name, line: line))
    }
}
