/* Poses and body frames as plain values. */
#include <string.h>

#include "jointcast/humanoid.h"
#include "jointcast/transform.h"

static const char *const profile_names[JC_PROFILE_COUNT] = {
	[JC_PROFILE_WEBXR_SPEC] = "webxr-spec",
};

const char *jc_profile_name(enum jc_profile profile)
{
	return profile_names[profile];
}

int jc_profile_find(const char *name)
{
	for (int i = 0; i < JC_PROFILE_COUNT; i++) {
		if (strcmp(profile_names[i], name) == 0) {
			return i;
		}
	}
	return -1;
}

void jc_pose_init(struct jc_pose *pose)
{
	memset(pose, 0, sizeof(*pose));
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		pose->rotations[i] = JC_QUAT_IDENTITY;
	}
}

void jc_pose_interpolate(
	const struct jc_pose *a, const struct jc_pose *b, float t, struct jc_pose *out_pose)
{
	struct jc_pose pose;

	for (int i = 0; i < JC_BONE_COUNT; i++) {
		pose.rotations[i] = jc_quat_slerp(a->rotations[i], b->rotations[i], t);
		pose.states[i] = a->states[i] < b->states[i] ? a->states[i] : b->states[i];
	}
	pose.hips_translation = jc_vec3_lerp(a->hips_translation, b->hips_translation, t);
	*out_pose = pose;
}
