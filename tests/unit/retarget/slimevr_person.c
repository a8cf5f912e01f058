/* Builds bones from trackers with literal proportions of SlimeVR-Server. */
#include "slimevr_person.h"

#include <math.h>

#include "jointcast/transform.h"

#define DEGREE 0.01745329252f

static const struct jc_vec3 x_axis = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 y_axis = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 z_axis = { 0.0f, 0.0f, 1.0f };

struct jc_quat person_about(struct jc_vec3 axis, float degrees)
{
	return jc_quat_from_axis_angle(axis, degrees * DEGREE);
}

struct person person_standing(void)
{
	const struct jc_quat none = JC_QUAT_IDENTITY;

	return (struct person){ none, none, none, none, none, none, none, none,
		.has_arm_trackers = true, .is_usual = true, .stale = none };
}

struct jc_quat person_mirror(struct jc_quat q, int side)
{
	return side == 0 ? q : (struct jc_quat){ q.x, -q.y, -q.z, q.w };
}

/* A bone at a place; returns the place of its tail. */
static struct jc_vec3 add_bone(struct jc_body_frame *frame, enum jc_joint joint,
	struct jc_vec3 place, struct jc_quat rotation, float length)
{
	frame->joints[joint] = (struct jc_body_joint){
		.position = place, .orientation = rotation, .state = JC_TRACKED
	};
	return jc_vec3_add(
		place, jc_quat_rotate(rotation, (struct jc_vec3){ 0.0f, -length, 0.0f }));
}

static void add_arm(
	const struct person *person, int side, struct jc_vec3 neck, struct jc_body_frame *frame)
{
	static const enum jc_joint joints[2][4] = {
		{ JC_JOINT_LEFT_SHOULDER, JC_JOINT_LEFT_ARM_UPPER, JC_JOINT_LEFT_ARM_LOWER,
			JC_JOINT_LEFT_HAND_WRIST },
		{ JC_JOINT_RIGHT_SHOULDER, JC_JOINT_RIGHT_ARM_UPPER, JC_JOINT_RIGHT_ARM_LOWER,
			JC_JOINT_RIGHT_HAND_WRIST },
	};
	const enum jc_joint *at = joints[side];
	/* 24.567 degrees below the side for 0.35 m by 0.08 m; 20 degrees otherwise */
	float slope = person->is_usual ? 65.433f : 70.0f;
	float bend = person->is_usual ? 74.932f : 0.0f;
	float width = person->is_usual ? 0.19243f : 0.21f;
	struct jc_quat turn = person_about(z_axis, side == 0 ? -slope : slope);
	struct jc_quat upper = person_mirror(person->upper_arm, side);
	struct jc_quat lower = person_mirror(person->lower_arm, side);
	struct jc_quat hand =
		jc_quat_multiply(person_mirror(person->hand, side), person_about(x_axis, bend));
	struct jc_vec3 place =
		add_bone(frame, at[0], neck, jc_quat_multiply(person->body, turn), width);

	place = add_bone(frame, at[1], place, upper, 0.26f);
	place = add_bone(frame, at[2], place, lower, 0.26f);
	struct jc_vec3 held = add_bone(frame, at[3], place, hand, 0.1346f);

	if (!person->has_controllers) {
		return;
	}
	/* The hand bone extends from the controller back to the wrist. */
	hand = jc_quat_multiply(
		jc_quat_multiply(person_mirror(person->hand, side), person_about(x_axis, 180.0f)),
		JC_QUAT_IDENTITY);
	held = jc_vec3_subtract(
		place, jc_quat_rotate(hand, (struct jc_vec3){ 0.0f, -0.1346f, 0.0f }));
	add_bone(frame, at[3], held, hand, 0.0f);
	lower = person->has_arm_trackers ? lower : JC_QUAT_IDENTITY;
	add_bone(frame, at[2], place, jc_quat_multiply(lower, person_about(x_axis, 180.0f)), 0.0f);
	place = add_bone(frame, at[0], neck, jc_quat_multiply(person->stale, turn), width);
	add_bone(frame, at[1], place, person->stale, 0.0f);
}

static void add_leg(
	const struct person *person, int side, struct jc_vec3 hip, struct jc_body_frame *frame)
{
	static const enum jc_joint joints[2][3] = {
		{ JC_JOINT_LEFT_UPPER_LEG, JC_JOINT_LEFT_LOWER_LEG, JC_JOINT_LEFT_FOOT_TRANSVERSE },
		{ JC_JOINT_RIGHT_UPPER_LEG, JC_JOINT_RIGHT_LOWER_LEG,
			JC_JOINT_RIGHT_FOOT_TRANSVERSE },
	};
	/* The ankle is 0.05 m behind a knee of 0.5 m height. */
	float back = person->is_usual ? -5.7106f : 0.0f;
	struct jc_vec3 aside = { side == 0 ? -0.13f : 0.13f, 0.0f, 0.0f };
	struct jc_vec3 place = jc_vec3_add(hip, jc_quat_rotate(person->body, aside));

	place = add_bone(frame, joints[side][0], place, person_mirror(person->thigh, side), 0.42f);
	place = add_bone(frame, joints[side][1], place,
		jc_quat_multiply(person_mirror(person->shin, side), person_about(x_axis, back)),
		0.50249f);
	add_bone(frame, joints[side][2], place,
		jc_quat_multiply(person_mirror(person->foot, side), person_about(x_axis, 90.0f)),
		0.05f);
}

struct jc_body_frame person_bones(const struct person *person)
{
	struct jc_body_frame frame = { .confidence = 1.0f };
	struct jc_vec3 place = { 0.2f, 1.6f, -0.3f };
	struct jc_vec3 neck;

	place = add_bone(&frame, JC_JOINT_HEAD, place,
		jc_quat_multiply(person->head, person_about(x_axis, -90.0f)), 0.1f);
	neck = add_bone(&frame, JC_JOINT_NECK, place, person->head, 0.1f);
	place = add_bone(&frame, JC_JOINT_CHEST, neck, person->body, 0.16f);
	place = add_bone(&frame, JC_JOINT_SPINE_UPPER, place, person->body, 0.16f);
	place = add_bone(&frame, JC_JOINT_SPINE_LOWER, place, person->body, 0.2f);
	place = add_bone(&frame, JC_JOINT_HIPS, place, person->body, 0.04f);
	for (int side = 0; side < 2; side++) {
		add_arm(person, side, neck, &frame);
		add_leg(person, side, place, &frame);
	}
	return frame;
}

/* A person whose left and right joints all differ from rest. */
struct person person_moving(float phase)
{
	struct person person = person_standing();
	struct jc_quat body =
		jc_quat_multiply(person_about(y_axis, 40.0f * phase), person_about(x_axis, -8.0f));

	person.body = body;
	person.head = jc_quat_multiply(body, person_about(y_axis, 50.0f * sinf(phase)));
	person.upper_arm =
		jc_quat_multiply(body, person_about(z_axis, -40.0f - 30.0f * sinf(phase)));
	/* Elbows are hinges about the arm's own X. */
	person.lower_arm = jc_quat_multiply(person.upper_arm, person_about(x_axis, 35.0f));
	person.hand = jc_quat_multiply(person.lower_arm, person_about(z_axis, 15.0f));
	person.thigh = jc_quat_multiply(body, person_about(x_axis, 25.0f + 10.0f * sinf(phase)));
	person.shin = jc_quat_multiply(person.thigh, person_about(x_axis, -40.0f));
	person.foot = jc_quat_multiply(person.shin, person_about(x_axis, 10.0f));
	return person;
}
