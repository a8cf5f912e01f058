/* Scans text and counts lines: words, rests of lines and decimal numbers, independent of the
 * locale. */
#ifndef JC_FORMAT_SCANNER_H
#define JC_FORMAT_SCANNER_H

#include <stdbool.h>
#include <stddef.h>

struct jc_scanner {
	const char *at;  /* borrowed */
	const char *end; /* one past the last byte */
	size_t line;     /* of at, from 1 */
};

/* A stretch of the text, not terminated. */
struct jc_span {
	const char *start;
	size_t length;
};

/* Starts after a UTF-8 byte order mark, if there is one. */
void jc_scanner_init(struct jc_scanner *scanner, const char *text, size_t length);

/* Skips blanks, or blanks and line ends (LF, CR LF or CR). */
void jc_scanner_skip_blanks(struct jc_scanner *scanner);
void jc_scanner_skip_space(struct jc_scanner *scanner);

/* True at the end of a line or of the text. */
bool jc_scanner_at_line_end(const struct jc_scanner *scanner);

/* Reads the next word on any line. Braces and colons are separate words; other words end at one
 * of these or at white space. Empty at the end of the text. */
struct jc_span jc_scanner_word(struct jc_scanner *scanner);

/* The rest of the line up to `stop`, without blanks on both sides. */
struct jc_span jc_scanner_rest_of_line(struct jc_scanner *scanner, char stop);

/* Reads a decimal number (sign, digits, point, exponent) that ends at white
 * space, a brace or the text's end. False, and nothing is read, when there is
 * none; what is too large for a double comes out infinite. The result is
 * within one unit in the last place. */
bool jc_scanner_number(struct jc_scanner *scanner, double *out_value);

/* Reads the decimal number at the start of a span. Returns its length, 0 if there is none. The
 * caller checks the characters after it. */
size_t jc_span_number(struct jc_span span, double *out_value);

/* Compares without regard to case; `word` is plain ASCII. */
bool jc_span_is(struct jc_span span, const char *word);

#endif
