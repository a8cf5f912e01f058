/* Parts of a skeleton that the JSON of several commands contains. */
#ifndef JC_CLI_SKELETON_JSON_H
#define JC_CLI_SKELETON_JSON_H

#include <stdbool.h>

#include "jointcast/skeleton.h"
#include "report/json_writer.h"

/* Writes the member "virtualTransforms". `placed` holds their transforms in model space in a pose;
 * NULL leaves them out. with_flags adds which components of the parent each respects. */
void jc_skeleton_json_write_virtual_transforms(struct jc_json_writer *json,
	const struct jc_skeleton *skeleton, const struct jc_transform *placed, bool with_flags);

/* Writes the member "constraints": an array, empty when the skeleton has no constraints. */
void jc_skeleton_json_write_constraints(
	struct jc_json_writer *json, const struct jc_skeleton *skeleton);

/* Writes the members "limits" and "segments": arrays, empty when the skeleton has none. */
void jc_skeleton_json_write_limits(struct jc_json_writer *json, const struct jc_skeleton *skeleton);
void jc_skeleton_json_write_segments(
	struct jc_json_writer *json, const struct jc_skeleton *skeleton);

#endif
