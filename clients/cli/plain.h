/* Text that came from a file or a file name, shown to people: control
 * characters, which could break a line or steer a terminal, become '?'. */
#ifndef JC_CLI_PLAIN_H
#define JC_CLI_PLAIN_H

#include <stdio.h>

void jc_plain_clean(char *text); /* in place */
void jc_plain_write(FILE *stream, const char *text);
void jc_plain_write_quoted(FILE *stream, const char *text); /* in single quotes */

#endif
