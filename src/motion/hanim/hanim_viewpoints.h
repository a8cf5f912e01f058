/* The viewpoints that H-Anim recommends: four of the whole figure, six at its head. */
#ifndef JC_MOTION_HANIM_VIEWPOINTS_H
#define JC_MOTION_HANIM_VIEWPOINTS_H

#include "hanim_segments.h"

/* Group with DEF Viewpoints: from the front, the side, above and obliquely, far enough to
 * show the box of the whole motion. */
void jc_hanim_viewpoints_put_around(
	const struct jc_hanim_segments_box *box, struct jc_scene_writer *writer);

/* Viewpoints of the eyes and of the face, children of skullbase: Viewpoint in VRML97; in
 * X3D within an HAnimSite of the list `viewpoints`. Writes nothing for a figure without a
 * head. */
void jc_hanim_viewpoints_put_at_head(
	const struct jc_hanim_segments *body, struct jc_scene_writer *writer);

/* Whether a site name is one of these viewpoints. */
bool jc_hanim_viewpoints_is_own(const char *site);

/* Whether a viewpoint has the name of one that every written file has. */
bool jc_hanim_viewpoints_is_standard(const char *name);

/* Writes the list `viewpoints` of the humanoid. */
void jc_hanim_viewpoints_put_uses(
	const struct jc_hanim_segments *body, struct jc_scene_writer *writer);

#endif
