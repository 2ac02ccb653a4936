// Words by ICU's word boundaries of the root locale (UAX #29, and dictionaries for Thai, Lao, Khmer, Burmese, Chinese,
// Japanese).
//
// Most names are plain: letters of alphabets, digits, and signs that part words wherever they stand. Their words are
// the runs of letters and digits, found here in a tenth of the time; every other name goes through ICU. The tests
// compare both.
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

/// ICU counts in 32 bits: a longer text is cut, after a space where there is one.
enum { LONGEST_PIECE = 1 << 20 };

struct cicu_words {
    UBreakIterator *iterator;
    UText piece;
    const uint8_t *text;
    size_t length;
    /// Whether the words are found here, and from where on.
    bool is_plain;
    size_t at;
    size_t piece_start, piece_end;
    int32_t boundary;
};

cicu_words *cicu_words_open(void)
{
    cicu_words *words = cicu_new(sizeof *words);
    UErrorCode status = U_ZERO_ERROR;
    words->iterator = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
    if (U_FAILURE(status)) cicu_stop("no word boundary rules", u_errorName(status));
    words->piece = (UText)UTEXT_INITIALIZER;
    return words;
}

void cicu_words_close(cicu_words *words)
{
    ubrk_close(words->iterator);
    utext_close(&words->piece);
    free(words);
}

/// Where the piece that starts at `start` ends.
static size_t end_of_piece(const cicu_words *words, size_t start)
{
    if (words->length - start <= LONGEST_PIECE) return words->length;
    size_t end = start + LONGEST_PIECE;
    for (size_t cut = end; cut > start; cut--) {
        if (words->text[cut - 1] == ' ') return cut;
    }
    for (int back = 0; back < 3 && (words->text[end] & 0xC0) == 0x80; back++) end--;
    return end;
}

static void set_piece(cicu_words *words, size_t start)
{
    words->piece_start = start;
    words->piece_end = end_of_piece(words, start);
    UErrorCode status = U_ZERO_ERROR;
    const char *bytes = (const char *)words->text + start;
    utext_openUTF8(&words->piece, bytes, (int64_t)(words->piece_end - start), &status);
    ubrk_setUText(words->iterator, &words->piece, &status);
    if (U_FAILURE(status)) cicu_stop("a text cannot be split into words", u_errorName(status));
    words->boundary = ubrk_first(words->iterator);
}

static bool is_of_word(uint8_t byte)
{
    return byte >= 0x80 || (uint8_t)((byte | 0x20) - 'a') < 26 || (uint8_t)(byte - '0') < 10;
}

/// Signs that are letters to ICU, "@" from version 72 to some later one.
static bool is_sign_of_word(uint8_t byte)
{
    return byte == '_' || byte == '@';
}

/// Signs that belong to the word when letters or digits stand on both sides, depending on which: "l'hay", "3,5".
static bool may_join(uint8_t byte)
{
    return byte == '\'' || byte == '.' || byte == ':' || byte == ',' || byte == ';';
}

/// Whether the code point at `at` is a letter of an alphabet up to Armenian, whose words are always runs; advances
/// `at`.
static bool is_alphabetic(const uint8_t *text, size_t length, size_t *at)
{
    UChar32 c;
    U8_NEXT(text, *at, length, c);
    return c >= 0 && c < 0x0590 && u_getIntPropertyValue(c, UCHAR_WORD_BREAK) == U_WB_ALETTER;
}

/// Whether the words are the runs of bytes that are `is_of_word`.
static bool is_plain(const uint8_t *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint8_t byte = text[at];
        if (byte >= 0x80) {
            if (!is_alphabetic(text, length, &at)) return false;
            continue;
        }
        bool is_between = at > 0 && at + 1 < length && is_of_word(text[at - 1]) && is_of_word(text[at + 1]);
        if (is_sign_of_word(byte) || (may_join(byte) && is_between)) return false;
        at++;
    }
    return true;
}

void cicu_words_set_text(cicu_words *words, const uint8_t *text, size_t length, bool always_by_icu)
{
    words->text = length == 0 ? (const uint8_t *)"" : text;
    words->length = length;
    words->at = 0;
    words->is_plain = !always_by_icu && is_plain(words->text, length);
    if (!words->is_plain) set_piece(words, 0);
}

static bool next_plain(cicu_words *words, size_t *start, size_t *end)
{
    size_t at = words->at;
    while (at < words->length && !is_of_word(words->text[at])) at++;
    *start = at;
    while (at < words->length && is_of_word(words->text[at])) at++;
    *end = words->at = at;
    return *start < *end;
}

static bool next_by_icu(cicu_words *words, size_t *start, size_t *end)
{
    for (;;) {
        int32_t from = words->boundary;
        words->boundary = ubrk_next(words->iterator);
        if (words->boundary == UBRK_DONE) {
            if (words->piece_end == words->length) return false;
            set_piece(words, words->piece_end);
            continue;
        }
        if (ubrk_getRuleStatus(words->iterator) < UBRK_WORD_NONE_LIMIT) continue;
        *start = words->piece_start + (size_t)from;
        *end = words->piece_start + (size_t)words->boundary;
        return true;
    }
}

bool cicu_words_next(cicu_words *words, size_t *start, size_t *end)
{
    return words->is_plain ? next_plain(words, start, end) : next_by_icu(words, start, end);
}
