/* Internals shared by the files of emulation: one frame as bones in canonical space, independent of
 * the profile. */
#ifndef JC_RETARGET_EMULATION_BODY_H
#define JC_RETARGET_EMULATION_BODY_H

#include "jointcast/emulation.h"
#include "jointcast/transform.h"

/* Bones are found from the trunk outwards; a found bone has position and rotation. */
struct jc_emulated {
	struct jc_vec3 positions[JC_BONE_COUNT];
	struct jc_quat turned[JC_BONE_COUNT];  /* D: the world rotation since the T-pose */
	struct jc_vec3 offsets[JC_BONE_COUNT]; /* from the parent joint in the T-pose, with this
						  person's lengths */
	bool is_given[JC_BONE_COUNT];          /* present in the frame */
	bool is_found[JC_BONE_COUNT];
	float seconds; /* since the previous frame; 0: the first frame */
	float size;    /* size of the body relative to the built-in figure */
};

static const struct jc_vec3 jc_left = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 jc_up = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 jc_front = { 0.0f, 0.0f, 1.0f };

enum jc_bone jc_emulated_bone(enum jc_bone left, int side); /* side: 0 left, 1 right */

/* Places a bone that is not found rigidly at its parent. */
void jc_emulated_carry(struct jc_emulated *body, enum jc_bone bone);
void jc_emulated_find(struct jc_emulated *body, enum jc_bone bone, struct jc_vec3 position,
	struct jc_quat turned);

/* Heading of a rotation about +Y, from +Z to +X, also if its front points up or down. */
float jc_emulated_heading(struct jc_quat turned);
struct jc_quat jc_emulated_about(struct jc_vec3 axis, float radians);
float jc_emulated_clamp(float value, float least, float most);
float jc_emulated_wrap(float radians); /* to the range -pi to pi */

/* Share of the remaining distance that a first-order lag with this time constant covers. */
float jc_emulated_follow(const struct jc_emulated *body, float seconds);

/* Body sizes: emulation_sizes.c. */
void jc_emulation_report(
	struct jc_emulation_sizes *sizes, const struct jc_body_frame *rest, float height);
void jc_emulation_learn(
	struct jc_emulation_sizes *sizes, const struct jc_body_frame *frame, float seconds);
void jc_emulation_measure(const struct jc_emulation_sizes *sizes, struct jc_emulated *body);

/* Call these in this order. */
void jc_emulate_trunk(struct jc_emulation *emulation, struct jc_emulated *body);
void jc_emulate_arms(struct jc_emulation *emulation, struct jc_emulated *body);
void jc_emulate_legs(struct jc_emulation *emulation, struct jc_emulated *body);
void jc_emulate_hands(struct jc_emulated *body);

/* The offset of the shoulder that lets the arm reach the wrist; 0 if it reaches. See
 * emulation_arms.c. */
struct jc_vec3 jc_emulated_pull(const struct jc_emulated *body, int side);

/* Position of the upper arm's joint with the shoulder in the T-pose. */
struct jc_vec3 jc_emulated_shoulder(const struct jc_emulated *body, int side);

/* Feet without trackers: emulation_steps.c. */
void jc_emulation_step(
	struct jc_emulation *emulation, const struct jc_emulated *body, const bool is_free[2]);

#endif
