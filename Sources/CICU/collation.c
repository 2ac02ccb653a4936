// Sorts names as a language does.
#include "cicu.h"
#include "stop.h"
#include "tag.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unicode/ucol.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>
#include <unicode/utf8.h>

struct cicu_collator {
    UCollator *rules;
};

/// Whether ICU knows the language, or has rules for it. The empty tag and "und" stand for ICU's root rules. ICU itself
/// opens the root rules for any well-formed tag, so it would accept "deutsch" without using German rules.
static bool is_known(const char *tag, const char *locale, const UCollator *rules)
{
    if (tag[0] == 0 || strcasecmp(tag, "und") == 0 || strncasecmp(tag, "und-", 4) == 0) return true;
    if (uloc_getISO3Language(locale)[0] != 0) return true;
    UErrorCode status = U_ZERO_ERROR;
    const char *own = ucol_getLocaleByType(rules, ULOC_ACTUAL_LOCALE, &status);
    return U_SUCCESS(status) && own != NULL && own[0] != 0 && strcmp(own, "root") != 0;
}

cicu_collator *cicu_collator_open(const uint8_t *tag, size_t length)
{
    char letters[LONGEST_TAG + 1], locale[LOCALE_CAPACITY];
    if (!cicu_tag_to_locale(tag, length, letters, locale)) return NULL;
    UErrorCode status = U_ZERO_ERROR;
    UCollator *rules = ucol_open(locale, &status);
    if (U_FAILURE(status)) return NULL;
    if (!is_known(letters, locale, rules)) {
        ucol_close(rules);
        return NULL;
    }
    cicu_collator *collator = cicu_new(sizeof *collator);
    collator->rules = rules;
    return collator;
}

void cicu_collator_close(cicu_collator *collator)
{
    ucol_close(collator->rules);
    free(collator);
}

/// ICU counts in 32 bits: text beyond this length is not compared.
static int32_t clamp(size_t length)
{
    return length > INT32_MAX / 4 ? INT32_MAX / 4 : (int32_t)length;
}

/// A text as it is compared.
typedef struct {
    const char *bytes;
    int32_t length;
    /// The memory of `bytes`, or NULL if that is the text itself.
    char *copy;
} compared_text;

/// Some locales, such as Vietnamese, have ICU sort the marks on a letter. It moves each past those before it, so marks
/// beyond this number are left out.
enum { MOST_MARKS = 1000, LEAST_BYTES_OF_MARK = 2 };

static void leave_out_endless_marks(compared_text *text)
{
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFDInstance(&status);
    if (U_FAILURE(status)) cicu_stop("no normalization data", u_errorName(status));
    text->copy = cicu_resize(NULL, (size_t)text->length, 1);
    int32_t kept = 0, at = 0, marks = 0;
    while (at < text->length) {
        int32_t start = at;
        UChar32 c;
        U8_NEXT(text->bytes, at, text->length, c);
        marks = c < 0 || unorm2_hasBoundaryBefore(form, c) ? 0 : marks + 1;
        if (marks > MOST_MARKS) continue;
        memcpy(text->copy + kept, text->bytes + start, (size_t)(at - start));
        kept += at - start;
    }
    text->bytes = text->copy;
    text->length = kept;
}

static compared_text compared(const uint8_t *bytes, size_t length)
{
    compared_text text = {length == 0 ? "" : (const char *)bytes, clamp(length), NULL};
    if (text.length > MOST_MARKS * LEAST_BYTES_OF_MARK) leave_out_endless_marks(&text);
    return text;
}

int32_t cicu_collator_compare(
    const cicu_collator *collator, const uint8_t *left, size_t left_length, const uint8_t *right, size_t right_length)
{
    UErrorCode status = U_ZERO_ERROR;
    compared_text one = compared(left, left_length), other = compared(right, right_length);
    int32_t order = ucol_strcollUTF8(collator->rules, one.bytes, one.length, other.bytes, other.length, &status);
    free(one.copy);
    free(other.copy);
    if (U_FAILURE(status)) cicu_stop("names cannot be compared", u_errorName(status));
    return order;
}
