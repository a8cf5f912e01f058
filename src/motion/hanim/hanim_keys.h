/* A clip on an H-Anim figure: rotations of the joints that move and translations of the
 * root, frame by frame. */
#ifndef JC_MOTION_HANIM_KEYS_H
#define JC_MOTION_HANIM_KEYS_H

#include "jointcast/write.h"
#include "write_losses.h"

struct jc_hanim_keys {
	size_t frame_count;
	size_t node_count;
	struct jc_quat **rotations; /* owned: by node and frame; NULL for nodes that never turn */
	struct jc_vec3 *ways;       /* owned: translation of the root from its center, metres */
	struct jc_write_losses losses;
};

/* Poses `figure` (from jc_hanim_figure_create) for every frame of the clip and
 * distributes the bend of the spine over its vertebrae. Neighbouring quaternions have the
 * same sign. */
int jc_hanim_keys_init(struct jc_hanim_keys *keys, const struct jc_clip *clip,
	const struct jc_skeleton *figure, struct jc_diagnostic *diagnostic);
/* Bounding box of all root translations. */
void jc_hanim_keys_reach(
	const struct jc_hanim_keys *keys, struct jc_vec3 *out_least, struct jc_vec3 *out_most);
void jc_hanim_keys_finish(struct jc_hanim_keys *keys);

#endif
