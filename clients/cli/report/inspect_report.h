/* Reports what inspect found in a file: its skeletons, its motions, and their lint. */
#ifndef JC_CLI_INSPECT_REPORT_H
#define JC_CLI_INSPECT_REPORT_H

#include <stdio.h>

#include "files/file_contents.h"

void jc_inspect_report_write_json(
	FILE *stream, const char *name, const struct jc_contents *contents);
void jc_inspect_report_write_text(
	FILE *stream, const char *name, const struct jc_contents *contents);

#endif
