/* Limits, segments and info of H-Anim figures, from file to file: all joints of H-Anim 1.0 with
 * values that follow from their number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/rerest.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "unit_test.h"

#define JOINTS_MAX 128

/* "The Joint Hierarchy": each chain begins with the joint that it hangs on. */
static const char *const chains[] = {
	"HumanoidRoot sacroiliac",
	"sacroiliac l_hip l_knee l_ankle l_subtalar l_midtarsal l_metatarsal",
	"sacroiliac r_hip r_knee r_ankle r_subtalar r_midtarsal r_metatarsal",
	"HumanoidRoot vl5 vl4 vl3 vl2 vl1 vt12 vt11 vt10 vt9 vt8 vt7 vt6 vt5 vt4 vt3 vt2 vt1",
	"vt1 vc7 vc6 vc5 vc4 vc3 vc2 vc1 skullbase",
	"vt1 l_sternoclavicular l_acromioclavicular l_shoulder l_elbow l_wrist",
	"l_wrist l_thumb1 l_thumb2 l_thumb3",
	"l_wrist l_index1 l_index2 l_index3",
	"l_wrist l_middle1 l_middle2 l_middle3",
	"l_wrist l_ring1 l_ring2 l_ring3",
	"l_wrist l_pinky1 l_pinky2 l_pinky3",
	"vt1 r_sternoclavicular r_acromioclavicular r_shoulder r_elbow r_wrist",
	"r_wrist r_thumb1 r_thumb2 r_thumb3",
	"r_wrist r_index1 r_index2 r_index3",
	"r_wrist r_middle1 r_middle2 r_middle3",
	"r_wrist r_ring1 r_ring2 r_ring3",
	"r_wrist r_pinky1 r_pinky2 r_pinky3",
};

struct joint {
	char name[32];
	int parent;
};

struct body {
	size_t count;
	struct joint joints[JOINTS_MAX];
};

static int find_joint(const struct body *body, const char *name)
{
	for (size_t i = 0; i < body->count; i++) {
		if (strcmp(body->joints[i].name, name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

/* skip: leave out the vertebrae that do not have priority, as the text allows. */
static void make_body(struct body *body, bool skip)
{
	static const char wanted[] = " vl5 vl3 vl1 vt10 vt6 vc7 vc4 vc2 ";

	*body = (struct body){ .count = 1, .joints = { { "HumanoidRoot", -1 } } };
	for (size_t c = 0; c < sizeof(chains) / sizeof(*chains); c++) {
		char text[256], *at, *name;
		int parent;

		snprintf(text, sizeof(text), "%s", chains[c]);
		name = strtok_r(text, " ", &at);
		if (skip && strcmp(name, "vt1") == 0) {
			parent = find_joint(body, "vt6");
		} else {
			parent = find_joint(body, name);
		}
		while ((name = strtok_r(NULL, " ", &at))) {
			char word[40];

			snprintf(word, sizeof(word), " %s ", name);
			if (skip && name[0] == 'v' && !strstr(wanted, word)) {
				continue;
			}
			assert_true(body->count < JOINTS_MAX);
			snprintf(body->joints[body->count].name, 32, "%s", name);
			body->joints[body->count].parent = parent;
			parent = (int)body->count++;
		}
	}
}

/* A figure of about human size; the arms hang. */
static void put_joint(FILE *out, const struct body *body, int index)
{
	double i = index;
	double side = body->joints[index].name[0] == 'r' ? -1.0 : 1.0;

	fprintf(out, "HAnimJoint { name \"%s\" center %g %g 0.02\n", body->joints[index].name,
		side * 0.002 * i, 2.0 - 0.015 * i);
	fprintf(out, "llimit [ %g %g %g ] ulimit [ %g %g %g ]\n", -0.01 * i - 0.1, -0.2, -0.3,
		0.01 * i + 0.1, 0.25, 0.35);
	if (index % 3 == 0) {
		fprintf(out, "limitOrientation 0 1 0 %g\n", 0.01 * i + 0.2);
	}
	fprintf(out, "stiffness [ 0 0.5 %g ]\nchildren [\n", i / 200.0);
	fprintf(out, "HAnimSegment { name \"s%d\" mass %g centerOfMass %g %g 0.03\n", index,
		0.5 + 0.01 * i, side * 0.002 * i + 0.01, 2.0 - 0.015 * i - 0.02);
	fprintf(out, "momentsOfInertia [ %g 0.001 0 0.001 %g 0 0 0 %g ] }\n", 0.1 + 0.001 * i,
		0.2 + 0.001 * i, 0.3);
	if (index == 5) { /* a second segment of one joint */
		fprintf(out, "HAnimSegment { name \"shoe\" mass 0.75 }\n");
	}
	for (size_t child = 0; child < body->count; child++) {
		if (body->joints[child].parent == index) {
			put_joint(out, body, (int)child);
		}
	}
	fprintf(out, "] }\n");
}

/* Two humanoids in one file; the second has no further vertebrae. */
static char *make_file(void)
{
	struct body body;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	fprintf(out, "#X3D V4.0 utf8\nPROFILE Immersive\nCOMPONENT HAnim:1\n");
	for (int skip = 0; skip < 2; skip++) {
		make_body(&body, skip == 1);
		fprintf(out,
			"DEF %s HAnimHumanoid { name \"%s\" info [ \"authorName=A \\\"B\\\"\"\n"
			"\"copyright=(c) Ünal\" \"humanoidVersion=1.7\" \"height=1.81\" ]\n"
			"skeleton [\n",
			skip ? "Jane" : "Fred", skip ? "Jane" : "Fred");
		put_joint(out, &body, 0);
		fprintf(out, "] }\n");
	}
	fprintf(out, "DEF HumanoidGroup Group { children [ USE Fred USE Jane ] }\n");
	fclose(out);
	return text;
}

static struct jc_skeleton *read_text(const char *text, size_t length, size_t index)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = NULL;

	if (jc_skeleton_read(text, length, index, NULL, &skeleton, NULL, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	return skeleton;
}

static void give_pose(void *, size_t, struct jc_pose *out_pose)
{
	jc_pose_init(out_pose);
}

static struct jc_skeleton *write_and_read(
	const struct jc_skeleton *skeleton, enum jc_scene_syntax syntax, struct jc_lint *lint)
{
	struct jc_clip clip = {
		.skeleton = skeleton, .frame_count = 1, .frame_seconds = 1.0, .pose = give_pose
	};
	struct jc_skeleton *again;
	struct jc_motion *motion;
	struct jc_written file;

	assert_int_equal(jc_motion_create_demo("wave", &motion, NULL), JC_OK);
	clip.motion = motion;
	assert_int_equal(jc_write_hanim(&clip, syntax, &file, lint, NULL), JC_OK);
	again = read_text(file.bytes, file.length, 0);
	free(file.bytes);
	jc_motion_destroy(motion);
	return again;
}

static const char *find_text(const struct jc_lint *lint, const char *code)
{
	for (size_t i = 0; i < lint->count; i++) {
		if (strcmp(lint->entries[i].code, code) == 0) {
			return lint->entries[i].text;
		}
	}
	return "";
}

static void assert_near(struct jc_vec3 v, double x, double y, double z)
{
	assert_float_equal(v.x, x, 1e-5);
	assert_float_equal(v.y, y, 1e-5);
	assert_float_equal(v.z, z, 1e-5);
}

/* The values of put_joint(). A segment of joint i is 0.01, -0.02, 0.01 from its center. */
static void assert_body(const struct jc_skeleton *skeleton, const struct body *body)
{
	const struct jc_joint_limit *limits = jc_skeleton_limits(skeleton);
	const struct jc_skeleton_segment *segments = jc_skeleton_segments(skeleton);
	size_t shoes = 0;

	assert_int_equal(jc_skeleton_limit_count(skeleton), body->count);
	assert_int_equal(jc_skeleton_segment_count(skeleton), body->count + 1);
	for (size_t n = 0; n < body->count; n++) {
		float angle = jc_quat_angle(limits[n].orientation, JC_QUAT_IDENTITY);
		/* The number of the joint. */
		double i = round((-(double)limits[n].lower.x - 0.1) / 0.01);

		assert_near(limits[n].lower, -0.01 * i - 0.1, -0.2, -0.3);
		assert_near(limits[n].upper, 0.01 * i + 0.1, 0.25, 0.35);
		assert_near(limits[n].stiffness, 0.0, 0.5, i / 200.0);
		assert_true(fabs((double)angle - ((int)i % 3 == 0 ? 0.01 * i + 0.2 : 0.0)) < 1e-4);
		assert_false(limits[n].is_unlimited);
	}
	for (size_t n = 0; n <= body->count; n++) {
		struct jc_vec3 diagonal;
		double i = round(((double)segments[n].mass - 0.5) / 0.01);

		if (!segments[n].has_inertia) {
			assert_float_equal(segments[n].mass, 0.75, 1e-6);
			shoes++;
			continue;
		}
		diagonal = (struct jc_vec3){ segments[n].inertia[0], segments[n].inertia[4],
			segments[n].inertia[8] };
		assert_near(segments[n].center_of_mass, 0.01, -0.02, 0.01);
		assert_near(diagonal, 0.1 + 0.001 * i, 0.2 + 0.001 * i, 0.3);
		assert_float_equal(segments[n].inertia[1], 0.001f, 1e-5f);
	}
	assert_int_equal(shoes, 1);
}

static void all_joints_keep_limits_and_segments_in_every_syntax(void **)
{
	char *text = make_file();

	for (int index = 0; index < 2; index++) {
		struct jc_skeleton *skeleton = read_text(text, strlen(text), (size_t)index);
		struct body body;

		make_body(&body, index == 1);
		/* 24 vertebrae, or the 8 that have priority. */
		assert_int_equal(body.count, index == 1 ? 63 : 79);
		assert_string_equal(jc_skeleton_name(skeleton), index == 1 ? "Jane" : "Fred");
		assert_body(skeleton, &body);
		for (int syntax = JC_SCENE_VRML97; syntax <= JC_SCENE_X3D_XML; syntax++) {
			struct jc_lint lint = { 0 };
			struct jc_skeleton *again =
				write_and_read(skeleton, (enum jc_scene_syntax)syntax, &lint);

			assert_body(again, &body);
			assert_string_equal(find_text(&lint, "limits-lost"), "");
			assert_float_equal(jc_skeleton_facts(again)->mass,
				jc_skeleton_facts(skeleton)->mass, 1e-4);
			jc_skeleton_destroy(again);
		}
		jc_skeleton_destroy(skeleton);
	}
	free(text);
}

static bool has_info(const struct jc_skeleton *skeleton, const char *wanted)
{
	const struct jc_skeleton_facts *facts = jc_skeleton_facts(skeleton);
	size_t count = 0;

	for (size_t i = 0; i < facts->info_count; i++) {
		count += strcmp(facts->info[i], wanted) == 0;
	}
	return count == 1;
}

/* Twice: strings of this project do not add up. */
static void info_of_the_figure_is_kept(void **)
{
	char *text = make_file();

	for (int syntax = JC_SCENE_VRML97; syntax <= JC_SCENE_X3D_XML; syntax++) {
		struct jc_skeleton *skeleton = read_text(text, strlen(text), 0);

		for (int time = 0; time < 2; time++) {
			struct jc_lint lint = { 0 };
			struct jc_skeleton *again =
				write_and_read(skeleton, (enum jc_scene_syntax)syntax, &lint);

			jc_skeleton_destroy(skeleton);
			skeleton = again;
			assert_true(has_info(skeleton, "authorName=A \"B\""));
			assert_true(has_info(skeleton, "copyright=(c) Ünal"));
			assert_true(has_info(skeleton, "height=1.81"));
			assert_true(has_info(skeleton, "authoringTool=jointcast convert"));
			assert_false(has_info(skeleton, "humanoidVersion=1.7"));
			assert_int_equal(jc_skeleton_facts(skeleton)->info_count, 5);
		}
		jc_skeleton_destroy(skeleton);
	}
	free(text);
}

/* A descriptor holds both, and writes them as H-Anim again. */
static void descriptor_keeps_limits_and_segments(void **)
{
	char *text = make_file(), *json = NULL;
	struct jc_skeleton *skeleton = read_text(text, strlen(text), 0), *again, *third;
	struct jc_lint lint = { 0 };
	struct body body;

	make_body(&body, false);
	assert_int_equal(jc_skeleton_write_descriptor(skeleton, &json), JC_OK);
	again = read_text(json, strlen(json), 0);
	assert_string_equal(jc_skeleton_hash(skeleton), jc_skeleton_hash(again));
	assert_body(again, &body);
	third = write_and_read(again, JC_SCENE_X3D_XML, &lint);
	assert_body(third, &body);
	jc_skeleton_destroy(third);
	jc_skeleton_destroy(again);
	jc_skeleton_destroy(skeleton);
	free(json);
	free(text);
}

/* The shoulder turns from the I-pose to the T-pose; the others rest as before, about other axes. */
#define SMALL                                                                                      \
	"#X3D V4.0 utf8\nPROFILE Immersive\n"                                                      \
	"HAnimHumanoid { info [ \"copyright=nobody\" ] skeleton [\n"                               \
	"HAnimJoint { name \"humanoid_root\" center 0 1 0 children [\n"                            \
	" HAnimJoint { name \"l_hip\" center 0.1 0.95 0 llimit [ -0.4 -0.1 -0.2 ]\n"               \
	"  ulimit [ 1.5 0.1 0.3 ] limitOrientation 0 0.6 0.8 0.7 children [\n"                     \
	"  HAnimJoint { name \"l_knee\" center 0.1 0.5 0.02 llimit [ 0 0 0 ] ulimit [ 2 0 0 ]\n"   \
	"   children [ HAnimJoint { name \"l_talocrural\" center 0.1 0.1 0 }\n"                    \
	"    HAnimSegment { name \"l_calf\" mass 3 centerOfMass 0.11 0.3 0.01\n"                   \
	"     momentsOfInertia [ 1 0 0 0 2 0 0 0 3 ] } ] } ] }\n"                                  \
	" HAnimJoint { name \"vl5\" center 0 1.1 0 stiffness [ 1 0.5 0.25 ] children [\n"          \
	"  HAnimJoint { name \"l_shoulder\" center 0.2 1.4 0 %s children [\n"                      \
	"   HAnimJoint { name \"l_elbow\" center 0.21 1.1 0 } ] } ] } ] } ] }\n"

static struct jc_skeleton *read_small(const char *arm_limits)
{
	char text[2048];

	snprintf(text, sizeof(text), SMALL, arm_limits);
	return read_text(text, strlen(text), 0);
}

/* Joints beyond their limits in a pose, and the center of mass of the only segment. */
static size_t measure(const struct jc_skeleton *skeleton,
	const struct jc_quat normalized[JC_BONE_COUNT], struct jc_vec3 *out_center)
{
	const struct jc_skeleton_segment *segment = jc_skeleton_segments(skeleton);
	struct jc_skeleton_pose pose = { 0 };
	struct jc_transform locals[16];
	struct jc_mat4 worlds[16];

	jc_skeleton_relative(skeleton, normalized, pose.rotations);
	jc_skeleton_locals(skeleton, &pose, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	*out_center = jc_mat4_transform_point(worlds[segment->node], segment->center_of_mass);
	return jc_skeleton_count_past_limits(skeleton, locals);
}

/* In every pose the same joints are beyond their limits and the mass is in the same place. */
static void re_rested_descriptors_keep_limits_and_segments(void **)
{
	struct jc_skeleton *skeleton = read_small(""), *again;
	struct jc_lint lint = { 0 };
	uint32_t seed = 7;
	size_t counts[3] = { 0 };

	assert_int_equal(
		jc_rerest_skeleton(skeleton, JC_BONE_AXES_ANATOMIC, &again, &lint, NULL), JC_OK);
	assert_string_equal(find_text(&lint, "limits-lost"), "");
	assert_string_equal(
		find_text(&lint, "info-lost"), "info of the figure not kept: 'copyright=nobody'");
	assert_int_equal(jc_skeleton_limit_count(again), 3);
	assert_true(jc_skeleton_limits(again)[2].is_unlimited);
	assert_near(jc_skeleton_limits(again)[2].stiffness, 1.0, 0.5, 0.25);
	for (int run = 0; run < 200; run++) {
		struct jc_quat normalized[JC_BONE_COUNT];
		struct jc_vec3 center, expected;
		size_t count;

		for (int b = 0; b < JC_BONE_COUNT; b++) {
			struct jc_vec3 axis = { 1.0f, 0.0f, 0.0f };

			seed = seed * 1664525u + 1013904223u;
			axis.y = (float)(seed >> 8) / (float)(1u << 25);
			axis.z = (float)(seed >> 20) / (float)(1u << 14);
			normalized[b] = jc_quat_from_axis_angle(
				jc_vec3_normalize(axis), 2e-9f * (float)(seed >> 4));
		}
		count = measure(skeleton, normalized, &expected);
		counts[count]++;
		assert_int_equal(measure(again, normalized, &center), count);
		assert_near(center, (double)expected.x, (double)expected.y, (double)expected.z);
	}
	assert_true(counts[0] + counts[1] > 0 && counts[2] > 0); /* the poses differ */
	/* +Y of the reference leads down the shin: I about x and z exchange nothing, y stays. */
	assert_float_equal(jc_skeleton_segments(again)[0].inertia[4], 2.0f, 1e-2f);
	jc_skeleton_destroy(again);
	jc_skeleton_destroy(skeleton);
}

static void re_rested_descriptors_name_limits_about_another_rest(void **)
{
	struct jc_skeleton *skeleton = read_small("ulimit [ 1 1 1 ]"), *again;
	struct jc_skeleton *stiff = read_small("stiffness [ 1 1 1 ]"), *still;
	struct jc_lint lint = { 0 };

	assert_int_equal(
		jc_rerest_skeleton(skeleton, JC_BONE_AXES_ANATOMIC, &again, &lint, NULL), JC_OK);
	assert_string_equal(find_text(&lint, "limits-lost"),
		"limits of joints with another rest not kept: 'l_shoulder'");
	assert_int_equal(jc_skeleton_limit_count(again), 3);
	/* Stiffness does not depend on the rest. */
	assert_int_equal(
		jc_rerest_skeleton(stiff, JC_BONE_AXES_ANATOMIC, &still, NULL, NULL), JC_OK);
	assert_int_equal(jc_skeleton_limit_count(still), 4);
	jc_skeleton_destroy(still);
	jc_skeleton_destroy(stiff);
	jc_skeleton_destroy(again);
	jc_skeleton_destroy(skeleton);
}

/* asset.copyright and asset.extras.hanimInfo. */
static void gltf_keeps_info_and_names_the_rest(void **)
{
	struct jc_skeleton *skeleton = read_small("");
	struct jc_lint lint = { 0 };
	struct jc_written file;

	assert_int_equal(
		jc_rerest_gltf(skeleton, JC_BONE_AXES_ANATOMIC, NULL, 0, false, &file, &lint, NULL),
		JC_OK);
	assert_non_null(memmem(file.bytes, file.length, "\"copyright\":\"nobody\"", 20));
	assert_non_null(memmem(file.bytes, file.length, "[\"copyright=nobody\"]", 20));
	assert_string_equal(find_text(&lint, "info-lost"), "");
	assert_string_equal(find_text(&lint, "limits-lost"),
		"limits of joints not kept: 'l_hip', 'l_knee', 'vl5'");
	assert_string_equal(
		find_text(&lint, "segments-lost"), "masses of segments not kept: 'l_calf'");
	free(file.bytes);
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_joints_keep_limits_and_segments_in_every_syntax),
		cmocka_unit_test(info_of_the_figure_is_kept),
		cmocka_unit_test(descriptor_keeps_limits_and_segments),
		cmocka_unit_test(re_rested_descriptors_keep_limits_and_segments),
		cmocka_unit_test(re_rested_descriptors_name_limits_about_another_rest),
		cmocka_unit_test(gltf_keeps_info_and_names_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
