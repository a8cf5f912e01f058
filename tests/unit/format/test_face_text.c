/* Texts of phones, in the forms that both apps document. */
#include <stdlib.h>
#include <string.h>

#include "jointcast_private/apps/face_text.h"
#include "unit_test.h"

struct values {
	size_t count;
	char names[8][JC_FACE_TEXT_NAME];
	float values[8];
};

static void take(void *context, const char *name, float value)
{
	struct values *values = context;

	if (values->count < 8) {
		strcpy(values->names[values->count], name);
		values->values[values->count] = value;
	}
	values->count++;
}

static int read_text(const char *text, struct values *out_values, struct jc_face_text *out_text)
{
	size_t length = strlen(text);
	char *copy = malloc(length + 1); /* so that a read past the end is found */
	int status;

	memcpy(copy, text, length);
	*out_values = (struct values){ 0 };
	status = jc_face_text_read(copy, length, take, out_values, out_text, NULL);
	free(copy);
	return status;
}

static void all_three_forms_are_read(void **)
{
	static const char *const texts[] = {
		"eyeBlink_L-29|mouthPucker-4|=head#-21.5,-6,1e1,-0.03,-0.1,-0.65|"
		"rightEye#6,2.5,0.25|leftEye#5,-1.5,0|",
		"eyeBlink_L&29|mouthPucker&4|=head#-21.5,-6,1e1,-0.03,-0.1,-0.65|"
		"rightEye#6,2.5,0.25|leftEye#5,-1.5,0|",
		"eyeBlinkLeft&29|mouthPucker&4|=head#-21.5,-6,1e1,-0.03,-0.1,-0.65|"
		"rightEye#6,2.5,0.25|leftEye#5,-1.5,0",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct values values;
		struct jc_face_text text;

		assert_int_equal(read_text(texts[i], &values, &text), JC_OK);
		assert_int_equal(values.count, 2);
		assert_string_equal(values.names[0], "eyeBlinkLeft");
		assert_float_equal(values.values[0], 0.29f, 1e-6f);
		assert_string_equal(values.names[1], "mouthPucker");
		assert_float_equal(values.values[1], 0.04f, 1e-6f);
		assert_true(text.head.is_known && text.left_eye.is_known);
		assert_float_equal(text.head.degrees.x, -21.5f, 1e-6f);
		assert_float_equal(text.head.degrees.z, 10.0f, 1e-6f);
		assert_float_equal(text.right_eye.degrees.y, 2.5f, 1e-6f);
	}
}

static void values_are_clamped_and_parts_may_be_missing(void **)
{
	struct values values;
	struct jc_face_text text;

	assert_int_equal(read_text("jawOpen&-5|tongueOut&250|", &values, &text), JC_OK);
	assert_float_equal(values.values[0], 0.0f, 0.0f);
	assert_float_equal(values.values[1], 1.0f, 0.0f);
	assert_false(text.head.is_known || text.left_eye.is_known || text.right_eye.is_known);
	/* Version 1 before a negative number. */
	assert_int_equal(read_text("jawOpen--5|tongueOut-0.5|", &values, &text), JC_OK);
	assert_float_equal(values.values[1], 0.005f, 1e-7f);
}

static void of_a_damaged_text_nothing_is_passed_on(void **)
{
	static const char *const texts[] = { "", "|", "hello", "jawOpen", "jawOpen&1|x",
		"jawOpen&|a&1", "jawOpen&1|tongueOut&nan|", "jawOpen&1|tongueOut&inf|",
		"jawOpen&1|tongueOut&0x10|", "jawOpen&1|tongueOut&1e60|", "jawOpen&1|=head#1,2|",
		"jawOpen&1|=head#1,2,x|", "jawOpen&1|=head#1,2,3,4,5,6,7|",
		"jawOpen&1|leftEye#1e9,0,0|", "jawOpen&1|&5|", "jawOpen&1|a b&5|",
		"jawOpen&1|\xff&5|",
		"jawOpen&1|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&5|",
		"jawOpen&1|tongueOut&11111111111111111111111111111111111111|" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct values values;
		struct jc_face_text text;

		assert_true(read_text(texts[i], &values, &text) < 0);
		assert_int_equal(values.count, 0);
	}
}

static void more_than_the_maxima_is_refused(void **)
{
	static char text[JC_FACE_TEXT_BYTES + 2];
	struct values values;
	struct jc_face_text face;

	for (size_t i = 0; i + 4 < sizeof(text); i += 4)
		memcpy(text + i, "a&1|", 4);
	assert_int_equal(read_text(text, &values, &face), JC_ERROR_LIMIT);
	memset(text, '|', sizeof(text) - 1);
	assert_int_equal(read_text(text, &values, &face), JC_ERROR_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_three_forms_are_read),
		cmocka_unit_test(values_are_clamped_and_parts_may_be_missing),
		cmocka_unit_test(of_a_damaged_text_nothing_is_passed_on),
		cmocka_unit_test(more_than_the_maxima_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
