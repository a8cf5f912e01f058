/* Chooses the part for each joint, and converts its axes. */
#include "source/openxr/trackers/xr_merge.h"

#include "jointcast/transform.h"

#define HAND_JOINTS  26 /* palm, wrist, then fingers: the same order in both joint lists */
#define FIRST_FINGER 2

static bool has(const struct jc_xr_part *part, int joint)
{
	return part->live && part->joints[joint].state != JC_ABSENT;
}

/* Converts the rotation since the T-pose to other axes. */
static struct jc_quat turn_axes(
	struct jc_quat orientation, enum jc_profile from, enum jc_profile to, enum jc_joint joint)
{
	if (from == to) {
		return orientation;
	}
	return jc_quat_multiply(
		orientation, jc_quat_multiply(jc_quat_conjugate(jc_joint_t_pose(from, joint)),
				     jc_joint_t_pose(to, joint)));
}

static void take(const struct jc_xr_part *part, int joint, enum jc_profile profile,
	struct jc_body_frame *frame)
{
	frame->joints[joint] = part->joints[joint];
	frame->joints[joint].orientation = turn_axes(
		part->joints[joint].orientation, part->profile, profile, (enum jc_joint)joint);
}

static const struct jc_xr_part *find_fingers(
	const struct jc_xr_part *const *parts, size_t count, int palm)
{
	for (size_t i = 0; i < count; i++) {
		for (int j = FIRST_FINGER; j < HAND_JOINTS; j++) {
			if (has(parts[i], palm + j)) {
				return parts[i];
			}
		}
	}
	return NULL;
}

static void take_hand(const struct jc_xr_part *part, int palm, enum jc_profile profile,
	struct jc_body_frame *frame)
{
	for (int joint = palm; part && joint < palm + HAND_JOINTS; joint++) {
		if (has(part, joint)) {
			take(part, joint, profile, frame);
		}
	}
}

bool jc_xr_merge(const struct jc_xr_part *const *parts, size_t count, enum jc_profile profile,
	struct jc_body_frame *out_frame)
{
	size_t first = 0;

	while (first < count && !parts[first]->live) {
		first++;
	}
	if (first == count) {
		return false;
	}
	*out_frame = (struct jc_body_frame){
		.time_ns = parts[first]->time_ns,
		.confidence = parts[first]->confidence,
	};
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		for (size_t i = first; i < count; i++) {
			if (has(parts[i], joint)) {
				take(parts[i], joint, profile, out_frame);
				break;
			}
		}
	}
	static const int palms[] = { JC_JOINT_LEFT_HAND_PALM, JC_JOINT_RIGHT_HAND_PALM };

	for (int side = 0; side < 2; side++) {
		take_hand(find_fingers(parts, count, palms[side]), palms[side], profile, out_frame);
	}
	return true;
}
