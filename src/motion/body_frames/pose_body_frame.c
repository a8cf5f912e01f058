/* Converts a pose to a body frame: poses the built-in figure by forward kinematics and
 * turns each joint by the axes of the profile in the T-pose. */
#include "jointcast/transform.h"
#include "jointcast/write.h"

enum kind {
	RIGID,   /* turns with its carrier bone */
	BETWEEN, /* half way between its carrier and the next bone */
	TWIST,   /* turns about the carrier's axis only, with the next bone */
	ALONG,   /* turns with its carrier, until its own axis points to the other bone */
};

/* A joint without a bone. In the T-pose it lies at the part `along` of the line from its
 * carrier to another bone. */
struct helper {
	enum jc_joint joint;
	enum jc_bone carrier, toward;
	float along;
	enum kind kind;
};

#define FINGER(SIDE, NAME, METACARPAL)                                                             \
	{ METACARPAL, JC_BONE_##SIDE##_HAND, JC_BONE_##SIDE##_##NAME##_PROXIMAL,                   \
		JC_METACARPAL_BASE, ALONG },                                                       \
	{                                                                                          \
		JC_JOINT_##SIDE##_HAND_##NAME##_TIP, JC_BONE_##SIDE##_##NAME##_DISTAL,             \
			JC_BONE_##SIDE##_##NAME##_INTERMEDIATE, -0.9f, RIGID                       \
	}

#define SIDE_HELPERS(SIDE, MIDDLE_METACARPAL)                                                      \
	{ JC_JOINT_##SIDE##_SCAPULA, JC_BONE_##SIDE##_SHOULDER, JC_BONE_##SIDE##_UPPER_ARM, 0.5f,  \
		RIGID },                                                                           \
		{ JC_JOINT_##SIDE##_HAND_WRIST_TWIST, JC_BONE_##SIDE##_LOWER_ARM,                  \
			JC_BONE_##SIDE##_HAND, 0.9f, TWIST },                                      \
		{ JC_JOINT_##SIDE##_HAND_THUMB_TIP, JC_BONE_##SIDE##_THUMB_DISTAL,                 \
			JC_BONE_##SIDE##_THUMB_PROXIMAL, -0.9f, RIGID },                           \
		FINGER(SIDE, INDEX, JC_JOINT_##SIDE##_HAND_INDEX_METACARPAL),                      \
		FINGER(SIDE, MIDDLE, MIDDLE_METACARPAL),                                           \
		FINGER(SIDE, RING, JC_JOINT_##SIDE##_HAND_RING_METACARPAL),                        \
		FINGER(SIDE, LITTLE, JC_JOINT_##SIDE##_HAND_LITTLE_METACARPAL),                    \
		{ JC_JOINT_##SIDE##_FOOT_ANKLE_TWIST, JC_BONE_##SIDE##_LOWER_LEG,                  \
			JC_BONE_##SIDE##_FOOT, 0.9f, TWIST },                                      \
		{ JC_JOINT_##SIDE##_FOOT_SUBTALAR, JC_BONE_##SIDE##_FOOT, JC_BONE_##SIDE##_TOES,   \
			0.15f, RIGID },                                                            \
	{                                                                                          \
		JC_JOINT_##SIDE##_FOOT_TRANSVERSE, JC_BONE_##SIDE##_FOOT, JC_BONE_##SIDE##_TOES,   \
			0.6f, RIGID                                                                \
	}

static const struct helper helpers[] = {
	{ JC_JOINT_SPINE_MIDDLE, JC_BONE_SPINE, JC_BONE_CHEST, 0.5f, BETWEEN },
	SIDE_HELPERS(LEFT, JC_JOINT_LEFT_HAND_MIDDLE_PHALANX_METACARPAL),
	SIDE_HELPERS(RIGHT, JC_JOINT_RIGHT_HAND_MIDDLE_METACARPAL),
};

/* The bones of the figure in world space: D and the joint position. */
struct posed {
	struct jc_quat turned[JC_BONE_COUNT];
	struct jc_vec3 positions[JC_BONE_COUNT];
};

static void pose_bones(const struct jc_pose *pose, struct posed *out_posed)
{
	struct jc_vec3 hips = jc_bone_rest_position(JC_BONE_HIPS);
	float height = hips.y - jc_bone_rest_position(JC_BONE_LEFT_TOES).y;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		enum jc_bone parent = jc_bone_parent(bone);
		struct jc_vec3 offset;

		if (parent == JC_BONE_NONE) {
			out_posed->turned[b] = pose->rotations[b];
			out_posed->positions[b] =
				jc_vec3_add(hips, jc_vec3_scale(pose->hips_translation, height));
			continue;
		}
		offset = jc_vec3_subtract(
			jc_bone_rest_position(bone), jc_bone_rest_position(parent));
		out_posed->turned[b] = jc_quat_normalize(
			jc_quat_multiply(out_posed->turned[parent], pose->rotations[b]));
		out_posed->positions[b] = jc_vec3_add(out_posed->positions[parent],
			jc_quat_rotate(out_posed->turned[parent], offset));
	}
}

static enum jc_joint find_joint(enum jc_bone bone)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		if (jc_joint_bone((enum jc_joint)j) == bone) {
			return (enum jc_joint)j;
		}
	}
	return JC_JOINT_NONE;
}

/* D of a joint that is present. */
static struct jc_quat turn_of(
	enum jc_profile profile, const struct jc_body_frame *frame, enum jc_joint joint)
{
	return jc_quat_multiply(frame->joints[joint].orientation,
		jc_quat_conjugate(jc_joint_t_pose(profile, joint)));
}

/* D of a joint whose axis in the draft, -Z, points along its bone. */
static struct jc_quat turn_along(enum jc_joint joint, struct jc_quat turned, struct jc_vec3 bone)
{
	struct jc_quat axes =
		jc_quat_multiply(turned, jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, joint));
	struct jc_vec3 axis = jc_quat_rotate(axes, (struct jc_vec3){ 0.0f, 0.0f, -1.0f });
	struct jc_vec3 up = jc_quat_rotate(axes, (struct jc_vec3){ 0.0f, 1.0f, 0.0f });

	return jc_quat_multiply(jc_quat_between(axis, bone, up), turned);
}

/* From the carrier to the other bone. Where the other bone is absent, and beyond the
 * carrier, the direction is that of the built-in figure in the size of the body. */
static struct jc_vec3 find_way(const struct helper *helper, const struct jc_body_frame *frame,
	struct jc_quat turned, enum jc_joint carrier, enum jc_joint toward)
{
	struct jc_vec3 rest = jc_vec3_subtract(
		jc_bone_rest_position(helper->toward), jc_bone_rest_position(helper->carrier));
	struct jc_vec3 way;

	if (frame->joints[toward].state == JC_ABSENT) {
		return jc_quat_rotate(turned, rest);
	}
	way = jc_vec3_subtract(frame->joints[toward].position, frame->joints[carrier].position);
	if (helper->along > 0.0f) {
		return way;
	}
	return jc_quat_rotate(
		turned, jc_vec3_scale(rest, jc_vec3_length(way) / jc_vec3_length(rest)));
}

static void place_helper(
	const struct helper *helper, enum jc_profile profile, struct jc_body_frame *frame)
{
	struct jc_body_joint *joint = &frame->joints[helper->joint];
	enum jc_joint carrier = find_joint(helper->carrier);
	enum jc_joint toward = find_joint(helper->toward);
	struct jc_quat turned, next, swing, twist;
	struct jc_vec3 way;

	if (joint->state != JC_ABSENT || frame->joints[carrier].state == JC_ABSENT) {
		return;
	}
	turned = turn_of(profile, frame, carrier);
	next = frame->joints[toward].state == JC_ABSENT ? turned : turn_of(profile, frame, toward);
	way = find_way(helper, frame, turned, carrier, toward);
	joint->position =
		jc_vec3_add(frame->joints[carrier].position, jc_vec3_scale(way, helper->along));
	switch (helper->kind) {
	case BETWEEN:
		turned = jc_quat_slerp(turned, next, helper->along);
		break;
	case TWIST:
		jc_quat_swing_twist(jc_quat_multiply(jc_quat_conjugate(turned), next),
			jc_vec3_normalize(jc_vec3_subtract(jc_bone_rest_position(helper->toward),
				jc_bone_rest_position(helper->carrier))),
			&swing, &twist);
		turned = jc_quat_multiply(turned, twist);
		break;
	case ALONG:
		turned = turn_along(helper->joint, turned, way);
		break;
	case RIGID:
		break;
	}
	joint->orientation = jc_quat_normalize(
		jc_quat_multiply(turned, jc_joint_t_pose(profile, helper->joint)));
	joint->state = JC_ESTIMATED;
}

/* At the centre of the metacarpal bone of the middle finger, parallel to it; without the finger,
 * where the built-in figure has the bone. */
static void place_palm(enum jc_profile profile, enum jc_joint palm, enum jc_joint wrist,
	enum jc_joint metacarpal, enum jc_joint proximal, struct jc_body_frame *frame)
{
	struct jc_body_joint *joint = &frame->joints[palm];
	struct jc_vec3 base = frame->joints[metacarpal].position;
	struct jc_vec3 bone = jc_vec3_subtract(frame->joints[proximal].position, base);
	struct jc_quat turned;

	if (joint->state != JC_ABSENT || frame->joints[wrist].state == JC_ABSENT) {
		return;
	}
	turned = turn_of(profile, frame, wrist);
	if (frame->joints[proximal].state == JC_ABSENT) {
		struct jc_vec3 rest =
			jc_vec3_subtract(jc_bone_rest_position(jc_joint_bone(proximal)),
				jc_bone_rest_position(jc_joint_bone(wrist)));

		bone = jc_quat_rotate(turned, jc_vec3_scale(rest, 1.0f - JC_METACARPAL_BASE));
	}
	joint->position = jc_vec3_add(base, jc_vec3_scale(bone, 0.5f));
	joint->orientation = jc_quat_normalize(
		jc_quat_multiply(turn_along(palm, turned, bone), jc_joint_t_pose(profile, palm)));
	joint->state = JC_ESTIMATED;
}

void jc_body_frame_fill_between(enum jc_profile profile, struct jc_body_frame *frame)
{
	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		place_helper(&helpers[i], profile, frame);
	}
	place_palm(profile, JC_JOINT_LEFT_HAND_PALM, JC_JOINT_LEFT_HAND_WRIST,
		JC_JOINT_LEFT_HAND_MIDDLE_PHALANX_METACARPAL,
		JC_JOINT_LEFT_HAND_MIDDLE_PHALANX_PROXIMAL, frame);
	place_palm(profile, JC_JOINT_RIGHT_HAND_PALM, JC_JOINT_RIGHT_HAND_WRIST,
		JC_JOINT_RIGHT_HAND_MIDDLE_METACARPAL, JC_JOINT_RIGHT_HAND_MIDDLE_PHALANX_PROXIMAL,
		frame);
}

void jc_pose_to_body_frame(
	const struct jc_pose *pose, enum jc_profile profile, struct jc_body_frame *out_frame)
{
	struct posed posed;

	pose_bones(pose, &posed);
	*out_frame = (struct jc_body_frame){ .confidence = 1.0f };
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)j);
		struct jc_body_joint *joint = &out_frame->joints[j];

		joint->orientation = JC_QUAT_IDENTITY;
		if (bone != JC_BONE_NONE && pose->states[bone] != JC_ABSENT) {
			joint->position = posed.positions[bone];
			joint->orientation = jc_quat_normalize(jc_quat_multiply(
				posed.turned[bone], jc_joint_t_pose(profile, (enum jc_joint)j)));
			joint->state = pose->states[bone];
		}
	}
	jc_body_frame_fill_between(profile, out_frame);
}
