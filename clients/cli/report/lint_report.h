/* Reports what an artist should change in one skeleton. */
#ifndef JC_CLI_LINT_REPORT_H
#define JC_CLI_LINT_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "jointcast/lint.h"
#include "jointcast/skeleton.h"
#include "jointcast_private/posture.h"
#include "report/avatar_report.h"

struct jc_lint_report {
	const char *file; /* borrowed, like the skeleton and the lint */
	size_t index;
	const struct jc_skeleton *skeleton;
	const char *no_humanoid;   /* of a prop: why it has no humanoid; otherwise NULL */
	struct jc_posture posture; /* cleared for a prop */
	const struct jc_avatar_report *avatar; /* NULL if the figure is no glTF file */
	const struct jc_lint *lint;
};

/* Prints the report. The text has colours only on a terminal, and not if NO_COLOR is set. */
void jc_lint_report_write_text(FILE *stream, const struct jc_lint_report *report);
void jc_lint_report_write_json(FILE *stream, const struct jc_lint_report *report);

/* Prints the JSON of a skeleton that cannot be used. */
void jc_lint_report_write_refusal(FILE *stream, const char *file, size_t index,
	const struct jc_diagnostic *diagnostic, int error);

#endif
