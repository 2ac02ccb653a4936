// Time zones: which names exist, and their offsets from UTC.
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <string.h>
#include <unicode/ucal.h>

/// IANA's longest name has 32 characters (America/Argentina/ComodRivadavia).
enum { LONGEST_NAME = 63 };

struct cicu_zone {
    UCalendar *calendar;
};

/// Whether ICU has the name only for Java 1.1 or for its own use, and IANA does not have it.
static bool is_icus_own(const char *name)
{
    static const char *const own[] = {
        "ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST", "CTT", "EAT", "ECT", "IET", "IST",
        "JST", "MIT", "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST", "Etc/Unknown",
    };
    for (size_t index = 0; index < sizeof own / sizeof *own; index++) {
        if (strcmp(name, own[index]) == 0) return true;
    }
    return strncmp(name, "SystemV/", 8) == 0;
}

/// Copies an ASCII name to `letters`, zero-terminated, and to `units`; returns its length, or -1 when it cannot be a
/// zone's name.
static int32_t copy_name(const uint8_t *name, size_t length, char *letters, UChar *units)
{
    if (length == 0 || length > LONGEST_NAME) return -1;
    for (size_t at = 0; at < length; at++) {
        if (name[at] <= ' ' || name[at] >= 0x7F) return -1;
        letters[at] = (char)name[at];
        units[at] = name[at];
    }
    letters[length] = 0;
    return (int32_t)length;
}

/// Zones that IANA split off after ICU 72's data were made (2022e) become a zone with the same time since then; other
/// names stay.
static const char *known_equal(const char *name)
{
    if (strcmp(name, "America/Ciudad_Juarez") == 0) return "America/Denver";
    if (strcmp(name, "America/Coyhaique") == 0) return "America/Punta_Arenas";
    return name;
}

/// Writes the name by which ICU knows the zone; returns its length, or -1 when ICU does not know it.
static int32_t known_name(const uint8_t *name, size_t length, UChar *units)
{
    char letters[LONGEST_NAME + 1];
    int32_t copied = copy_name(name, length, letters, units);
    if (copied < 0 || is_icus_own(letters)) return -1;
    const char *equal = known_equal(letters);
    if (equal != letters) copied = copy_name((const uint8_t *)equal, strlen(equal), letters, units);
    UChar canonical[128];
    UBool is_system = false;
    UErrorCode status = U_ZERO_ERROR;
    ucal_getCanonicalTimeZoneID(units, copied, canonical, 128, &is_system, &status);
    return U_SUCCESS(status) && is_system ? copied : -1;
}

bool cicu_zone_is_known(const uint8_t *name, size_t length)
{
    UChar units[LONGEST_NAME + 1];
    return known_name(name, length, units) >= 0;
}

cicu_zone *cicu_zone_open(const uint8_t *name, size_t length)
{
    UChar units[LONGEST_NAME + 1];
    int32_t known = known_name(name, length, units);
    if (known < 0) return NULL;
    UErrorCode status = U_ZERO_ERROR;
    UCalendar *calendar = ucal_open(units, known, "", UCAL_GREGORIAN, &status);
    if (U_FAILURE(status)) cicu_stop("no calendar data", u_errorName(status));
    cicu_zone *zone = cicu_new(sizeof *zone);
    zone->calendar = calendar;
    return zone;
}

void cicu_zone_close(cicu_zone *zone)
{
    ucal_close(zone->calendar);
    free(zone);
}

bool cicu_zone_offset(cicu_zone *zone, int64_t unix_seconds, int32_t *offset)
{
    UErrorCode status = U_ZERO_ERROR;
    ucal_setMillis(zone->calendar, (double)unix_seconds * 1000, &status);
    int32_t standard = ucal_get(zone->calendar, UCAL_ZONE_OFFSET, &status);
    int32_t summer = ucal_get(zone->calendar, UCAL_DST_OFFSET, &status);
    *offset = (standard + summer) / 1000;
    return U_SUCCESS(status);
}

bool cicu_zone_offset_of_local(cicu_zone *zone, int64_t local_seconds, int32_t *offset)
{
    UErrorCode status = U_ZERO_ERROR;
    int32_t standard = 0, summer = 0;
    ucal_setMillis(zone->calendar, (double)local_seconds * 1000, &status);
    ucal_getTimeZoneOffsetFromLocal(
        zone->calendar, UCAL_TZ_LOCAL_FORMER, UCAL_TZ_LOCAL_FORMER, &standard, &summer, &status);
    *offset = (standard + summer) / 1000;
    return U_SUCCESS(status);
}
