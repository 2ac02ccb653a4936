// Codes of currencies (ISO 4217) and languages (BCP 47, ISO 639) that ICU knows.
#include "cicu.h"
#include "tag.h"
#include <string.h>
#include <unicode/ucurr.h>
#include <unicode/uloc.h>

/// Codes that were added to ISO 4217 after ICU 72's data were made (2022): Arab accounting dinar, Caribbean guilder,
/// Zimbabwe gold.
static bool is_newer_currency(const uint8_t *code)
{
    return memcmp(code, "XAD", 3) == 0 || memcmp(code, "XCG", 3) == 0 || memcmp(code, "ZWG", 3) == 0;
}

bool cicu_currency_is_known(const uint8_t *code, size_t length)
{
    if (length != 3) return false;
    UChar units[4] = {0};
    for (int at = 0; at < 3; at++) {
        if (code[at] < 'A' || code[at] > 'Z') return false;
        units[at] = code[at];
    }
    return ucurr_getNumericCode(units) != 0 || is_newer_currency(code);
}

/// Accepts every language of three letters, whether the tag names it or ICU derived it ("cmn" from "zh-cmn"): ICU knows
/// only 596 of the 7,910 languages of ISO 639-3, so an unknown one does not make a well-formed tag wrong. Tags for
/// private use ("x-own") and "und" have no language.
static bool may_have_unknown_language(const char *locale)
{
    size_t letters = strcspn(locale, "_@");
    return letters == 3 || letters == 0;
}

bool cicu_language_is_known(const uint8_t *tag, size_t length)
{
    char letters[LONGEST_TAG + 1], locale[LOCALE_CAPACITY];
    if (length == 0 || !cicu_tag_to_locale(tag, length, letters, locale)) return false;
    return uloc_getISO3Language(locale)[0] != 0 || may_have_unknown_language(locale);
}
