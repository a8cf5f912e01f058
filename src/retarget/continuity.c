/* Bridges tracking gaps. Each bone has at most one transition, which always starts from the last
 * shown rotation, so that the shown pose jumps only if the body does. */
#include "jointcast_private/continuity.h"

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define RADIANS(degrees) ((degrees)*0.017453292519943295f)

/* Bones whose estimates depend on each other. */
static const struct {
	enum jc_bone first, last;
} regions[JC_CONTINUITY_REGIONS] = {
	{ JC_BONE_HIPS, JC_BONE_HEAD },
	{ JC_BONE_LEFT_SHOULDER, JC_BONE_LEFT_HAND },
	{ JC_BONE_RIGHT_SHOULDER, JC_BONE_RIGHT_HAND },
	{ JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_TOES },
	{ JC_BONE_RIGHT_UPPER_LEG, JC_BONE_RIGHT_TOES },
	{ JC_BONE_LEFT_EYE, JC_BONE_JAW },
	{ JC_BONE_LEFT_THUMB_METACARPAL, JC_BONE_LEFT_LITTLE_DISTAL },
	{ JC_BONE_RIGHT_THUMB_METACARPAL, JC_BONE_RIGHT_LITTLE_DISTAL },
};

static uint64_t bit(int bone)
{
	return UINT64_C(1) << bone;
}

uint64_t jc_continuity_present(const struct jc_pose *pose)
{
	uint64_t present = 0;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		present |= pose->states[bone] == JC_ABSENT ? 0 : bit(bone);
	}
	return present;
}

/* N of a left bone at rest: the arm down, the elbow a little bent, fingers curled.
 * In the T-pose arm and fingers lie along +X, so that they sink about -Z. */
static struct jc_quat rest_rotation(enum jc_bone left)
{
	static const struct jc_vec3 down = { 0.0f, 0.0f, -1.0f };
	static const struct jc_vec3 forward = { 0.0f, -1.0f, 0.0f };

	if (left == JC_BONE_LEFT_UPPER_ARM) {
		return jc_quat_from_axis_angle(down, RADIANS(74.0f));
	}
	if (left == JC_BONE_LEFT_LOWER_ARM) {
		return jc_quat_from_axis_angle(forward, RADIANS(14.0f));
	}
	if (left >= JC_BONE_LEFT_INDEX_PROXIMAL && left <= JC_BONE_LEFT_LITTLE_DISTAL) {
		return jc_quat_from_axis_angle(down, RADIANS(18.0f));
	}
	return JC_QUAT_IDENTITY;
}

void jc_continuity_rest(const struct jc_pose *pose, struct jc_pose *out_pose)
{
	struct jc_pose rest = *pose;
	struct jc_quat swing;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat q = rest_rotation(jc_bone_left_of((enum jc_bone)bone));
		struct jc_quat mirrored = { q.x, -q.y, -q.z, q.w };

		if (pose->states[bone] == JC_ABSENT) {
			continue;
		}
		rest.rotations[bone] = jc_bone_is_right((enum jc_bone)bone) ? mirrored : q;
		rest.states[bone] = JC_ESTIMATED;
	}
	/* Inverted hips have no heading and turn by the shortest arc. */
	jc_quat_swing_twist(pose->rotations[JC_BONE_HIPS], (struct jc_vec3){ 0.0f, 1.0f, 0.0f },
		&swing, &rest.rotations[JC_BONE_HIPS]);
	rest.hips_translation.y = 0.0f;
	*out_pose = rest;
}

/* Blend weight from 0 to 1 with zero speed at both ends. */
static float ease(int64_t passed_ns, int64_t length_ns)
{
	if (passed_ns <= 0 || passed_ns >= length_ns) {
		return passed_ns <= 0 ? 0.0f : 1.0f;
	}
	float t = (float)passed_ns / (float)length_ns;

	return t * t * (3.0f - 2.0f * t);
}

/* The pose to show at this age of the newest pose. */
static void age_pose(const struct jc_continuity *state, int64_t age_ns, struct jc_pose *out_pose)
{
	struct jc_pose rest;

	*out_pose = state->shown;
	if (age_ns <= JC_CONTINUITY_FRESH_NS) {
		return;
	}
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (out_pose->states[bone] != JC_ABSENT) {
			out_pose->states[bone] = JC_ESTIMATED;
		}
	}
	if (age_ns > JC_CONTINUITY_HOLD_NS) {
		jc_continuity_rest(out_pose, &rest);
		jc_pose_interpolate(out_pose, &rest,
			ease(age_ns - JC_CONTINUITY_HOLD_NS, JC_CONTINUITY_DECAY_NS), out_pose);
	}
}

/* Starts a transition from the shown rotation; a bone that is not shown yet has none. */
static void begin_change(struct jc_continuity *state, int bone, int64_t begin_ns, int64_t length_ns)
{
	state->changes[bone] = (struct jc_continuity_change){
		.from = state->shown.rotations[bone],
		.begin_ns = begin_ns,
		.length_ns = state->shown.states[bone] == JC_ABSENT ? 0 : length_ns,
	};
	if (bone == JC_BONE_HIPS) {
		state->hips_from = state->shown.hips_translation;
	}
}

static void begin_return(struct jc_continuity *state, int bone, int64_t time_ns, int64_t gap_ns)
{
	begin_change(state, bone, time_ns,
		gap_ns < JC_CONTINUITY_BLEND_NS ? gap_ns : JC_CONTINUITY_BLEND_NS);
}

/* Whether other bones of a region are known than in the previous pose. */
static void change_region(struct jc_continuity *state, int region, uint64_t known, int64_t time_ns)
{
	uint64_t bones = (bit(regions[region].last) << 1) - bit(regions[region].first);
	bool lost = state->known & ~known & bones;
	bool found = known & ~state->known & bones;
	int64_t gap_ns = found ? time_ns - state->lost_ns[region] : JC_CONTINUITY_BLEND_NS;

	if (lost) {
		state->lost_ns[region] = time_ns;
	}
	for (int bone = regions[region].first; bone <= (int)regions[region].last; bone++) {
		bool made_up = !(known & bit(bone));

		if (made_up && lost) {
			begin_change(state, bone, time_ns + JC_CONTINUITY_HOLD_NS,
				JC_CONTINUITY_DECAY_NS);
		} else if (found || (made_up && state->changes[bone].length_ns == 0)) {
			/* The estimate depends on all known bones. */
			begin_return(state, bone, time_ns, gap_ns);
		}
	}
}

/* Target of transitions: the pose, and the rest pose for bones without data. */
static void complete(const struct jc_continuity *state, struct jc_pose *pose)
{
	struct jc_pose rest;

	if (!(state->seen & ~jc_continuity_present(pose))) {
		return;
	}
	jc_continuity_rest(&state->shown, &rest);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (pose->states[bone] == JC_ABSENT && (state->seen & bit(bone))) {
			pose->rotations[bone] = rest.rotations[bone];
			pose->states[bone] = JC_ESTIMATED;
			if (bone == JC_BONE_HIPS) {
				pose->hips_translation = rest.hips_translation;
			}
		}
	}
}

static void carry_out_changes(struct jc_continuity *state, struct jc_pose *pose, int64_t time_ns)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_continuity_change *change = &state->changes[bone];
		float share = ease(time_ns - change->begin_ns, change->length_ns);

		if (share >= 1.0f || pose->states[bone] == JC_ABSENT) {
			change->length_ns = 0;
		}
		if (change->length_ns == 0) {
			continue;
		}
		pose->rotations[bone] = jc_quat_slerp(change->from, pose->rotations[bone], share);
		if (bone == JC_BONE_HIPS) {
			pose->hips_translation =
				jc_vec3_lerp(state->hips_from, pose->hips_translation, share);
		}
	}
}

static bool has_jumped(const struct jc_continuity *state, const struct jc_pose *pose)
{
	return pose->states[JC_BONE_HIPS] != JC_ABSENT && (state->seen & bit(JC_BONE_HIPS)) &&
	       jc_vec3_length(jc_vec3_subtract(pose->hips_translation, state->hips)) >
		       JC_LIMIT_HIPS_JUMP;
}

/* Starts the transitions between the previous pose and this one. */
static void begin_changes(
	struct jc_continuity *state, const struct jc_pose *pose, uint64_t known, int64_t time_ns)
{
	int64_t gap_ns = time_ns - state->time_ns;

	/* Poses that come late have no gap between them, but samples have shown the way to rest. */
	if (state->aged_ns > JC_CONTINUITY_HOLD_NS && state->aged_ns > gap_ns) {
		gap_ns = state->aged_ns;
	}
	if (state->anew || !state->has_begun || has_jumped(state, pose)) {
		state->cut = true;
		state->seen = state->anew ? 0 : state->seen;
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			state->changes[bone].length_ns = 0;
		}
	} else if (gap_ns > JC_CONTINUITY_FRESH_NS) {
		age_pose(state, gap_ns, &state->shown);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			begin_return(state, bone, state->time_ns + gap_ns, gap_ns);
		}
	} else if (known != state->known) {
		for (int region = 0; region < JC_CONTINUITY_REGIONS; region++) {
			change_region(state, region, known, time_ns);
		}
	}
}

void jc_continuity_put(
	struct jc_continuity *state, const struct jc_pose *pose, uint64_t known, int64_t time_ns)
{
	struct jc_pose next = *pose;

	if (known == 0 || (state->has_begun && time_ns <= state->time_ns)) {
		return;
	}
	begin_changes(state, pose, known, time_ns);
	state->aged_ns = 0;
	state->has_begun = true;
	state->anew = false;
	state->known = known;
	state->seen |= known;
	if (pose->states[JC_BONE_HIPS] != JC_ABSENT) {
		state->hips = pose->hips_translation;
	}
	state->time_ns = time_ns;
	complete(state, &next);
	carry_out_changes(state, &next, time_ns);
	state->shown = next;
}

void jc_continuity_restart(struct jc_continuity *state)
{
	state->anew = true;
}

/* Time of the shown pose. It advances during a transition to rest, so that players that use these
 * times show the transition. */
static int64_t shown_until(const struct jc_continuity *state, int64_t now_ns)
{
	int64_t end_ns = state->time_ns + JC_CONTINUITY_HOLD_NS + JC_CONTINUITY_DECAY_NS;
	int64_t time_ns = now_ns - state->time_ns <= JC_CONTINUITY_FRESH_NS ? state->time_ns
			  : now_ns < end_ns                                 ? now_ns
									    : end_ns;

	return time_ns > state->reported_ns ? time_ns : state->reported_ns;
}

void jc_continuity_sample(
	struct jc_continuity *state, int64_t now_ns, struct jc_continuity_sample *out_sample)
{
	struct jc_continuity_sample sample = { .time_ns = now_ns };

	jc_pose_init(&sample.pose);
	if (state->has_begun) {
		state->aged_ns = now_ns - state->time_ns;
		age_pose(state, state->aged_ns, &sample.pose);
		state->reported_ns = shown_until(state, now_ns);
		sample.time_ns = state->reported_ns;
		sample.cut = state->cut;
		sample.held = now_ns - state->time_ns > JC_CONTINUITY_FRESH_NS;
		sample.live = now_ns - state->time_ns < JC_CONTINUITY_SILENCE_NS;
		state->cut = false;
	}
	*out_sample = sample;
}
