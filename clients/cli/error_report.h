/* Exit statuses of the tool, and errors as one line on standard error. */
#ifndef JC_CLI_ERROR_REPORT_H
#define JC_CLI_ERROR_REPORT_H

#include "jointcast/error.h"

enum jc_exit {
	JC_EXIT_DONE = 0,
	JC_EXIT_INPUT = 1, /* an input cannot be used */
	JC_EXIT_USAGE = 2, /* the command line is wrong */
	JC_EXIT_IO = 3,    /* reading, writing or connecting failed, or memory ran out */
};

/* Prints `jointcast: NAME: what` on standard error, always as one line: control characters are
 * printed as '?'. Returns status, so that a caller can return the result. */
int jc_report(int status, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Prints the diagnostic of an input: `jointcast: NAME: what, where`. Returns the exit status for
 * the error. */
int jc_report_diagnostic(int error, const char *name, const struct jc_diagnostic *diagnostic);

#endif
