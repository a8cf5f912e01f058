/* Estimates body sizes from a T-pose, from distances between present joints, and from the head's
 * height. emulation.c states the origin of the constants. */
#include <math.h>

#include "emulation_body.h"

#define SIZE_LEAST  0.3f  /* relative to the built-in figure: a person of 0.5 m */
#define SIZE_MOST   1.6f  /* a person of 2.8 m */
#define LEVEL_LEAST 0.2f  /* lowest level of the height histogram, metres */
#define STAYED      0.3f  /* minimum seconds at a level */
#define SHARE       0.03f /* minimum share of the total time at a level */
#define LEAPING     0.3f  /* vertical speed of the head that excludes standing, metres per second */
#define LEARNING    1.0f  /* time constant in seconds */
#define STRETCHING  0.2f
#define SEEN_LEAST  0.5f /* minimum length of known bones for an estimate, metres */

static struct jc_vec3 rest_way(enum jc_bone from, enum jc_bone to)
{
	return jc_vec3_subtract(jc_bone_rest_position(to), jc_bone_rest_position(from));
}

static bool find_joint(
	const struct jc_body_frame *frame, enum jc_joint joint, struct jc_vec3 *out_position)
{
	*out_position = frame->joints[joint].position;
	return frame->joints[joint].state != JC_ABSENT;
}

/* Distance between two joints relative to the T-pose of the built-in figure. */
static float stretch(const struct jc_body_frame *frame, enum jc_joint a, enum jc_joint b)
{
	struct jc_vec3 from, to;

	if (!find_joint(frame, a, &from) || !find_joint(frame, b, &to)) {
		return 0.0f;
	}
	return jc_vec3_length(jc_vec3_subtract(to, from)) /
	       jc_vec3_length(rest_way(jc_joint_bone(a), jc_joint_bone(b)));
}

static float clamp_size(float size)
{
	return jc_emulated_clamp(size, SIZE_LEAST, SIZE_MOST);
}

static void follow(float *size, float seen, float share)
{
	seen = clamp_size(seen);
	*size = *size > 0.0f ? *size + (seen - *size) * share : seen;
}

static enum jc_joint joint_of(enum jc_bone bone)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		if (jc_joint_bone((enum jc_joint)j) == bone) {
			return (enum jc_joint)j;
		}
	}
	return JC_JOINT_NONE;
}

/* Learns bones whose own joint and parent joint are present. */
static void learn_bones(
	struct jc_emulation_sizes *sizes, const struct jc_body_frame *frame, float share)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)j);
		enum jc_bone above = bone == JC_BONE_NONE ? bone : jc_bone_parent(bone);
		float seen;

		if (above == JC_BONE_NONE || frame->joints[j].state == JC_ABSENT) {
			continue;
		}
		seen = stretch(frame, joint_of(above), (enum jc_joint)j);
		if (seen > 0.0f) {
			follow(&sizes->bones[bone], seen, share);
		}
	}
}

static float stretch_of_legs(const struct jc_body_frame *frame)
{
	return fmaxf(stretch(frame, JC_JOINT_HIPS, JC_JOINT_LEFT_FOOT_ANKLE),
		stretch(frame, JC_JOINT_HIPS, JC_JOINT_RIGHT_FOOT_ANKLE));
}

/* Size of the body from the lengths of its bones; 0: too few are known. */
static float size_of_bones(const struct jc_emulation_sizes *sizes)
{
	float seen = 0.0f, rest = 0.0f;

	for (int b = JC_SECTION_BODY_FIRST + 1; b < JC_SECTION_BODY_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		float length = jc_vec3_length(rest_way(jc_bone_parent(bone), bone));

		if (sizes->bones[b] > 0.0f) {
			seen += sizes->bones[b] * length;
			rest += length;
		}
	}
	return rest > SEEN_LEAST ? seen / rest : 0.0f;
}

/* Height above the floor of a T-pose, which is at its feet, else at y = 0. */
static float size_of_stance(const struct jc_body_frame *rest)
{
	struct jc_vec3 head, foot = { 0.0f, 0.0f, 0.0f };
	float least = jc_bone_rest_position(JC_BONE_HEAD).y;

	if (!find_joint(rest, JC_JOINT_HEAD, &head)) {
		return 0.0f;
	}
	if (find_joint(rest, JC_JOINT_LEFT_FOOT_ANKLE, &foot) ||
		find_joint(rest, JC_JOINT_RIGHT_FOOT_ANKLE, &foot)) {
		least -= jc_bone_rest_position(JC_BONE_LEFT_FOOT).y;
	} else {
		foot.y = 0.0f;
	}
	return (head.y - foot.y) / least;
}

void jc_emulation_report(
	struct jc_emulation_sizes *sizes, const struct jc_body_frame *rest, float height)
{
	const float built_in_height = 1.75f;

	*sizes = (struct jc_emulation_sizes){ 0 };
	if (height > 0.0f) {
		sizes->body = clamp_size(height / built_in_height);
	}
	if (rest) {
		float arms = stretch(rest, JC_JOINT_LEFT_HAND_WRIST, JC_JOINT_RIGHT_HAND_WRIST);
		float stance = size_of_stance(rest);

		learn_bones(sizes, rest, 1.0f);
		sizes->trunk = stretch(rest, JC_JOINT_HIPS, JC_JOINT_HEAD);
		sizes->legs = stretch_of_legs(rest);
		if (!(sizes->body > 0.0f)) {
			float bones = size_of_bones(sizes);

			stance = stance > 0.0f ? stance : bones > 0.0f ? bones : sizes->trunk;
			stance = stance > 0.0f ? stance : arms;
			sizes->body = stance > 0.0f ? clamp_size(stance) : 0.0f;
		}
	}
	sizes->is_reported = sizes->body > 0.0f;
}

/* Height of the head above the floor, estimated from the hips if the head is absent. */
static float head_height(const struct jc_body_frame *frame)
{
	struct jc_vec3 position;

	if (find_joint(frame, JC_JOINT_HEAD, &position)) {
		return position.y;
	}
	if (find_joint(frame, JC_JOINT_HIPS, &position)) {
		return position.y * jc_bone_rest_position(JC_BONE_HEAD).y /
		       jc_bone_rest_position(JC_BONE_HIPS).y;
	}
	return 0.0f;
}

/* The greatest height at or above which the head was long enough. */
static float standing_height(
	struct jc_emulation_sizes *sizes, const struct jc_body_frame *frame, float seconds)
{
	float height = head_height(frame);
	float at = (height - LEVEL_LEAST) * 100.0f;
	float all = 0.0f, above = 0.0f;

	if (!(at >= 0.0f)) {
		return sizes->most;
	}
	if (fabsf(height - sizes->height) <= LEAPING * seconds || !(sizes->most > 0.0f)) {
		sizes->most = fmaxf(sizes->most, height);
		sizes->seconds[(int)fminf(at, JC_EMULATION_LEVELS - 1)] += seconds;
	}
	sizes->height = height;
	for (int i = 0; i < JC_EMULATION_LEVELS; i++) {
		all += sizes->seconds[i];
	}
	for (int i = JC_EMULATION_LEVELS - 1; i >= 0 && all > 2.0f * STAYED; i--) {
		above += sizes->seconds[i];
		if (above >= fmaxf(STAYED, SHARE * all)) {
			return LEVEL_LEAST + 0.01f * ((float)i + 0.5f);
		}
	}
	return sizes->most;
}

void jc_emulation_learn(
	struct jc_emulation_sizes *sizes, const struct jc_body_frame *frame, float seconds)
{
	float quick = 1.0f - expf(-seconds / STRETCHING);
	float slow = 1.0f - expf(-seconds / LEARNING);
	float trunk = stretch(frame, JC_JOINT_HIPS, JC_JOINT_HEAD);
	float legs = stretch_of_legs(frame);
	float bones, standing;

	learn_bones(sizes, frame, slow);
	if (sizes->is_reported) {
		return;
	}
	if (trunk > sizes->trunk) {
		follow(&sizes->trunk, trunk, quick);
	}
	if (legs > sizes->legs) {
		follow(&sizes->legs, legs, quick);
	}
	standing = standing_height(sizes, frame, seconds);
	bones = size_of_bones(sizes);
	if (bones > 0.0f) {
		follow(&sizes->body, bones, slow);
	} else if (standing > 0.0f) {
		follow(&sizes->body, standing / jc_bone_rest_position(JC_BONE_HEAD).y, slow);
	}
}

static float size_of(const struct jc_emulation_sizes *sizes, enum jc_bone bone, float otherwise)
{
	float own = sizes->bones[bone];
	float partner = sizes->bones[jc_bone_mirror(bone)];
	float part = 0.0f;

	if (own > 0.0f || partner > 0.0f) {
		return own > 0.0f ? own : partner;
	}
	if (bone >= JC_BONE_SPINE && bone <= JC_BONE_HEAD) {
		part = sizes->trunk;
	} else if (bone >= JC_BONE_LEFT_UPPER_LEG && bone <= JC_BONE_RIGHT_TOES) {
		part = sizes->legs;
	}
	return part > 0.0f ? part : otherwise;
}

void jc_emulation_measure(const struct jc_emulation_sizes *sizes, struct jc_emulated *body)
{
	body->size = sizes->body > 0.0f ? sizes->body : 1.0f;
	for (int b = 1; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;

		body->offsets[b] = jc_vec3_scale(
			rest_way(jc_bone_parent(bone), bone), size_of(sizes, bone, body->size));
	}
}
