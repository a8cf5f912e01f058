/* Poses the built-in figure without its arms, places its wrists as those of the person, and lets
 * the emulation of body frames find the elbows. */
#include "jointcast_private/arm_completion.h"

#include <math.h>

#include "jointcast/transform.h"
#include "jointcast/write.h"

#define PROFILE       JC_PROFILE_WEBXR_SPEC /* of the frames inside; any profile would do */
#define FIGURE_HEIGHT 1.75f                 /* of the built-in figure, metres */
#define BLEND         0.3f                  /* seconds between sent and completed rotations */
#define GAP           1.0f                  /* seconds; a longer pause ends a change at once */
#define SIZE_LEAST    0.5f                  /* others come from a space whose floor is not at 0 */
#define SIZE_MOST     1.5f
#define SIZE_LAG      1.0f /* time constant of a change of the size, seconds */
#define TRUNK_LEAST   0.3f /* shorter trunks show no size, metres */
#define STAND_LEAST   0.9f /* lower figures show no size, metres */

static const enum jc_bone arm_bones[2][JC_ARM_BONES] = {
	{ JC_BONE_LEFT_SHOULDER, JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM,
		JC_BONE_LEFT_HAND },
	{ JC_BONE_RIGHT_SHOULDER, JC_BONE_RIGHT_UPPER_ARM, JC_BONE_RIGHT_LOWER_ARM,
		JC_BONE_RIGHT_HAND },
};

void jc_arm_completion_init(struct jc_arm_completion *completion)
{
	*completion = (struct jc_arm_completion){ .size = 0.0f };
	jc_emulation_init(&completion->emulation, PROFILE, NULL, FIGURE_HEIGHT);
}

static uint64_t bit(enum jc_bone bone)
{
	return UINT64_C(1) << bone;
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

static struct jc_vec3 position_of(const struct jc_body_frame *frame, enum jc_bone bone)
{
	return frame->joints[joint_of(bone)].position;
}

/* The rotation of a bone since the T-pose, in the space of the frame. */
static struct jc_quat turn_of(const struct jc_body_frame *frame, enum jc_bone bone)
{
	enum jc_joint joint = joint_of(bone);

	return jc_quat_multiply(frame->joints[joint].orientation,
		jc_quat_conjugate(jc_joint_t_pose(PROFILE, joint)));
}

static bool is_to_complete(const struct jc_reach *reach, uint64_t lacking, int side)
{
	uint64_t arm = 0;

	for (int i = 1; i < JC_ARM_BONES; i++) {
		arm |= bit(arm_bones[side][i]);
	}
	return reach->hands[side].is_known && (lacking & arm) == arm;
}

/* The built-in figure in the pose, without the bones to complete. Bones of the body that the pose
 * lacks follow the bone above them, as skeletons show them. */
static void make_frame(const struct jc_pose *pose, const bool is_open[2], uint64_t lacking,
	struct jc_body_frame *out_frame)
{
	struct jc_pose figure = *pose;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (pose->states[bone] == JC_ABSENT) {
			figure.rotations[bone] = JC_QUAT_IDENTITY;
		}
		figure.states[bone] = bone < JC_SECTION_BODY_COUNT ? JC_TRACKED : JC_ABSENT;
	}
	for (int side = 0; side < 2; side++) {
		for (int i = 0; is_open[side] && i < JC_ARM_BONES; i++) {
			enum jc_bone bone = arm_bones[side][i];

			figure.states[bone] = lacking & bit(bone) ? JC_ABSENT : figure.states[bone];
		}
	}
	jc_pose_to_body_frame(&figure, PROFILE, out_frame);
}

/* Height of the figure's floor below its feet. */
static float find_floor(const struct jc_body_frame *frame)
{
	static const enum jc_bone feet[] = { JC_BONE_LEFT_FOOT, JC_BONE_LEFT_TOES,
		JC_BONE_RIGHT_FOOT, JC_BONE_RIGHT_TOES };
	float floor = INFINITY;

	for (size_t i = 0; i < sizeof(feet) / sizeof(feet[0]); i++) {
		floor = fminf(
			floor, position_of(frame, feet[i]).y - jc_bone_rest_position(feet[i]).y);
	}
	return floor;
}

/* Size of the person relative to the built-in figure; 0: this frame does not show it. */
static float measure_size(const struct jc_reach *reach, const struct jc_body_frame *frame)
{
	struct jc_vec3 anchor = position_of(frame, reach->anchor);
	float seen = reach->place.y, own = anchor.y - find_floor(frame);
	float least = STAND_LEAST;

	if (reach->has_hips) {
		struct jc_vec3 hips = jc_vec3_lerp(position_of(frame, JC_BONE_LEFT_UPPER_LEG),
			position_of(frame, JC_BONE_RIGHT_UPPER_LEG), 0.5f);

		seen = jc_vec3_length(jc_vec3_subtract(reach->place, reach->hips));
		own = jc_vec3_length(jc_vec3_subtract(anchor, hips));
		least = TRUNK_LEAST;
	}
	return own >= least && seen > SIZE_LEAST * own && seen < SIZE_MOST * own ? seen / own
										 : 0.0f;
}

static void follow_size(struct jc_arm_completion *completion, float seen, float seconds)
{
	if (seen > 0.0f && completion->size > 0.0f) {
		completion->size += (seen - completion->size) * (1.0f - expf(-seconds / SIZE_LAG));
	} else if (seen > 0.0f) {
		completion->size = seen;
	}
}

/* Gives the frame the wrist of a hand, in the size of the built-in figure. */
static void place_wrist(const struct jc_arm_completion *completion, const struct jc_reach *reach,
	int side, struct jc_body_frame *frame)
{
	const struct jc_reach_hand *hand = &reach->hands[side];
	enum jc_joint wrist = joint_of(arm_bones[side][JC_ARM_BONES - 1]);
	float size = completion->size > 0.0f ? completion->size : 1.0f;
	struct jc_vec3 way =
		jc_vec3_scale(jc_vec3_subtract(hand->wrist, reach->place), 1.0f / size);

	frame->joints[wrist] = (struct jc_body_joint){
		.position = jc_vec3_add(position_of(frame, reach->anchor), way),
		.orientation = jc_quat_multiply(hand->turned, jc_joint_t_pose(PROFILE, wrist)),
		.state = JC_TRACKED,
	};
}

/* Share of the completed arm: changes at once if the pose has no other. */
static float follow_share(const struct jc_arm_completion *completion, const struct jc_pose *pose,
	int side, bool is_open, float seconds)
{
	float share = completion->shares[side];

	if (pose->states[arm_bones[side][1]] == JC_ABSENT || seconds > GAP) {
		return is_open ? 1.0f : 0.0f;
	}
	return is_open ? fminf(share + seconds / BLEND, 1.0f)
		       : fmaxf(share - seconds / BLEND, 0.0f);
}

static void write_arm(const struct jc_arm_completion *completion, int side, bool is_open,
	uint64_t lacking, struct jc_pose *pose)
{
	float share = completion->shares[side];
	float eased = share * share * (3.0f - 2.0f * share);

	for (int i = 0; share > 0.0f && i < JC_ARM_BONES; i++) {
		enum jc_bone bone = arm_bones[side][i];

		if (is_open && !(lacking & bit(bone))) {
			continue;
		}
		pose->rotations[bone] =
			jc_quat_slerp(pose->rotations[bone], completion->arms[side][i], eased);
		if (is_open) {
			pose->states[bone] = i == JC_ARM_BONES - 1 ? JC_TRACKED : JC_ESTIMATED;
		}
	}
}

static void find_arm(
	struct jc_arm_completion *completion, int side, const struct jc_body_frame *frame)
{
	for (int i = 0; i < JC_ARM_BONES; i++) {
		enum jc_bone bone = arm_bones[side][i];

		completion->arms[side][i] = jc_quat_normalize(
			jc_quat_multiply(jc_quat_conjugate(turn_of(frame, jc_bone_parent(bone))),
				turn_of(frame, bone)));
	}
}

bool jc_arm_completion_apply(struct jc_arm_completion *completion, const struct jc_reach *reach,
	uint64_t lacking, int64_t time_ns, struct jc_pose *pose)
{
	const bool is_open[2] = { is_to_complete(reach, lacking, 0),
		is_to_complete(reach, lacking, 1) };
	float seconds = fmaxf((float)(time_ns - completion->time_ns) * 1.0e-9f, 0.0f);
	struct jc_body_frame frame;

	completion->time_ns = time_ns;
	if (is_open[0] || is_open[1]) {
		make_frame(pose, is_open, lacking, &frame);
		frame.time_ns = time_ns;
		follow_size(completion, measure_size(reach, &frame), seconds);
		for (int side = 0; side < 2; side++) {
			if (is_open[side]) {
				place_wrist(completion, reach, side, &frame);
			}
		}
		jc_emulation_complete(&completion->emulation, &frame);
	}
	for (int side = 0; side < 2; side++) {
		if (is_open[side]) {
			find_arm(completion, side, &frame);
		}
		completion->shares[side] =
			follow_share(completion, pose, side, is_open[side], seconds);
		write_arm(completion, side, is_open[side], lacking, pose);
	}
	return is_open[0] || is_open[1];
}
