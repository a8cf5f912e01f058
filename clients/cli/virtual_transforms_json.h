/* Virtual transforms as both inspect and retarget print them. */
#ifndef JC_CLI_VIRTUAL_TRANSFORMS_JSON_H
#define JC_CLI_VIRTUAL_TRANSFORMS_JSON_H

#include "jointcast/skeleton.h"
#include "json_writer.h"

/* The member "virtualTransforms" of the object being written. placed says where
 * each stands in a posed figure, model space; NULL leaves that out. */
void jc_virtual_transforms_write(struct jc_json_writer *json, const struct jc_skeleton *skeleton,
	const struct jc_transform *placed);

#endif
