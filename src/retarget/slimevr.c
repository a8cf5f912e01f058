/* Recognises SlimeVR's bones by their -Y, which points exactly at the next bone, and by the joints
 * that are absent. The proportions are the defaults of SlimeVR-Server (SkeletonConfigOffsets at
 * 554976390b7c), which its automatic calibration keeps for shoulders, hands and feet. */
#include "jointcast_private/slimevr.h"

#include <math.h>

#include "jointcast/transform.h"
#include "two_bone.h"

#define LENGTH_MIN      0.005f  /* metres; nearer joints have no direction */
#define COSINE_EXACT    0.985f  /* 10 degrees between -Y and the next bone */
#define COSINE_ACROSS   0.8f    /* most between -Y of head and neck, usually 90 degrees apart */
#define AGREEING_LEAST  4       /* bones whose -Y points at the next bone */
#define AGREEING_SHARE  4       /* as many times more than others */
#define FLAT            1.0e-5f /* square of the sine of half a turn out of the plane */
#define SHOULDER_WIDTH  0.35f   /* metres, both sides */
#define SHOULDER_DROP   0.08f   /* metres */
#define SHOULDER_SLACK  0.004f  /* metres */
#define SLOPE_LEAST     0.087f  /* radians */
#define SLOPE_MOST      0.785f  /* radians */
#define ANKLE_BACK      0.05f   /* metres of the ankle behind the knee */
#define HAND_BEND       1.3079f /* radians: atan(0.13 m / 0.035 m) */
#define ANKLE_SHARE     0.863f  /* of a shin that ends at the sole (Drillis and Contini 1966) */
#define UPRIGHT         1.0e-6f /* 1 - cosine of 0.08 degrees */
#define ARM_USUAL       0.26f   /* metres, upper arm and forearm */
#define ARM_LEAST       0.15f   /* metres */
#define ARM_MOST        0.4f    /* metres */
#define ARM_FOLDED      0.1f    /* square of a chord of the unit circle */
#define ELBOW_GAP       0.05f   /* metres between the elbow of upper arm and forearm */
#define OTHER_HAND_NEAR 0.1f    /* metres between wrist and the head of a reversed forearm */

static const struct jc_vec3 tail = { 0.0f, -1.0f, 0.0f };
static const struct jc_quat half_turn = { 1.0f, 0.0f, 0.0f, 0.0f }; /* about X */

/* A frame in work. */
struct pass {
	struct jc_slimevr *slimevr;
	enum jc_profile profile;
	const struct jc_body_frame *raw;
	struct jc_body_frame *frame;
	bool is_usual; /* has the server's usual proportions */
	struct jc_quat chest;
};

/* The joints of one arm. */
struct arm {
	int side;  /* 0 left, 1 right */
	float out; /* X of the direction to the side in the T-pose */
	enum jc_joint shoulder, upper, lower, wrist;
};

static const struct arm arms[2] = {
	{ 0, 1.0f, JC_JOINT_LEFT_SHOULDER, JC_JOINT_LEFT_ARM_UPPER, JC_JOINT_LEFT_ARM_LOWER,
		JC_JOINT_LEFT_HAND_WRIST },
	{ 1, -1.0f, JC_JOINT_RIGHT_SHOULDER, JC_JOINT_RIGHT_ARM_UPPER, JC_JOINT_RIGHT_ARM_LOWER,
		JC_JOINT_RIGHT_HAND_WRIST },
};

static bool has(const struct jc_body_frame *frame, enum jc_joint joint)
{
	return frame->joints[joint].state != JC_ABSENT;
}

static struct jc_vec3 place(const struct jc_body_frame *frame, enum jc_joint joint)
{
	return frame->joints[joint].position;
}

static float distance(const struct jc_body_frame *frame, enum jc_joint a, enum jc_joint b)
{
	return jc_vec3_length(jc_vec3_subtract(place(frame, a), place(frame, b)));
}

static struct jc_vec3 tail_of(const struct jc_body_frame *frame, enum jc_joint joint)
{
	return jc_quat_rotate(frame->joints[joint].orientation, tail);
}

static struct jc_quat about_x(float radians)
{
	return jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, radians);
}

/* Changes a choice after enough frames that contradict it. `seen` is 1 for yes, -1 for no, 0 if
 * the frame does not show it. */
static bool choose(struct jc_slimevr_choice *choice, int seen)
{
	if (seen == 0) {
		return choice->is_yes;
	}
	if (!choice->is_made || (seen > 0) == choice->is_yes) {
		choice->is_yes = seen > 0;
		choice->is_made = true;
		choice->against = 0;
	} else if (++choice->against >= JC_SLIMEVR_CONTRARY_MOST) {
		choice->is_yes = !choice->is_yes;
		choice->against = 0;
	}
	return choice->is_yes;
}

/* Whether -Y of a joint points at another: 1, -1, or 0 if the frame does not show it. */
static int points_at(const struct jc_body_frame *frame, enum jc_joint from, enum jc_joint to)
{
	struct jc_vec3 way;
	float length;

	if (!has(frame, from) || !has(frame, to)) {
		return 0;
	}
	way = jc_vec3_subtract(place(frame, to), place(frame, from));
	length = jc_vec3_length(way);
	if (!(length > LENGTH_MIN)) {
		return 0;
	}
	return jc_vec3_dot(tail_of(frame, from), way) > COSINE_EXACT * length ? 1 : -1;
}

bool jc_slimevr_is_possible(const struct jc_body_frame *frame)
{
	static const enum jc_joint never[] = { JC_JOINT_SPINE_MIDDLE, JC_JOINT_LEFT_SCAPULA,
		JC_JOINT_RIGHT_SCAPULA, JC_JOINT_LEFT_FOOT_SUBTALAR, JC_JOINT_RIGHT_FOOT_SUBTALAR,
		JC_JOINT_LEFT_FOOT_BALL, JC_JOINT_RIGHT_FOOT_BALL };

	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		if (has(frame, never[i])) {
			return false;
		}
	}
	/* Beside SlimeVR's foot, another tracker may deliver an ankle. */
	if ((has(frame, JC_JOINT_LEFT_FOOT_ANKLE) && !has(frame, JC_JOINT_LEFT_FOOT_TRANSVERSE)) ||
		(has(frame, JC_JOINT_RIGHT_FOOT_ANKLE) &&
			!has(frame, JC_JOINT_RIGHT_FOOT_TRANSVERSE))) {
		return false;
	}
	return has(frame, JC_JOINT_HEAD) && has(frame, JC_JOINT_NECK) &&
	       has(frame, JC_JOINT_CHEST) && has(frame, JC_JOINT_HIPS);
}

/* Whether the head is SlimeVR's: 1, -1, or 0 if the frame does not show it. One at the eyes lies
 * across the neck and points at it; that of another body points at the neck only in line with it.
 * Without a headset both begin at the same place. */
static int see_head(const struct jc_body_frame *frame)
{
	if (distance(frame, JC_JOINT_HEAD, JC_JOINT_NECK) <= LENGTH_MIN) {
		return has(frame, JC_JOINT_LEFT_FOOT_TRANSVERSE) ||
		       has(frame, JC_JOINT_RIGHT_FOOT_TRANSVERSE);
	}
	if (points_at(frame, JC_JOINT_HEAD, JC_JOINT_NECK) < 0) {
		return -1;
	}
	return jc_vec3_dot(tail_of(frame, JC_JOINT_HEAD), tail_of(frame, JC_JOINT_NECK)) <
	       COSINE_ACROSS;
}

/* The bones that hang from one another in every mode of the server: not the arms. */
static int see_bones(const struct jc_body_frame *frame)
{
	static const enum jc_joint bones[][2] = {
		{ JC_JOINT_HEAD, JC_JOINT_NECK },
		{ JC_JOINT_NECK, JC_JOINT_CHEST },
		{ JC_JOINT_CHEST, JC_JOINT_SPINE_UPPER },
		{ JC_JOINT_SPINE_UPPER, JC_JOINT_SPINE_LOWER },
		{ JC_JOINT_SPINE_LOWER, JC_JOINT_HIPS },
		{ JC_JOINT_LEFT_SHOULDER, JC_JOINT_LEFT_ARM_UPPER },
		{ JC_JOINT_RIGHT_SHOULDER, JC_JOINT_RIGHT_ARM_UPPER },
		{ JC_JOINT_LEFT_UPPER_LEG, JC_JOINT_LEFT_LOWER_LEG },
		{ JC_JOINT_RIGHT_UPPER_LEG, JC_JOINT_RIGHT_LOWER_LEG },
		{ JC_JOINT_LEFT_LOWER_LEG, JC_JOINT_LEFT_FOOT_TRANSVERSE },
		{ JC_JOINT_RIGHT_LOWER_LEG, JC_JOINT_RIGHT_FOOT_TRANSVERSE },
	};
	int agreeing = 0, others = 0;

	for (size_t i = 0; i < sizeof(bones) / sizeof(bones[0]); i++) {
		int seen = points_at(frame, bones[i][0], bones[i][1]);

		agreeing += seen > 0;
		others += seen < 0;
	}
	if (agreeing + others < AGREEING_LEAST) {
		return 0;
	}
	return agreeing >= AGREEING_LEAST && agreeing >= AGREEING_SHARE * others ? see_head(frame)
										 : -1;
}

/* The rotation since the T-pose of a bone whose rest direction is turned by `offset`. */
static struct jc_quat turn_of(
	struct jc_quat orientation, enum jc_joint joint, struct jc_quat offset)
{
	return jc_quat_multiply(orientation,
		jc_quat_conjugate(
			jc_quat_multiply(jc_joint_t_pose(JC_PROFILE_SLIMEVR, joint), offset)));
}

static struct jc_quat raw_turn(const struct pass *pass, enum jc_joint joint, struct jc_quat offset)
{
	return turn_of(pass->raw->joints[joint].orientation, joint, offset);
}

static void put(struct pass *pass, enum jc_joint joint, struct jc_vec3 position,
	struct jc_quat turned, uint8_t state)
{
	pass->frame->joints[joint] = (struct jc_body_joint){
		.position = position,
		.orientation = jc_quat_multiply(turned, jc_joint_t_pose(pass->profile, joint)),
		.state = state,
	};
}

/* Turns a joint to the axes of the profile and leaves its position. */
static void convert(struct pass *pass, enum jc_joint joint, struct jc_quat offset)
{
	const struct jc_body_joint *raw = &pass->raw->joints[joint];

	if (raw->state != JC_ABSENT) {
		put(pass, joint, raw->position, raw_turn(pass, joint, offset), raw->state);
	}
}

/* A joint of the spine is at the lower end of its bone, which is the head of the bone below. The
 * centre of the hips is between the thighs. */
static void arrange_trunk(struct pass *pass)
{
	static const enum jc_joint spine[] = { JC_JOINT_HIPS, JC_JOINT_SPINE_LOWER,
		JC_JOINT_SPINE_UPPER, JC_JOINT_CHEST, JC_JOINT_NECK, JC_JOINT_HEAD };
	const struct jc_body_frame *raw = pass->raw;
	bool has_eyes = distance(raw, JC_JOINT_HEAD, JC_JOINT_NECK) > LENGTH_MIN;

	for (size_t i = 0; i < sizeof(spine) / sizeof(spine[0]); i++) {
		bool is_turned = spine[i] == JC_JOINT_HEAD && has_eyes;

		convert(pass, spine[i], is_turned ? about_x(-(float)M_PI_2) : JC_QUAT_IDENTITY);
		if (i > 0 && has(raw, spine[i - 1])) {
			pass->frame->joints[spine[i]].position = place(raw, spine[i - 1]);
		}
	}
	if (has(raw, JC_JOINT_LEFT_UPPER_LEG) && has(raw, JC_JOINT_RIGHT_UPPER_LEG)) {
		pass->frame->joints[JC_JOINT_HIPS].position =
			jc_vec3_lerp(place(raw, JC_JOINT_LEFT_UPPER_LEG),
				place(raw, JC_JOINT_RIGHT_UPPER_LEG), 0.5f);
	}
}

/* A shin that ends at the sole, and a foot at its end. */
static void arrange_leg(struct pass *pass, enum jc_joint upper, enum jc_joint lower,
	enum jc_joint foot, enum jc_joint ankle)
{
	const struct jc_body_frame *raw = pass->raw;
	struct jc_quat back = JC_QUAT_IDENTITY;
	struct jc_vec3 end = place(raw, foot);

	convert(pass, upper, JC_QUAT_IDENTITY);
	if (has(raw, lower) && has(raw, foot)) {
		float length = distance(raw, lower, foot);

		if (pass->is_usual && length > 2.0f * ANKLE_BACK) {
			back = about_x(-asinf(ANKLE_BACK / length));
		}
		end = jc_vec3_lerp(place(raw, lower), end, ANKLE_SHARE);
	}
	convert(pass, lower, back);
	if (has(raw, foot)) {
		put(pass, ankle, end, raw_turn(pass, foot, JC_QUAT_IDENTITY),
			raw->joints[foot].state);
		pass->frame->joints[foot] = (struct jc_body_joint){ .state = JC_ABSENT };
	}
}

static float usual_slope(void)
{
	return atan2f(SHOULDER_DROP, 0.5f * SHOULDER_WIDTH);
}

/* Whether a shoulder without a tracker shows how it slopes: it keeps an angle to the chest in the
 * plane of the chest. */
static bool is_at_rest(const struct pass *pass, const struct arm *arm)
{
	struct jc_quat apart = jc_quat_multiply(
		jc_quat_conjugate(pass->chest), raw_turn(pass, arm->shoulder, JC_QUAT_IDENTITY));
	float down = -2.0f * arm->out * atan2f(apart.w < 0.0f ? -apart.z : apart.z, fabsf(apart.w));

	return apart.x * apart.x + apart.y * apart.y < FLAT && down > SLOPE_LEAST &&
	       down < SLOPE_MOST;
}

static void arrange_shoulder(struct pass *pass, const struct arm *arm)
{
	const struct jc_body_joint *raw = &pass->raw->joints[arm->shoulder];
	const struct jc_vec3 axis = { 0.0f, 0.0f, 1.0f };

	if (raw->state == JC_ABSENT) {
		return;
	}
	if (!pass->is_usual && is_at_rest(pass, arm)) {
		put(pass, arm->shoulder, raw->position, pass->chest, raw->state);
		return;
	}
	convert(pass, arm->shoulder, jc_quat_from_axis_angle(axis, arm->out * usual_slope()));
}

/* Whether another device tracks the hand, so that its wrist is no bone of SlimeVR. */
static bool is_other_hand(const struct pass *pass, const struct arm *arm)
{
	return arm->side == 0 ? has(pass->raw, JC_JOINT_LEFT_HAND_PALM) ||
					has(pass->raw, JC_JOINT_LEFT_HAND_INDEX_PHALANX_PROXIMAL)
			      : has(pass->raw, JC_JOINT_RIGHT_HAND_PALM) ||
					has(pass->raw, JC_JOINT_RIGHT_HAND_INDEX_PHALANX_PROXIMAL);
}

static int see_reversed(const struct pass *pass, const struct arm *arm)
{
	int onward = points_at(pass->raw, arm->lower, arm->wrist);
	int back = points_at(pass->raw, arm->wrist, arm->lower);

	if (is_other_hand(pass, arm)) {
		bool is_near = has(pass->raw, arm->lower) && has(pass->raw, arm->wrist) &&
			       distance(pass->raw, arm->lower, arm->wrist) < OTHER_HAND_NEAR;

		return is_near ? 1 : onward > 0 ? -1 : 0;
	}
	return back > 0 && onward < 0 ? 1 : onward > 0 && back < 0 ? -1 : 0;
}

/* The usual rest direction of a hand is bent towards the thumb by more than a wrist can. */
static int see_bent(const struct pass *pass, const struct arm *arm)
{
	struct jc_quat apart;
	float bend;

	if (pass->is_usual) {
		return 1;
	}
	apart = jc_quat_multiply(jc_quat_conjugate(pass->raw->joints[arm->lower].orientation),
		pass->raw->joints[arm->wrist].orientation);
	bend = 2.0f * atan2f(apart.w < 0.0f ? -apart.x : apart.x, fabsf(apart.w));
	return bend > 0.5f * HAND_BEND ? 1 : -1;
}

static void arrange_forward(struct pass *pass, const struct arm *arm)
{
	convert(pass, arm->upper, JC_QUAT_IDENTITY);
	convert(pass, arm->lower, JC_QUAT_IDENTITY);
	if (!has(pass->raw, arm->wrist) || is_other_hand(pass, arm)) {
		return;
	}
	bool is_bent = choose(&pass->slimevr->bent[arm->side],
		has(pass->raw, arm->lower) ? see_bent(pass, arm) : 0);

	convert(pass, arm->wrist, is_bent ? about_x(HAND_BEND) : JC_QUAT_IDENTITY);
}

/* Elbow of a reversed arm: where the lines of upper arm and forearm come together for bones of
 * equal length. Returns their distance there, or -1 for a folded arm, which does not show it. */
static float meet(const struct pass *pass, const struct arm *arm, struct jc_vec3 *out_elbow)
{
	struct jc_vec3 down = tail_of(pass->raw, arm->upper);
	struct jc_vec3 up = tail_of(pass->raw, arm->lower);
	struct jc_vec3 from = place(pass->raw, arm->upper);
	struct jc_vec3 to = place(pass->raw, arm->lower);
	struct jc_vec3 both = jc_vec3_subtract(down, up);
	float square = jc_vec3_dot(both, both);
	float length = jc_vec3_dot(both, jc_vec3_subtract(to, from)) / fmaxf(square, ARM_FOLDED);
	struct jc_vec3 a = jc_vec3_add(from, jc_vec3_scale(down, length));
	struct jc_vec3 b = jc_vec3_add(to, jc_vec3_scale(up, length));

	*out_elbow = jc_vec3_lerp(a, b, 0.5f);
	if (square < ARM_FOLDED) {
		return -1.0f;
	}
	return length > ARM_LEAST && length < ARM_MOST ? jc_vec3_length(jc_vec3_subtract(a, b))
						       : 2.0f * ELBOW_GAP;
}

/* The shoulder and the upper arm of an arm that the server does not drive: the shoulder at rest on
 * the chest, an upper arm as long as the forearm, rolled so that the elbow is a hinge. */
static void estimate_upper(struct pass *pass, const struct arm *arm, struct jc_quat lower)
{
	const struct jc_vec3 side = { arm->out, 0.0f, 0.0f };
	const struct jc_vec3 hinge = { 0.0f, -arm->out, 0.0f };
	struct jc_vec3 slope = { arm->out * cosf(usual_slope()), -sinf(usual_slope()), 0.0f };
	struct jc_vec3 neck = place(pass->raw, arm->shoulder);
	struct jc_vec3 along = tail_of(pass->raw, arm->lower);
	struct jc_vec3 top, way, elbow;
	float length = ARM_USUAL, ahead;

	slope = jc_vec3_scale(slope, distance(pass->raw, arm->shoulder, arm->upper));
	top = jc_vec3_add(neck, jc_quat_rotate(pass->chest, slope));
	way = jc_vec3_subtract(place(pass->raw, arm->lower), top);
	ahead = jc_vec3_dot(way, along);
	if (ahead < -LENGTH_MIN) {
		length = -0.5f * jc_vec3_dot(way, way) / ahead;
		length = fminf(fmaxf(length, ARM_LEAST), ARM_MOST);
	}
	elbow = jc_vec3_add(place(pass->raw, arm->lower), jc_vec3_scale(along, length));
	put(pass, arm->shoulder, neck, pass->chest, JC_ESTIMATED);
	put(pass, arm->upper, top,
		jc_two_bone_turn(
			side, hinge, jc_vec3_subtract(elbow, top), jc_quat_rotate(lower, hinge)),
		JC_ESTIMATED);
	pass->frame->joints[arm->lower].position = elbow;
}

static void forget(struct pass *pass, enum jc_joint joint)
{
	pass->frame->joints[joint] = (struct jc_body_joint){ .state = JC_ABSENT };
}

/* Without a tracker on the arm the forearm of a reversed arm stands upright in the room. */
static bool has_forearm(const struct pass *pass, const struct arm *arm)
{
	return has(pass->raw, arm->lower) && tail_of(pass->raw, arm->lower).y < 1.0f - UPRIGHT;
}

/* The server has put the hand at the controller and the forearm at the wrist. */
static void arrange_reversed(struct pass *pass, const struct arm *arm)
{
	const struct jc_body_frame *raw = pass->raw;
	struct jc_quat lower = raw_turn(pass, arm->lower, half_turn);
	struct jc_vec3 elbow = { 0.0f, 0.0f, 0.0f };
	float gap = -1.0f;

	if (has(raw, arm->wrist) && has(raw, arm->lower) && !is_other_hand(pass, arm)) {
		put(pass, arm->wrist, place(raw, arm->lower), raw_turn(pass, arm->wrist, half_turn),
			raw->joints[arm->wrist].state);
	}
	if (!has_forearm(pass, arm) || !has(raw, arm->shoulder) || !has(raw, arm->upper)) {
		forget(pass, arm->lower);
		forget(pass, arm->upper);
		forget(pass, arm->shoulder);
		return;
	}
	put(pass, arm->lower, place(raw, arm->lower), lower, raw->joints[arm->lower].state);
	gap = meet(pass, arm, &elbow);
	if (choose(&pass->slimevr->driven[arm->side], gap < 0.0f ? 0 : gap < ELBOW_GAP ? 1 : -1)) {
		convert(pass, arm->upper, JC_QUAT_IDENTITY);
		pass->frame->joints[arm->lower].position = elbow;
	} else {
		estimate_upper(pass, arm, lower);
	}
}

static void arrange_arm(struct pass *pass, const struct arm *arm)
{
	arrange_shoulder(pass, arm);
	if (choose(&pass->slimevr->reversed[arm->side], see_reversed(pass, arm))) {
		arrange_reversed(pass, arm);
	} else {
		arrange_forward(pass, arm);
	}
}

static bool has_usual_shoulder(const struct jc_body_frame *frame, const struct arm *arm)
{
	const float usual = hypotf(0.5f * SHOULDER_WIDTH, SHOULDER_DROP);

	return has(frame, arm->shoulder) && has(frame, arm->upper) &&
	       fabsf(distance(frame, arm->shoulder, arm->upper) - usual) < SHOULDER_SLACK;
}

bool jc_slimevr_arrange(
	struct jc_slimevr *slimevr, enum jc_profile profile, struct jc_body_frame *frame)
{
	struct jc_body_frame raw;
	struct pass pass = { .slimevr = slimevr, .profile = profile, .raw = &raw, .frame = frame };

	if (!jc_slimevr_is_possible(frame) || !choose(&slimevr->bones, see_bones(frame))) {
		return false;
	}
	raw = *frame;
	pass.is_usual = has_usual_shoulder(&raw, &arms[0]) || has_usual_shoulder(&raw, &arms[1]);
	pass.chest = raw_turn(&pass, JC_JOINT_CHEST, JC_QUAT_IDENTITY);
	arrange_trunk(&pass);
	arrange_arm(&pass, &arms[0]);
	arrange_arm(&pass, &arms[1]);
	arrange_leg(&pass, JC_JOINT_LEFT_UPPER_LEG, JC_JOINT_LEFT_LOWER_LEG,
		JC_JOINT_LEFT_FOOT_TRANSVERSE, JC_JOINT_LEFT_FOOT_ANKLE);
	arrange_leg(&pass, JC_JOINT_RIGHT_UPPER_LEG, JC_JOINT_RIGHT_LOWER_LEG,
		JC_JOINT_RIGHT_FOOT_TRANSVERSE, JC_JOINT_RIGHT_FOOT_ANKLE);
	return true;
}
