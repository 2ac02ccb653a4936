// Normalizing names exactly as the ICU transliterator "NFD; [:Nonspacing Mark:] Remove; Lower(); NFC" does.
//
// Three ways, each giving the same bytes (the tests compare all code points and random texts with the transliterator):
// - ASCII: lower case by arithmetic.
// - A code point that does not look at its neighbours ("simple") turns into one code point or nothing; the answer is
//   asked of ICU once and remembered in a page of 256 entries.
// - A word with anything else (capital sigma, Hangul letters, Indic vowel signs, beyond U+FFFF) goes through ICU as a
//   whole.
//
// Why a word may be normalized alone: U+0020 has no decomposition, no combining class, composes with nothing, and is
// neither cased nor case-ignorable, so neither NFD, NFC nor the final-sigma rule looks across it.
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

/// ICU counts in 32 bits: a word longer than this is cut at a code point, where the result may differ.
enum { LONGEST_PIECE = 1 << 20 };

/// ICU sorts the marks on a letter by moving each past those before it: half a million of them take two minutes. Those
/// beyond this many are left out. Nearly all would be removed anyway; only a few marks of musical notation are not.
enum { MOST_MARKS = 1000 };

/// What a page says of a code point, if not the code point it becomes. None of the three can be a result of one above
/// U+007F.
enum { UNKNOWN = 0, DROPPED = 1, NOT_SIMPLE = 2 };

typedef struct {
    UChar *units;
    int32_t length, capacity;
} utf16_buffer;

struct cicu_names {
    const UNormalizer2 *nfd, *nfc;
    uint16_t *pages[256];
    utf16_buffer first, second;
    uint8_t *bytes;
    size_t length, capacity;
};

cicu_names *cicu_names_open(void)
{
    cicu_names *names = cicu_new(sizeof *names);
    UErrorCode status = U_ZERO_ERROR;
    names->nfd = unorm2_getNFDInstance(&status);
    names->nfc = unorm2_getNFCInstance(&status);
    if (U_FAILURE(status)) cicu_stop("no normalization data", u_errorName(status));
    return names;
}

void cicu_names_close(cicu_names *names)
{
    for (int page = 0; page < 256; page++) free(names->pages[page]);
    free(names->first.units);
    free(names->second.units);
    free(names->bytes);
    free(names);
}

/// Makes room for `more` bytes behind those already written.
static inline void reserve(cicu_names *names, size_t more)
{
    if (names->capacity - names->length >= more) return;
    size_t wanted = names->length + more;
    names->capacity = wanted < 256 ? 256 : wanted + wanted / 2;
    names->bytes = cicu_resize(names->bytes, names->capacity, 1);
}

/// After a call of ICU that writes to `buffer`: keeps the length, or makes room and answers that the call must be
/// repeated.
static bool must_repeat(utf16_buffer *buffer, int32_t length, UErrorCode status)
{
    if (U_SUCCESS(status)) {
        buffer->length = length;
        return false;
    }
    if (status != U_BUFFER_OVERFLOW_ERROR) cicu_stop("a text cannot be normalized", u_errorName(status));
    buffer->capacity = length;
    buffer->units = cicu_resize(buffer->units, (size_t)length, sizeof(UChar));
    return true;
}

static void read_utf8(utf16_buffer *target, const uint8_t *text, int32_t length)
{
    int32_t made = 0;
    UErrorCode status;
    do {
        status = U_ZERO_ERROR;
        u_strFromUTF8WithSub(
            target->units, target->capacity, &made, (const char *)text, length, 0xFFFD, NULL, &status);
    } while (must_repeat(target, made, status));
}

static void normalize_units(const UNormalizer2 *form, utf16_buffer *target, const utf16_buffer *source)
{
    int32_t made;
    UErrorCode status;
    do {
        status = U_ZERO_ERROR;
        made = unorm2_normalize(form, source->units, source->length, target->units, target->capacity, &status);
    } while (must_repeat(target, made, status));
}

static void leave_out_endless_marks(const UNormalizer2 *form, utf16_buffer *buffer)
{
    if (buffer->length <= MOST_MARKS) return;
    int32_t kept = 0, at = 0, marks = 0;
    while (at < buffer->length) {
        int32_t start = at;
        UChar32 c;
        U16_NEXT(buffer->units, at, buffer->length, c);
        marks = unorm2_getCombiningClass(form, c) == 0 ? 0 : marks + 1;
        if (marks > MOST_MARKS) continue;
        while (start < at) buffer->units[kept++] = buffer->units[start++];
    }
    buffer->length = kept;
}

static void remove_nonspacing_marks(utf16_buffer *buffer)
{
    int32_t kept = 0, at = 0;
    while (at < buffer->length) {
        int32_t start = at;
        UChar32 c;
        U16_NEXT(buffer->units, at, buffer->length, c);
        if (u_charType(c) == U_NON_SPACING_MARK) continue;
        while (start < at) buffer->units[kept++] = buffer->units[start++];
    }
    buffer->length = kept;
}

static void lowercase(utf16_buffer *target, const utf16_buffer *source)
{
    int32_t made;
    UErrorCode status;
    do {
        status = U_ZERO_ERROR;
        made = u_strToLower(target->units, target->capacity, source->units, source->length, "", &status);
    } while (must_repeat(target, made, status));
}

/// The whole rule by ICU: the result stands in names->second.
static void normalize_by_icu(cicu_names *names, const uint8_t *text, int32_t length)
{
    read_utf8(&names->second, text, length);
    leave_out_endless_marks(names->nfd, &names->second);
    normalize_units(names->nfd, &names->first, &names->second);
    remove_nonspacing_marks(&names->first);
    lowercase(&names->second, &names->first);
    normalize_units(names->nfc, &names->first, &names->second);
    utf16_buffer result = names->first;
    names->first = names->second;
    names->second = result;
}

static void append_utf8(cicu_names *names, const utf16_buffer *source)
{
    reserve(names, (size_t)source->length * 3 + 1);
    int32_t made = 0;
    UErrorCode status = U_ZERO_ERROR;
    u_strToUTF8WithSub(
        (char *)names->bytes + names->length, source->length * 3 + 1, &made, source->units, source->length, 0xFFFD,
        NULL, &status);
    if (U_FAILURE(status)) cicu_stop("a name cannot be written as UTF-8", u_errorName(status));
    names->length += (size_t)made;
}

/// What a code point of the basic plane becomes wherever it stands, or NOT_SIMPLE. A result that starts a new
/// composition (boundary before) can be put after any other such result: the sequence is already in NFC.
static uint16_t ask_icu(cicu_names *names, UChar32 c)
{
    if (c == 0x03A3 || U_IS_SURROGATE(c)) return NOT_SIMPLE;
    uint8_t bytes[4];
    int32_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, c);
    normalize_by_icu(names, bytes, length);
    if (names->second.length == 0) return DROPPED;
    UChar result = names->second.units[0];
    bool is_simple = names->second.length == 1 && unorm2_hasBoundaryBefore(names->nfc, result);
    return is_simple ? result : NOT_SIMPLE;
}

static inline uint16_t simple_result(cicu_names *names, UChar32 c)
{
    uint16_t **page = &names->pages[c >> 8];
    if (*page == NULL) *page = cicu_new(256 * sizeof(uint16_t));
    uint16_t *entry = &(*page)[c & 0xFF];
    if (*entry == UNKNOWN) *entry = ask_icu(names, c);
    return *entry;
}

/// Copies ASCII in lower case from `at` to the first byte that is not ASCII, and returns where that is.
static size_t copy_ascii(cicu_names *names, const uint8_t *text, size_t at, size_t length)
{
    uint8_t *target = names->bytes + names->length;
    size_t start = at;
    for (; at < length && text[at] < 0x80; at++) {
        uint8_t c = text[at];
        *target++ = (uint8_t)(c | ((uint8_t)(c - 'A') < 26 ? 0x20 : 0));
    }
    names->length += at - start;
    return at;
}

/// Normalizes from `at` as long as everything is simple. Returns `length`, or the start of the word that is not, having
/// taken back what was written of it.
static size_t normalize_simple(cicu_names *names, const uint8_t *text, size_t at, size_t length)
{
    size_t word = at, word_made = names->length;
    while (at < length) {
        reserve(names, length - at + 4);
        size_t ascii_start = at, ascii_made = names->length;
        at = copy_ascii(names, text, at, length);
        for (size_t back = at; back > ascii_start; back--) {
            if (text[back - 1] != ' ') continue;
            word = back;
            word_made = ascii_made + (back - ascii_start);
            break;
        }
        if (at == length) break;
        UChar32 c;
        U8_NEXT_OR_FFFD(text, at, length, c);
        uint16_t result = c > 0xFFFF ? NOT_SIMPLE : simple_result(names, c);
        if (result == NOT_SIMPLE) {
            names->length = word_made;
            return word;
        }
        if (result != DROPPED) U8_APPEND_UNSAFE(names->bytes, names->length, result);
    }
    return at;
}

/// Normalizes the word that starts at `at` by ICU, and returns where its space or the end of the text is.
static size_t normalize_word(cicu_names *names, const uint8_t *text, size_t at, size_t length)
{
    const uint8_t *space = memchr(text + at, ' ', length - at);
    size_t end = space == NULL ? length : (size_t)(space - text);
    while (at < end) {
        size_t piece_end = end;
        if (end - at > LONGEST_PIECE) {
            piece_end = at + LONGEST_PIECE;
            for (int back = 0; back < 3 && (text[piece_end] & 0xC0) == 0x80; back++) piece_end--;
        }
        normalize_by_icu(names, text + at, (int32_t)(piece_end - at));
        append_utf8(names, &names->second);
        at = piece_end;
    }
    return end;
}

size_t cicu_names_normalize(cicu_names *names, const uint8_t *text, size_t length, const uint8_t **result)
{
    names->length = 0;
    size_t at = 0;
    while (at < length) {
        at = normalize_simple(names, text, at, length);
        if (at < length) at = normalize_word(names, text, at, length);
    }
    *result = names->bytes;
    return names->length;
}
