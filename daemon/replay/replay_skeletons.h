/* The skeletons of recorded bodies as skeleton assets, made on the thread that opens the
 * recording. */
#ifndef JC_REPLAY_SKELETONS_H
#define JC_REPLAY_SKELETONS_H

#include <stddef.h>

#include "jointcast/recording_reader.h"
#include "space/skeleton_table.h"

struct jc_replay_skeletons {
	size_t count;
	struct jc_skeleton_asset
		*list[JC_MAX_BODIES]; /* owned; the skeleton table holds them after _keep */
	size_t unusable;              /* number of skeletons that are left out */
	struct jc_diagnostic problem; /* the error of the first of them */
};

/* Unusable skeletons are left out; their bodies use the built-in one. */
void jc_replay_skeletons_read(
	const struct jc_recording *recording, struct jc_replay_skeletons *out_assets);

/* Adds the assets to a skeleton table until _finish. */
void jc_replay_skeletons_keep(
	struct jc_replay_skeletons *assets, struct jc_skeleton_table *skeleton_table);
void jc_replay_skeletons_finish(struct jc_replay_skeletons *assets);

#endif
