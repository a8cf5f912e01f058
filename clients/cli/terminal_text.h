/* Text that came from a file, a file name or a daemon, shown to people: what could break a
 * line, steer a terminal or show text in another order (jointcast/text.h) becomes '?'. */
#ifndef JC_CLI_TERMINAL_TEXT_H
#define JC_CLI_TERMINAL_TEXT_H

#include <stdio.h>

void jc_terminal_write(FILE *stream, const char *text);
void jc_terminal_write_quoted(FILE *stream, const char *text); /* in single quotes */

#endif
