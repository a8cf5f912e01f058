/* Checks joint-frame profiles against joint positions, and replaces orientations that contradict
 * the positions. */
#include "jointcast_private/axes.h"

#include <math.h>

#include "jointcast/transform.h"
#include "jointcast/write.h"

#define LENGTH_MIN           0.005f /* metres; nearer joints have no direction */
#define COSINE_SWING_MAX     0.5f   /* cosine of JC_AXES_SWING_MAX */
#define COSINE_HALF_ROLL_MAX 0.5f   /* cosine of half JC_AXES_ROLL_MAX */
#define BEND_LEAST           0.17f  /* minimum sine of a bend that shows the hinge axis */
#define BEND_SURE            0.5f   /* sine of a bend that shows it fully */

/* Joints that show the direction of a bone, best first. */
static const enum jc_joint targets[JC_JOINT_COUNT][2] = {
#define TO(FROM, ...)   [JC_JOINT_##FROM] = { __VA_ARGS__ }
#define NO(FROM)        [JC_JOINT_##FROM] = { JC_JOINT_NONE, JC_JOINT_NONE }
#define ONE(FROM, NEXT) [JC_JOINT_##FROM] = { JC_JOINT_##NEXT, JC_JOINT_NONE }
#define FINGER(HAND, NAME, METACARPAL)                                                             \
	ONE(METACARPAL, HAND##_##NAME##_PHALANX_PROXIMAL),                                         \
		ONE(HAND##_##NAME##_PHALANX_PROXIMAL, HAND##_##NAME##_PHALANX_INTERMEDIATE),       \
		ONE(HAND##_##NAME##_PHALANX_INTERMEDIATE, HAND##_##NAME##_PHALANX_DISTAL),         \
		ONE(HAND##_##NAME##_PHALANX_DISTAL, HAND##_##NAME##_TIP), NO(HAND##_##NAME##_TIP)
#define HALF(SIDE, METACARPAL)                                                                     \
	TO(SIDE##_SHOULDER, JC_JOINT_##SIDE##_SCAPULA, JC_JOINT_##SIDE##_ARM_UPPER),               \
		ONE(SIDE##_SCAPULA, SIDE##_ARM_UPPER), ONE(SIDE##_ARM_UPPER, SIDE##_ARM_LOWER),    \
		ONE(SIDE##_ARM_LOWER, SIDE##_HAND_WRIST),                                          \
		ONE(SIDE##_HAND_WRIST_TWIST, SIDE##_HAND_WRIST),                                   \
		TO(SIDE##_HAND_WRIST, JC_JOINT_##SIDE##_HAND_MIDDLE_PHALANX_PROXIMAL,              \
			JC_JOINT_##SIDE##_HAND_PALM),                                              \
		ONE(SIDE##_HAND_PALM, SIDE##_HAND_MIDDLE_PHALANX_PROXIMAL),                        \
		ONE(SIDE##_HAND_THUMB_METACARPAL, SIDE##_HAND_THUMB_PHALANX_PROXIMAL),             \
		ONE(SIDE##_HAND_THUMB_PHALANX_PROXIMAL, SIDE##_HAND_THUMB_PHALANX_DISTAL),         \
		ONE(SIDE##_HAND_THUMB_PHALANX_DISTAL, SIDE##_HAND_THUMB_TIP),                      \
		NO(SIDE##_HAND_THUMB_TIP),                                                         \
		FINGER(SIDE##_HAND, INDEX, SIDE##_HAND_INDEX_METACARPAL),                          \
		FINGER(SIDE##_HAND, MIDDLE, METACARPAL),                                           \
		FINGER(SIDE##_HAND, RING, SIDE##_HAND_RING_METACARPAL),                            \
		FINGER(SIDE##_HAND, LITTLE, SIDE##_HAND_LITTLE_METACARPAL),                        \
		ONE(SIDE##_UPPER_LEG, SIDE##_LOWER_LEG), ONE(SIDE##_LOWER_LEG, SIDE##_FOOT_ANKLE), \
		ONE(SIDE##_FOOT_ANKLE_TWIST, SIDE##_FOOT_ANKLE),                                   \
		ONE(SIDE##_FOOT_ANKLE, SIDE##_FOOT_BALL),                                          \
		ONE(SIDE##_FOOT_SUBTALAR, SIDE##_FOOT_TRANSVERSE),                                 \
		ONE(SIDE##_FOOT_TRANSVERSE, SIDE##_FOOT_BALL), NO(SIDE##_FOOT_BALL)
	TO(HIPS, JC_JOINT_SPINE_LOWER, JC_JOINT_SPINE_UPPER),
	TO(SPINE_LOWER, JC_JOINT_SPINE_MIDDLE, JC_JOINT_SPINE_UPPER),
	TO(SPINE_MIDDLE, JC_JOINT_SPINE_UPPER, JC_JOINT_CHEST),
	TO(SPINE_UPPER, JC_JOINT_CHEST, JC_JOINT_NECK),
	TO(CHEST, JC_JOINT_NECK, JC_JOINT_HEAD),
	ONE(NECK, HEAD),
	NO(HEAD),
	HALF(LEFT, LEFT_HAND_MIDDLE_PHALANX_METACARPAL),
	HALF(RIGHT, RIGHT_HAND_MIDDLE_METACARPAL),
};

static bool is_present(const struct jc_body_frame *frame, enum jc_joint joint)
{
	return joint != JC_JOINT_NONE && frame->joints[joint].state != JC_ABSENT;
}

static struct jc_vec3 way(const struct jc_body_frame *frame, enum jc_joint from, enum jc_joint to)
{
	return jc_vec3_subtract(frame->joints[to].position, frame->joints[from].position);
}

static bool is_far(struct jc_vec3 way)
{
	return jc_vec3_dot(way, way) > LENGTH_MIN * LENGTH_MIN;
}

/* The first of its targets that is present and far enough away; -1: none. */
static int find_target(const struct jc_body_frame *frame, enum jc_joint joint)
{
	for (int i = 0; i < 2; i++) {
		enum jc_joint target = targets[joint][i];

		if (is_present(frame, target) && is_far(way(frame, joint, target))) {
			return i;
		}
	}
	return -1;
}

static enum jc_joint find_above(const struct jc_body_frame *frame, enum jc_joint joint)
{
	do {
		joint = jc_joint_parent(joint);
	} while (joint != JC_JOINT_NONE && !is_present(frame, joint));
	return joint;
}

/* Pairs of joints across a bone that show its roll, rigidly attached ones first. */
static const struct {
	enum jc_joint joint, from, to;
} lines[JC_AXES_LINES] = {
	{ JC_JOINT_HIPS, JC_JOINT_RIGHT_UPPER_LEG, JC_JOINT_LEFT_UPPER_LEG },
	{ JC_JOINT_HIPS, JC_JOINT_RIGHT_SHOULDER, JC_JOINT_LEFT_SHOULDER },
	{ JC_JOINT_CHEST, JC_JOINT_RIGHT_SHOULDER, JC_JOINT_LEFT_SHOULDER },
	{ JC_JOINT_CHEST, JC_JOINT_RIGHT_ARM_UPPER, JC_JOINT_LEFT_ARM_UPPER },
	{ JC_JOINT_LEFT_HAND_WRIST, JC_JOINT_LEFT_HAND_LITTLE_PHALANX_PROXIMAL,
		JC_JOINT_LEFT_HAND_INDEX_PHALANX_PROXIMAL },
	{ JC_JOINT_RIGHT_HAND_WRIST, JC_JOINT_RIGHT_HAND_LITTLE_PHALANX_PROXIMAL,
		JC_JOINT_RIGHT_HAND_INDEX_PHALANX_PROXIMAL },
};

void jc_axes_init(struct jc_axes *axes, enum jc_profile profile)
{
	struct jc_body_frame frame;
	struct jc_pose t_pose;

	jc_pose_init(&t_pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		t_pose.states[bone] = JC_TRACKED;
	}
	jc_pose_to_body_frame(&t_pose, profile, &frame);
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		struct jc_quat inverse;

		axes->inverse[joint] =
			jc_quat_conjugate(jc_joint_t_pose(profile, (enum jc_joint)joint));
		/* The T-pose of a metacarpal joint is turned along its bone. */
		inverse = jc_quat_conjugate(
			jc_quat_multiply(frame.joints[joint].orientation, axes->inverse[joint]));
		for (int i = 0; i < 2; i++) {
			enum jc_joint target = targets[joint][i];

			axes->along[joint][i] =
				target == JC_JOINT_NONE
					? (struct jc_vec3){ 0.0f, 0.0f, 0.0f }
					: jc_quat_rotate(
						  inverse, jc_vec3_normalize(way(&frame,
								   (enum jc_joint)joint, target)));
		}
	}
	for (int i = 0; i < JC_AXES_LINES; i++) {
		axes->across[i] = jc_vec3_normalize(way(&frame, lines[i].from, lines[i].to));
	}
}

/* Directions of one joint: observed ones have any length, those of the T-pose are unit. */
struct sight {
	enum jc_joint joint, above, target;
	struct jc_vec3 along;               /* to the target in the T-pose */
	struct jc_vec3 seen;                /* to the target in the frame */
	struct jc_vec3 across, seen_across; /* across the body */
	bool is_across;
};

static void look_across(
	const struct jc_axes *axes, const struct jc_body_frame *frame, struct sight *sight)
{
	for (int i = 0; i < JC_AXES_LINES && !sight->is_across; i++) {
		if (lines[i].joint == sight->joint && is_present(frame, lines[i].from) &&
			is_present(frame, lines[i].to)) {
			sight->seen_across = way(frame, lines[i].from, lines[i].to);
			sight->across = axes->across[i];
			sight->is_across = is_far(sight->seen_across);
		}
	}
}

static struct sight look(
	const struct jc_axes *axes, const struct jc_body_frame *frame, enum jc_joint joint)
{
	struct sight sight = { .joint = joint, .target = JC_JOINT_NONE };
	int target = find_target(frame, joint);

	sight.above = find_above(frame, joint);
	if (target >= 0) {
		sight.target = targets[joint][target];
		sight.along = axes->along[joint][target];
		sight.seen = way(frame, joint, sight.target);
		look_across(axes, frame, &sight);
	}
	return sight;
}

/* Whether a unit direction and an offset differ by more than JC_AXES_SWING_MAX. */
static bool is_apart(struct jc_vec3 direction, struct jc_vec3 way)
{
	float along = jc_vec3_dot(direction, way);

	return along < 0.0f ||
	       along * along < COSINE_SWING_MAX * COSINE_SWING_MAX * jc_vec3_dot(way, way);
}

/* For q = swing * twist about the bone, cos(swing / 2) is the length of (q.along, w), and
 * cos(twist / 2) is the share of w in it. Near half a turn of swing, twist is undefined. */
static bool is_rolled(struct jc_quat above, struct jc_quat turned, struct jc_vec3 along)
{
	struct jc_quat q = jc_quat_multiply(jc_quat_conjugate(above), turned);
	float about = jc_vec3_dot((struct jc_vec3){ q.x, q.y, q.z }, along);
	float swing = q.w * q.w + about * about;
	float least = COSINE_HALF_ROLL_MAX * COSINE_HALF_ROLL_MAX;

	return swing > least && q.w * q.w < least * swing;
}

/* A raised arm may have any roll. */
static bool is_ball(enum jc_joint joint)
{
	return joint == JC_JOINT_LEFT_ARM_UPPER || joint == JC_JOINT_RIGHT_ARM_UPPER;
}

static enum jc_axes_state classify(
	const struct sight *sight, struct jc_quat turned, const struct jc_axes_turn *turns)
{
	if (sight->target == JC_JOINT_NONE) {
		return JC_AXES_UNKNOWN;
	}
	if (is_apart(jc_quat_rotate(turned, sight->along), sight->seen)) {
		return JC_AXES_REFUTED;
	}
	if (sight->is_across) {
		return is_apart(jc_quat_rotate(turned, sight->across), sight->seen_across)
			       ? JC_AXES_REFUTED
			       : JC_AXES_BORNE_OUT;
	}
	if (sight->above != JC_JOINT_NONE && !is_ball(sight->joint) &&
		is_rolled(turns[sight->above].turned, turned, sight->along)) {
		return JC_AXES_REFUTED;
	}
	return JC_AXES_BORNE_OUT;
}

/* Rolls an upper arm or leg so that its hinge bends in the anatomical direction. */
static struct jc_quat roll_to_hinge(
	const struct jc_body_frame *frame, const struct sight *sight, struct jc_quat turned)
{
	bool is_arm =
		sight->joint == JC_JOINT_LEFT_ARM_UPPER || sight->joint == JC_JOINT_RIGHT_ARM_UPPER;
	bool is_leg =
		sight->joint == JC_JOINT_LEFT_UPPER_LEG || sight->joint == JC_JOINT_RIGHT_UPPER_LEG;
	struct jc_vec3 to = { 0.0f, 0.0f, is_arm ? 1.0f : -1.0f };
	struct jc_vec3 seen = jc_vec3_normalize(sight->seen);
	struct jc_vec3 bend;
	int beyond;
	float sine, share;

	if (!(is_arm || is_leg) || (beyond = find_target(frame, sight->target)) < 0) {
		return turned;
	}
	bend = jc_vec3_normalize(way(frame, sight->target, targets[sight->target][beyond]));
	bend = jc_vec3_subtract(bend, jc_vec3_scale(seen, jc_vec3_dot(bend, seen)));
	sine = jc_vec3_length(bend);
	share = fminf(fmaxf((sine - BEND_LEAST) / (BEND_SURE - BEND_LEAST), 0.0f), 1.0f);
	to = jc_quat_rotate(turned, to);
	to = jc_vec3_subtract(to, jc_vec3_scale(seen, jc_vec3_dot(to, seen)));
	return jc_quat_multiply(
		jc_quat_slerp(JC_QUAT_IDENTITY, jc_quat_between(to, bend, seen), share), turned);
}

static struct jc_quat face(struct jc_vec3 along, struct jc_vec3 across)
{
	struct jc_vec3 z = jc_vec3_normalize(jc_vec3_cross(across, along));

	return jc_quat_from_axes(jc_vec3_cross(along, z), along, z);
}

static bool derive(const struct jc_body_frame *frame, const struct sight *sight,
	const struct jc_axes_turn *turns, struct jc_quat *out_turned)
{
	struct jc_vec3 seen = jc_vec3_normalize(sight->seen);
	struct jc_vec3 seen_across = jc_vec3_normalize(sight->seen_across);
	struct jc_quat above;

	/* Two directions determine the rotation completely. */
	if (sight->is_across && jc_vec3_length(jc_vec3_cross(seen_across, seen)) > BEND_LEAST) {
		*out_turned = jc_quat_multiply(face(seen, seen_across),
			jc_quat_conjugate(face(sight->along, sight->across)));
		return true;
	}
	if (sight->above == JC_JOINT_NONE) {
		return false;
	}
	above = turns[sight->above].turned;
	*out_turned = jc_quat_multiply(
		jc_quat_between(jc_quat_rotate(above, sight->along), seen,
			jc_quat_rotate(above, (struct jc_vec3){ 0.0f, 1.0f, 0.0f })),
		above);
	*out_turned = jc_quat_normalize(roll_to_hinge(frame, sight, *out_turned));
	return true;
}

static void turn_joint(const struct jc_axes *axes, const struct jc_body_frame *frame,
	enum jc_joint joint, struct jc_axes_turn *turns)
{
	struct jc_axes_turn *turn = &turns[joint];
	struct sight sight;

	*turn = (struct jc_axes_turn){ .turned = JC_QUAT_IDENTITY };
	if (!is_present(frame, joint)) {
		return;
	}
	sight = look(axes, frame, joint);
	turn->turned = jc_quat_multiply(frame->joints[joint].orientation, axes->inverse[joint]);
	turn->state = classify(&sight, turn->turned, turns);
	if (turn->state == JC_AXES_REFUTED) {
		turn->derived = derive(frame, &sight, turns, &turn->turned);
	} else if (turn->state == JC_AXES_UNKNOWN && sight.above != JC_JOINT_NONE &&
		   turns[sight.above].derived) {
		turn->turned = turns[sight.above].turned;
		turn->derived = true;
	}
}

void jc_axes_turns(const struct jc_axes *axes, const struct jc_body_frame *frame,
	struct jc_axes_turn out_turns[JC_JOINT_COUNT])
{
	/* Parents come before children, except for the palms. */
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		if (j != JC_JOINT_LEFT_HAND_PALM && j != JC_JOINT_RIGHT_HAND_PALM) {
			turn_joint(axes, frame, (enum jc_joint)j, out_turns);
		}
	}
	turn_joint(axes, frame, JC_JOINT_LEFT_HAND_PALM, out_turns);
	turn_joint(axes, frame, JC_JOINT_RIGHT_HAND_PALM, out_turns);
}

void jc_axes_check_init(struct jc_axes_check *check, enum jc_profile profile)
{
	*check = (struct jc_axes_check){ .profile = profile };
	for (int p = 0; p < JC_PROFILE_COUNT; p++) {
		jc_axes_init(&check->axes[p], (enum jc_profile)p);
	}
}

void jc_axes_check_add(struct jc_axes_check *check, const struct jc_body_frame *frame)
{
	for (int p = 0; p < JC_PROFILE_COUNT; p++) {
		struct jc_axes_turn turns[JC_JOINT_COUNT];

		jc_axes_turns(&check->axes[p], frame, turns);
		for (int j = 0; j < JC_JOINT_COUNT; j++) {
			check->borne_out[p] += turns[j].state == JC_AXES_BORNE_OUT;
			check->refuted[p] += turns[j].state == JC_AXES_REFUTED;
			check->joints_refuted[j] += (enum jc_profile)p == check->profile &&
						    turns[j].state == JC_AXES_REFUTED;
		}
	}
}

static bool agrees(const struct jc_axes_check *check, int profile)
{
	return check->refuted[profile] * 9 <= check->borne_out[profile];
}

enum jc_axes_verdict jc_axes_check_verdict(
	const struct jc_axes_check *check, enum jc_profile *out_fitting)
{
	int declared = (int)check->profile;
	int best = declared;
	enum jc_axes_verdict verdict = JC_AXES_AGREE;

	if (check->refuted[declared] + check->borne_out[declared] < JC_AXES_CHECKS_MIN) {
		verdict = JC_AXES_UNDECIDED;
	} else if (!agrees(check, declared)) {
		verdict = JC_AXES_DISAGREE;
		for (int p = 0; p < JC_PROFILE_COUNT; p++) {
			if (agrees(check, p) && check->refuted[p] < check->refuted[best]) {
				best = p;
			}
		}
	}
	if (out_fitting) {
		*out_fitting = (enum jc_profile)best;
	}
	return verdict;
}
