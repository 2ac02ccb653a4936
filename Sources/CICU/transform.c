// Transforms texts by ICU's transliteration rules
// (https://unicode-org.github.io/icu/userguide/transforms/general/rules.html).
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

struct cicu_transform {
    UTransliterator *rules;
};

/// Converts UTF-8 to UTF-16 units in a buffer of `room` units, which the caller frees. `units_length` is -1 when the
/// text is too long.
static UChar *units_of(const uint8_t *text, size_t length, int32_t room, int32_t *units_length)
{
    UChar *units = cicu_resize(NULL, (size_t)room, sizeof(UChar));
    UErrorCode status = U_ZERO_ERROR;
    u_strFromUTF8WithSub(units, room, units_length, (const char *)text, (int32_t)length, 0xFFFD, NULL, &status);
    if (U_FAILURE(status)) *units_length = -1;
    return units;
}

cicu_transform *cicu_transform_open(const uint8_t *rules, size_t length)
{
    if (length > INT32_MAX / 8) return NULL;
    int32_t units_length = 0;
    UChar *units = units_of(rules, length, (int32_t)length + 1, &units_length);
    UErrorCode status = U_ZERO_ERROR;
    UParseError place;
    UTransliterator *opened = NULL;
    if (units_length >= 0) {
        opened = utrans_openU(u"names", -1, UTRANS_FORWARD, units, units_length, &place, &status);
    }
    free(units);
    if (opened == NULL || U_FAILURE(status)) return NULL;
    cicu_transform *transform = cicu_new(sizeof *transform);
    transform->rules = opened;
    return transform;
}

void cicu_transform_close(cicu_transform *transform)
{
    utrans_close(transform->rules);
    free(transform);
}

int64_t cicu_transform_apply(
    cicu_transform *transform, const uint8_t *text, size_t length, uint8_t *result, size_t capacity)
{
    if (length > INT32_MAX / 8 || capacity > INT32_MAX) return -1;
    int32_t room = (int32_t)length * 4 + 16, units_length = 0, made = 0;
    UChar *units = units_of(text, length, room, &units_length);
    UErrorCode status = U_ZERO_ERROR;
    if (units_length >= 0) {
        int32_t limit = units_length;
        utrans_transUChars(transform->rules, units, &units_length, room, 0, &limit, &status);
        u_strToUTF8WithSub((char *)result, (int32_t)capacity, &made, units, units_length, 0xFFFD, NULL, &status);
    }
    free(units);
    bool is_made = units_length >= 0 && (U_SUCCESS(status) || status == U_BUFFER_OVERFLOW_ERROR);
    return is_made ? made : -1;
}
