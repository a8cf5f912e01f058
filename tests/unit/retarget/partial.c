/* The built-in figure's joints come from jc_pose_to_body_frame, whose inverse the
 * solver is; places of bones are reckoned here, by matrices. */
#include "partial.h"

#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "reference.h"

static const enum jc_joint three[] = { JC_JOINT_HEAD, JC_JOINT_LEFT_HAND_WRIST,
	JC_JOINT_RIGHT_HAND_WRIST };
static const enum jc_joint six[] = { JC_JOINT_HEAD, JC_JOINT_LEFT_HAND_WRIST,
	JC_JOINT_RIGHT_HAND_WRIST, JC_JOINT_HIPS, JC_JOINT_LEFT_FOOT_ANKLE,
	JC_JOINT_RIGHT_FOOT_ANKLE };

const struct partial_set partial_three = { "head and wrists", three, 3 };
const struct partial_set partial_six = { "six trackers", six, 6 };

struct jc_body_frame partial_whole(
	const struct jc_pose *pose, enum jc_profile profile, float size, double seconds)
{
	struct jc_pose tracked = *pose;
	struct jc_body_frame frame;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		tracked.states[b] = JC_TRACKED;
	}
	jc_pose_to_body_frame(&tracked, profile, &frame);
	frame.time_ns = 1 + (int64_t)(seconds * 1.0e9);
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		frame.joints[j].position = jc_vec3_scale(frame.joints[j].position, size);
		frame.joints[j].state = JC_TRACKED;
	}
	return frame;
}

struct jc_body_frame partial_rest(enum jc_profile profile, float size)
{
	struct jc_pose t_pose;

	jc_pose_init(&t_pose);
	return partial_whole(&t_pose, profile, size, 0.0);
}

struct jc_body_frame partial_of(const struct jc_body_frame *whole, const struct partial_set *set)
{
	struct jc_body_frame frame = { .time_ns = whole->time_ns, .confidence = 1.0f };

	for (size_t i = 0; i < set->count; i++) {
		frame.joints[set->joints[i]] = whole->joints[set->joints[i]];
	}
	return frame;
}

void partial_places(const struct jc_pose *pose, struct jc_vec3 out_places[JC_BONE_COUNT])
{
	const double hips_height = 0.96 - 0.015;
	struct matrix turned[JC_BONE_COUNT];
	struct vector places[JC_BONE_COUNT];

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		enum jc_bone above = jc_bone_parent(bone);
		struct matrix own = matrix_from_quat(pose->rotations[b]);
		struct vector rest = vector_from(jc_bone_rest_position(bone));

		if (above == JC_BONE_NONE) {
			turned[b] = own;
			places[b] = vector_add(rest,
				vector_scale(vector_from(pose->hips_translation), hips_height));
		} else {
			struct vector way =
				vector_subtract(rest, vector_from(jc_bone_rest_position(above)));

			turned[b] = matrix_multiply(turned[above], own);
			places[b] = vector_add(places[above], matrix_apply(turned[above], way));
		}
		out_places[b] = vector_to(places[b]);
	}
}

float partial_distance(struct jc_vec3 a, struct jc_vec3 b)
{
	return jc_vec3_length(jc_vec3_subtract(a, b));
}
