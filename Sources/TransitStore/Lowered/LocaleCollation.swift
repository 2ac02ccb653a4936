import ICU
import SQLite
import SystemFiles

/// The collations that a connection makes when a statement names them.
enum LocaleCollation {
    private static let prefix = "locale_"

    static func name(of locale: String) -> String { prefix + locale }

    /// The locale of a collation's name; nil for other names.
    static func locale(of name: String) -> String? { name.without(prefix: prefix) }

    /// The text order of a locale; nil if ICU does not know it.
    static func order(of locale: String) -> Connection.Collation? {
        guard let collator = collator(of: locale) else { return nil }
        return { collator.compare($0, $1) }
    }

    /// ICU's rules of a locale; nil if ICU does not know it. For ICU, an empty text is the root of all locales; here it
    /// is a locale that was left out.
    static func collator(of locale: String) -> NameCollator? {
        locale.isEmpty ? nil : NameCollator(locale: locale)
    }

    static func unknown(_ locale: String) -> StoreError {
        let name = locale.isEmpty ? "\"\"" : locale
        return StoreError(
            .unsuitableValue, "There is no locale \(name); one is written as a language tag: de, sv, de-AT")
    }

    /// The language tag of a locale, also if spelled as in POSIX and Foundation: `de-DE` for `de_DE`.
    static func tag(of locale: String) -> String { String(locale.map { $0 == "_" ? "-" : $0 }) }
}
