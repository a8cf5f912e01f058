/* Computes and applies tracker mounts from a frame of a person in a known pose. */
#include "jointcast_private/calibration.h"

#include <math.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/write.h"

#define BUILTIN_HEIGHT 1.75f
#define FACING_LEAST   0.1f /* minimum sum of the distances from right to left joints, metres */
#define STILL_WAY      0.05f
#define STILL_ANGLE    0.2618f
#define QUARTER        1.5707963f

static const char *const pose_names[JC_CALIBRATION_POSE_COUNT] = { "t", "i" };

const char *jc_calibration_pose_name(enum jc_calibration_pose pose)
{
	return pose_names[pose];
}

int jc_calibration_pose_find(const char *name)
{
	for (int pose = 0; pose < JC_CALIBRATION_POSE_COUNT; pose++) {
		if (strcmp(pose_names[pose], name) == 0) {
			return pose;
		}
	}
	return -1;
}

static bool is_there(const struct jc_body_frame *frame, enum jc_joint joint)
{
	return frame->joints[joint].state != JC_ABSENT;
}

/* Only body trackers report joints inside the trunk. */
static bool is_whole(const struct jc_body_frame *frame)
{
	return is_there(frame, JC_JOINT_SPINE_LOWER) || is_there(frame, JC_JOINT_SPINE_MIDDLE) ||
	       is_there(frame, JC_JOINT_LEFT_SCAPULA) || is_there(frame, JC_JOINT_RIGHT_SCAPULA);
}

static bool is_of_hand(enum jc_joint joint, bool right)
{
	int first = right ? JC_JOINT_RIGHT_HAND_PALM : JC_JOINT_LEFT_HAND_PALM;

	return (int)joint >= first &&
	       (int)joint < first + JC_JOINT_RIGHT_HAND_PALM - JC_JOINT_LEFT_HAND_PALM;
}

static bool is_wrist_or_palm(enum jc_joint joint)
{
	return joint == JC_JOINT_LEFT_HAND_WRIST || joint == JC_JOINT_RIGHT_HAND_WRIST ||
	       joint == JC_JOINT_LEFT_HAND_PALM || joint == JC_JOINT_RIGHT_HAND_PALM;
}

/* Whether hand tracking sees the hand, because it has fingers. */
static bool is_seen(const struct jc_body_frame *frame, enum jc_joint joint)
{
	bool right = is_of_hand(joint, true);

	if (!right && !is_of_hand(joint, false)) {
		return false;
	}
	for (int other = 0; other < JC_JOINT_COUNT; other++) {
		if (is_of_hand((enum jc_joint)other, right) &&
			!is_wrist_or_palm((enum jc_joint)other) &&
			is_there(frame, (enum jc_joint)other)) {
			return true;
		}
	}
	return false;
}

static bool is_left(enum jc_joint joint)
{
	return joint < jc_joint_mirror(joint);
}

static void make_figure(enum jc_profile profile, enum jc_calibration_pose pose, float height,
	struct jc_body_frame *out_figure)
{
	const struct jc_vec3 down = { 0.0f, 0.0f, pose == JC_CALIBRATION_I ? -QUARTER : 0.0f };
	struct jc_pose standing;

	jc_pose_init(&standing);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		standing.states[bone] = JC_TRACKED;
	}
	standing.rotations[JC_BONE_LEFT_UPPER_ARM] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 0.0f, 1.0f }, down.z);
	standing.rotations[JC_BONE_RIGHT_UPPER_ARM] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 0.0f, 1.0f }, -down.z);
	jc_pose_to_body_frame(&standing, profile, out_figure);
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		struct jc_vec3 *position = &out_figure->joints[joint].position;

		*position = jc_vec3_scale(*position, height / BUILTIN_HEIGHT);
	}
}

/* Joints whose device reports its own position: hands and head. */
static bool is_in_place(enum jc_joint joint)
{
	return joint == JC_JOINT_HEAD || is_wrist_or_palm(joint);
}

/* The direction from right to left along the floor: of held devices, else also of strapped-on
 * trackers. */
static struct jc_vec3 find_left(const struct jc_body_frame *frame, bool straps)
{
	struct jc_vec3 left = { 0.0f, 0.0f, 0.0f };

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		enum jc_joint other = jc_joint_mirror((enum jc_joint)joint);

		if (is_left((enum jc_joint)joint) && is_there(frame, (enum jc_joint)joint) &&
			is_there(frame, other) && (straps || is_in_place((enum jc_joint)joint))) {
			left = jc_vec3_add(left, jc_vec3_subtract(frame->joints[joint].position,
							 frame->joints[other].position));
		}
	}
	left.y = 0.0f;
	return left;
}

/* The heading of the person; false if nothing shows it. */
static bool find_heading(
	const struct jc_body_frame *frame, enum jc_profile profile, struct jc_quat *out_heading)
{
	struct jc_vec3 left = find_left(frame, false);
	float angle;

	if (!(jc_vec3_length(left) >= FACING_LEAST)) {
		left = find_left(frame, true);
	}
	if (jc_vec3_length(left) >= FACING_LEAST) {
		angle = atan2f(-left.z, left.x);
	} else if (is_there(frame, JC_JOINT_HEAD)) {
		struct jc_quat turned = jc_quat_multiply(frame->joints[JC_JOINT_HEAD].orientation,
			jc_quat_conjugate(jc_joint_t_pose(profile, JC_JOINT_HEAD)));
		struct jc_vec3 front = jc_quat_rotate(turned, (struct jc_vec3){ 0.0f, 0.0f, 1.0f });

		angle = atan2f(front.x, front.z);
	} else {
		return false;
	}
	*out_heading = jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, angle);
	return true;
}

/* The horizontal offset from the figure to the person: the mean of the offsets of the head and
 * of the middles of pairs. Strapped-on trackers count only without other joints, because they are
 * displaced; left and right cancel out. */
static struct jc_vec3 find_place(
	const struct jc_body_frame *frame, const struct jc_body_frame *figure, bool straps)
{
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	float count = 0.0f;

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		enum jc_joint other = jc_joint_mirror((enum jc_joint)joint);
		bool counts = (joint == JC_JOINT_HEAD || is_left((enum jc_joint)joint)) &&
			      (straps || is_in_place((enum jc_joint)joint));

		if (!counts || !is_there(frame, (enum jc_joint)joint) || !is_there(frame, other)) {
			continue;
		}
		struct jc_vec3 way = jc_vec3_add(jc_vec3_subtract(frame->joints[joint].position,
							 figure->joints[joint].position),
			jc_vec3_subtract(
				frame->joints[other].position, figure->joints[other].position));

		sum = jc_vec3_add(sum, jc_vec3_scale(way, 0.5f));
		count += 1.0f;
	}
	if (count == 0.0f) {
		return find_place(frame, figure, true);
	}
	sum.y = 0.0f;
	return jc_vec3_scale(sum, 1.0f / count);
}

/* The joint position of the figure at the place of the person. */
static bool place_figure(
	const struct jc_body_frame *frame, enum jc_profile profile, struct jc_body_frame *figure)
{
	struct jc_quat heading;

	if (!find_heading(frame, profile, &heading)) {
		return false;
	}
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		struct jc_body_joint *j = &figure->joints[joint];

		j->position = jc_quat_rotate(heading, j->position);
		j->orientation = jc_quat_multiply(heading, j->orientation);
	}
	struct jc_vec3 place = find_place(frame, figure, false);

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		figure->joints[joint].position = jc_vec3_add(figure->joints[joint].position, place);
	}
	return true;
}

int jc_calibration_figure(const struct jc_body_frame *frame, enum jc_profile profile,
	enum jc_calibration_pose pose, float height, struct jc_body_frame *out_figure,
	struct jc_diagnostic *diagnostic)
{
	struct jc_body_frame figure;

	make_figure(profile, pose, height, &figure);
	if (!place_figure(frame, profile, &figure)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"neither the head nor a left and a right tracker show the front");
	}
	*out_figure = figure;
	return JC_OK;
}

static struct jc_calibration_mount find_mount(enum jc_joint joint,
	const struct jc_body_joint *tracker, const struct jc_body_joint *wanted)
{
	struct jc_quat back = jc_quat_conjugate(tracker->orientation);
	struct jc_calibration_mount mount = {
		.is_set = true,
		.rotation = jc_quat_normalize(jc_quat_multiply(back, wanted->orientation)),
	};

	if (!is_in_place(joint)) {
		mount.translation =
			jc_quat_rotate(back, jc_vec3_subtract(wanted->position, tracker->position));
	}
	return mount;
}

int jc_calibration_compute(const struct jc_body_frame *frame, enum jc_profile profile,
	enum jc_calibration_pose pose, float height, struct jc_calibration *out_calibration,
	struct jc_diagnostic *diagnostic)
{
	struct jc_calibration calibration = { .profile = profile, .pose = pose, .height = height };
	struct jc_body_frame figure;

	if (is_whole(frame)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"a whole body is tracked, which needs no calibration");
	}
	int status = jc_calibration_figure(frame, profile, pose, height, &figure, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		const struct jc_body_joint *tracker = &frame->joints[joint];
		const struct jc_body_joint *wanted = &figure.joints[joint];

		if (tracker->state == JC_ABSENT || is_seen(frame, (enum jc_joint)joint)) {
			continue;
		}
		float off = jc_vec3_length(jc_vec3_subtract(tracker->position, wanted->position));

		if (!(off <= JC_CALIBRATION_OFF_MOST * height)) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"%s is %.2f m from where the %s-pose has it",
				jc_joint_name((enum jc_joint)joint), (double)off,
				pose == JC_CALIBRATION_T ? "T" : "I");
		}
		calibration.mounts[joint] = find_mount((enum jc_joint)joint, tracker, wanted);
	}
	*out_calibration = calibration;
	return JC_OK;
}

void jc_calibration_apply(const struct jc_calibration *calibration, struct jc_body_frame *frame)
{
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		const struct jc_calibration_mount *mount = &calibration->mounts[joint];
		struct jc_body_joint *j = &frame->joints[joint];

		if (!mount->is_set || j->state == JC_ABSENT ||
			is_seen(frame, (enum jc_joint)joint)) {
			continue;
		}
		j->position = jc_vec3_add(
			j->position, jc_quat_rotate(j->orientation, mount->translation));
		j->orientation = jc_quat_multiply(j->orientation, mount->rotation);
	}
}

bool jc_calibration_is_still(const struct jc_body_frame *before, const struct jc_body_frame *after,
	enum jc_joint *out_joint)
{
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		const struct jc_body_joint *a = &before->joints[joint];
		const struct jc_body_joint *b = &after->joints[joint];

		if (a->state != JC_ABSENT &&
			(b->state == JC_ABSENT ||
				!(jc_vec3_length(jc_vec3_subtract(a->position, b->position)) <=
					STILL_WAY) ||
				!(jc_quat_angle(a->orientation, b->orientation) <= STILL_ANGLE))) {
			*out_joint = (enum jc_joint)joint;
			return false;
		}
	}
	return true;
}
