/* Names errors and formats diagnostics; escapes text from untrusted files in them. */
#include "jointcast/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "jointcast_private/text.h"

const char *jc_error_name(int error)
{
	switch (error) {
	case JC_OK:
		return "ok";
	case JC_ERROR_SYNTAX:
		return "syntax";
	case JC_ERROR_TRUNCATED:
		return "truncated";
	case JC_ERROR_LIMIT:
		return "limit";
	case JC_ERROR_INVALID:
		return "invalid";
	case JC_ERROR_UNSUPPORTED:
		return "unsupported";
	case JC_ERROR_NO_HUMANOID:
		return "no-humanoid";
	case JC_ERROR_MEMORY:
		return "memory";
	case JC_ERROR_ABSENT:
		return "absent";
	case JC_ERROR_SPACE:
		return "space";
	case JC_ERROR_READ:
		return "cannot be read";
	default:
		return "unknown";
	}
}

int jc_diagnose(
	struct jc_diagnostic *diagnostic, int error, const char *where, const char *format, ...)
{
	va_list arguments;

	if (!diagnostic) {
		return error;
	}
	va_start(arguments, format);
	vsnprintf(diagnostic->what, sizeof(diagnostic->what), format, arguments);
	va_end(arguments);
	snprintf(diagnostic->where, sizeof(diagnostic->where), "%s", where ? where : "");
	jc_text_clean(diagnostic->what);
	jc_text_clean(diagnostic->where);
	return error;
}
