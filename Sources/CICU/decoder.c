// Converts texts of any encoding that ICU knows to UTF-8.
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <string.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

enum { PIVOT_LENGTH = 1024 };

struct cicu_decoder {
    UConverter *from, *to;
    UChar pivot[PIVOT_LENGTH];
    UChar *pivot_read, *pivot_written;
};

/// ICU's own substitution writes U+001A for some bytes; here every bad byte sequence becomes U+FFFD.
static void replace(
    const void *context, UConverterToUnicodeArgs *arguments, const char *bytes, int32_t length,
    UConverterCallbackReason reason, UErrorCode *status)
{
    (void)context, (void)bytes, (void)length;
    if (reason > UCNV_IRREGULAR) return;
    *status = U_ZERO_ERROR;
    static const UChar replacement = 0xFFFD;
    ucnv_cbToUWriteUChars(arguments, &replacement, 1, 0, status);
}

/// Whether to ask ICU for the name. For an odd name, ICU would look for a data file; an empty one it reads as the
/// default encoding.
static bool is_plausible_name(const char *name)
{
    size_t length = strlen(name);
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-.";
    return length > 0 && length < 60 && strspn(name, allowed) == length;
}

cicu_decoder *cicu_decoder_open(const char *name)
{
    if (!is_plausible_name(name)) return NULL;
    UErrorCode status = U_ZERO_ERROR;
    UConverter *from = ucnv_open(name, &status);
    if (U_FAILURE(status)) return NULL;
    cicu_decoder *decoder = cicu_new(sizeof *decoder);
    decoder->from = from;
    decoder->to = ucnv_open("UTF-8", &status);
    decoder->pivot_read = decoder->pivot_written = decoder->pivot;
    ucnv_setToUCallBack(from, replace, NULL, NULL, NULL, &status);
    if (U_FAILURE(status)) cicu_stop("no converter to UTF-8", u_errorName(status));
    return decoder;
}

void cicu_decoder_close(cicu_decoder *decoder)
{
    ucnv_close(decoder->from);
    ucnv_close(decoder->to);
    free(decoder);
}

size_t cicu_decoder_decode(
    cicu_decoder *decoder, const uint8_t **source, const uint8_t *source_end, uint8_t *target, size_t capacity,
    bool *done)
{
    UErrorCode status = U_ZERO_ERROR;
    char *written = (char *)target;
    // An empty block may be NULL, which ICU refuses.
    const char *from = *source == NULL ? "" : (const char *)*source;
    const char *from_end = *source == NULL ? from : (const char *)source_end;
    ucnv_convertEx(
        decoder->to, decoder->from, &written, (char *)target + capacity, &from, from_end, decoder->pivot,
        &decoder->pivot_read, &decoder->pivot_written, decoder->pivot + PIVOT_LENGTH, false, true, &status);
    if (U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR) {
        cicu_stop("a text cannot be converted", u_errorName(status));
    }
    if (*source != NULL) *source = (const uint8_t *)from;
    *done = status != U_BUFFER_OVERFLOW_ERROR;
    if (*done) {
        ucnv_reset(decoder->from);
        ucnv_reset(decoder->to);
        decoder->pivot_read = decoder->pivot_written = decoder->pivot;
    }
    return (size_t)((uint8_t *)written - target);
}
