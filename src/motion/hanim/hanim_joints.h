/* The joint tree of a written H-Anim figure with segments, sites and viewpoints, and
 * their lists. */
#ifndef JC_MOTION_HANIM_JOINTS_H
#define JC_MOTION_HANIM_JOINTS_H

#include "hanim_segments.h"
#include "scene_writer.h"

#define JC_HANIM_DEF_BYTES 320

struct jc_hanim_joints {
	const struct jc_skeleton *figure; /* of jc_hanim_figure_create, borrowed */
	struct jc_hanim_segments body;
	const struct jc_joint_limit **limits; /* owned: by node, or NULL */
	struct jc_scene_writer *scene;        /* borrowed */
};

int jc_hanim_joints_init(struct jc_hanim_joints *joints, const struct jc_skeleton *figure,
	struct jc_scene_writer *scene, struct jc_diagnostic *diagnostic);
void jc_hanim_joints_finish(struct jc_hanim_joints *joints);

/* Name of a node type of the HAnim component; in VRML97 without the prefix "HAnim",
 * because PROTOs define it. */
const char *jc_hanim_joints_type(const struct jc_hanim_joints *joints, const char *type);

/* Name of a joint in the file; its DEF is "hanim_" and this name. */
void jc_hanim_joints_name(
	const struct jc_hanim_joints *joints, int node, char out_name[JC_HANIM_DEF_BYTES]);

/* Writes the root, all nodes below it, and the sites of the humanoid. container as in
 * scene_writer.h. */
void jc_hanim_joints_put(struct jc_hanim_joints *joints, const char *container);

/* Writes a USE of each site of a node, of the humanoid (-1) or of both. list as in scene_writer.h.
 */
#define JC_HANIM_ALL_SITES (-2)
void jc_hanim_joints_put_site_uses(struct jc_hanim_joints *joints, int node, const char *list);

/* Writes the fields joints, segments, sites and viewpoints of the humanoid. */
void jc_hanim_joints_put_lists(struct jc_hanim_joints *joints);

#endif
