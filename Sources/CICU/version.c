// The version of the ICU that runs, which need not be the one that was compiled against.
#include "cicu.h"
#include <unicode/uversion.h>

_Static_assert(CICU_VERSION_CAPACITY >= U_MAX_VERSION_STRING_LENGTH, "room for every version that ICU writes");

void cicu_version(char *text)
{
    UVersionInfo version;
    u_getVersion(version);
    u_versionToString(version, text);
}
