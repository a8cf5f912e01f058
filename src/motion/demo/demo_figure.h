/* The built-in figure, posed by position: a demo motion sets pelvis, feet and hands, and
 * gets the rotations of a pose. Positions are metres, angles radians, both in canonical
 * space unless stated otherwise.
 *
 * Work from the pelvis outwards: place the hips, bend the trunk, then set arms, legs and
 * head, which depend on the bones set before. Angles are mirrored: one value means the
 * same movement on both sides. */
#ifndef JC_MOTION_DEMO_FIGURE_H
#define JC_MOTION_DEMO_FIGURE_H

#include "jointcast/humanoid.h"

#define JC_RADIANS(degrees) ((degrees)*0.017453292519943295f)

enum jc_side {
	JC_LEFT,
	JC_RIGHT,
};

struct jc_demo_figure {
	struct jc_vec3 hips;
	struct jc_pose pose; /* rotations so far; jc_demo_figure_finish sets hips_translation */
};

/* Angles of upper arm, elbow and wrist. All zero: hanging straight down, palm towards the
 * thigh. */
struct jc_demo_figure_arm {
	float raise;    /* sideways away from the body; a quarter turn gives the T-pose */
	float forward;  /* swing to the front */
	float twist;    /* of the upper arm, outwards */
	float elbow;    /* bend */
	float supinate; /* of the forearm; a quarter turn brings the palm to the front */
	float wrist;    /* bend towards the palm */
	float deviate;  /* of the hand, towards the thumb */
};

/* curl: 0 straight, 1 a fist; the thumb is first. */
struct jc_demo_figure_hand {
	float curl[5];
	float spread; /* between neighbouring fingers */
};

/* Rotation about the axes of the figure, parent first: turn about +Y (to its left), bow
 * about +X (forward), lean about +Z (to its right). */
struct jc_quat jc_demo_figure_rotation(float turn, float bow, float lean);

/* Sets the T-pose; call it first. All bones are tracked except the jaw, which is absent. */
void jc_demo_figure_init(struct jc_demo_figure *figure);

void jc_demo_figure_place_hips(
	struct jc_demo_figure *figure, struct jc_vec3 position, struct jc_quat rotation);

/* Rotates the upper chest relative to the hips, distributed over the spine. */
void jc_demo_figure_bend_trunk(struct jc_demo_figure *figure, float turn, float bow, float lean);

/* Turns the head to a world rotation; the neck takes its share. */
void jc_demo_figure_aim_head(struct jc_demo_figure *figure, struct jc_quat rotation);
void jc_demo_figure_aim_eyes(struct jc_demo_figure *figure, float turn, float bow);

/* Puts the ankle at a position and turns the foot to a world rotation; the knee points to
 * `forward`. toes: angle that lifts the toes. */
void jc_demo_figure_plant_leg(struct jc_demo_figure *figure, enum jc_side side,
	struct jc_vec3 ankle, struct jc_quat foot, float toes, struct jc_vec3 forward);

void jc_demo_figure_shrug(struct jc_demo_figure *figure, enum jc_side side, float raise);
struct jc_demo_figure_arm jc_demo_figure_blend_arms(
	struct jc_demo_figure_arm a, struct jc_demo_figure_arm b, float share);
void jc_demo_figure_set_arm(
	struct jc_demo_figure *figure, enum jc_side side, struct jc_demo_figure_arm arm);

/* Moves the arm by a share of the way from its present pose to one with the wrist at a
 * position, the hand in a world rotation and the elbow to one side. */
void jc_demo_figure_reach(struct jc_demo_figure *figure, enum jc_side side, float share,
	struct jc_vec3 wrist, struct jc_quat hand, struct jc_vec3 elbow);
void jc_demo_figure_set_hand(
	struct jc_demo_figure *figure, enum jc_side side, struct jc_demo_figure_hand hand);
struct jc_demo_figure_hand jc_demo_figure_relaxed_hand(void);
struct jc_demo_figure_hand jc_demo_figure_blend_hands(
	struct jc_demo_figure_hand a, struct jc_demo_figure_hand b, float share);

struct jc_vec3 jc_demo_figure_world_position(
	const struct jc_demo_figure *figure, enum jc_bone bone);

/* Height above the lowest joint of the feet, as jc_skeleton_hips_height defines it. */
float jc_demo_figure_hips_height(void);

/* Writes the finished pose. */
void jc_demo_figure_finish(const struct jc_demo_figure *figure, struct jc_pose *out_pose);

/* Position of the pelvis relative to standing with even weight. */
struct jc_demo_figure_stance {
	struct jc_vec3 moved; /* metres */
	float bow;            /* of the pelvis, forward */
	float weight;         /* -1: all on the right leg, 1: all on the left */
	float breath;         /* -1: breathed out, 1: breathed in */
	float turn, bend;     /* of the upper chest, to the left and forward */
};

/* Places hips, trunk and both legs; the feet are flat and side by side. */
void jc_demo_figure_stand(
	const struct jc_demo_figure_stance *stance, struct jc_demo_figure *figure);

/* Arms that hang without a task. */
struct jc_demo_figure_arm jc_demo_figure_standing_arm(
	const struct jc_demo_figure_stance *stance, enum jc_side side);

/* Turns the head to a direction; the eyes reach it first. */
void jc_demo_figure_look(
	struct jc_demo_figure *figure, float turn, float bow, float eyes_turn, float eyes_bow);

#endif
