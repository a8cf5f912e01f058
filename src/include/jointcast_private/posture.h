/* Measures the rest pose of a skeleton from its joint positions, for lint. Directions and angles
 * are in canonical axes. */
#ifndef JC_PRIVATE_POSTURE_H
#define JC_PRIVATE_POSTURE_H

#include <stdbool.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"
#include "jointcast/types.h"

/* Classified by the arms: level is T, hanging is I, between them A. */
enum jc_rest_kind {
	JC_REST_UNKNOWN, /* no arm with two bones */
	JC_REST_T,
	JC_REST_A,
	JC_REST_I,
	JC_REST_OTHER, /* arms raised, forward or different; legs not below the hips */
};

const char *jc_rest_kind_name(enum jc_rest_kind kind); /* "unknown", "T-pose", … "other" */

/* Angles are radians. */
struct jc_bone_posture {
	/* Whether the joint of another bone defines the direction of this one. */
	bool has_direction;
	float length; /* metres, to that joint */
	/* Between the direction and that of EXT_skeleton_humanoid's reference
	 * pose: of the rest as the file has it, and of the T-pose that the
	 * skeleton's corrections make of it. Of feet about the vertical only. */
	float rest_angle, t_angle;
	float tolerance; /* anatomical variation; larger angles should be fixed */
	/* In that T-pose, between the node's +Y and the bone, and between its +X
	 * and the axis about which a muscle would bend it, about the bone. */
	float axis_angle, roll_angle;
};

/* Palms turned farther are not facing the ground. */
#define JC_POSTURE_PALM_TOLERANCE 0.5236f /* 30 degrees */
/* Nodes' axes farther off than this are not those of the reference pose. */
#define JC_POSTURE_AXIS_TOLERANCE 0.1745f /* 10 degrees */

struct jc_posture {
	enum jc_rest_kind kind;
	/* The arms' mean angle below level at rest; 0 where kind is unknown. */
	float arm_angle;
	struct jc_bone_posture bones[JC_BONE_COUNT];
	/* Of the left and the right hand in that T-pose: how far the line from the little to the
	 * index finger is turned about the hand from +Z, where palms face the ground; 0 where it is
	 * unknown. */
	float palm_angles[2];
	/* Left and up as defined by the bone names; has_facing is false if they are unknown. `turn`
	 * is the angle about the vertical from +Z to the resulting front, `tilt` the angle from +Y.
	 */
	bool has_facing;
	float turn, tilt;
	/* The same relative to the facing that the format defines; different for glTF without an
	 * extension, whose facing is measured. */
	float format_turn, format_tilt;
	struct jc_quat orientation; /* canonical axes to the measured left, up and front */
	/* Feet, eyes or jaw point backwards: left and right are swapped. */
	bool is_swapped;
	/* Metres over the lowest foot or toe joint, 0 where either is missing. */
	float head_height;
	/* That joint's level in the model, where there is one; and where the
	 * hips stand. */
	bool has_feet;
	float feet_level;
	struct jc_vec3 hips;
};

/* JC_OK or JC_ERROR_MEMORY. */
int jc_posture_measure(const struct jc_skeleton *skeleton, struct jc_posture *out_posture);

/* Direction of a bone in the reference pose; zero for bones without a target bone. */
struct jc_vec3 jc_posture_direction(enum jc_bone bone);

/* Shortest rotation from a measured direction of a bone (any length, not zero) to that of the
 * reference pose. The slope of a foot depends on its shape, so feet turn only about the vertical;
 * toes directly below the ankle define no direction. */
struct jc_quat jc_posture_residual(enum jc_bone bone, struct jc_vec3 direction);

/* The target bone that defines the direction of a bone: the first candidate that the skeleton has,
 * or JC_BONE_NONE. */
enum jc_bone jc_posture_target(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* The bone whose joint continues a bone, for the axes of its node: the target, but the next bone of
 * the trunk for the hips, whose direction is that of the whole trunk. */
enum jc_bone jc_posture_child(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* Local transform of every node in the T-pose, where every N is identity. */
void jc_posture_t_pose(const struct jc_skeleton *skeleton, struct jc_transform *out_locals);

#endif
