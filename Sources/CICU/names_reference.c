// The slow twin of names.c, for tests: ICU's own transliterator.
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

struct cicu_names_reference {
    UTransliterator *rule;
};

cicu_names_reference *cicu_names_reference_open(void)
{
    static const UChar identifier[] = u"NFD; [:Nonspacing Mark:] Remove; Lower(); NFC";
    UErrorCode status = U_ZERO_ERROR;
    cicu_names_reference *reference = cicu_new(sizeof *reference);
    reference->rule = utrans_openU(identifier, -1, UTRANS_FORWARD, NULL, 0, NULL, &status);
    if (U_FAILURE(status)) cicu_stop("no transliterator", u_errorName(status));
    return reference;
}

void cicu_names_reference_close(cicu_names_reference *reference)
{
    utrans_close(reference->rule);
    free(reference);
}

/// Transliterates `length` units in place; units has room for `capacity`. Returns the new length or -1.
static int32_t transliterate(const UTransliterator *rule, UChar *units, int32_t length, int32_t capacity)
{
    UErrorCode status = U_ZERO_ERROR;
    int32_t limit = length;
    utrans_transUChars(rule, units, &length, capacity, 0, &limit, &status);
    return U_FAILURE(status) ? -1 : length;
}

int64_t cicu_names_reference_normalize(
    cicu_names_reference *reference, const uint8_t *text, size_t length, uint8_t *result, size_t capacity)
{
    if (length > INT32_MAX / 8 || capacity > INT32_MAX) return -1;
    int32_t room = (int32_t)length * 4 + 16, units_length = 0, made = 0;
    UChar *units = cicu_resize(NULL, (size_t)room, sizeof(UChar));
    UErrorCode status = U_ZERO_ERROR;
    u_strFromUTF8WithSub(units, room, &units_length, (const char *)text, (int32_t)length, 0xFFFD, NULL, &status);
    units_length = U_FAILURE(status) ? -1 : transliterate(reference->rule, units, units_length, room);
    if (units_length >= 0) {
        u_strToUTF8WithSub((char *)result, (int32_t)capacity, &made, units, units_length, 0xFFFD, NULL, &status);
    }
    free(units);
    bool is_made = units_length >= 0 && (U_SUCCESS(status) || status == U_BUFFER_OVERFLOW_ERROR);
    return is_made ? made : -1;
}

bool cicu_is_assigned(uint32_t code_point)
{
    return code_point <= 0x10FFFF && u_charType((UChar32)code_point) != U_UNASSIGNED;
}
