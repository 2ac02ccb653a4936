import Glibc
import ICU
import SearchText
import Testing

/// Each body runs in a separate process, so that ICU and the C library see the test's locale and time zone when they
/// are first used.
struct LocaleIndependenceTests {
    @Test func `a Turkish machine in Kiritimati makes the same names, words, orders and times`() async {
        await #expect(processExitsWith: .success) {
            setenv("LC_ALL", "tr_TR.UTF-8", 1)
            setenv("LANG", "tr_TR.UTF-8", 1)
            setenv("TZ", "Pacific/Kiritimati", 1)
            exit(isAsEverywhere() ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test func `a Lithuanian machine makes the same`() async {
        await #expect(processExitsWith: .success) {
            setenv("LC_ALL", "lt_LT.UTF-8", 1)
            setenv("TZ", "America/St_Johns", 1)
            exit(isAsEverywhere() ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test func `a Swedish machine makes the same`() async {
        await #expect(processExitsWith: .success) {
            setenv("LC_ALL", "sv_SE.UTF-8", 1)
            setenv("TZ", "Europe/Stockholm", 1)
            exit(isAsEverywhere() ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test func `a machine without locale makes the same`() async {
        await #expect(processExitsWith: .success) {
            unsetenv("LC_ALL")
            setenv("LANG", "C", 1)
            unsetenv("TZ")
            exit(isAsEverywhere() ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

/// Results that Turkish, Lithuanian or Swedish rules, or the machine's time zone, would change.
private func isAsEverywhere() -> Bool {
    setlocale(LC_ALL, "")
    tzset()
    let rootOrder = NameCollator(locale: "")
    let orderWithoutRules = NameCollator(locale: "qu")
    return SearchText.normalize("ILGAZ İzmir Ìį̇ ΣΑΣ") == "ilgaz izmir ii σας"
        && SearchText.words("Ilgaz-İzmir, L'Hay 3,5:7") == ["ilgaz", "izmir", "l'hay", "3,5", "7"]
        && (rootOrder?.compare("Öd", "Pa") ?? 1) < 0
        && (orderWithoutRules?.compare("Öd", "Pa") ?? 1) < 0
        && ZoneClock("Asia/Kathmandu")?.offsetSeconds(at: 1_700_000_000) == 20_700
        && Currencies.fractionDigits("JPY") == 0 && Languages.isWellFormed("tr-TR")
}
