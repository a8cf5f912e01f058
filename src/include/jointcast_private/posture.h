/* How a skeleton stands at rest, measured from where its joints are: the figures
 * behind what lint says. All directions and angles are in canonical axes. */
#ifndef JC_PRIVATE_POSTURE_H
#define JC_PRIVATE_POSTURE_H

#include <stdbool.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"
#include "jointcast/types.h"

/* By the arms: level is a T, hanging an I, between them an A. */
enum jc_rest_kind {
	JC_REST_UNKNOWN, /* no arm of two bones to tell by */
	JC_REST_T,
	JC_REST_A,
	JC_REST_I,
	JC_REST_OTHER, /* arms raised, forward or unlike; legs not below the hips */
};

const char *jc_rest_kind_name(enum jc_rest_kind kind); /* "unknown", "T-pose", … "other" */

/* Angles are radians. */
struct jc_bone_posture {
	/* Whether the joint of another bone tells where this one points. */
	bool has_direction;
	float length; /* metres, to that joint */
	/* Between the direction and that of EXT_skeleton_humanoid's reference
	 * pose: of the rest as the file has it, and of the T-pose that the
	 * skeleton's corrections make of it. Of feet about the vertical only. */
	float rest_angle, t_angle;
	float tolerance; /* anatomy; what is farther off is worth mending */
	/* In that T-pose, between the node's +Y and the bone, and between its +X
	 * and the axis about which a muscle would bend it, about the bone. */
	float axis_angle, roll_angle;
};

/* Nodes' axes farther off than this are not those of the reference pose. */
#define JC_POSTURE_AXIS_TOLERANCE 0.1745f /* 10 degrees */

struct jc_posture {
	enum jc_rest_kind kind;
	/* The arms' mean angle below level at rest; 0 where kind is unknown. */
	float arm_angle;
	struct jc_bone_posture bones[JC_BONE_COUNT];
	/* Left and up as the names of the bones have them; false where they
	 * cannot be told. `turn` is about the vertical, from +Z to the side that
	 * is then the front, `tilt` from +Y. */
	bool has_facing;
	float turn, tilt;
	/* The same from where the format faces. They differ for glTF figures
	 * without an extension, whose facing is found and may be anything. */
	float format_turn, format_tilt;
	struct jc_quat orientation; /* canonical axes to left, up and front so told */
	/* Whether feet, eyes or jaw point to the back of that: left and right
	 * are swapped. */
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

/* Where a bone points in the reference pose; zero for those that point at no
 * other bone. */
struct jc_vec3 jc_posture_direction(enum jc_bone bone);

/* What turns a measured direction of a bone (of any length, not zero) into that of
 * the reference pose, the short way. Feet fall to their toes as their shape has
 * it, so they turn about the vertical; toes right below the ankle do not tell
 * where they point. */
struct jc_quat jc_posture_residual(enum jc_bone bone, struct jc_vec3 direction);

/* The bone that tells where another points: the first of several that the
 * skeleton has; JC_BONE_NONE where it has none. */
enum jc_bone jc_posture_target(const struct jc_skeleton *skeleton, enum jc_bone bone);

/* Local transform of every node in the T-pose, where every N is identity. */
void jc_posture_t_pose(const struct jc_skeleton *skeleton, struct jc_transform *out_locals);

#endif
