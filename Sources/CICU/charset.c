// Legacy encodings: which one a text has, by ICU's detector.
//
// ICU's detector looks at the first 8,000 bytes only and compares runs of letters with what languages look like. A CSV file of a
// feed begins with an English header, and most of its text is ASCII ids and numbers, so the detector is shown only those fields
// that have a byte above 0x7F. The bytes that part fields here are below 0x30 and so are never inside a character of any of
// the encodings in question.
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <string.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>

enum {
    EXCERPT_LENGTH = 8000,
    /// Below this ICU is guessing: see the tests for the samples that it was measured with.
    LEAST_CONFIDENCE = 15,
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
    for (size_t at = 0; at <= length; at++) {
        if (at < length && !parts_fields(sample[at])) {
            is_ascii = is_ascii && sample[at] < 0x80;
            continue;
        }
        if (!is_ascii) {
            size_t field = at - start;
            if (field + 1 > EXCERPT_LENGTH - made) field = EXCERPT_LENGTH - made - (made == EXCERPT_LENGTH ? 0 : 1);
            memcpy(excerpt + made, sample + start, field);
            made += field;
            if (made < EXCERPT_LENGTH) excerpt[made++] = '\n';
            if (made == EXCERPT_LENGTH) break;
        }
        start = at + 1;
        is_ascii = true;
    }
    return made;
}

static bool is_unicode(const char *name)
{
    return strncmp(name, "UTF-", 4) == 0;
}

static void write_name(const char *encoding, char *name, size_t capacity)
{
    strncpy(name, encoding, capacity - 1);
    name[capacity - 1] = 0;
}

/// Writes the best match that is not Unicode; returns its confidence, or 0 when there is none.
static int32_t best_match(UCharsetDetector *detector, char *name, size_t capacity)
{
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = 0;
    const UCharsetMatch **matches = ucsdet_detectAll(detector, &count, &status);
    for (int32_t index = 0; U_SUCCESS(status) && index < count; index++) {
        const char *encoding = ucsdet_getName(matches[index], &status);
        int32_t confidence = ucsdet_getConfidence(matches[index], &status);
        if (U_FAILURE(status) || is_unicode(encoding)) continue;
        write_name(strcmp(encoding, "ISO-8859-1") == 0 ? "windows-1252" : encoding, name, capacity);
        return confidence;
    }
    return 0;
}

int32_t cicu_charset_detect(const uint8_t *sample, size_t length, char *name, size_t capacity)
{
    uint8_t excerpt[EXCERPT_LENGTH];
    size_t excerpt_length = gather_excerpt(sample, length, excerpt);
    int32_t confidence = 0;
    UErrorCode status = U_ZERO_ERROR;
    UCharsetDetector *detector = excerpt_length == 0 ? NULL : ucsdet_open(&status);
    if (detector != NULL) {
        ucsdet_setText(detector, (const char *)excerpt, (int32_t)excerpt_length, &status);
        confidence = U_FAILURE(status) ? 0 : best_match(detector, name, capacity);
        ucsdet_close(detector);
    }
    if (confidence < LEAST_CONFIDENCE) {
        write_name("windows-1252", name, capacity);
        confidence = 0;
    }
    return confidence;
}
