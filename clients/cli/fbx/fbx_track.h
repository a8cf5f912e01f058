/* Keys of joints in one motion of an FBX file. */
#ifndef JC_CLI_FBX_TRACK_H
#define JC_CLI_FBX_TRACK_H

#include <stdbool.h>
#include <stddef.h>

#include "fbx/fbx_scene.h"
#include "jointcast/error.h"
#include "jointcast/types.h"

struct aiAnimation;
struct aiNodeAnim;

/* The channels of one motion, by joint and by link of its chain. */
struct jc_fbx_channels {
	const struct jc_fbx_scene *scene; /* borrowed */
	double ticks;                     /* of the times of its keys, a second */
	bool is_baked; /* most channels have keys at whole ticks alone: the frames of the file */
	const struct aiNodeAnim *(*links)[JC_FBX_LINKS]; /* owned; NULL: no channel */
};

int jc_fbx_channels_init(struct jc_fbx_channels *out_channels, const struct jc_fbx_scene *scene,
	const struct aiAnimation *motion, struct jc_diagnostic *diagnostic);
void jc_fbx_channels_finish(struct jc_fbx_channels *channels);

/* Local transforms of one joint in the unit of the file. */
struct jc_fbx_track {
	size_t count;                /* 0: the motion does not move the joint */
	float *times;                /* owned; seconds, >= 0, ascending */
	struct jc_transform *locals; /* owned */
};

int jc_fbx_track_init(struct jc_fbx_track *out_track, const struct jc_fbx_channels *channels,
	size_t joint, struct jc_diagnostic *diagnostic);
void jc_fbx_track_finish(struct jc_fbx_track *track);

#endif
