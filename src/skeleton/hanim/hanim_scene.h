/* Finds the humanoids of a scene and reads the fields of their nodes. */
#ifndef JC_SKELETON_HANIM_SCENE_H
#define JC_SKELETON_HANIM_SCENE_H

#include "jointcast_private/hanim.h"

bool jc_hanim_scene_is_humanoid(const struct jc_scene_node *node);
bool jc_hanim_scene_is_joint(const struct jc_scene_node *node);
bool jc_hanim_scene_is_segment(const struct jc_scene_node *node);
bool jc_hanim_scene_is_site(const struct jc_scene_node *node);

/* Reads a field of three numbers; `fallback` if it is missing. A value out of range
 * becomes infinite, so that the description check rejects it. */
struct jc_vec3 jc_hanim_scene_vector(
	const struct jc_scene_node *node, const char *name, struct jc_vec3 fallback);

/* Reads a field of axis and angle; identity if it is missing. */
struct jc_quat jc_hanim_scene_rotation(const struct jc_scene_node *node, const char *name);

/* The transform of a Transform's children (ISO/IEC 14772-1, 6.52). */
struct jc_mat4 jc_hanim_scene_matrix(const struct jc_scene_node *node);

/* The same; identity for nodes that are neither a Transform nor declared as one. */
struct jc_mat4 jc_hanim_scene_group_matrix(const struct jc_scene_node *node);

/* One humanoid: its place and the nodes with its joints. */
struct jc_hanim_scene_place {
	const struct jc_scene_node *humanoid; /* NULL if there are only joints */
	struct jc_mat4 world;                 /* of humanoid coordinates in the scene */
	/* The PROTO whose body contains it, if IS connects that body: fields that
	 * instances set are not applied. Else NULL. */
	const struct jc_scene_proto *proto;
	size_t root_count;
	const struct jc_scene_node **roots; /* owned: nodes to search for joints */
	size_t humanoid_count;              /* in the whole scene */
};

/* Finds the humanoid with this index; JC_ERROR_INVALID if there are some, but fewer. */
int jc_hanim_scene_find(const struct jc_scene *scene, size_t index,
	struct jc_hanim_scene_place *out_place, struct jc_diagnostic *diagnostic);
void jc_hanim_scene_place_finish(struct jc_hanim_scene_place *place);

#endif
