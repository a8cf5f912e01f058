/* glTF animations and VRMA from hand-written files whose poses follow from the
 * specifications without computation. tests/oracle compares VRMA with three-vrm. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gltf_text.h"
#include "expect.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define HALF 0.70710678f

/* The numbers in the buffer of every file, and accessors by kind. */
static const float numbers[] = {
	0, 1, 3,                        /* 0: three times, floats 0 to 2 */
	HALF, 0, 0, HALF,               /* 1: a quarter turn about X, at 3 */
	0, 0, 0, 1, HALF, 0, 0, HALF,   /* 2: nothing, then a quarter about X, at 7 */
	1, 0, 0, 0,                     /*    and half a turn, at 15 */
	0, 0, 0, 1, 2, 3, -2, 0.5f, 4,  /* 3: three vectors, at 19 */
	0, 0, 0, 0, 0, 0, 0.945f, 0, 0, /* 4: two cubic keys of vectors, at 28: the
					 *    first leaves at 0.945 a second along X */
	9, 9, 9, 0, 1.89f, 0, 9, 9, 9,  /* and ends with slope zero at 1.89 up, reached at 9 */
	-2, -1, -1,                     /* 5: times before zero, at 46; one twice */
	0, 0, -HALF, HALF,              /* 6: a quarter turn about -Z, at 49 */
	0, 0, 0, 0,                     /* 7: no rotation, at 53 */
};

#define ACCESSOR(at, type, count)                                                                  \
	"{\"bufferView\":0,\"componentType\":5126,\"byteOffset\":" #at ",\"type\":\"" type         \
	"\",\"count\":" #count "}"
#define ACCESSORS                                                                                  \
	"\"accessors\":[" ACCESSOR(0, "SCALAR", 1) "," ACCESSOR(12, "VEC4", 1) "," ACCESSOR(       \
		0, "SCALAR", 3) "," ACCESSOR(28, "VEC4", 3) "," ACCESSOR(76, "VEC3",               \
		3) "," ACCESSOR(0, "SCALAR", 2) "," ACCESSOR(112, "VEC3", 6) "," ACCESSOR(184,     \
		"SCALAR",                                                                          \
		2) "," ACCESSOR(196, "VEC4", 1) "," ACCESSOR(212, "VEC4", 1) "," ACCESSOR(184,     \
		"SCALAR", 3) "," ACCESSOR(212, "VEC4", 9) "," ACCESSOR(28, "VEC4", 2) "]"

#define SAMPLER(input, output, interpolation)                                                      \
	"{\"input\":" #input ",\"output\":" #output ",\"interpolation\":\"" interpolation "\"}"
#define BONE(sampler, path, bone)                                                                  \
	"{\"sampler\":" #sampler ",\"target\":{\"path\":\"" path                                   \
	"\",\"extensions\":{\"EXT_skeleton_humanoid\":{\"humanoidBoneName\":\"" bone "\"}}}}"
#define NODE(sampler, path, node)                                                                  \
	"{\"sampler\":" #sampler ",\"target\":{\"path\":\"" path "\",\"node\":" #node "}}"
#define CLIP(samplers, channels)                                                                   \
	"{\"name\":\"clip\",\"samplers\":[" samplers "],\"channels\":[" channels "]}"

/* parts: further members of the document. */
static int read_clips(const char *clips, const char *parts, size_t index,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	char *buffer = gltf_text_floats(numbers, sizeof(numbers) / sizeof(*numbers));
	char *text = NULL;
	int error;

	assert_true(
		asprintf(&text,
			"{\"asset\":{\"version\":\"2.0\"},%s," ACCESSORS ",\"animations\":[%s]%s}",
			buffer, clips, parts) > 0);
	free(buffer);
	error = jc_motion_read(text, strlen(text), index, NULL, out_motion, lint, diagnostic);
	free(text);
	return error;
}

static struct jc_motion *read_clip(const char *clip, const char *parts, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_motion *motion = NULL;

	if (read_clips(clip, parts, 0, &motion, lint, &diagnostic)) {
		print_error("%s: %s\n", diagnostic.where, diagnostic.what);
		fail();
	}
	return motion;
}

static struct jc_quat rotation_at(const struct jc_motion *motion, double t, enum jc_bone bone)
{
	struct jc_pose pose;

	jc_motion_pose(motion, t, &pose);
	return pose.rotations[bone];
}

static void assert_turns(struct jc_quat q, struct jc_vec3 from, struct jc_vec3 to)
{
	assert_true(jc_vec3_length(jc_vec3_subtract(jc_quat_rotate(q, from), to)) < 1e-5f);
}

/* "The bone node's +X rotation bends the joint like a muscle contracting": arms go down
 * on both sides, thighs forward, shins back. */
static void bones_by_name_turn_about_the_axes_of_the_reference_pose(void **)
{
	struct jc_motion *motion =
		read_clip(CLIP(SAMPLER(0, 1, "LINEAR"),
				  BONE(0, "rotation", "leftUpperArm") "," BONE(
					  0, "rotation", "rightUpperArm") "," BONE(0, "rotation",
					  "leftUpperLeg") "," BONE(0, "rotation", "leftLowerLeg")),
			"", NULL);
	const struct jc_motion_info *info = jc_motion_info(motion);
	struct jc_pose pose;

	jc_motion_pose(motion, 0.0, &pose);
	assert_turns(pose.rotations[JC_BONE_LEFT_UPPER_ARM], (struct jc_vec3){ 1, 0, 0 },
		(struct jc_vec3){ 0, -1, 0 });
	assert_turns(pose.rotations[JC_BONE_RIGHT_UPPER_ARM], (struct jc_vec3){ -1, 0, 0 },
		(struct jc_vec3){ 0, -1, 0 });
	assert_turns(pose.rotations[JC_BONE_LEFT_UPPER_LEG], (struct jc_vec3){ 0, -1, 0 },
		(struct jc_vec3){ 0, 0, 1 });
	assert_turns(pose.rotations[JC_BONE_LEFT_LOWER_LEG], (struct jc_vec3){ 0, -1, 0 },
		(struct jc_vec3){ 0, 0, -1 });
	assert_int_equal(pose.states[JC_BONE_LEFT_UPPER_ARM], JC_TRACKED);
	assert_int_equal(pose.states[JC_BONE_HEAD], JC_ABSENT);
	assert_string_equal(info->format, "gltf");
	assert_string_equal(info->name, "clip");
	assert_true(info->duration == 0.0);
	assert_int_equal(info->frame_count, 1);
	jc_motion_destroy(motion);
}

/* A file's own skeleton has priority: its upper arm has the axes of the model, so a
 * quarter turn about -Z lowers the left one. */
static void bones_by_name_turn_about_the_axes_of_the_skeleton_in_the_file(void **)
{
	struct jc_motion *motion = read_clip(
		CLIP(SAMPLER(0, 8, "LINEAR"), BONE(0, "rotation", "leftUpperArm")),
		",\"nodes\":[{\"translation\":[0,1,0],\"children\":[1]},{}],\"extensions\":{"
		"\"EXT_skeleton_humanoid\":{\"humanoidSkeletons\":[{\"rootNode\":0,"
		"\"humanoidBones\":{\"hips\":0,\"leftUpperArm\":1}}]}}",
		NULL);

	assert_turns(rotation_at(motion, 0.0, JC_BONE_LEFT_UPPER_ARM), (struct jc_vec3){ 1, 0, 0 },
		(struct jc_vec3){ 0, -1, 0 });
	assert_string_equal(jc_motion_info(motion)->family, "gltf-ext");
	jc_motion_destroy(motion);
}

#define TWO_BONES                                                                                  \
	",\"nodes\":[{\"translation\":[0,1,0],\"children\":[1,2]},{\"rotation\":[0,0,0.6,0.8]},"   \
	"{\"rotation\":[0,0,0.6,0.8]}],\"extensions\":{"                                           \
	"\"EXT_skeleton_humanoid\":{\"humanoidSkeletons\":[{\"rootNode\":0,"                       \
	"\"humanoidBones\":{\"hips\":0,\"leftUpperArm\":1,\"rightUpperArm\":2}}]}}"

/* Both arms rest turned by 73.74 degrees about Z. The quarter turn by name follows that rest, the
 * one by node replaces it; the second channel of the left arm, by node, has no effect. */
static void a_channel_by_name_counts_before_one_by_node(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_motion *motion =
		read_clip(CLIP(SAMPLER(0, 8, "LINEAR") "," SAMPLER(0, 1, "LINEAR") "," SAMPLER(
				       0, 8, "LINEAR"),
				  NODE(1, "rotation", 1) "," BONE(0, "rotation",
					  "leftUpperArm") "," NODE(2, "rotation", 2)),
			TWO_BONES, &lint);
	const struct jc_vec3 z = { 0, 0, 1 };
	const float rest = 2.0f * asinf(0.6f);

	assert_quat(rotation_at(motion, 0.0, JC_BONE_LEFT_UPPER_ARM),
		jc_quat_from_axis_angle(z, -(float)M_PI_2));
	assert_quat(rotation_at(motion, 0.0, JC_BONE_RIGHT_UPPER_ARM),
		jc_quat_from_axis_angle(z, -(float)M_PI_2 - rest));
	assert_null(find_finding(&lint, "other-nodes"));
	jc_motion_destroy(motion);
}

/* The file does not define what such a rotation is relative to, so it is reported. */
static void reports_bones_missing_from_the_files_skeleton(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_motion *motion = read_clip(
		CLIP(SAMPLER(0, 8, "LINEAR"), BONE(0, "rotation", "hips") "," BONE(0, "rotation",
						      "neck") "," BONE(0, "rotation", "head")),
		",\"nodes\":[{\"translation\":[0,1,0]}],\"extensions\":{\"EXT_skeleton_humanoid\":{"
		"\"humanoidSkeletons\":[{\"rootNode\":0,\"humanoidBones\":{\"hips\":0}}]}}",
		&lint);

	assert_non_null(strstr(find_finding(&lint, "unmapped-bone"), "2 channels"));
	assert_non_null(strstr(find_finding(&lint, "unmapped-bone"), "'neck' is the first"));
	assert_true(jc_motion_info(motion)->bone_mask == UINT64_C(1) << JC_BONE_HIPS);
	jc_motion_destroy(motion);
}

/* Keys at 0, 1 and 3 seconds: nothing, 90 and 180 degrees about X. */
static void interpolates_keys_linearly_or_in_steps(void **)
{
	struct jc_motion *linear =
		read_clip(CLIP(SAMPLER(2, 3, "LINEAR"), BONE(0, "rotation", "spine")), "", NULL);
	struct jc_motion *step =
		read_clip(CLIP(SAMPLER(2, 3, "STEP"), BONE(0, "rotation", "spine")), "", NULL);
	static const struct {
		double t;
		float linear, step; /* degrees */
	} cases[] = {
		{ -1.0, 0, 0 },
		{ 0.0, 0, 0 },
		{ 0.5, 45, 0 },
		{ 1.0, 90, 90 },
		{ 1.5, 112.5f, 90 },
		{ 2.999, 179.955f, 90 },
		{ 3.0, 180, 180 },
		{ 99.0, 180, 180 },
	};

	assert_true(jc_motion_info(linear)->duration == 3.0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct jc_vec3 x = { 1.0f, 0.0f, 0.0f };

		assert_quat(rotation_at(linear, cases[i].t, JC_BONE_SPINE),
			jc_quat_from_axis_angle(x, cases[i].linear * 0.017453293f));
		assert_quat(rotation_at(step, cases[i].t, JC_BONE_SPINE),
			jc_quat_from_axis_angle(x, cases[i].step * 0.017453293f));
	}
	jc_motion_destroy(linear);
	jc_motion_destroy(step);
}

/* Appendix C.5 at half of one second: 0.5 p0 + 0.125 m0 + 0.5 p1 - 0.125 m1, with values
 * 0 and (0, 1.89, 0) and tangents (0.945, 0, 0) and 9 each. The hips of the built-in
 * figure are 0.945 m above its feet. */
static void cubic_keys_follow_the_hermite_curve(void **)
{
	struct jc_motion *motion = read_clip(
		CLIP(SAMPLER(5, 6, "CUBICSPLINE"), BONE(0, "translation", "hips")), "", NULL);
	struct jc_pose pose;

	jc_motion_pose(motion, 0.5, &pose);
	assert_vec3(pose.hips_translation, (struct jc_vec3){ (0.125f * 0.945f - 1.125f) / 0.945f,
						   (0.945f - 1.125f) / 0.945f, -1.125f / 0.945f });
	jc_motion_pose(motion, 1.0, &pose);
	assert_vec3(pose.hips_translation, (struct jc_vec3){ 0.0f, 2.0f, 0.0f });
	jc_motion_destroy(motion);
}

static void a_motion_that_begins_before_zero_begins_there(void **)
{
	struct jc_motion *motion =
		read_clip(CLIP(SAMPLER(7, 12, "LINEAR"), BONE(0, "rotation", "spine")), "", NULL);

	assert_true(jc_motion_info(motion)->duration == 1.0);
	assert_quat(rotation_at(motion, 0.0, JC_BONE_SPINE), JC_QUAT_IDENTITY);
	assert_quat(rotation_at(motion, 1.0, JC_BONE_SPINE), (struct jc_quat){ HALF, 0, 0, HALF });
	jc_motion_destroy(motion);
}

static void reports_forbidden_and_lost_channels(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_motion *motion = read_clip(
		CLIP(SAMPLER(0, 1, "LINEAR") "," SAMPLER(2, 4, "LINEAR"),
			BONE(0, "rotation", "head") "," NODE(0, "rotation", 0) "," BONE(
				1, "translation", "head") "," BONE(1, "scale", "hips") "," BONE(0,
				"rotation", "head") "," BONE(0, "rotation", "tail")),
		",\"nodes\":[{}]", &lint);

	assert_non_null(find_finding(&lint, "shared-sampler"));
	assert_non_null(strstr(find_finding(&lint, "not-portable"), "2 channels"));
	assert_non_null(strstr(find_finding(&lint, "channel-twice"), "1 channels"));
	assert_non_null(strstr(find_finding(&lint, "unknown-bone"), "'tail'"));
	assert_non_null(strstr(find_finding(&lint, "other-nodes"), "1 channels"));
	assert_true(jc_motion_info(motion)->bone_mask == UINT64_C(1) << JC_BONE_HEAD);
	jc_motion_destroy(motion);
}

#define VRM                                                                                        \
	",\"nodes\":[{\"children\":[1]},{\"translation\":[0,2,0],\"children\":[2]},"               \
	"{\"rotation\":[0,0,0.6,0.8],\"children\":[3]},{\"translation\":[0,1,0]}],"                \
	"\"extensions\":{\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":1},"       \
	"\"head\":{\"node\":3}}}}}"

static void nodes_between_bones_move_the_humanoid(void **)
{
	/* The armature (0) travels, and the node between hips and head, turned at rest,
	 * is set to identity and turned a quarter about -Z. */
	struct jc_motion *motion =
		read_clip(CLIP(SAMPLER(2, 4, "LINEAR") "," SAMPLER(0, 8, "LINEAR"),
				  NODE(0, "translation", 0) "," NODE(1, "rotation", 2)),
			VRM, NULL);
	struct jc_pose pose;

	jc_motion_pose(motion, 1.0, &pose);
	assert_vec3(pose.hips_translation, (struct jc_vec3){ 0.5f, 1.0f, 1.5f });
	/* G W^-1 of the head: -90 degrees minus the 73.7398 of the rest about Z. */
	assert_quat(pose.rotations[JC_BONE_HEAD],
		jc_quat_from_axis_angle((struct jc_vec3){ 0, 0, 1 }, -2.8577985f));
	assert_quat(pose.rotations[JC_BONE_HIPS], JC_QUAT_IDENTITY);
	assert_string_equal(jc_motion_info(motion)->family, "vrm-1.0");
	jc_motion_destroy(motion);
}

#define VRMA                                                                                       \
	",\"nodes\":[{\"scale\":[0.01,0.01,0.01],\"children\":[1]},{\"translation\":[0,200,0],"    \
	"\"children\":[2]},{\"children\":[3]},{\"translation\":[0,100,0]},"                        \
	"{\"translation\":[0.25,0,0]},{}],"                                                        \
	"\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",\"humanoid\":{"           \
	"\"humanBones\":{\"hips\":{\"node\":1},\"head\":{\"node\":3}}},"                           \
	"\"expressions\":{\"preset\":{\"happy\":{\"node\":4}},\"custom\":{\"wink\":{\"node\":5}}}" \
	",\"lookAt\":{\"node\":5}}}"

/* The node above the hips (0) does not count. The node between hips and head (2) and the head turn
 * by a quarter about -Z each, the head by both. */
static void vrm_animations_move_bones_nodes_between_them_and_scaled_hips(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_motion *motion =
		read_clip(CLIP(SAMPLER(2, 4, "LINEAR") "," SAMPLER(0, 8, "LINEAR"),
				  NODE(0, "translation", 1) "," NODE(1, "rotation", 0) "," NODE(
					  1, "rotation", 2) "," NODE(1, "rotation", 3)),
			VRMA, &lint);
	struct jc_pose pose;

	assert_string_equal(jc_motion_info(motion)->format, "vrma");
	assert_float_equal(jc_motion_info(motion)->hips_height, 2.0f, 1e-6f);
	jc_motion_pose(motion, 1.0, &pose);
	/* From (0, 200, 0) to (1, 2, 3) centimetres, divided by 2 m. */
	assert_vec3(pose.hips_translation, (struct jc_vec3){ 0.005f, -0.99f, 0.015f });
	assert_quat(pose.rotations[JC_BONE_HIPS], JC_QUAT_IDENTITY);
	assert_quat(pose.rotations[JC_BONE_HEAD], (struct jc_quat){ 0, 0, -1, 0 });
	assert_non_null(strstr(find_finding(&lint, "other-nodes"), "1 channels"));
	jc_motion_destroy(motion);
}

static void expressions_and_gaze_are_named_channels(void **)
{
	/* Node 5 moves by (1, 2, 3), then (-2, ...): x is a weight within 0 and 1. */
	struct jc_motion *motion =
		read_clip(CLIP(SAMPLER(2, 4, "LINEAR") "," SAMPLER(2, 3, "LINEAR"),
				  NODE(0, "translation", 5) "," NODE(1, "rotation", 5)),
			VRMA, NULL);
	const struct jc_motion_channel *channels = jc_motion_channels(motion);
	float values[JC_MOTION_CHANNEL_VALUES];

	assert_int_equal(jc_motion_channel_count(motion), 3);
	assert_string_equal(channels[0].name, "expression/happy");
	assert_string_equal(channels[1].name, "expression/wink");
	assert_string_equal(channels[2].name, "lookAt");
	assert_int_equal(channels[0].value_count, 1);
	assert_int_equal(channels[2].value_count, 4);
	jc_motion_channel_values(motion, 0, 1.0, values);
	assert_float_equal(values[0], 0.25f, 0.0f); /* from its node */
	jc_motion_channel_values(motion, 1, 0.5, values);
	assert_float_equal(values[0], 0.5f, 1e-6f);
	jc_motion_channel_values(motion, 1, 3.0, values);
	assert_float_equal(values[0], 0.0f, 0.0f);
	jc_motion_channel_values(motion, 2, 1.0, values);
	assert_quat((struct jc_quat){ values[0], values[1], values[2], values[3] },
		(struct jc_quat){ HALF, 0.0f, 0.0f, HALF });
	jc_motion_destroy(motion);
}

#define SIDES                                                                                      \
	",\"nodes\":[{\"translation\":[0,1,0]},{\"translation\":[0.25,0,0]},"                      \
	"{\"translation\":[0.75,0,0]},{\"translation\":[0.5,0,0]},{\"rotation\":[0.1,0.5,0.1,"     \
	"0.8544003745317531]}],"                                                                   \
	"\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",\"humanoid\":{"           \
	"\"humanBones\":{\"hips\":{\"node\":0}}},\"expressions\":{"                                \
	"\"preset\":{\"blinkLeft\":{\"node\":1}},"                                                 \
	"\"custom\":{\"mouthSmile_R\":{\"node\":2},\"bright\":{\"node\":3}}},"                     \
	"\"lookAt\":{\"node\":4}}}"

static void channels_change_sides_in_a_mirror(void **)
{
	struct jc_motion *motion =
		read_clip(CLIP(SAMPLER(2, 4, "LINEAR"), NODE(0, "translation", 0)), SIDES, NULL);
	const struct jc_motion_channel *channels;
	float values[JC_MOTION_CHANNEL_VALUES];

	assert_int_equal(jc_motion_create_mirror(motion, &motion), JC_OK);
	channels = jc_motion_channels(motion);
	assert_int_equal(jc_motion_channel_count(motion), 4);
	assert_string_equal(channels[0].name, "expression/blinkRight");
	assert_string_equal(channels[1].name, "expression/mouthSmile_L");
	assert_string_equal(channels[2].name, "expression/bright");
	assert_string_equal(channels[3].name, "lookAt");
	jc_motion_channel_values(motion, 0, 0.0, values);
	assert_float_equal(values[0], 0.25f, 0.0f);
	/* A gaze to the left becomes one to the right at the same height. */
	jc_motion_channel_values(motion, 3, 0.0, values);
	assert_quat((struct jc_quat){ values[0], values[1], values[2], values[3] },
		(struct jc_quat){ 0.1f, -0.5f, -0.1f, 0.8544004f });
	jc_motion_destroy(motion);
}

static void selects_clips_by_index(void **)
{
	static const char clips[] = "{\"name\":\"a\",\"samplers\":[" SAMPLER(
		0, 1, "LINEAR") "],\"channels\":[" BONE(0, "rotation",
		"head") "]}," CLIP(SAMPLER(0, 1, "LINEAR"), BONE(0, "rotation", "neck"));
	struct jc_diagnostic diagnostic;
	struct jc_motion *motion = NULL;

	assert_int_equal(read_clips(clips, "", 0, &motion, NULL, NULL), JC_OK);
	assert_string_equal(jc_motion_info(motion)->name, "a");
	jc_motion_destroy(motion);
	assert_int_equal(read_clips(clips, "", 1, &motion, NULL, NULL), JC_OK);
	assert_string_equal(jc_motion_info(motion)->name, "clip");
	jc_motion_destroy(motion);
	assert_int_equal(read_clips(clips, "", 2, &motion, NULL, &diagnostic), JC_ERROR_ABSENT);
	assert_string_equal(diagnostic.what, "there is no motion 2, the file has 2");
	assert_int_equal(read_clips("", "", 0, &motion, NULL, NULL), JC_ERROR_ABSENT);
}

static void rejects_invalid_clips(void **)
{
	static const struct {
		const char *clip;
		int error;
		const char *where;
	} cases[] = {
		{ CLIP(SAMPLER(0, 1, "LINEAR"), BONE(0, "weights", "head")), JC_ERROR_INVALID,
			"animations[0].channels[0].target" },
		{ CLIP(SAMPLER(0, 1, "LINEAR"), BONE(1, "rotation", "head")), JC_ERROR_INVALID,
			"animations[0].channels[0].sampler" },
		{ CLIP(SAMPLER(0, 1, "SPLINE"), BONE(0, "rotation", "head")), JC_ERROR_INVALID,
			"animations[0].samplers[0]" },
		{ CLIP(SAMPLER(10, 3, "LINEAR"), BONE(0, "rotation", "head")), JC_ERROR_INVALID,
			"animations[0].samplers[0]" },
		{ CLIP(SAMPLER(2, 1, "LINEAR"), BONE(0, "rotation", "head")), JC_ERROR_INVALID,
			"animations[0].samplers[0]" },
		{ CLIP(SAMPLER(2, 4, "LINEAR"), BONE(0, "rotation", "head")), JC_ERROR_INVALID,
			"animations[0].samplers[0]" },
		{ CLIP(SAMPLER(2, 3, "CUBICSPLINE"), BONE(0, "rotation", "head")), JC_ERROR_INVALID,
			"animations[0].samplers[0]" },
		{ CLIP(SAMPLER(1, 1, "LINEAR"), BONE(0, "rotation", "head")), JC_ERROR_INVALID,
			"animations[0].samplers[0]" },
		{ CLIP(SAMPLER(0, 9, "LINEAR"), BONE(0, "rotation", "head")), JC_ERROR_INVALID,
			"animations[0].samplers[0]" },
		{ CLIP(SAMPLER(2, 11, "LINEAR"), BONE(0, "rotation", "head")), JC_ERROR_TRUNCATED,
			"accessors[11]" },
		{ CLIP("{\"input\":0}", BONE(0, "rotation", "head")), JC_ERROR_INVALID,
			"animations[0].samplers[0]" },
		{ CLIP("{\"input\":99,\"output\":1}", BONE(0, "rotation", "head")),
			JC_ERROR_INVALID, "accessors" },
		{ CLIP("", "7"), JC_ERROR_INVALID, "animations[0].channels[0]" },
		{ CLIP(SAMPLER(0, 1, "LINEAR"), NODE(0, "rotation", 0)), JC_ERROR_INVALID,
			"animations[0].channels[0].target.node" },
		{ CLIP(SAMPLER(0, 1, "LINEAR"), ""), JC_ERROR_NO_HUMANOID, "" },
		{ "[]", JC_ERROR_INVALID, "animations[0]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_motion *motion;

		assert_int_equal(read_clips(cases[i].clip, "", 0, &motion, NULL, &diagnostic),
			cases[i].error);
		assert_string_equal(diagnostic.where, cases[i].where);
		assert_true(strlen(diagnostic.what) > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bones_by_name_turn_about_the_axes_of_the_reference_pose),
		cmocka_unit_test(bones_by_name_turn_about_the_axes_of_the_skeleton_in_the_file),
		cmocka_unit_test(a_channel_by_name_counts_before_one_by_node),
		cmocka_unit_test(reports_bones_missing_from_the_files_skeleton),
		cmocka_unit_test(interpolates_keys_linearly_or_in_steps),
		cmocka_unit_test(cubic_keys_follow_the_hermite_curve),
		cmocka_unit_test(a_motion_that_begins_before_zero_begins_there),
		cmocka_unit_test(reports_forbidden_and_lost_channels),
		cmocka_unit_test(nodes_between_bones_move_the_humanoid),
		cmocka_unit_test(vrm_animations_move_bones_nodes_between_them_and_scaled_hips),
		cmocka_unit_test(expressions_and_gaze_are_named_channels),
		cmocka_unit_test(channels_change_sides_in_a_mirror),
		cmocka_unit_test(selects_clips_by_index),
		cmocka_unit_test(rejects_invalid_clips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
