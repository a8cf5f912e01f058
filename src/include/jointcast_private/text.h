/* Text of strangers (names in files, names that clients give themselves), made fit to be
 * read by people on one line of a log or a terminal.
 *
 * A character is plain unless it is
 * - a control character, C0, DEL or C1: it breaks lines and steers terminals;
 * - a separator of lines or paragraphs, U+2028 and U+2029;
 * - a mark, embedding, override or isolate of the bidirectional algorithm (UAX 9): it shows
 *   the text around it in another order;
 * - invisible: zero-width characters, the soft hyphen, the byte order mark, annotation marks
 *   and tags. Two names that differ look the same;
 * - no character at all: a byte that is not part of well-formed UTF-8. */
#ifndef JC_PRIVATE_TEXT_H
#define JC_PRIVATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the character at `text`, which is not at its end: 1 for a byte that belongs
 * to none. */
size_t jc_text_next(const char *text, bool *out_is_plain);

/* Replaces each byte of what is not plain by '?', in place. */
void jc_text_clean(char *text);

/* Copies `text` into capacity > 0 bytes of `out`, and a NUL; what is not plain as '\u202e',
 * '\U000e0001' or, where it is no character, '\xff'. What does not fit is left out, from the
 * first character on that does not. Returns the length of the copy. */
size_t jc_text_escape(const char *text, char *out, size_t capacity);

#endif
