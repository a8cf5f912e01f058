/* Describes a prop, a thing without bones whose virtual transforms are used, as JSON or as text. */
#ifndef JC_CLI_PROP_REPORT_H
#define JC_CLI_PROP_REPORT_H

#include <stdio.h>

#include "jointcast/error.h"
#include "jointcast/skeleton.h"
#include "report/json_writer.h"

/* Writes members of an object: format, the reason why the file has no humanoid, nodes, and virtual
 * transforms with their places at rest, in model space. */
void jc_prop_report_write_json(struct jc_json_writer *json, const struct jc_skeleton *prop,
	const struct jc_diagnostic *reason);

/* Prints the same as lines. */
void jc_prop_report_write_text(
	FILE *stream, const struct jc_skeleton *prop, const struct jc_diagnostic *reason);

#endif
