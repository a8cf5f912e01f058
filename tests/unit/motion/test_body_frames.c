/* Body-frame files: reading, rejection with the place of the error, and interpolation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/motion.h"
#include "unit_test.h"

#define HEADER(joints)                                                                             \
	"{\"jointcast\":\"body-frames\",\"profile\":\"webxr-spec\",\"joints\":[" joints "]}\n"
#define H "0.70710678"

static struct jc_motion *read_text(const char *text)
{
	struct jc_motion *motion = NULL;
	struct jc_diagnostic diagnostic = { 0 };

	if (jc_motion_read(text, strlen(text), 0, NULL, &motion, NULL, &diagnostic) != JC_OK) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	return motion;
}

static void assert_refused(const char *text, int error, const char *what, const char *where)
{
	struct jc_motion *motion = NULL;
	struct jc_diagnostic diagnostic = { 0 };
	int result = jc_motion_read(text, strlen(text), 0, NULL, &motion, NULL, &diagnostic);

	assert_null(motion);
	if (result != error || !strstr(diagnostic.what, what) ||
		strcmp(diagnostic.where, where) != 0) {
		fail_msg("%s: '%s' at '%s'", jc_error_name(result), diagnostic.what,
			diagnostic.where);
	}
}

static void assert_position(const struct jc_body_joint *joint, float x, float y, float z)
{
	assert_float_equal(joint->position.x, x, 1e-6f);
	assert_float_equal(joint->position.y, y, 1e-6f);
	assert_float_equal(joint->position.z, z, 1e-6f);
}

static void reads_two_frames(void **)
{
	struct jc_motion *motion = read_text(
		HEADER("\"head\",\"hips\"") "{\"t\":10,\"confidence\":0.25,\"joints\":[[1,2,3,0,0,"
					    "0,1,2],[4,5,6," H ",0,0," H ",1]]}\n"
					    "{\"t\":10.5,\"joints\":[[1,2,3,0,0,0,1,2],null]}\n");
	const struct jc_motion_info *info = jc_motion_info(motion);
	struct jc_body_frame frame;

	assert_int_equal(info->kind, JC_MOTION_BODY_FRAMES);
	assert_string_equal(info->format, "body-frames");
	assert_string_equal(info->family, "webxr-spec");
	assert_int_equal(info->frame_count, 2);
	assert_true(info->duration == 0.5 && info->fps == 2.0);
	assert_int_equal(info->bone_mask, 1u << JC_BONE_HIPS | 1u << JC_BONE_HEAD);
	assert_int_equal(jc_motion_profile(motion), JC_PROFILE_WEBXR_SPEC);
	assert_null(jc_motion_rest(motion));

	jc_motion_body_frame(motion, 0.0, &frame);
	assert_int_equal(frame.time_ns, 0);
	assert_true(frame.confidence == 0.25f);
	assert_position(&frame.joints[JC_JOINT_HEAD], 1, 2, 3);
	assert_int_equal(frame.joints[JC_JOINT_HEAD].state, JC_TRACKED);
	assert_position(&frame.joints[JC_JOINT_HIPS], 4, 5, 6);
	assert_int_equal(frame.joints[JC_JOINT_HIPS].state, JC_ESTIMATED);
	assert_float_equal(frame.joints[JC_JOINT_HIPS].orientation.x, 0.70710678f, 1e-6f);
	assert_int_equal(frame.joints[JC_JOINT_NECK].state, JC_ABSENT);

	jc_motion_body_frame(motion, 0.5, &frame);
	assert_int_equal(frame.time_ns, 500000000);
	assert_true(frame.confidence == 1.0f);
	assert_int_equal(frame.joints[JC_JOINT_HIPS].state, JC_ABSENT);
	jc_motion_destroy(motion);
}

/* 90 degrees apart about X: a quarter of the way is 22.5 degrees. */
static void interpolates_positions_and_rotations_between_frames(void **)
{
	struct jc_motion *motion = read_text(
		HEADER("\"hips\",\"head\"") "{\"t\":0,\"confidence\":1,\"joints\":[[0,0,0,0,0,0,1,"
					    "2],[0,1,0,0,0,0,1,2]]}\n"
					    "{\"t\":4,\"confidence\":0.5,\"joints\":[[4,8,0," H
					    ",0,0," H ",1],[0,1,0,0,0,0,1,2]]}\n"
					    "{\"t\":5,\"joints\":[null,[0,1,0,0,0,0,1,2]]}\n");
	struct jc_body_frame frame;
	const struct jc_body_joint *hips = &frame.joints[JC_JOINT_HIPS];

	jc_motion_body_frame(motion, 1.0, &frame);
	assert_position(hips, 1, 2, 0);
	assert_float_equal(hips->orientation.x, sinf(0.19634954f), 1e-6f);
	assert_float_equal(hips->orientation.w, cosf(0.19634954f), 1e-6f);
	assert_int_equal(hips->state, JC_ESTIMATED);
	assert_float_equal(frame.confidence, 0.875f, 1e-6f);
	/* A gap begins immediately after the last frame with the joint. */
	jc_motion_body_frame(motion, 4.0, &frame);
	assert_int_equal(hips->state, JC_ESTIMATED);
	jc_motion_body_frame(motion, 4.001, &frame);
	assert_int_equal(hips->state, JC_ABSENT);
	assert_position(hips, 0, 0, 0);
	assert_int_equal(frame.joints[JC_JOINT_HEAD].state, JC_TRACKED);
	jc_motion_destroy(motion);
}

static void clamps_times_outside_the_motion(void **)
{
	static const double times[][2] = { { -1, 0 }, { -1e300, 0 }, { 1e300, 4 },
		{ (double)NAN, 0 }, { (double)INFINITY, 4 } };
	struct jc_motion *motion =
		read_text(HEADER("\"hips\"") "{\"t\":-3,\"joints\":[[0,0,0,0,0,0,1,2]]}\n"
					     "{\"t\":1,\"joints\":[[4,0,0,0,0,0,1,2]]}\n");
	struct jc_body_frame frame;

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		jc_motion_body_frame(motion, times[i][0], &frame);
		assert_position(&frame.joints[JC_JOINT_HIPS], (float)times[i][1], 0, 0);
	}
	jc_motion_destroy(motion);
}

static void reads_rest_like_a_frame(void **)
{
	struct jc_motion *motion = read_text(
		"{\"jointcast\":\"body-frames\",\"profile\":\"webxr-spec\",\"joints\":[\"hips\","
		"\"head\"],\"rest\":{\"joints\":[[0,0.9,0,0,0,0,1,2],null]}}\n"
		"{\"t\":0,\"joints\":[null,null]}\n");
	const struct jc_body_frame *rest = jc_motion_rest(motion);

	assert_non_null(rest);
	assert_position(&rest->joints[JC_JOINT_HIPS], 0, 0.9f, 0);
	assert_int_equal(rest->joints[JC_JOINT_HIPS].state, JC_TRACKED);
	assert_int_equal(rest->joints[JC_JOINT_HEAD].state, JC_ABSENT);
	jc_motion_destroy(motion);
}

static void accepts_byte_order_mark_blank_lines_and_crlf(void **)
{
	struct jc_motion *motion =
		read_text("\xef\xbb\xbf" HEADER("\"hips\"") "\r\n{\"t\":0,\"joints\":[null]}\r\n "
							    "\t\r\n{\"t\":1,\"joints\":[null]}");

	assert_int_equal(jc_motion_info(motion)->frame_count, 2);
	jc_motion_destroy(motion);
}

static void knows_aliases_and_leaves_out_unknown_names(void **)
{
	static const char text[] =
		HEADER("\"root\",\"left-hand-middle-metacarpal\"") "{\"t\":0,\"joints\":[[9,9,9,0,"
								   "0,0,1,2],[1,2,3,0,0,0,1,2]]}\n";
	struct jc_motion *motion = NULL;
	struct jc_lint lint = { 0 };
	struct jc_body_frame frame;

	assert_int_equal(jc_motion_read(text, strlen(text), 0, NULL, &motion, &lint, NULL), JC_OK);
	assert_int_equal(lint.count, 1);
	assert_string_equal(lint.entries[0].code, "unknown-joint");
	assert_non_null(strstr(lint.entries[0].text, "'root'"));
	jc_motion_body_frame(motion, 0, &frame);
	assert_position(&frame.joints[JC_JOINT_LEFT_HAND_MIDDLE_PHALANX_METACARPAL], 1, 2, 3);
	jc_motion_destroy(motion);
}

static void normalises_nearly_unit_orientations(void **)
{
	struct jc_motion *motion = read_text(HEADER(
		"\"hips\"") "{\"t\":0,\"joints\":[[0,0,0,0,0.594,0,0.792,2]]}\n"); /* 0.99 * (0.6,
										      0.8) */
	struct jc_body_frame frame;

	jc_motion_body_frame(motion, 0, &frame);
	assert_float_equal(frame.joints[0].orientation.y, 0.6f, 1e-6f);
	assert_float_equal(frame.joints[0].orientation.w, 0.8f, 1e-6f);
	jc_motion_destroy(motion);
}

static void flags_zero_make_a_joint_absent(void **)
{
	struct jc_motion *motion =
		read_text(HEADER("\"hips\"") "{\"t\":0,\"joints\":[[0,0,0,0,0,0,0,0]]}\n");
	struct jc_body_frame frame;

	jc_motion_body_frame(motion, 0, &frame);
	assert_int_equal(frame.joints[JC_JOINT_HIPS].state, JC_ABSENT);
	assert_int_equal(jc_motion_info(motion)->bone_mask, 0);
	jc_motion_destroy(motion);
}

static void rejects_bad_headers_naming_the_field(void **)
{
	assert_refused("", JC_ERROR_TRUNCATED, "empty", "");
	assert_refused("{}", JC_ERROR_UNSUPPORTED, "not the header", "line 1");
	assert_refused("\n{\"assets\":{\"version\":\"2.0\"}}", JC_ERROR_UNSUPPORTED,
		"not the header", "line 2");
	assert_refused(
		"{\"jointcast\":\"body-frames\"}", JC_ERROR_INVALID, "missing", "line 1, profile");
	assert_refused("{\"jointcast\":\"body-frames\",\"profile\":\"kinect\"}",
		JC_ERROR_UNSUPPORTED, "'webxr-spec'", "line 1, profile");
	assert_refused("{\"jointcast\":\"body-frames\",\"profile\":\"webxr-spec\"}",
		JC_ERROR_NO_HUMANOID, "names no joint", "line 1, joints");
	assert_refused(
		HEADER("\"nose\""), JC_ERROR_NO_HUMANOID, "names no joint", "line 1, joints");
	assert_refused(HEADER("\"hips\",7"), JC_ERROR_INVALID, "not a string", "line 1, joints[1]");
	assert_refused(HEADER("\"hips\",\"head\",\"hips\""), JC_ERROR_INVALID, "appears twice",
		"line 1, joints[2]");
	assert_refused(HEADER("\"hips\""), JC_ERROR_TRUNCATED, "contains no frame", "");
	assert_refused("{\"jointcast\":\"body-frames\",\"profile\":\"webxr-spec\",\"joints\":["
		       "\"hips\"],\"rest\":{\"joints\":[[0]]}}",
		JC_ERROR_INVALID, "array of 8", "line 1, rest.joints[0]");
	assert_refused("{\"jointcast\":", JC_ERROR_TRUNCATED, "JSON", "line 1");
}

static void rejects_bad_frames_naming_line_and_field(void **)
{
	static const struct {
		const char *line;
		int error;
		const char *what, *where;
	} cases[] = {
		{ "{\"joints\":[null]}", JC_ERROR_INVALID, "not a number", "line 2, t" },
		{ "{\"t\":\"0\",\"joints\":[null]}", JC_ERROR_INVALID, "not a number",
			"line 2, t" },
		{ "{\"t\":1e10,\"joints\":[null]}", JC_ERROR_LIMIT, "not within", "line 2, t" },
		{ "{\"t\":0}", JC_ERROR_INVALID, "one for each", "line 2, joints" },
		{ "{\"t\":0,\"joints\":[null,null]}", JC_ERROR_INVALID, "array of 1",
			"line 2, joints" },
		{ "{\"t\":0,\"confidence\":2,\"joints\":[null]}", JC_ERROR_LIMIT, "not within",
			"line 2, confidence" },
		{ "{\"t\":0,\"joints\":[[0,0,0,0,0,0,1]]}", JC_ERROR_INVALID, "array of 8",
			"line 2, joints[0]" },
		{ "{\"t\":0,\"joints\":[[0,0,0,0,true,0,1,2]]}", JC_ERROR_INVALID, "not a number",
			"line 2, joints[0][4]" },
		{ "{\"t\":0,\"joints\":[[0,1e30,0,0,0,0,1,2]]}", JC_ERROR_LIMIT, "larger than",
			"line 2, joints[0][1]" },
		{ "{\"t\":0,\"joints\":[[0,0,0,0,0,0,0,2]]}", JC_ERROR_INVALID, "length 0",
			"line 2, joints[0]" },
		{ "{\"t\":0,\"joints\":[[0,0,0,0,0,0,1.02,2]]}", JC_ERROR_INVALID, "length 1.02",
			"line 2, joints[0]" },
		{ "{\"t\":0,\"joints\":[[0,0,0,0,0,0,1,3]]}", JC_ERROR_INVALID, "flags",
			"line 2, joints[0]" },
		{ "{\"t\":0,\"joints\":[[0,0,0,0,0,0,1,1.5]]}", JC_ERROR_INVALID, "flags",
			"line 2, joints[0]" },
		{ "{\"t\":0,\"joints\":[nan]}", JC_ERROR_SYNTAX, "JSON", "line 2" },
		{ "{\"t\":0,\"joints\":[[0,0,", JC_ERROR_TRUNCATED, "JSON", "line 2" },
		{ "[]", JC_ERROR_INVALID, "not a number", "line 2, t" },
		{ "{\"t\":1,\"joints\":[null]}\n\n{\"t\":1,\"joints\":[null]}", JC_ERROR_INVALID,
			"not after", "line 4, t" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[512];

		snprintf(text, sizeof(text), "%s%s", HEADER("\"hips\""), cases[i].line);
		assert_refused(text, cases[i].error, cases[i].what, cases[i].where);
	}
}

static void rejects_files_of_other_formats(void **)
{
	struct jc_motion *motion = NULL;
	struct jc_diagnostic diagnostic;

	assert_refused("RIFF", JC_ERROR_UNSUPPORTED, "not a BVH, glTF, VRM, H-Anim", "");
	assert_refused(" \n\t ", JC_ERROR_TRUNCATED, "empty", "");
	assert_int_equal(
		jc_motion_read(NULL, 0, 0, NULL, &motion, NULL, &diagnostic), JC_ERROR_TRUNCATED);
	assert_int_equal(
		jc_motion_read("{}", 2, 1, NULL, &motion, NULL, &diagnostic), JC_ERROR_ABSENT);
	jc_motion_destroy(NULL);
}

/* jansson limits the nesting, the parser the length of a line. */
static void limits_nesting_and_line_length(void **)
{
	const size_t length = 3u << 20;
	char *text = malloc(length + 1);

	assert_non_null(text);
	memset(text, '[', length);
	text[length] = '\0';
	text[0] = '{';
	assert_refused(text, JC_ERROR_LIMIT, "too much", "line 1");
	text[5000] = '\0';
	assert_refused(text, JC_ERROR_SYNTAX, "JSON", "line 1");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_two_frames),
		cmocka_unit_test(interpolates_positions_and_rotations_between_frames),
		cmocka_unit_test(clamps_times_outside_the_motion),
		cmocka_unit_test(reads_rest_like_a_frame),
		cmocka_unit_test(accepts_byte_order_mark_blank_lines_and_crlf),
		cmocka_unit_test(knows_aliases_and_leaves_out_unknown_names),
		cmocka_unit_test(normalises_nearly_unit_orientations),
		cmocka_unit_test(flags_zero_make_a_joint_absent),
		cmocka_unit_test(rejects_bad_headers_naming_the_field),
		cmocka_unit_test(rejects_bad_frames_naming_line_and_field),
		cmocka_unit_test(rejects_files_of_other_formats),
		cmocka_unit_test(limits_nesting_and_line_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
