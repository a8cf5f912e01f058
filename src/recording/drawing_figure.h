/* How a body is drawn: which bones or joints its captures have, and where each
 * is in the frame of its parent. Poses have no proportions: theirs are those of the built-in
 * skeleton. */
#ifndef JC_RECORDING_DRAWING_FIGURE_H
#define JC_RECORDING_DRAWING_FIGURE_H

#include <stdbool.h>

#include "jointcast/capture.h"

#define JC_DRAWING_PARTS JC_JOINT_COUNT /* more than bones */

struct jc_drawing_figure {
	bool is_frame; /* parts are joints, otherwise bones */
	enum jc_profile profile;
	bool has[JC_DRAWING_PARTS]; /* parts that a capture had */
	/* From the parent, in its frame. */
	struct jc_vec3 offsets[JC_DRAWING_PARTS];
};

/* Learn the parts of a capture. They return whether the figure looks different now: parts were
 * added, or a joint is elsewhere in the frame of its parent by more than noise. A capture of
 * another kind begins a new figure. */
bool jc_drawing_figure_take_pose(struct jc_drawing_figure *figure, const struct jc_pose *pose);
bool jc_drawing_figure_take_frame(struct jc_drawing_figure *figure, enum jc_profile profile,
	const struct jc_body_frame *frame);

int jc_drawing_figure_count(const struct jc_drawing_figure *figure);
const char *jc_drawing_figure_name(const struct jc_drawing_figure *figure, int part);

/* The parent of a part; -1: none. */
int jc_drawing_figure_parent(const struct jc_drawing_figure *figure, int part);

/* Half the thickness of a part, metres. */
float jc_drawing_figure_radius(const struct jc_drawing_figure *figure, int part);

/* Whether a capsule connects the part with its parent. */
bool jc_drawing_figure_has_capsule(const struct jc_drawing_figure *figure, int part);

/* Where the capsule of a bone without a child ends, in its frame: of toes, of the last bone of a
 * finger, of a hand without fingers. */
bool jc_drawing_figure_tip(
	const struct jc_drawing_figure *figure, int part, struct jc_vec3 *out_tip);

/* The part that carries the head, or -1, and the centre of the head in its frame. */
int jc_drawing_figure_head(const struct jc_drawing_figure *figure, struct jc_vec3 *out_centre);

#endif
