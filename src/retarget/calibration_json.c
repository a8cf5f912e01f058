/* Reads and writes calibrations as JSON, for the daemon and for recordings. */
#include <jansson.h>
#include <math.h>

#include "jointcast/transform.h"
#include "jointcast_private/calibration.h"
#include "jointcast_private/json.h"

#define UNIT_ERROR 1e-3f
#define FARTHEST   1.0f /* metres from a tracker to its joint */

static int refuse(struct jc_diagnostic *diagnostic, const struct jc_json_place *place)
{
	return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not a calibration");
}

static int read_mount(const json_t *object, const struct jc_json_place *place,
	struct jc_calibration_mount *out_mount, struct jc_diagnostic *diagnostic)
{
	float q[4] = { 0 };
	float t[3] = { 0 };
	int status = jc_json_read_floats(object, "rotation", place, 4, q, diagnostic);

	if (status == JC_OK) {
		status = jc_json_read_floats(object, "translation", place, 3, t, diagnostic);
	}
	if (status != JC_OK) {
		return status;
	}
	struct jc_calibration_mount mount = { .is_set = true,
		.rotation = { q[0], q[1], q[2], q[3] },
		.translation = { t[0], t[1], t[2] } };
	float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	if (!(fabsf(length - 1.0f) <= UNIT_ERROR) ||
		!(jc_vec3_length(mount.translation) <= FARTHEST)) {
		return refuse(diagnostic, place);
	}
	mount.rotation = jc_quat_normalize(mount.rotation);
	*out_mount = mount;
	return JC_OK;
}

static int read_mounts(const json_t *joints, const struct jc_json_place *outer,
	struct jc_calibration *calibration, struct jc_diagnostic *diagnostic)
{
	const char *name;
	json_t *value;
	int status = JC_OK;

	json_object_foreach((json_t *)joints, name, value)
	{
		struct jc_json_place place = { .outer = outer, .key = name };
		enum jc_joint joint = jc_joint_find(name);

		if (joint == JC_JOINT_NONE || !json_is_object(value)) {
			return refuse(diagnostic, &place);
		}
		status = read_mount(value, &place, &calibration->mounts[joint], diagnostic);
		if (status != JC_OK) {
			return status;
		}
	}
	return JC_OK;
}

int jc_calibration_unpack(const struct json_t *object, const struct jc_json_place *place,
	struct jc_calibration *out_calibration, struct jc_diagnostic *diagnostic)
{
	struct jc_calibration calibration = { .height = 0.0f };
	const json_t *joints = NULL;
	const char *profile = "";
	const char *pose = "";
	struct jc_json_place within = { .outer = place, .key = "joints" };
	int status = jc_json_read_string(object, "profile", place, &profile, diagnostic);

	if (status == JC_OK) {
		status = jc_json_read_string(object, "pose", place, &pose, diagnostic);
	}
	if (status == JC_OK) {
		status = jc_json_read_float(
			object, "height", place, &calibration.height, diagnostic);
	}
	if (status == JC_OK) {
		status = jc_json_read_object(object, "joints", place, &joints, diagnostic);
	}
	if (status != JC_OK) {
		return status;
	}
	int found_profile = jc_profile_find(profile);
	int found_pose = jc_calibration_pose_find(pose);

	if (found_profile < 0 || found_pose < 0 || !joints ||
		!(calibration.height >= JC_CALIBRATION_HEIGHT_LEAST) ||
		!(calibration.height <= JC_CALIBRATION_HEIGHT_MOST)) {
		return refuse(diagnostic, place);
	}
	calibration.profile = (enum jc_profile)found_profile;
	calibration.pose = (enum jc_calibration_pose)found_pose;
	status = read_mounts(joints, &within, &calibration, diagnostic);
	if (status == JC_OK) {
		*out_calibration = calibration;
	}
	return status;
}

struct json_t *jc_calibration_pack(const struct jc_calibration *calibration)
{
	json_t *joints = json_object();

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		const struct jc_calibration_mount *mount = &calibration->mounts[joint];
		struct jc_quat q = mount->rotation;
		struct jc_vec3 t = mount->translation;

		if (mount->is_set) {
			json_object_set_new(joints, jc_joint_name((enum jc_joint)joint),
				json_pack("{s[ffff] s[fff]}", "rotation", q.x, q.y, q.z, q.w,
					"translation", t.x, t.y, t.z));
		}
	}
	return json_pack("{ss ss sf so}", "profile", jc_profile_name(calibration->profile), "pose",
		jc_calibration_pose_name(calibration->pose), "height", calibration->height,
		"joints", joints);
}
