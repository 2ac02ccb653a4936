// Legacy encodings: which one a text has, by ICU's detector.
//
// ICU's detector looks at the first 8,000 bytes only and compares runs of letters with what languages look like. A CSV
// file of a feed begins with an English header, and most of its text is ASCII ids and numbers, so the detector is shown
// only those fields that have a byte above 0x7F. What it answers is then checked: read that way, does the text look
// like names? The bytes that part fields here are below 0x30 and so are never inside a character of any of the
// encodings in question.
#include "cicu.h"
#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>

enum {
    EXCERPT_LENGTH = 8000,
    /// Below this ICU is guessing.
    LEAST_CONFIDENCE = 10,
    /// How much likelier than windows-1252 another encoding of the Latin alphabet must be: ICU tells these apart by a
    /// few letters.
    LATIN_MARGIN = 3,
};

static bool parts_fields(uint8_t byte)
{
    return byte == ',' || byte == '\n' || byte == '\r' || byte == '"' || byte == '\t';
}

/// Gathers the fields that are not ASCII, one a line, into `excerpt`; returns their length.
static size_t gather_excerpt(const uint8_t *sample, size_t length, uint8_t *excerpt)
{
    size_t made = 0, start = 0;
    bool is_ascii = true;
    for (size_t at = 0; at <= length && made < EXCERPT_LENGTH; at++) {
        if (at < length && !parts_fields(sample[at])) {
            is_ascii = is_ascii && sample[at] < 0x80;
            continue;
        }
        size_t field = at - start, room = EXCERPT_LENGTH - made - 1;
        if (!is_ascii && (field <= room || made == 0)) {
            memcpy(excerpt + made, sample + start, field < room ? field : room);
            made += field < room ? field : room;
            excerpt[made++] = '\n';
        }
        start = at + 1;
        is_ascii = true;
    }
    return made;
}

/// The encoding to report for a name of ICU's, or NULL for one that a CSV file with bytes above 0x7F cannot have:
/// Unicode, EBCDIC, 7-bit codes. Where a wider encoding has the same letters in the same places, it is the one to use.
static const char *reported_name(const char *name)
{
    static const char *const excluded[] = {"UTF-", "IBM", "ISO-2022"};
    static const char *const wider[][2] = {
        {"ISO-8859-1", "windows-1252"}, {"ISO-8859-9", "windows-1254"}, {"ISO-8859-8", "windows-1255"},
        {"ISO-8859-8-I", "windows-1255"}, {"KOI8-R", "KOI8-U"},
    };
    for (size_t index = 0; index < sizeof excluded / sizeof *excluded; index++) {
        if (strncmp(name, excluded[index], strlen(excluded[index])) == 0) return NULL;
    }
    for (size_t index = 0; index < sizeof wider / sizeof *wider; index++) {
        if (strcmp(name, wider[index][0]) == 0) return wider[index][1];
    }
    return name;
}

static bool is_latin(const char *encoding)
{
    static const char *const names[] = {"windows-1252", "windows-1250", "windows-1254", "ISO-8859-2"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        if (strcmp(encoding, names[index]) == 0) return true;
    }
    return false;
}

/// Whether the character cannot stand between two ASCII letters in a name: a sign, or a letter of another script.
static bool is_out_of_place(UChar32 c)
{
    UErrorCode status = U_ZERO_ERROR;
    if (c == 0xA1 || c == 0xBF || c == 0xAA || c == 0xBA) return true;  // ¡ ¿ ª º
    return uscript_getScript(c, &status) != USCRIPT_LATIN && !u_ispunct(c) && !u_isspace(c) && c != 0xAD;
}

static bool is_ascii_letter(UChar unit)
{
    return unit < 0x80 && u_isalpha(unit);
}

/// Whether the excerpt reads as names in this encoding: hardly a byte that the encoding lacks, most of what is not
/// ASCII letters, and those in place. Polish in windows-1250 is neither Big5 (ideographs within words) nor windows-1252
/// (signs within words), whatever the statistics say.
static bool reads_as_names(const char *encoding, const uint8_t *excerpt, size_t length)
{
    UErrorCode status = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(encoding, &status);
    UChar units[EXCERPT_LENGTH * 2];
    int32_t count = ucnv_toUChars(
        converter, units, EXCERPT_LENGTH * 2, (const char *)excerpt, (int32_t)length, &status);
    ucnv_close(converter);
    if (U_FAILURE(status)) return false;
    size_t above_ascii = 0, letters = 0, bad = 0, out_of_place = 0;
    for (int32_t at = 0; at < count;) {
        int32_t start = at;
        UChar32 c;
        U16_NEXT(units, at, count, c);
        if (c == 0x1A) bad++;
        if (c < 0x80) continue;
        above_ascii++;
        letters += u_isalpha(c) || u_getCombiningClass(c) != 0;
        bad += c == 0xFFFD || c < 0xA0;
        bool is_within = start > 0 && is_ascii_letter(units[start - 1]) && at < count && is_ascii_letter(units[at]);
        out_of_place += is_within && is_out_of_place(c);
    }
    return bad * 50 <= above_ascii && letters * 10 >= above_ascii * 7 && out_of_place * 20 <= above_ascii;
}

/// How many bytes of the excerpt are among `bytes`, zero-terminated.
static size_t count_bytes(const uint8_t *excerpt, size_t length, const char *bytes)
{
    size_t count = 0;
    for (size_t at = 0; at < length; at++) count += excerpt[at] != 0 && strchr(bytes, excerpt[at]) != NULL;
    return count;
}

/// Corrects a choice among neighbours that ICU cannot tell apart, having no statistics of Croatian, Slovene,
/// Lithuanian, Latvian.
static const char *settle_neighbours(const char *encoding, const uint8_t *excerpt, size_t length)
{
    if (strcmp(encoding, "ISO-8859-7") == 0) {
        // The two differ in the capital alpha with accent; B6 is that letter in one and a pilcrow in the other.
        return count_bytes(excerpt, length, "\xB6") == 0 ? "windows-1253" : encoding;
    }
    if (strcmp(encoding, "windows-1252") != 0 && strcmp(encoding, "windows-1254") != 0) return encoding;
    size_t above_ascii = 0;
    for (size_t at = 0; at < length; at++) above_ascii += excerpt[at] > 0x7F;
    // Š š Ž ž, which western languages hardly use.
    if (count_bytes(excerpt, length, "\x8A\x8E\x9A\x9E") * 12 > above_ascii) return "windows-1250";
    // š and ž of windows-1257 would be eth and thorn, whose languages also have the vowels ó ö ú ý.
    bool has_eth_or_thorn = count_bytes(excerpt, length, "\xD0\xDE\xF0\xFE") * 20 > above_ascii;
    bool has_vowels = count_bytes(excerpt, length, "\xF3\xF6\xFA\xFD") * 50 > above_ascii;
    return has_eth_or_thorn && !has_vowels ? "windows-1257" : encoding;
}

/// The best match that can be, or NULL; sets its confidence.
static const char *best_match(
    UCharsetDetector *detector, const uint8_t *excerpt, size_t length, int32_t *confidence)
{
    UErrorCode status = U_ZERO_ERROR;
    const char *best = NULL;
    int32_t count = 0;
    const UCharsetMatch **matches = ucsdet_detectAll(detector, &count, &status);
    for (int32_t index = 0; U_SUCCESS(status) && index < count; index++) {
        const char *encoding = reported_name(ucsdet_getName(matches[index], &status));
        int32_t found = ucsdet_getConfidence(matches[index], &status);
        if (U_FAILURE(status) || encoding == NULL || found < LEAST_CONFIDENCE) continue;
        bool may_replace = best == NULL
            || (strcmp(encoding, "windows-1252") == 0 && is_latin(best) && found + LATIN_MARGIN > *confidence);
        if (!may_replace || !reads_as_names(encoding, excerpt, length)) continue;
        best = encoding;
        *confidence = found;
    }
    return best;
}

void cicu_charset_detect(const uint8_t *sample, size_t length, char *name, size_t capacity)
{
    uint8_t excerpt[EXCERPT_LENGTH];
    size_t excerpt_length = gather_excerpt(sample, length, excerpt);
    int32_t confidence = 0;
    const char *best = NULL;
    UErrorCode status = U_ZERO_ERROR;
    UCharsetDetector *detector = excerpt_length == 0 ? NULL : ucsdet_open(&status);
    if (detector != NULL) {
        ucsdet_setText(detector, (const char *)excerpt, (int32_t)excerpt_length, &status);
        if (U_SUCCESS(status)) best = best_match(detector, excerpt, excerpt_length, &confidence);
    }
    snprintf(name, capacity, "%s", best == NULL ? "windows-1252" : settle_neighbours(best, excerpt, excerpt_length));
    ucsdet_close(detector);
}
