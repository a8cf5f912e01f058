/* Appends findings to the lint list. */
#include "jointcast/lint.h"

#include <stdarg.h>
#include <stdio.h>

#include "jointcast_private/text.h"

__attribute__((format(printf, 6, 0))) static void add(struct jc_lint *lint,
	enum jc_severity severity, const char *code, enum jc_bone bone, int node,
	const char *format, va_list arguments)
{
	struct jc_lint_entry *entry;

	if (!lint) {
		return;
	}
	if (lint->count == JC_LIMIT_LINT) {
		lint->dropped++;
		return;
	}
	entry = &lint->entries[lint->count++];
	entry->severity = severity;
	entry->bone = bone;
	entry->node = node;
	snprintf(entry->code, sizeof(entry->code), "%s", code);
	vsnprintf(entry->text, sizeof(entry->text), format, arguments);
	jc_text_clean(entry->text);
}

void jc_lint_add(
	struct jc_lint *lint, enum jc_severity severity, const char *code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(lint, severity, code, JC_BONE_NONE, -1, format, arguments);
	va_end(arguments);
}

void jc_lint_add_at(struct jc_lint *lint, enum jc_severity severity, const char *code,
	enum jc_bone bone, int node, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(lint, severity, code, bone, node, format, arguments);
	va_end(arguments);
}
