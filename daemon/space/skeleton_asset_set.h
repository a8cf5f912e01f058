/* Which skeleton assets somebody knows already, a client or a recording. Small: most meet
 * few. */
#ifndef JC_SKELETON_ASSET_SET_H
#define JC_SKELETON_ASSET_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "space/skeleton_table.h"

/* All zeros: none. */
struct jc_skeleton_asset_set {
	uint32_t count, capacity;
	uint32_t *numbers; /* owned, ascending */
};

void jc_skeleton_asset_set_finish(struct jc_skeleton_asset_set *set);

/* Whether it was not known; from now on it is. Past JC_MAX_KNOWN_SKELETONS, and without
 * memory, the oldest are forgotten: they are new once more when they come again. */
bool jc_skeleton_asset_set_add(
	struct jc_skeleton_asset_set *set, const struct jc_skeleton_asset *asset);

#endif
