// The version of the ICU in use, which may differ from the one compiled against.
#include "cicu.h"
#include <unicode/uchar.h>
#include <unicode/uversion.h>

_Static_assert(CICU_VERSION_CAPACITY >= U_MAX_VERSION_STRING_LENGTH, "room for every version that ICU writes");

void cicu_version(char *text)
{
    UVersionInfo version;
    u_getVersion(version);
    u_versionToString(version, text);
}

bool cicu_is_assigned(uint32_t code_point)
{
    return code_point <= 0x10FFFF && u_charType((UChar32)code_point) != U_UNASSIGNED;
}
