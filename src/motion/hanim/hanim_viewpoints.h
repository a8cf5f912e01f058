/* The viewpoints that H-Anim recommends: four on the whole figure, six at its
 * head. */
#ifndef JC_MOTION_HANIM_VIEWPOINTS_H
#define JC_MOTION_HANIM_VIEWPOINTS_H

#include "hanim_segments.h"

/* DEF Viewpoints Group: from the front, the side, above and aslant, so far off that
 * a box with all that happens is seen. */
void jc_hanim_viewpoints_put_around(
	const struct jc_hanim_segments_box *box, struct jc_scene_writer *writer);

/* Those of the eyes and of the face, children of skullbase: Viewpoints in
 * VRML97, in X3D each in the HAnimSite that a humanoid lists as a viewpoint.
 * Nothing of a figure without a head. */
void jc_hanim_viewpoints_put_at_head(
	const struct jc_hanim_segments *body, struct jc_scene_writer *writer);

/* Whether a site of that name is one of those. */
bool jc_hanim_viewpoints_is_own(const char *site);

/* The humanoid's list of these. */
void jc_hanim_viewpoints_put_uses(
	const struct jc_hanim_segments *body, struct jc_scene_writer *writer);

#endif
