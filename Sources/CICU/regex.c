// Regular expressions with bounds on what a match may cost.
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <unicode/uregex.h>
#include <unicode/ustring.h>
#include <unicode/utext.h>

enum {
    /// Steps of ICU's engine, in units of about a millisecond (uregex_setTimeLimit).
    MOST_STEPS = 200,
    /// Bytes of a match's backtracking stack (uregex_setStackLimit).
    MOST_STACK = 4 << 20,
    LONGEST_PATTERN = 16384,
    LONGEST_TEXT = 1 << 24,
};

struct cicu_regex {
    URegularExpression *expression;
};

const char *cicu_regex_open(const uint8_t *pattern, size_t length, cicu_regex **regex)
{
    *regex = NULL;
    if (length > LONGEST_PATTERN) return u_errorName(U_REGEX_PATTERN_TOO_BIG);
    UErrorCode status = U_ZERO_ERROR;
    UParseError place;
    UText text = UTEXT_INITIALIZER;
    // ICU refuses an empty pattern. An empty group also matches only the empty text.
    if (length == 0) utext_openUTF8(&text, "(?:)", -1, &status);
    else utext_openUTF8(&text, (const char *)pattern, (int64_t)length, &status);
    URegularExpression *expression = uregex_openUText(&text, 0, &place, &status);
    utext_close(&text);
    if (U_SUCCESS(status)) {
        uregex_setTimeLimit(expression, MOST_STEPS, &status);
        uregex_setStackLimit(expression, MOST_STACK, &status);
    }
    if (U_FAILURE(status)) {
        uregex_close(expression);
        return u_errorName(status);
    }
    *regex = cicu_new(sizeof **regex);
    (*regex)->expression = expression;
    return NULL;
}

void cicu_regex_close(cicu_regex *regex)
{
    uregex_close(regex->expression);
    free(regex);
}

int32_t cicu_regex_matches(cicu_regex *regex, const uint8_t *text, size_t length)
{
    if (length > LONGEST_TEXT) return -1;
    UErrorCode status = U_ZERO_ERROR;
    UText subject = UTEXT_INITIALIZER;
    utext_openUTF8(&subject, length == 0 ? "" : (const char *)text, (int64_t)length, &status);
    uregex_setUText(regex->expression, &subject, &status);
    bool matches = uregex_matches(regex->expression, -1, &status);
    // The expression must not keep a pointer to a text that may be freed.
    UErrorCode ignored = U_ZERO_ERROR;
    uregex_setText(regex->expression, u"", 0, &ignored);
    utext_close(&subject);
    return U_FAILURE(status) ? -1 : matches;
}
