/* How the tool ends, and the one line it says when it does not end well. */
#ifndef JC_CLI_ERROR_REPORT_H
#define JC_CLI_ERROR_REPORT_H

#include "jointcast/error.h"

enum jc_exit {
	JC_EXIT_DONE = 0,
	JC_EXIT_INPUT = 1, /* an input cannot be used */
	JC_EXIT_USAGE = 2, /* the command line makes no sense */
	JC_EXIT_IO = 3,    /* a file or the output failed; memory too */
};

/* Prints `jointcast: NAME: what` on standard error, always one line: control
 * characters come out as '?'. Returns status, so that a caller can end with it. */
int jc_report(int status, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for what the library said of an input: `jointcast: NAME: what, where`.
 * Returns the exit status that belongs to the error. */
int jc_report_diagnostic(int error, const char *name, const struct jc_diagnostic *diagnostic);

#endif
