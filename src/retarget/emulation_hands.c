/* Estimates the fingers of a relaxed hand. The angles are anatomical choices, not measurements. */
#include "emulation_body.h"

#define DEGREES(d) ((d)*0.017453292519943295f)

/* Bend of each bone of a hand about its hinge axis. */
static float relaxed_bend(enum jc_bone left)
{
	static const float thumb[3] = { 6.0f, 12.0f, 15.0f };
	static const float finger[3] = { 18.0f, 24.0f, 16.0f };
	/* Factors from index to little finger. */
	static const float more[4] = { 0.85f, 1.0f, 1.15f, 1.3f };
	int index = left - JC_BONE_LEFT_INDEX_PROXIMAL;

	if (index < 0) {
		return DEGREES(thumb[left - JC_BONE_LEFT_THUMB_METACARPAL]);
	}
	return DEGREES(finger[index % 3] * more[index / 3]);
}

static struct jc_quat relax(enum jc_bone bone)
{
	struct jc_vec3 axis = jc_quat_rotate(jc_bone_reference_rotation(bone), jc_left);

	return jc_emulated_about(axis, relaxed_bend(jc_bone_left_of(bone)));
}

/* The next bone of the finger; none at its end. */
static enum jc_bone next_of(enum jc_bone bone)
{
	return bone + 1 < JC_BONE_COUNT && jc_bone_parent(bone + 1) == bone ? bone + 1
									    : JC_BONE_NONE;
}

/* Interpolates a missing bone between two present bones of a finger. */
static void meet_next(struct jc_emulated *body, enum jc_bone bone)
{
	enum jc_bone next = next_of(bone);
	struct jc_vec3 tip, off;

	if (next == JC_BONE_NONE || !body->is_given[next]) {
		return;
	}
	tip = jc_vec3_add(
		body->positions[bone], jc_quat_rotate(body->turned[bone], body->offsets[next]));
	off = jc_vec3_subtract(body->positions[next], tip);
	body->positions[bone] = jc_vec3_add(body->positions[bone], jc_vec3_scale(off, 0.5f));
	body->turned[bone] = jc_quat_normalize(jc_quat_multiply(
		jc_quat_between(jc_quat_rotate(body->turned[bone], body->offsets[next]),
			jc_vec3_subtract(body->positions[next], body->positions[bone]), jc_up),
		body->turned[bone]));
}

void jc_emulate_hands(struct jc_emulated *body)
{
	for (int b = JC_SECTION_HANDS_FIRST; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;

		if (!body->is_found[b]) {
			jc_emulated_carry(body, bone);
			body->turned[b] =
				jc_quat_normalize(jc_quat_multiply(body->turned[b], relax(bone)));
			meet_next(body, bone);
		}
	}
}
