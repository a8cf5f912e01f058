/* Holds, then drops joints with impossible data. */
#include "jointcast_private/plausibility.h"

#include <math.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define PLAUSIBLE JC_IMPLAUSIBLE_COUNT

static const char *const names[JC_IMPLAUSIBLE_COUNT] = {
	[JC_IMPLAUSIBLE_NUMBER] = "number",
	[JC_IMPLAUSIBLE_ORIENTATION] = "orientation",
	[JC_IMPLAUSIBLE_DISTANCE] = "distance",
	[JC_IMPLAUSIBLE_SPEED] = "speed",
	[JC_IMPLAUSIBLE_BONE] = "bone",
};

const char *jc_implausibility_name(enum jc_implausibility kind)
{
	return names[kind];
}

/* The state of filtering one frame. */
struct pass {
	struct jc_plausibility *state;
	struct jc_body_frame *frame;
	bool is_anchored;
	struct jc_vec3 anchor;            /* the hips, or the origin */
	bool is_replaced[JC_JOINT_COUNT]; /* held or dropped in this frame */
	bool is_fast[JC_JOINT_COUNT];
	bool has_wrist[2]; /* left and right hand before filtering */
};

/* The joint whose speed counts for a hand: the wrist, because fingertips of a turning body may
 * be faster. Without a wrist each joint counts by itself. */
static enum jc_joint find_wrist(const struct pass *pass, enum jc_joint joint)
{
	enum jc_joint wrist = joint < JC_JOINT_RIGHT_HAND_PALM ? JC_JOINT_LEFT_HAND_WRIST
							       : JC_JOINT_RIGHT_HAND_WRIST;

	if (joint < JC_JOINT_LEFT_HAND_PALM || joint > JC_JOINT_RIGHT_HAND_LITTLE_TIP) {
		return JC_JOINT_NONE;
	}
	return pass->has_wrist[wrist == JC_JOINT_RIGHT_HAND_WRIST] ? wrist : joint;
}

/* Length to the parent joint; 0 if the tracker did not report it. */
static float measure_bone(const struct pass *pass, enum jc_joint joint)
{
	enum jc_joint above = jc_joint_parent(joint);

	if (above == JC_JOINT_NONE || pass->frame->joints[above].state == JC_ABSENT ||
		pass->is_replaced[above]) {
		return 0.0f;
	}
	return jc_vec3_length(jc_vec3_subtract(
		pass->frame->joints[joint].position, pass->frame->joints[above].position));
}

/* The reference of a joint; NULL if none is recent enough. */
static const struct jc_plausible_joint *recall(const struct pass *pass, enum jc_joint joint)
{
	const struct jc_plausible_joint *last = &pass->state->joints[joint];

	if (!last->is_known || last->is_anchored != pass->is_anchored ||
		pass->frame->time_ns - last->time_ns > JC_LIMIT_HOLD_NS) {
		return NULL;
	}
	return last;
}

static bool is_fast(
	const struct pass *pass, const struct jc_plausible_joint *last, struct jc_vec3 offset)
{
	return last &&
	       jc_vec3_length(jc_vec3_subtract(offset, last->position)) >
		       JC_LIMIT_HAND_SPEED * 1e-9f * (float)(pass->frame->time_ns - last->time_ns);
}

static enum jc_implausibility find_fault(const struct pass *pass, enum jc_joint joint, float bone)
{
	const struct jc_body_joint *now = &pass->frame->joints[joint];
	const struct jc_plausible_joint *last = recall(pass, joint);
	struct jc_vec3 offset = jc_vec3_subtract(now->position, pass->anchor);
	enum jc_joint wrist = find_wrist(pass, joint);
	struct jc_quat q = now->orientation;

	if (!jc_vec3_is_finite(now->position) || !jc_quat_is_finite(q)) {
		return JC_IMPLAUSIBLE_NUMBER;
	}
	if (!(fabsf(sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) - 1.0f) <=
		    JC_LIMIT_UNIT_ERROR)) {
		return JC_IMPLAUSIBLE_ORIENTATION;
	}
	if (!(jc_vec3_length(now->position) <= JC_LIMIT_JOINT_DISTANCE) ||
		(pass->is_anchored && !(jc_vec3_length(offset) <= JC_LIMIT_JOINT_REACH))) {
		return JC_IMPLAUSIBLE_DISTANCE;
	}
	if (wrist == joint ? is_fast(pass, last, offset)
			   : wrist != JC_JOINT_NONE && pass->is_fast[wrist]) {
		return JC_IMPLAUSIBLE_SPEED;
	}
	if (last && bone > 0.0f && last->length > 0.0f &&
		fabsf(bone - last->length) >
			JC_LIMIT_BONE_JUMP * last->length + JC_LIMIT_BONE_SLACK) {
		return JC_IMPLAUSIBLE_BONE;
	}
	return PLAUSIBLE;
}

static void replace_joint(struct pass *pass, enum jc_joint joint, enum jc_implausibility fault)
{
	const struct jc_plausible_joint *last = recall(pass, joint);
	struct jc_body_joint *now = &pass->frame->joints[joint];

	pass->is_replaced[joint] = true;
	pass->state->counts[fault]++;
	if (!last) {
		*now = (struct jc_body_joint){ .orientation = JC_QUAT_IDENTITY };
		pass->state->dropped++;
		return;
	}
	now->position = jc_vec3_add(pass->anchor, last->position);
	now->orientation = last->orientation;
	now->state = JC_ESTIMATED;
	pass->state->held++;
}

static void filter_joint(struct pass *pass, enum jc_joint joint)
{
	struct jc_body_joint *now = &pass->frame->joints[joint];
	enum jc_implausibility fault;
	float bone;

	if (now->state == JC_ABSENT) {
		return;
	}
	bone = measure_bone(pass, joint);
	fault = find_fault(pass, joint, bone);
	pass->is_fast[joint] = fault == JC_IMPLAUSIBLE_SPEED;
	if (fault != PLAUSIBLE) {
		replace_joint(pass, joint, fault);
		return;
	}
	now->orientation = jc_quat_normalize(now->orientation);
	pass->state->joints[joint] = (struct jc_plausible_joint){
		.is_known = true,
		.is_anchored = pass->is_anchored,
		.time_ns = pass->frame->time_ns,
		.position = jc_vec3_subtract(now->position, pass->anchor),
		.orientation = now->orientation,
		/* A bone that could not be measured keeps its length. */
		.length = bone > 0.0f ? bone : pass->state->joints[joint].length,
	};
}

static void forget_later(struct jc_plausibility *state, int64_t now_ns)
{
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		if (state->joints[joint].time_ns >= now_ns) {
			state->joints[joint].is_known = false;
		}
	}
}

void jc_plausibility_filter(struct jc_plausibility *state, struct jc_body_frame *frame)
{
	struct pass pass = { .state = state, .frame = frame };

	if (!(frame->confidence >= 0.0f && frame->confidence <= 1.0f)) {
		frame->confidence = 0.0f;
	}
	pass.has_wrist[0] = frame->joints[JC_JOINT_LEFT_HAND_WRIST].state != JC_ABSENT;
	pass.has_wrist[1] = frame->joints[JC_JOINT_RIGHT_HAND_WRIST].state != JC_ABSENT;
	forget_later(state, frame->time_ns);
	filter_joint(&pass, JC_JOINT_HIPS);
	if (frame->joints[JC_JOINT_HIPS].state != JC_ABSENT) {
		pass.is_anchored = true;
		pass.anchor = frame->joints[JC_JOINT_HIPS].position;
	}
	/* Joints come after their parents, except for palms, which come before wrists: they are
	 * measured after the wrists. */
	for (int joint = JC_JOINT_HIPS + 1; joint < JC_JOINT_COUNT; joint++) {
		if (joint != JC_JOINT_LEFT_HAND_PALM && joint != JC_JOINT_RIGHT_HAND_PALM) {
			filter_joint(&pass, (enum jc_joint)joint);
		}
	}
	filter_joint(&pass, JC_JOINT_LEFT_HAND_PALM);
	filter_joint(&pass, JC_JOINT_RIGHT_HAND_PALM);
}
