/* Tests BVH text: differences between writers are accepted, invalid text is refused with its
 * line. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/bvh.h"
#include "unit_test.h"

static struct jc_lint lint;
static struct jc_diagnostic diagnostic;

static int read_bytes(const char *text, size_t length, struct jc_bvh **out_bvh)
{
	/* Exactly the length, so that a sanitizer sees the first byte past it. */
	char *copy = malloc(length ? length : 1);
	int status;

	assert_non_null(copy);
	memcpy(copy, text, length);
	memset(&lint, 0, sizeof(lint));
	memset(&diagnostic, 0, sizeof(diagnostic));
	*out_bvh = NULL;
	status = jc_bvh_read(copy, length, out_bvh, &lint, &diagnostic);
	free(copy);
	return status;
}

static struct jc_bvh *read_good(const char *text)
{
	struct jc_bvh *bvh;

	if (read_bytes(text, strlen(text), &bvh) != JC_OK) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	return bvh;
}

static void assert_refused(const char *text, int error, const char *what, const char *where)
{
	struct jc_bvh *bvh;

	assert_int_equal(read_bytes(text, strlen(text), &bvh), error);
	assert_null(bvh);
	if (!strstr(diagnostic.what, what)) {
		fail_msg("'%s' does not say '%s'", diagnostic.what, what);
	}
	assert_string_equal(diagnostic.where, where);
}

static const char plain[] =
	"HIERARCHY\n"
	"ROOT Hips\n"
	"{\n"
	"\tOFFSET 1 2 3\n"
	"\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
	"\tJOINT Left Leg:a\n"
	"\t{\n"
	"\t\tOFFSET -1.5 -2e1 .25\n"
	"\t\tCHANNELS 3 Yrotation Xrotation Zrotation\n"
	"\t\tEnd Site\n"
	"\t\t{\n"
	"\t\t\tOFFSET 0 -4 0\n"
	"\t\t}\n"
	"\t}\n"
	"}\n"
	"MOTION\n"
	"Frames: 2\n"
	"Frame Time: 0.0083333\n"
	"1 2 3 4 5 6 7 8 9\n"
	"-1 -2 -3 -4 -5 -6 -7 -8 -9\n";

static void reads_hierarchy_and_values_of_the_file(void **)
{
	struct jc_bvh *bvh = read_good(plain);

	assert_int_equal(bvh->joint_count, 2);
	assert_string_equal(bvh->joints[0].name, "Hips");
	assert_int_equal(bvh->joints[0].parent, -1);
	assert_true(bvh->joints[0].offset.z == 3.0f);
	assert_int_equal(bvh->joints[0].channel_count, 6);
	assert_int_equal(bvh->joints[0].channels[3], JC_BVH_Z_ROTATION);
	assert_false(bvh->joints[0].has_end);
	assert_string_equal(bvh->joints[1].name, "Left Leg:a");
	assert_int_equal(bvh->joints[1].parent, 0);
	assert_true(bvh->joints[1].offset.x == -1.5f);
	assert_true(bvh->joints[1].offset.y == -20.0f);
	assert_true(bvh->joints[1].offset.z == 0.25f);
	assert_int_equal(bvh->joints[1].first_value, 6);
	assert_int_equal(bvh->joints[1].channels[0], JC_BVH_Y_ROTATION);
	assert_true(bvh->joints[1].has_end);
	assert_true(bvh->joints[1].end.y == -4.0f);
	assert_int_equal(bvh->frame_count, 2);
	assert_int_equal(bvh->value_count, 9);
	assert_true(bvh->frame_seconds == 0.0083333);
	assert_true(bvh->values[8] == 9.0f);
	assert_true(bvh->values[17] == -9.0f);
	assert_int_equal(lint.count, 0);
	jc_bvh_destroy(bvh);
}

/* The same text with each line end replaced. */
static char *with_line_ends(const char *text, const char *end)
{
	char *copy = malloc(strlen(text) * 2 + 1);
	char *at = copy;

	assert_non_null(copy);
	for (; *text; text++) {
		if (*text == '\n') {
			at = stpcpy(at, end);
		} else {
			*at++ = *text;
		}
	}
	*at = '\0';
	return copy;
}

static void accepts_line_ends_of_every_system(void **)
{
	static const char *const ends[] = { "\r\n", "\r", "\n\n", " \t\n" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char *text = with_line_ends(plain, ends[i]);
		struct jc_bvh *bvh = read_good(text);

		assert_string_equal(bvh->joints[1].name, "Left Leg:a");
		assert_true(bvh->values[17] == -9.0f);
		jc_bvh_destroy(bvh);
		free(text);
	}
}

static void accepts_variations_between_writers(void **)
{
	struct jc_bvh *bvh = read_good(
		"\xef\xbb\xbfhierarchy\nROOT a{OFFSET 0 0 0 channels 2 xRotation YPOSITION}\n"
		"ROOT b\n{\nCHANNELS 1 Zrotation\nOFFSET 0 1 0\nEnd Site{OFFSET 0 0 1}\n}\n"
		"MOTION\nFrames:1\nFrame Time:.0083\n\n1\t 2  3");

	assert_int_equal(bvh->joint_count, 2);
	assert_string_equal(bvh->joints[0].name, "a");
	assert_int_equal(bvh->joints[1].parent, -1);
	assert_int_equal(bvh->joints[0].channels[1], JC_BVH_Y_POSITION);
	assert_true(bvh->frame_seconds == 0.0083);
	assert_true(bvh->values[2] == 3.0f);
	jc_bvh_destroy(bvh);
}

#define HEAD                                                                                       \
	"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 2\n"         \
	"Frame Time: 0.1\n"

static void reports_and_omits_data_beyond_the_stated_frames(void **)
{
	struct jc_bvh *bvh = read_good(HEAD "1\n2\n3\n4\n\n");

	assert_int_equal(bvh->frame_count, 2);
	assert_int_equal(lint.count, 1);
	assert_string_equal(lint.entries[0].code, "extra-frames");
	assert_int_equal(lint.entries[0].severity, JC_WARNING);
	assert_non_null(strstr(lint.entries[0].text, "2 data lines"));
	jc_bvh_destroy(bvh);
}

static void a_single_pose_needs_no_frame_time(void **)
{
	struct jc_bvh *bvh =
		read_good("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n"
			  "MOTION\nFrames: 1\nFrame Time: 0\n1\n");

	assert_true(bvh->frame_seconds > 0.0);
	jc_bvh_destroy(bvh);
}

/* Decimal texts with the value that the compiler reads from the same digits. */
static void numbers_are_read_to_float_precision(void **)
{
	static const struct {
		const char *text;
		float value;
	} cases[] = {
		{ "0", 0.0f },
		{ "-0.0", -0.0f },
		{ "+3.", 3.0f },
		{ ".5", 0.5f },
		{ "1e-3", 1e-3f },
		{ "1E+2", 1e2f },
		{ "16777217", 16777217.0f },
		{ "0.1", 0.1f },
		{ "3.14159265358979323846264338327950288", 3.14159265358979323846f },
		{ "123456789012345678901234567890e-25", 12345.6789012345678901f },
		{ "0.000000000000000000000000000000000000012", 1.2e-38f },
		{ "1e-400", 0.0f },
		{ "-88.7654321", -88.7654321f },
		{ "00000000000000000000000000000000000007", 7.0f },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[300];
		struct jc_bvh *bvh;

		snprintf(text, sizeof(text), HEAD "%s\n%s\n", cases[i].text, cases[i].text);
		bvh = read_good(text);
		if (memcmp(&bvh->values[1], &cases[i].value, sizeof(float)) != 0) {
			fail_msg("'%s' read as %.9g", cases[i].text, (double)bvh->values[1]);
		}
		jc_bvh_destroy(bvh);
	}
}

static void rejects_text_that_is_not_a_decimal_number(void **)
{
	static const char *const words[] = { "nan", "inf", "-Infinity", "0x10", "1,5", "1e", "-",
		".", "1.2.3", "12a" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		char text[300];

		snprintf(text, sizeof(text), HEAD "0\n%s\n", words[i]);
		assert_refused(text, JC_ERROR_SYNTAX, "stands where a number is due", "line 11");
	}
	assert_refused(HEAD "0\n1e30\n", JC_ERROR_LIMIT, "too large", "line 11");
	assert_refused(HEAD "0\n-1e999\n", JC_ERROR_LIMIT, "too large", "line 11");
}

static void rejects_missing_data_naming_the_line(void **)
{
	assert_refused(HEAD "1\n", JC_ERROR_TRUNCATED, "after 1 of 2 frames", "line 11");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Yrotation\n}\n"
		       "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2\n3\n",
		JC_ERROR_TRUNCATED, "1 values where 2 are due", "line 11");
	assert_refused(HEAD "1 2\n3\n", JC_ERROR_INVALID, "more than 1 values", "line 10");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\n", JC_ERROR_TRUNCATED,
		"ROOT or MOTION is due", "line 6");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\n",
		JC_ERROR_TRUNCATED, "Frames is due", "line 8");
}

static void rejects_broken_hierarchies(void **)
{
	assert_refused("", JC_ERROR_TRUNCATED, "HIERARCHY is due", "line 1");
	assert_refused("hello", JC_ERROR_SYNTAX, "'hello' stands where HIERARCHY", "line 1");
	assert_refused("HIERARCHY\nMOTION\n", JC_ERROR_SYNTAX, "where ROOT is due", "line 2");
	assert_refused(
		"HIERARCHY\nROOT a\nOFFSET 0 0 0", JC_ERROR_SYNTAX, "where { is due", "line 3");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}\n", JC_ERROR_SYNTAX,
		"line ends where a coordinate", "line 4");
	assert_refused("HIERARCHY\nROOT a\n{\n}\n", JC_ERROR_SYNTAX, "'a' has no OFFSET", "line 4");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Site\n{\n}\n}\n", JC_ERROR_SYNTAX,
		"End Site of joint 'a'", "line 7");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 7 Xrotation\n", JC_ERROR_LIMIT,
		"number of channels", "line 5");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n",
		JC_ERROR_SYNTAX, "'Wrotation'", "line 5");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Xposition\n",
		JC_ERROR_INVALID, "given twice", "line 5");
}

static void rejects_oversized_headers_before_allocation(void **)
{
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\n"
		       "Frames: 2000001\n",
		JC_ERROR_LIMIT, "number of frames", "line 8");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\n"
		       "Frames: -1\n",
		JC_ERROR_SYNTAX, "not a whole number", "line 8");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\n"
		       "Frames: 0\nFrame Time: 1\n",
		JC_ERROR_INVALID, "no frames", "line 8");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\n"
		       "Frames: 2\nFrame Time: -0.1\n",
		JC_ERROR_INVALID, "frame time", "line 9");
	assert_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 1\nFrame Time: 1\n",
		JC_ERROR_INVALID, "no joint has a channel", "line 7");
}

/* count times "JOINT j { OFFSET 0 0 0", nested or side by side. */
static char *many_joints(size_t count, bool nested)
{
	static const char open[] = "JOINT j { OFFSET 0 0 0\n";
	char *text = malloc(64 + count * (sizeof(open) + 2));
	char *at = text;

	assert_non_null(text);
	at = stpcpy(at, "HIERARCHY ROOT r\n{ OFFSET 0 0 0\n");
	for (size_t i = 0; i < count; i++) {
		at = stpcpy(at, open);
		if (!nested) {
			at = stpcpy(at, "}");
		}
	}
	return text;
}

static void limits_depth_and_number_of_joints(void **)
{
	char *text = many_joints(JC_LIMIT_DEPTH, true);
	struct jc_bvh *bvh;

	assert_int_equal(read_bytes(text, strlen(text), &bvh), JC_ERROR_LIMIT);
	assert_non_null(strstr(diagnostic.what, "deeper"));
	free(text);
	text = many_joints(JC_LIMIT_BVH_JOINTS, false);
	assert_int_equal(read_bytes(text, strlen(text), &bvh), JC_ERROR_LIMIT);
	assert_non_null(strstr(diagnostic.what, "joints"));
	free(text);
}

static void limits_name_length_and_rejects_nul_in_names(void **)
{
	char text[600] = "HIERARCHY\nROOT ";
	static const char nul[] = "HIERARCHY\nROOT a\0b\n{";
	struct jc_bvh *bvh;

	memset(text + strlen(text), 'x', JC_LIMIT_NAME_BYTES);
	assert_int_equal(read_bytes(text, strlen(text), &bvh), JC_ERROR_LIMIT);
	assert_int_equal(read_bytes(nul, sizeof(nul) - 1, &bvh), JC_ERROR_SYNTAX);
}

static void rejects_every_truncation_except_within_the_last_number(void **)
{
	size_t last = strlen(plain) - strlen("9\n");

	for (size_t length = 0; length <= last; length++) {
		struct jc_bvh *bvh;

		if (read_bytes(plain, length, &bvh) == JC_OK) {
			fail_msg("%zu bytes are read", length);
		}
		assert_true(diagnostic.what[0] != '\0');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_hierarchy_and_values_of_the_file),
		cmocka_unit_test(accepts_line_ends_of_every_system),
		cmocka_unit_test(accepts_variations_between_writers),
		cmocka_unit_test(reports_and_omits_data_beyond_the_stated_frames),
		cmocka_unit_test(a_single_pose_needs_no_frame_time),
		cmocka_unit_test(numbers_are_read_to_float_precision),
		cmocka_unit_test(rejects_text_that_is_not_a_decimal_number),
		cmocka_unit_test(rejects_missing_data_naming_the_line),
		cmocka_unit_test(rejects_broken_hierarchies),
		cmocka_unit_test(rejects_oversized_headers_before_allocation),
		cmocka_unit_test(limits_depth_and_number_of_joints),
		cmocka_unit_test(limits_name_length_and_rejects_nul_in_names),
		cmocka_unit_test(rejects_every_truncation_except_within_the_last_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
