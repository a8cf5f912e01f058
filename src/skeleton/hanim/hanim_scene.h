/* Where the humanoids of a scene are, and what nodes of a scene mean to them. */
#ifndef JC_SKELETON_HANIM_SCENE_H
#define JC_SKELETON_HANIM_SCENE_H

#include "jointcast_private/hanim.h"

bool jc_hanim_scene_is_humanoid(const struct jc_scene_node *node);
bool jc_hanim_scene_is_joint(const struct jc_scene_node *node);
bool jc_hanim_scene_is_segment(const struct jc_scene_node *node);
bool jc_hanim_scene_is_site(const struct jc_scene_node *node);

/* Three numbers of a field, fallback where they are missing. What is too far
 * for any figure comes out infinite, so that it is refused later. */
struct jc_vec3 jc_hanim_scene_vector(
	const struct jc_scene_node *node, const char *name, struct jc_vec3 fallback);

/* A field of axis and angle; identity where it is missing. */
struct jc_quat jc_hanim_scene_rotation(const struct jc_scene_node *node, const char *name);

/* What the fields of a Transform do to its children (ISO/IEC 14772-1, 6.52). */
struct jc_mat4 jc_hanim_scene_matrix(const struct jc_scene_node *node);

/* Identity for nodes that are no Transform, nor declared as one. */
struct jc_mat4 jc_hanim_scene_group_matrix(const struct jc_scene_node *node);

/* One humanoid: where it is and which nodes hold its joints. */
struct jc_hanim_scene_place {
	const struct jc_scene_node *humanoid; /* NULL where only joints tell of it */
	struct jc_mat4 world;                 /* of humanoid coordinates in the scene */
	/* In whose body it stands, where IS connects that body: what instances set
	 * is not applied. Else NULL. */
	const struct jc_scene_proto *proto;
	size_t root_count;
	const struct jc_scene_node **roots; /* owned: nodes to search for joints */
	size_t humanoid_count;              /* in the whole scene */
};

/* Finds the humanoid of that index; JC_ERROR_INVALID where there are some but
 * fewer. */
int jc_hanim_scene_find(const struct jc_scene *scene, size_t index,
	struct jc_hanim_scene_place *out_place, struct jc_diagnostic *diagnostic);
void jc_hanim_scene_place_finish(struct jc_hanim_scene_place *place);

#endif
