// ICU behind a header that includes none of ICU's: the Swift toolchain ships its own, and the two clash.
#pragma once
#include <stdint.h>
