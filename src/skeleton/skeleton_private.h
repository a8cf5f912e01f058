/* What a skeleton is made of, for the files of this room. */
#ifndef JC_SKELETON_PRIVATE_H
#define JC_SKELETON_PRIVATE_H

#include "hanim/hanim_spine.h"
#include "jointcast/skeleton.h"

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
	size_t constraint_count;
	struct jc_node_constraint *constraints;
	struct jc_skeleton_facts facts;
	const char **info; /* of the facts, in strings */
	const char **tags; /* in strings */
	char *strings;     /* every name, tag and fact */

	/* Worked out from the above by jc_t_pose_analyse. */
	uint64_t bone_mask;
	struct jc_mat4 *rest_worlds;
	struct jc_quat t_pose[JC_BONE_COUNT];        /* W */
	struct jc_quat parent_t_pose[JC_BONE_COUNT]; /* P */
	enum jc_bone mapped_parents[JC_BONE_COUNT];
	struct jc_mat4 hips_from_canonical; /* a displacement into the hips' parent frame */
	bool has_floor;                     /* from outside, and the hips stand above it */
	float floor;
	float hips_height;

	/* Worked out by jc_hanim_spine_analyse. */
	struct jc_hanim_spine spine;
	int ends[JC_BONE_COUNT];                  /* node where a bone's rotation is complete */
	struct jc_quat end_t_pose[JC_BONE_COUNT]; /* W there */

	char *descriptor;
	char hash[JC_SKELETON_HASH_LENGTH + 1];
};

#endif
