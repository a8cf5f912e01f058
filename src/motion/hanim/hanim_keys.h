/* What a clip makes of an H-Anim figure: rotations of the joints that move and
 * the way of the root, frame by frame. */
#ifndef JC_MOTION_HANIM_KEYS_H
#define JC_MOTION_HANIM_KEYS_H

#include "jointcast/write.h"
#include "write_losses.h"

struct jc_hanim_keys {
	size_t frame_count;
	size_t node_count;
	struct jc_quat **rotations; /* owned: by node and frame; NULL of what never turns */
	struct jc_vec3 *ways;       /* owned: of the root from its center, metres */
	struct jc_write_losses losses;
};

/* Poses `figure` (jc_hanim_figure_create) as every frame of the clip has it, a
 * bend of the spine shared among its vertebrae. Signs of neighbours agree. */
int jc_hanim_keys_init(struct jc_hanim_keys *keys, const struct jc_clip *clip,
	const struct jc_skeleton *figure, struct jc_diagnostic *diagnostic);
/* How far the root goes from its center: the corners of a box around all ways. */
void jc_hanim_keys_reach(
	const struct jc_hanim_keys *keys, struct jc_vec3 *out_least, struct jc_vec3 *out_most);
void jc_hanim_keys_finish(struct jc_hanim_keys *keys);

#endif
