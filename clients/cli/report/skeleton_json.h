/* Virtual transforms as both inspect and retarget print them. */
#ifndef JC_CLI_SKELETON_JSON_H
#define JC_CLI_SKELETON_JSON_H

#include "jointcast/skeleton.h"
#include "report/json_writer.h"

/* The member "virtualTransforms" of the object being written. placed says where
 * each stands in a posed figure, model space; NULL leaves that out. */
void jc_skeleton_json_write_virtual_transforms(struct jc_json_writer *json,
	const struct jc_skeleton *skeleton, const struct jc_transform *placed);

/* Writes the member "constraints": an array, empty when the skeleton has no constraints. */
void jc_skeleton_json_write_constraints(
	struct jc_json_writer *json, const struct jc_skeleton *skeleton);

#endif
