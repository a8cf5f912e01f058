/* Completes the arms of a pose from the places of head and hands, for sources that leave out arm
 * bones and report headset and controllers instead. The elbows are those of the emulation
 * (jointcast/emulation.h). */
#ifndef JC_PRIVATE_ARM_COMPLETION_H
#define JC_PRIVATE_ARM_COMPLETION_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/emulation.h"
#include "jointcast/humanoid.h"

#define JC_ARM_BONES 4 /* shoulder, upper arm, lower arm, hand */

/* Places of the person in one space, metres, canonical axes. Its yaw is that of the pose; its
 * origin and the size of the person may be others than those of the pose. */
struct jc_reach {
	enum jc_bone anchor;   /* the bone at `place`: JC_BONE_NECK or JC_BONE_HEAD */
	struct jc_vec3 place;  /* of the anchor's joint; the floor is at y = 0 */
	bool has_hips;         /* `hips` is known */
	struct jc_vec3 hips;   /* the middle between the joints of the upper legs */
	struct jc_reach_hand { /* left, right */
		bool is_known;
		struct jc_vec3 wrist;
		struct jc_quat turned; /* of the hand since the T-pose, in the space */
	} hands[2];
};

/* State of one body; plain data, owned by the caller. */
struct jc_arm_completion {
	struct jc_emulation emulation;
	int64_t time_ns; /* of the last call */
	float size;      /* of the person relative to the built-in figure; 0: unknown */
	float shares[2]; /* of the completed arm in the shown one: left, right */
	struct jc_quat arms[2][JC_ARM_BONES]; /* the last completed rotations */
};

void jc_arm_completion_init(struct jc_arm_completion *completion);

/* Completes each arm in place whose upper arm, lower arm and hand are all `lacking` (bit = enum
 * jc_bone) and whose hand is known: the wrist stands to the anchor as in the reach, with the
 * lengths of the built-in figure in the size of the person. The size is measured between anchor
 * and hips, else from the height of the anchor above the feet; below 0.5 and above 1.5 of the
 * built-in figure, as where the origin is at the eyes, the last size stays, at first 1. Out of
 * reach, the arm is stretched towards the wrist. A lacking arm that has an old rotation changes to
 * the completed one, and back, within 0.3 seconds. The hand is tracked, the other completed bones
 * are estimated. Other bones of the pose never change. Returns whether an arm was completed. */
bool jc_arm_completion_apply(struct jc_arm_completion *completion, const struct jc_reach *reach,
	uint64_t lacking, int64_t time_ns, struct jc_pose *pose);

#endif
