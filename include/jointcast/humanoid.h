/* Bones, joints, poses and body frames. Avatars have up to 55 bones; trackers deliver up to 83
 * joints.
 *
 * Bones: EXT_skeleton_humanoid, "Humanoid bone set and hierarchy", the same set
 * as VRM 1.0. Joints: WebXR Body Tracking draft, XRBodyJoint. */
#ifndef JOINTCAST_HUMANOID_H
#define JOINTCAST_HUMANOID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Origin of a value. Absent is 0, so that cleared memory means absent. */
enum jc_state {
	JC_ABSENT = 0,
	JC_ESTIMATED = 1,
	JC_TRACKED = 2,
};

const char *jc_state_name(enum jc_state state); /* "absent", "estimated", "tracked" */

const char *jc_bone_name(enum jc_bone bone);    /* "leftUpperArm", … */
enum jc_bone jc_bone_parent(enum jc_bone bone); /* JC_BONE_NONE for the hips */
enum jc_bone jc_bone_find(const char *name);    /* exact spelling; JC_BONE_NONE if unknown */
enum jc_bone jc_bone_mirror(
	enum jc_bone bone);               /* left <-> right; a middle bone is its own mirror */
bool jc_bone_is_right(enum jc_bone bone); /* whether the bone is on the right side */
enum jc_bone jc_bone_left_of(
	enum jc_bone bone); /* the mirror of a right bone, else the bone itself */

const char *jc_joint_name(enum jc_joint joint);     /* "left-arm-upper", … */
enum jc_joint jc_joint_parent(enum jc_joint joint); /* JC_JOINT_NONE for the hips */
enum jc_joint jc_joint_find(const char *name);      /* aliases too; JC_JOINT_NONE if unknown */
enum jc_joint jc_joint_mirror(enum jc_joint joint); /* left <-> right */
enum jc_bone jc_joint_bone(enum jc_joint joint);    /* the bone it drives, or JC_BONE_NONE */

/* World rotation of a joint in the T-pose under a profile's axes. In webxr-spec
 * -Z points along the bone and +Y up; the draft defines no roll for trunk and legs, where +Y
 * points to the front here. */
struct jc_quat jc_joint_t_pose(enum jc_profile profile, enum jc_joint joint);

/* Joint position of the built-in figure in the T-pose: canonical space, 1.75 m. */
struct jc_vec3 jc_bone_rest_position(enum jc_bone bone);

/* World rotation of a bone in the reference pose of EXT_skeleton_humanoid:
 * +Y along the bone, +X bends as a muscle contracts. */
struct jc_quat jc_bone_reference_rotation(enum jc_bone bone);

/* A posture independent of body proportions (VRM 1.0's normalised humanoid). */
struct jc_pose {
	/* N: rotation of the bone relative to its parent bone, both measured
	 * from the T-pose, in canonical axes. Identity is the T-pose. The
	 * entries of absent bones are identity. */
	struct jc_quat rotations[JC_BONE_COUNT];
	uint8_t states[JC_BONE_COUNT]; /* enum jc_state */
	/* Displacement of the hips from their T-pose position, canonical axes,
	 * in units of hips height: of the hips joint, or of the middle of the hip
	 * joints in a figure whose hips joint is below it. */
	struct jc_vec3 hips_translation;
};

/* The T-pose with every bone absent. */
void jc_pose_init(struct jc_pose *pose);

/* Slerp of each bone, t in 0..1. The state of a bone is the lower one of the two ends. */
void jc_pose_interpolate(
	const struct jc_pose *a, const struct jc_pose *b, float t, struct jc_pose *out_pose);

/* Mirrors the pose at the plane x = 0: exchanges left and right bones and reflects N to
 * (x, -y, -z, w) and the hips translation to (-x, y, z). Applied twice, it restores the pose
 * bit for bit. */
void jc_pose_mirror(struct jc_pose *pose);

/* Moves a share (0 to 1) of each hand's twist about the forearm to the lower arm: with
 * N_hand = T S, where T is the twist about the lower arm's axis (+Y of its reference
 * rotation), N_lower becomes N_lower T^share and N_hand becomes T^-share N_hand. Hands keep
 * their world orientation, and their position if the forearms lie along that axis in the
 * T-pose. A share of 0.5 folds the skin of a forearm without twist joints least. */
void jc_pose_share_twist(struct jc_pose *pose, float share);

const char *jc_profile_name(enum jc_profile profile); /* "webxr-spec", … */
int jc_profile_find(const char *name);                /* enum jc_profile, or -1 */

/* Whether sources of the profile deliver the joint. Other joints can be in their frames too,
 * from another tracker or estimated: fingers of pico, htc and slimevr then have the axes of
 * the draft, which are those of XR_EXT_hand_tracking. */
bool jc_profile_delivers(enum jc_profile profile, enum jc_joint joint);

/* One joint of a body frame: position in metres and orientation, both in the
 * source's reference space. */
struct jc_body_joint {
	struct jc_vec3 position;    /* metres */
	struct jc_quat orientation; /* in the axes of the profile */
	uint8_t state;              /* enum jc_state */
};

/* All joints of one body at one instant. */
struct jc_body_frame {
	int64_t time_ns;                             /* capture time on the owner's clock */
	float confidence;                            /* 0..1, of the whole body */
	struct jc_body_joint joints[JC_JOINT_COUNT]; /* by enum jc_joint */
};

#ifdef __cplusplus
}
#endif

#endif
