/* UTF-8, and text from outside (names in files, names that clients choose) made safe to print
 * on one line of a log or a terminal.
 *
 * A character is printable unless it is
 * - a control character, C0, DEL or C1: these break lines and control terminals;
 * - a line or paragraph separator, U+2028 and U+2029;
 * - a mark, embedding, override or isolate of the bidirectional algorithm (UAX 9): these show
 *   the surrounding text in another order;
 * - invisible: zero-width characters, the soft hyphen, the byte order mark, annotation marks
 *   and tags. With them two different names can look the same;
 * - a byte outside of well-formed UTF-8. */
#ifndef JC_PRIVATE_TEXT_H
#define JC_PRIVATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 sequence that begins at `bytes`, or 0 if it is not well-formed or longer
 * than `length` > 0 bytes (RFC 3629, section 4: nothing overlong, no surrogates, at most
 * U+10FFFF). Reads no byte past a NUL. */
size_t jc_utf8_length(const void *bytes, size_t length);
bool jc_utf8_is_valid(const void *bytes, size_t length);

/* Length of the longest prefix of `text` of at most `most` bytes that does not end inside a
 * character. */
size_t jc_utf8_cut(const char *text, size_t most);

/* Replaces each byte above 0x7f with '?', in place, unless all of `text` is well-formed. */
void jc_utf8_repair(char *text);

/* Bytes of the character at `text`, which is not empty; 1 for a byte outside of well-formed
 * UTF-8. */
size_t jc_text_next(const char *text, bool *out_is_printable);

/* Replaces each byte of a character that is not printable with '?', in place. */
void jc_text_clean(char *text);

/* Copies `text` and a NUL into `out`, which has capacity > 0 bytes. Characters that are not
 * printable become '\u202e' or '\U000e0001', stray bytes '\xff'. The copy ends before the first
 * character that does not fit. Returns the length of the copy. */
size_t jc_text_escape(const char *text, char *out, size_t capacity);

#endif
