// Legacy encodings: the results of ICU's detector. CharsetGuess.swift checks and corrects them.
#include "cicu.h"
#include <stdio.h>
#include <unicode/ucsdet.h>
#include <unicode/uscript.h>

int32_t cicu_charset_matches(
    const uint8_t *sample, size_t length, cicu_charset_match *matches, int32_t capacity)
{
    UErrorCode status = U_ZERO_ERROR;
    UCharsetDetector *detector = ucsdet_open(&status);
    int32_t count = 0, kept = 0;
    ucsdet_setText(detector, (const char *)sample, (int32_t)length, &status);
    const UCharsetMatch **found = ucsdet_detectAll(detector, &count, &status);
    for (int32_t index = 0; U_SUCCESS(status) && index < count && kept < capacity; index++) {
        const char *name = ucsdet_getName(found[index], &status);
        int32_t confidence = ucsdet_getConfidence(found[index], &status);
        if (U_FAILURE(status)) continue;
        snprintf(matches[kept].name, sizeof matches[kept].name, "%s", name);
        matches[kept++].confidence = confidence;
    }
    ucsdet_close(detector);
    return kept;
}

bool cicu_is_latin(uint32_t code_point)
{
    UErrorCode status = U_ZERO_ERROR;
    return uscript_getScript((UChar32)code_point, &status) == USCRIPT_LATIN;
}
