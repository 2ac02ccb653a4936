// Words by ICU's word boundaries of the root locale (UAX #29, and dictionaries for Thai, Lao, Khmer, Burmese, Chinese,
// Japanese).
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

/// ICU counts in 32 bits: a longer text is cut, after a space if there is one.
enum { LONGEST_PIECE = 1 << 20 };

struct cicu_words {
    UBreakIterator *iterator;
    UText piece;
    const uint8_t *text;
    size_t length;
    size_t piece_start, piece_end;
    int32_t boundary;
};

cicu_words *cicu_words_open(void)
{
    cicu_words *words = cicu_new(sizeof *words);
    words->iterator = NULL;
    words->piece = (UText)UTEXT_INITIALIZER;
    return words;
}

/// Opened with the first text, because many feeds have no text that needs it: opening takes 0.2 of the 20 ms that a
/// small feed takes.
static void open_iterator(cicu_words *words)
{
    UErrorCode status = U_ZERO_ERROR;
    words->iterator = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
    if (U_FAILURE(status)) cicu_stop("no word boundary rules", u_errorName(status));
}

void cicu_words_close(cicu_words *words)
{
    if (words->iterator) ubrk_close(words->iterator);
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

void cicu_words_set_text(cicu_words *words, const uint8_t *text, size_t length)
{
    words->text = length == 0 ? (const uint8_t *)"" : text;
    words->length = length;
    if (!words->iterator) open_iterator(words);
    set_piece(words, 0);
}

bool cicu_words_next(cicu_words *words, size_t *start, size_t *end)
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

bool cicu_is_alphabetic(uint32_t code_point)
{
    return u_getIntPropertyValue((UChar32)code_point, UCHAR_WORD_BREAK) == U_WB_ALETTER;
}
