/* Finds the humanoid in a hierarchy of joints that does not say which of them
 * are bones: by the names of the field, else by structure. */
#ifndef JC_PRIVATE_RECOGNITION_H
#define JC_PRIVATE_RECOGNITION_H

#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/types.h"

/* Joints with their parents in front of them. Everything is borrowed. */
struct jc_joint_tree {
	size_t count;       /* joints and tips */
	size_t joint_count; /* what follows are tips: where a bone ends that has no joint there */
	const char *const *names;        /* "" where there is none */
	const int *parents;              /* smaller than the own index; -1 for a root */
	const struct jc_vec3 *positions; /* at rest, in one space of any unit and axes; may be NULL
					  */
};

struct jc_recognition {
	int bones[JC_BONE_COUNT]; /* joint or -1 */
	size_t bone_count;
	const char *family; /* static: of the names, or "structure" */
	/* How much of a body was found, 0 to 1, the sum of its parts: hips, spine
	 * and head or neck 0.1 each, both legs (upper and lower) and both arms
	 * 0.25 each, both feet and both hands 0.1 each. What was found by structure
	 * alone counts nine tenths, times how alike the sides are, times 0.8 where
	 * neither names, feet, knees nor elbows tell front from back. */
	float confidence;
};

/* Below this confidence there is no humanoid: hips and one pair of limbs, or a
 * bust with hands. */
#define JC_RECOGNITION_LEAST 0.35f

/* By names: the family that names the most bones counts. Names are compared
 * without case and separators, the side stands in front, behind or in between
 * (LeftArm, upperarm_l, Bip01 L UpperArm), and what all joints share in front
 * (mixamorig:, Character1_, DEF-) is looked through. Of one trunk joint spine is
 * mapped, of two spine and chest; of more the first is spine, the last, which
 * carries neck and shoulders, upperChest, and chest the one halfway. Hips that
 * do not carry both legs and trunk give way to the joint that does. What is left
 * over, like further joints of a neck, metacarpals of fingers and tips, stays
 * unmapped and folds.
 *
 * By structure, where positions are given: hips are where a pair of legs and the
 * trunk part, the legs going the other way, the arms are a pair farther up, the
 * head goes on from there; joints within a limb by length, fingers by the fan they
 * make. Both pairs of limbs have to be there. Where this shows more of a body than
 * names do, it stands in for them, or fills in what they leave out if both agree
 * on the rest.
 *
 * JC_ERROR_NO_HUMANOID with a line that says what is missing: *out_recognition
 * then holds the nearest miss. */
int jc_recognize(const struct jc_joint_tree *tree, struct jc_recognition *out_recognition,
	struct jc_diagnostic *diagnostic);

#endif
