// ICU behind a header that does not include ICU's headers: the Swift toolchain ships its own ICU headers, and the two
// clash. Macros add the version to the names of ICU's functions (u_strToLower_72), which Swift cannot see; the C files
// hide that.
//
// Rules for every function here:
// - Text is UTF-8 with an explicit length; it may contain NUL and may be malformed (each maximal malformed part reads
//   as U+FFFD).
// - Nothing depends on LANG, LC_ALL or TZ: every locale and time zone is named.
// - The only global state is ICU's own read-only caches, which ICU locks. A handle belongs to one thread at a time; a
//   collator may be shared.
// - An `open` whose argument comes from input returns NULL when ICU does not know the argument. If memory runs out or
//   ICU's data is not installed, the program ends with a message.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#pragma clang assume_nonnull begin

// Names (names.c): "NFD; [:Nonspacing Mark:] Remove; Lower(); NFC", root locale.

/// Buffers for normalizing names.
typedef struct cicu_names cicu_names;
cicu_names *cicu_names_open(void);
void cicu_names_close(cicu_names *names);
/// Normalizes at most 1 MiB, without the step `Lower()` if `keeps_case`, and points `result` at the resulting bytes
/// (valid until the next call); returns their number.
size_t cicu_names_by_icu(
    cicu_names *names, const uint8_t *_Nullable text, size_t length, bool keeps_case,
    const uint8_t *_Nullable *_Nonnull result);
/// As above, in lower case and NFC, with all accents.
size_t cicu_names_composed_lowercase(
    cicu_names *names, const uint8_t *_Nullable text, size_t length, const uint8_t *_Nullable *_Nonnull result);
/// As above, in NFKC: plain characters in place of wide, narrow, joined and circled ones (UAX 15). Case and accents
/// stay.
size_t cicu_names_compatible(
    cicu_names *names, const uint8_t *_Nullable text, size_t length, const uint8_t *_Nullable *_Nonnull result);
/// Results of `cicu_names_simple` other than a code point. Neither value can be the result of a code point above
/// U+007F.
enum { CICU_DROPPED = 1, CICU_NOT_SIMPLE = 2 };
/// What a code point of the basic plane becomes, whatever its neighbours. Such results all have a composition boundary
/// before them, so any sequence of them is already in NFC.
uint16_t cicu_names_simple(cicu_names *names, uint32_t code_point);

// Transliteration (transform.c)

/// Compiled transliteration rules; for one thread at a time.
typedef struct cicu_transform cicu_transform;
/// Compiles rules such as ":: NFD; ä > ae;". NULL when ICU cannot read them.
cicu_transform *_Nullable cicu_transform_open(const uint8_t *_Nullable rules, size_t length);
void cicu_transform_close(cicu_transform *transform);
/// Writes at most `capacity` bytes; returns how many there are, or -1 when the text is too long or grows more than
/// fourfold.
int64_t cicu_transform_apply(
    cicu_transform *transform, const uint8_t *_Nullable text, size_t length, uint8_t *_Nullable result,
    size_t capacity);

// Words (words.c): UBRK_WORD of the root locale.

/// A word break iterator; text set in it must outlive the calls of `next`.
typedef struct cicu_words cicu_words;
cicu_words *cicu_words_open(void);
void cicu_words_close(cicu_words *words);
/// Sets the text whose words `next` returns.
void cicu_words_set_text(cicu_words *words, const uint8_t *_Nullable text, size_t length);
/// Finds the next word (letters, digits, kana or ideographs, not spaces or punctuation); false after the last.
bool cicu_words_next(cicu_words *words, size_t *start, size_t *end);
/// Whether a code point is a letter of an alphabet (Word_Break=ALetter).
bool cicu_is_alphabetic(uint32_t code_point);

// Legacy encodings (charset.c, decoder.c)

/// An encoding that a text may have, and how sure ICU is of it, from 0 to 100.
typedef struct {
    char name[32];
    int32_t confidence;
} cicu_charset_match;
/// Writes at most `capacity` encodings that ICU's detector considers possible, the most confident first; returns how
/// many.
int32_t cicu_charset_matches(
    const uint8_t *_Nullable sample, size_t length, cicu_charset_match *matches, int32_t capacity);
/// Whether the code point is a letter or sign of the Latin script alone.
bool cicu_is_latin(uint32_t code_point);

/// A converter of whole texts from one encoding to UTF-8.
typedef struct cicu_decoder cicu_decoder;
/// NULL when ICU has no such encoding. `name` is zero-terminated.
cicu_decoder *_Nullable cicu_decoder_open(const char *name);
void cicu_decoder_close(cicu_decoder *decoder);
/// Converts from `*source`, advances it, and returns the number of bytes written to `target`; `done` tells whether all
/// of it is converted; otherwise the call must be repeated with more room. An incomplete character at the end becomes
/// U+FFFD. After the end, the next text may begin.
size_t cicu_decoder_decode(
    cicu_decoder *decoder, const uint8_t *_Nullable *_Nonnull source, const uint8_t *_Nullable source_end,
    uint8_t *target, size_t capacity, bool *done);

// Time zones (zones.c)

/// Whether the name is one of IANA's in exactly this spelling.
bool cicu_zone_is_known(const uint8_t *_Nullable name, size_t length);
/// The rules of one time zone.
typedef struct cicu_zone cicu_zone;
/// NULL when the name is not known.
cicu_zone *_Nullable cicu_zone_open(const uint8_t *_Nullable name, size_t length);
void cicu_zone_close(cicu_zone *zone);
/// Seconds east of UTC at the instant `unix_seconds`.
bool cicu_zone_offset(cicu_zone *zone, int64_t unix_seconds, int32_t *offset);

// Codes (codes.c)

/// Whether the text is a currency code of three capital letters that has an ISO 4217 number.
bool cicu_currency_is_known(const uint8_t *_Nullable code, size_t length);
/// Whether the text is a well-formed BCP 47 tag whose language ICU knows or has three letters.
bool cicu_language_is_known(const uint8_t *_Nullable tag, size_t length);

// Sorting (collation.c)

/// The collation rules of one locale; calls on it change nothing, so threads may share it.
typedef struct cicu_collator cicu_collator;
/// Opens the rules for a BCP 47 tag, empty for the root. NULL when the tag is malformed or ICU does not know its
/// language. A language without its own rules gets the root's.
cicu_collator *_Nullable cicu_collator_open(const uint8_t *_Nullable tag, size_t length);
void cicu_collator_close(cicu_collator *collator);
/// -1, 0 or 1.
int32_t cicu_collator_compare(
    const cicu_collator *collator, const uint8_t *_Nullable left, size_t left_length, const uint8_t *_Nullable right,
    size_t right_length);

// Regular expressions (regex.c)

/// A compiled regular expression whose matches are bounded in time and memory.
typedef struct cicu_regex cicu_regex;
/// Compiles a pattern into `regex` and returns NULL. On failure it sets `regex` to NULL and returns ICU's name of the
/// error.
const char *_Nullable cicu_regex_open(
    const uint8_t *_Nullable pattern, size_t length, cicu_regex *_Nullable *_Nonnull regex);
void cicu_regex_close(cicu_regex *regex);
/// 1 when the pattern matches the whole text, 0 when it does not, -1 when matching takes too long or fails.
int32_t cicu_regex_matches(cicu_regex *regex, const uint8_t *_Nullable text, size_t length);

// The library itself (version.c)

enum { CICU_VERSION_CAPACITY = 20 };
/// Writes the version of the ICU in use, such as "72.1", into CICU_VERSION_CAPACITY bytes.
void cicu_version(char *text);
/// Whether the code point is assigned in this ICU's Unicode version.
bool cicu_is_assigned(uint32_t code_point);

#pragma clang assume_nonnull end
