// What Swift cannot see of zlib.h: `inflateInit2` is a macro that passes the library's version along.
#pragma once
#include <zlib.h>

/// Starts inflating raw deflate data (no zlib or gzip header), as zip members hold it.
static inline int czlib_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }
