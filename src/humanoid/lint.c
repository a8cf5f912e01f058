/* The list of findings. */
#include "jointcast/lint.h"

#include <stdarg.h>
#include <stdio.h>

#include "text.h"

void jc_lint_add(
	struct jc_lint *lint, enum jc_severity severity, const char *code, const char *format, ...)
{
	struct jc_lint_entry *entry;
	va_list arguments;

	if (!lint) {
		return;
	}
	if (lint->count == JC_LIMIT_LINT) {
		lint->dropped++;
		return;
	}
	entry = &lint->entries[lint->count++];
	entry->severity = severity;
	snprintf(entry->code, sizeof(entry->code), "%s", code);
	va_start(arguments, format);
	vsnprintf(entry->text, sizeof(entry->text), format, arguments);
	va_end(arguments);
	jc_text_clean(entry->text);
}
