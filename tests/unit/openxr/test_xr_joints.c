/* Tests the generated table of the joints of OpenXR's body trackers: against the enums of the
 * extensions, and against the hand-made joint-map.csv, if it exists beside the data folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/openxr/trackers/xr_joints.h"
#include "unit_test.h"

/* XrFullBodyJointMETA is the root followed by the draft's joints in their order, and
 * XrBodyJointFB its beginning (facts of XR_META_body_tracking_full_body). */
static void meta_joints_follow_the_order_of_webxr_after_the_root(void **)
{
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		assert_int_equal(jc_xr_joints[i].meta, i + 1);
		assert_int_equal(jc_xr_joints[i].fb, i + 1 < 70 ? i + 1 : -1);
	}
}

/* XrBodyJointBD has the order of the body model SMPL: joints of the left and the right leg
 * alternate. */
static void bd_joints_follow_the_order_of_smpl(void **)
{
	static const char *const names[24] = { "hips", "left-upper-leg", "right-upper-leg",
		"spine-lower", "left-lower-leg", "right-lower-leg", "spine-middle",
		"left-foot-ankle", "right-foot-ankle", "spine-upper", "left-foot-ball",
		"right-foot-ball", "neck", "left-shoulder", "right-shoulder", "head",
		"left-arm-upper", "right-arm-upper", "left-arm-lower", "right-arm-lower",
		"left-hand-wrist", "right-hand-wrist", "left-hand-palm", "right-hand-palm" };

	for (int i = 0; i < 24; i++) {
		assert_int_equal(jc_xr_joints[jc_joint_find(names[i])].bd, i);
	}
}

static void htc_joints_are_ordered_by_limb_and_its_waist_is_unmapped(void **)
{
	static const char *const names[26] = { "hips", "left-upper-leg", "left-lower-leg",
		"left-foot-ankle", "left-foot-ball", "right-upper-leg", "right-lower-leg",
		"right-foot-ankle", "right-foot-ball", NULL, "spine-lower", "spine-middle",
		"spine-upper", "chest", "neck", "head", "left-shoulder", "left-scapula",
		"left-arm-upper", "left-arm-lower", "left-hand-wrist", "right-shoulder",
		"right-scapula", "right-arm-upper", "right-arm-lower", "right-hand-wrist" };

	for (int i = 0; i < 26; i++) {
		if (names[i]) {
			assert_int_equal(jc_xr_joints[jc_joint_find(names[i])].htc, i);
		}
	}
}

static void maps_each_index_to_one_joint(void **)
{
	int seen[4][84] = { { 0 } };

	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		const int places[4] = { jc_xr_joints[i].meta, jc_xr_joints[i].fb,
			jc_xr_joints[i].bd, jc_xr_joints[i].htc };

		for (int k = 0; k < 4; k++) {
			if (places[k] >= 0) {
				assert_true(places[k] < 84);
				assert_int_equal(seen[k][places[k]]++, 0);
			}
		}
	}
}

/* Returns a copy of the n-th field of a line of comma-separated values, valid until the next
 * call. */
static const char *field(const char *line, int n)
{
	static char text[128];

	while (n-- > 0 && line) {
		line = strchr(line, ',');
		line = line ? line + 1 : NULL;
	}
	snprintf(text, sizeof(text), "%.*s", line ? (int)strcspn(line, ",\r\n") : 0,
		line ? line : "");
	return text;
}

static void agrees_with_the_joint_names_of_the_extensions(void **)
{
	static const char *const bd[24] = { "PELVIS", "LEFT_HIP", "RIGHT_HIP", "SPINE1",
		"LEFT_KNEE", "RIGHT_KNEE", "SPINE2", "LEFT_ANKLE", "RIGHT_ANKLE", "SPINE3",
		"LEFT_FOOT", "RIGHT_FOOT", "NECK", "LEFT_COLLAR", "RIGHT_COLLAR", "HEAD",
		"LEFT_SHOULDER", "RIGHT_SHOULDER", "LEFT_ELBOW", "RIGHT_ELBOW", "LEFT_WRIST",
		"RIGHT_WRIST", "LEFT_HAND", "RIGHT_HAND" };
	const char *folder = getenv("JOINTCAST_DATA");
	char line[512];

	snprintf(line, sizeof(line), "%s/../facts/joint-map.csv", folder ? folder : JC_DATA_FOLDER);
	FILE *file = fopen(line, "r");

	if (!file) {
		print_message("no ../facts/joint-map.csv: set JOINTCAST_DATA\n");
		skip();
	}
	int lines = 0;

	while (fgets(line, sizeof(line), file)) {
		enum jc_joint joint = jc_joint_find(field(line, 1));
		char name[64];

		if (joint == JC_JOINT_NONE) {
			continue;
		}
		assert_int_equal(jc_xr_joints[joint].meta, atoi(field(line, 3)));
		assert_int_equal(
			jc_xr_joints[joint].fb, *field(line, 4) ? atoi(field(line, 4)) : -1);
		name[0] = '\0';
		if (jc_xr_joints[joint].bd >= 0) {
			snprintf(name, sizeof(name), "XR_BODY_JOINT_%s_BD",
				bd[jc_xr_joints[joint].bd]);
		}
		assert_string_equal(field(line, 7), name);
		lines++;
	}
	fclose(file);
	assert_int_equal(lines, JC_JOINT_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meta_joints_follow_the_order_of_webxr_after_the_root),
		cmocka_unit_test(bd_joints_follow_the_order_of_smpl),
		cmocka_unit_test(htc_joints_are_ordered_by_limb_and_its_waist_is_unmapped),
		cmocka_unit_test(maps_each_index_to_one_joint),
		cmocka_unit_test(agrees_with_the_joint_names_of_the_extensions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
