/* Recognises a humanoid in a joint hierarchy without a bone map: by known naming families, else by
 * structure. */
#ifndef JC_PRIVATE_RECOGNITION_H
#define JC_PRIVATE_RECOGNITION_H

#include <stddef.h>

#include "jointcast/bone_map.h"
#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/types.h"

/* Joints, parents first. All pointers are borrowed. */
struct jc_joint_tree {
	size_t count;                    /* joints and tips */
	size_t joint_count;              /* the rest are tips: ends of bones without a joint */
	const char *const *names;        /* "" if unnamed */
	const int *parents;              /* smaller than the own index; -1 for a root */
	const struct jc_vec3 *positions; /* at rest, in one space of any unit and axes; may be NULL
					  */
	const struct jc_bone_map *map;   /* its bones, instead of recognised ones; may be NULL */
};

struct jc_recognition {
	int bones[JC_BONE_COUNT]; /* joint or -1 */
	size_t bone_count;
	const char *family; /* static: name family, "structure" or JC_BONE_MAP_FAMILY */
	/* 0 to 1, the sum over found parts: hips, spine, and head or neck 0.1 each; both legs
	 * (upper and lower) and both arms 0.25 each; both feet and both hands 0.1 each. A result of
	 * structure alone is multiplied by 0.9, by the symmetry of the sides, and by 0.8 if neither
	 * names, feet, knees nor elbows distinguish front and back. */
	float confidence;
};

/* Minimum confidence of a humanoid: hips and one pair of limbs, or a bust with hands. */
#define JC_RECOGNITION_LEAST 0.35f

/* By names: the family that names the most bones is used. Names are compared without case and
 * separators; the side is a prefix, suffix or infix (LeftArm, upperarm_l, Bip01 L UpperArm); a
 * prefix common to all joints (mixamorig:, Character1_, DEF-) and all after '#' are ignored. Of
 * several joints with a name of a bone, one below the rest of its limb is used, so controls beside
 * the body are not. If no name of hips is known, the joint that carries both legs is the hips. One
 * trunk joint maps to spine, two to spine and chest; of more, the first is spine, the last, which
 * carries neck and shoulders, is upperChest, and the middle one is chest. Hips that do not carry
 * both legs and trunk are replaced by the joint that does. Other joints, such as further neck
 * joints, metacarpals and tips, stay unmapped.
 *
 * By structure, if positions are given: the hips are the joint where a pair of legs and the trunk
 * separate in opposite directions; the arms are a pair farther up, or, in a star of five limbs, a
 * shorter pair at the same joint; the head is above them. Joints of a limb are assigned by length,
 * fingers by their fan. Both pairs of limbs must exist. If structure finds more of a body than
 * names do, it replaces the names, or adds missing bones if both agree on the others. It also
 * replaces hands and feet that are controls by name, and adds fingers without known names.
 *
 * A tree with a bone map has the bones of the map, one of which must be the hips, and no others.
 * The errors are those of jc_bone_map_match.
 *
 * JC_ERROR_NO_HUMANOID with a diagnostic that names the missing parts; *out_recognition then holds
 * the best candidate, and its family is "". The family of an animal with all parts is not "". */
int jc_recognize(const struct jc_joint_tree *tree, struct jc_recognition *out_recognition,
	struct jc_diagnostic *diagnostic);

/* The same by names alone; positions only show that a figure is an animal. */
int jc_recognize_names(const struct jc_joint_tree *tree, struct jc_recognition *out_recognition,
	struct jc_diagnostic *diagnostic);

#endif
