// Language tags (BCP 47) as names of ICU's locales.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unicode/uloc.h>

enum { LONGEST_TAG = 127, LOCALE_CAPACITY = ULOC_FULLNAME_CAPACITY + LONGEST_TAG };

/// Ends the tag with a zero in `letters` and writes the name of its locale into `locale`. False if the tag is longer
/// than LONGEST_TAG or not well-formed. The empty tag is that of ICU's root locale.
static inline bool cicu_tag_to_locale(
    const uint8_t *tag, size_t length, char letters[LONGEST_TAG + 1], char locale[LOCALE_CAPACITY])
{
    if (length > LONGEST_TAG || (length != 0 && memchr(tag, 0, length) != NULL)) return false;
    if (length != 0) memcpy(letters, tag, length);
    letters[length] = 0;
    int32_t parsed = 0;
    UErrorCode status = U_ZERO_ERROR;
    uloc_forLanguageTag(letters, locale, LOCALE_CAPACITY, &parsed, &status);
    return U_SUCCESS(status) && status != U_STRING_NOT_TERMINATED_WARNING && parsed == (int32_t)length;
}
