/* Internals shared by the files of emulation: one frame as bones in canonical space, independent of
 * the profile. */
#ifndef JC_RETARGET_EMULATION_BODY_H
#define JC_RETARGET_EMULATION_BODY_H

#include "jointcast/emulation.h"
#include "jointcast/transform.h"

/* Bones are filled in from the trunk outwards; what is_found holds has its place and
 * turn. */
struct jc_emulated {
	struct jc_vec3 positions[JC_BONE_COUNT];
	struct jc_quat turned[JC_BONE_COUNT];  /* D: the world rotation since the T-pose */
	struct jc_vec3 offsets[JC_BONE_COUNT]; /* in it, from the joint above, this person's */
	bool is_given[JC_BONE_COUNT];          /* by the frame */
	bool is_found[JC_BONE_COUNT];
	float seconds; /* since the frame before; 0 for a first one */
	float size;    /* of the body, 1 the built-in figure's */
};

static const struct jc_vec3 jc_left = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 jc_up = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 jc_front = { 0.0f, 0.0f, 1.0f };

enum jc_bone jc_emulated_bone(enum jc_bone left, int side); /* side: 0 left, 1 right */

/* Places a bone that is not found where the one above has it, turned like it. */
void jc_emulated_carry(struct jc_emulated *body, enum jc_bone bone);
void jc_emulated_find(struct jc_emulated *body, enum jc_bone bone, struct jc_vec3 position,
	struct jc_quat turned);

/* About +Y, from +Z to +X, of a turn's front, also of one that looks up or down. */
float jc_emulated_heading(struct jc_quat turned);
struct jc_quat jc_emulated_about(struct jc_vec3 axis, float radians);
float jc_emulated_clamp(float value, float least, float most);
float jc_emulated_wrap(float radians); /* to -pi..pi */

/* The share of the way that a first-order lag with this time constant goes. */
float jc_emulated_follow(const struct jc_emulated *body, float seconds);

/* Lengths: emulation_sizes.c. */
void jc_emulation_report(
	struct jc_emulation_sizes *sizes, const struct jc_body_frame *rest, float height);
void jc_emulation_learn(
	struct jc_emulation_sizes *sizes, const struct jc_body_frame *frame, float seconds);
void jc_emulation_measure(const struct jc_emulation_sizes *sizes, struct jc_emulated *body);

/* In this order. */
void jc_emulate_trunk(struct jc_emulation *emulation, struct jc_emulated *body);
void jc_emulate_arms(struct jc_emulation *emulation, struct jc_emulated *body);
void jc_emulate_legs(struct jc_emulation *emulation, struct jc_emulated *body);
void jc_emulate_hands(struct jc_emulated *body);

/* Where an arm would like its shoulder to be: 0 where it reaches, else towards the
 * wrist by as much as is missing. emulation_arms.c */
struct jc_vec3 jc_emulated_pull(const struct jc_emulated *body, int side);

/* Where the shoulder's end is while it lies as in the T-pose. */
struct jc_vec3 jc_emulated_shoulder(const struct jc_emulated *body, int side);

/* Feet without trackers: emulation_steps.c. */
void jc_emulation_step(
	struct jc_emulation *emulation, const struct jc_emulated *body, const bool is_free[2]);

#endif
