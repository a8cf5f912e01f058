/* Prints text that comes from a file, a file name or a daemon. Characters that could break a line,
 * control a terminal or change the direction of text (text.h) are printed as '?'. */
#ifndef JC_CLI_TERMINAL_TEXT_H
#define JC_CLI_TERMINAL_TEXT_H

#include <jansson.h>
#include <stdio.h>

void jc_terminal_write(FILE *stream, const char *text);
void jc_terminal_write_quoted(FILE *stream, const char *text); /* in single quotes */

/* The string `key` of an object. Empty if it is missing, as in messages of a daemon of another
 * version. */
const char *jc_terminal_text_of(const json_t *object, const char *key);

#endif
