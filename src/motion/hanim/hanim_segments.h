/* Shapes of a written H-Anim figure: for each segment a solid from its joint to every
 * joint below, in place as the standard recommends. */
#ifndef JC_MOTION_HANIM_SEGMENTS_H
#define JC_MOTION_HANIM_SEGMENTS_H

#include "jointcast/skeleton.h"
#include "scene_writer.h"

struct jc_hanim_segments_box {
	struct jc_vec3 least, most; /* least past most: empty */
};

struct jc_hanim_segments {
	const struct jc_skeleton *figure;    /* borrowed */
	int *first_child, *next_child;       /* owned: by node, or -1 */
	struct jc_vec3 *tips;                /* owned: by node, its end if nothing is below */
	struct jc_hanim_segments_box *boxes; /* owned: by node, box of the segment */
	struct jc_hanim_segments_box whole;  /* of all segments at rest */
	bool has_look[3];                    /* appearances that are already in the file */
};

/* figure comes from jc_hanim_figure_create and must outlive the body. */
int jc_hanim_segments_init(struct jc_hanim_segments *body, const struct jc_skeleton *figure,
	struct jc_diagnostic *diagnostic);
void jc_hanim_segments_finish(struct jc_hanim_segments *body);

/* Writes bboxCenter and bboxSize; nothing for an empty box. */
void jc_hanim_segments_put_box(
	const struct jc_hanim_segments_box *box, struct jc_scene_writer *writer);

/* Writes the Shape of a node's segment; nothing if it is empty. */
void jc_hanim_segments_put_shape(
	struct jc_hanim_segments *body, int node, struct jc_scene_writer *writer);

#endif
