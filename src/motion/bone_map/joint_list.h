/* The joints of a file as a bone map names them, whether or not they are a body. */
#ifndef JC_MOTION_JOINT_LIST_H
#define JC_MOTION_JOINT_LIST_H

#include <stdbool.h>

#include "jointcast/gltf.h"
#include "jointcast_private/bone_map_match.h"

struct jc_bvh;
struct jc_hanim;
struct jc_scene;

struct jc_joint_list {
	struct jc_named_joints joints;
	const char **names; /* owned; the texts belong to one of the files below */
	int *parents;       /* owned */
	bool *is_joint;     /* owned; false for meshes and for the humanoid above H-Anim joints */
	struct jc_bvh *bvh; /* the file, owned; the others are NULL */
	struct jc_gltf *gltf;
	struct jc_scene *scene;
	struct jc_hanim *hanim; /* of the scene */
};

/* Reads figure `index` of the file; the index counts only in H-Anim, as does the map, which names
 * vertebrae and may be NULL. The caller finishes the list,
 * also after an error. */
int jc_joint_list_read(const void *bytes, size_t length, size_t index,
	const struct jc_bone_map *map, const struct jc_gltf_resolver *resolver,
	struct jc_joint_list *out_list, struct jc_diagnostic *diagnostic);
void jc_joint_list_finish(struct jc_joint_list *list);

#endif
