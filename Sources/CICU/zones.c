// Time zones: which names exist, and their offsets from UTC.
#include "cicu.h"
#include "stop.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/ucal.h>
#include <unistd.h>

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

/// Whether the system has a file with the zone's rules (RFC 8536: it begins with "TZif"). Each part of a zone's name
/// begins with a capital letter; so `posix/Europe/Berlin`, `localtime` and paths out of the folder are not names.
static bool has_zone_file(const uint8_t *name, size_t length)
{
    static const char folder[] = "/usr/share/zoneinfo/";
    char path[sizeof folder + LONGEST_NAME];
    if (length == 0 || length > LONGEST_NAME) return false;
    for (size_t at = 0; at < length; at++) {
        char letter = (char)name[at];
        bool is_capital = letter >= 'A' && letter <= 'Z';
        bool begins = at == 0 || name[at - 1] == '/';
        bool is_other = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')
            || (letter != 0 && strchr("_+-/", letter) != NULL);
        if (begins ? !is_capital : !is_capital && !is_other) return false;
    }
    memcpy(path, folder, sizeof folder - 1);
    memcpy(path + sizeof folder - 1, name, length);
    path[sizeof folder - 1 + length] = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    char start[4];
    bool is_zone = read(file, start, sizeof start) == sizeof start && memcmp(start, "TZif", sizeof start) == 0;
    close(file);
    return is_zone;
}

/// Asks ICU only about names without a file. The system's files have zones that are younger than ICU's data, and the
/// first question makes ICU read its zones, which takes 0.1 ms.
bool cicu_zone_is_known(const uint8_t *name, size_t length)
{
    if (has_zone_file(name, length)) return true;
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
