/* The struct behind a skeleton, for the files of this folder. */
#ifndef JC_SKELETON_PRIVATE_H
#define JC_SKELETON_PRIVATE_H

#include "hanim/hanim_spine.h"
#include "jointcast/skeleton.h"
#include "split_limb.h"

struct jc_skeleton {
	enum jc_skeleton_format format;
	const char *name;   /* in strings */
	const char *family; /* static */
	float confidence;
	size_t node_count;
	struct jc_skeleton_node *nodes; /* names in strings */
	int *order;                     /* node indices, parents first */
	int bones[JC_BONE_COUNT];       /* node index or -1 */
	struct jc_quat facing;
	struct jc_quat corrections[JC_BONE_COUNT]; /* K; identity for absent bones */
	struct jc_quat offsets[JC_BONE_COUNT];     /* O; identity for absent bones */
	size_t virtual_transform_count;
	struct jc_virtual_transform *virtual_transforms; /* names in strings, tags in tags */
	size_t limit_count;
	struct jc_joint_limit *limits;
	size_t segment_count;
	struct jc_skeleton_segment *segments; /* names in strings */
	size_t constraint_count;
	struct jc_node_constraint *constraints;
	struct jc_skeleton_facts facts;
	const char **info; /* of the facts, in strings */
	const char **tags; /* in strings */
	char *strings;     /* every name, tag and fact */

	/* Computed from the above by jc_t_pose_analyse. */
	uint64_t bone_mask;
	struct jc_mat4 *rest_worlds;
	struct jc_quat t_pose[JC_BONE_COUNT];        /* W */
	struct jc_quat parent_t_pose[JC_BONE_COUNT]; /* P */
	enum jc_bone mapped_parents[JC_BONE_COUNT];
	struct jc_mat4
		hips_from_canonical; /* converts a displacement to the frame of the hips' parent */
	bool has_floor;              /* from the description, if the hips are above it */
	float floor;
	float hips_height;
	struct jc_vec3 hips_point; /* see jc_skeleton_hips_point */

	/* Computed by jc_hanim_spine_analyse. */
	struct jc_hanim_spine spine;
	int ends[JC_BONE_COUNT]; /* node where the rotation of a bone is complete */
	struct jc_quat end_t_pose[JC_BONE_COUNT]; /* W of that node */

	/* Computed by jc_split_limb_analyse. */
	struct jc_split_limb limbs[JC_BONE_COUNT];

	char *descriptor;
	char hash[JC_SKELETON_HASH_LENGTH + 1];
};

#endif
