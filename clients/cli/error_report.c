/* Prints one line for each error, whatever bytes a file name or a file contains. */
#include "error_report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "jointcast_private/text.h"

int jc_report(int status, const char *name, const char *format, ...)
{
	char what[512];
	char line[4096 + 512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	snprintf(line, sizeof(line), "jointcast: %s: %s", name, what);
	jc_text_clean(line);
	fprintf(stderr, "%s\n", line);
	return status;
}

int jc_report_diagnostic(int error, const char *name, const struct jc_diagnostic *diagnostic)
{
	const char *what = diagnostic->what[0] ? diagnostic->what : jc_error_name(error);
	bool is_ours = error == JC_ERROR_MEMORY || error == JC_ERROR_READ;
	int status = is_ours ? JC_EXIT_IO : JC_EXIT_INPUT;

	if (diagnostic->where[0]) {
		return jc_report(status, name, "%s, %s", what, diagnostic->where);
	}
	return jc_report(status, name, "%s", what);
}
