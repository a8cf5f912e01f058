/* Reports whether a file can be served as an avatar (AVATARS.md, "Files"), and what showing it
 * costs. */
#ifndef JC_CLI_AVATAR_REPORT_H
#define JC_CLI_AVATAR_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "jointcast/avatar.h"
#include "report/json_writer.h"

struct jc_avatar_report {
	int error;                    /* JC_OK: the file can be served */
	struct jc_diagnostic fault;   /* otherwise why it cannot */
	struct jc_avatar_facts facts; /* only without an error */
};

/* Checks the bytes of a glTF file. */
void jc_avatar_report_make(const void *bytes, size_t length, struct jc_avatar_report *out_report);

/* One line: the fault, or the costs and the rights that the file permits to declare. */
void jc_avatar_report_write_text(FILE *stream, const struct jc_avatar_report *report);
/* An object with the key "avatar". */
void jc_avatar_report_write_json(
	struct jc_json_writer *json, const struct jc_avatar_report *report);

#endif
