/* Props: things without bones. Positions are worked out by hand. */
#include <stdlib.h>
#include <string.h>

#include "jointcast/retarget.h"
#include "jointcast/skeleton.h"
#include "jointcast/transform.h"
#include "unit_test.h"

/* A chair that is turned by a quarter about Y (its +X leads along -Z), with a seat 0.45 up and a
 * lamp that nothing needs. */
#define CHAIR(virtuals)                                                                            \
	"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[1]}],\"nodes\":["                \
	"{\"name\":\"seat\",\"translation\":[0.1,0.45,0]},"                                        \
	"{\"name\":\"chair\",\"children\":[0,2],\"rotation\":[0,0.70710678,0,0.70710678],"         \
	"\"translation\":[0,0,1]},{\"name\":\"lamp\"}],"                                           \
	"\"extensionsUsed\":[\"KHR_virtual_transform\"],"                                          \
	"\"extensions\":{\"KHR_virtual_transform\":{\"virtualTransforms\":[" virtuals "]}}}"

static int read_prop(const char *text, struct jc_skeleton **out_skeleton, struct jc_lint *lint)
{
	return jc_skeleton_read_prop(text, strlen(text), out_skeleton, lint, NULL);
}

static void places_a_seat(void **)
{
	static const char text[] = CHAIR(
		"{\"name\":\"sit\",\"parent\":0,\"translation\":[0.2,0,0],\"tags\":[\"seating\"]}");
	struct jc_lint lint = { 0 };
	struct jc_skeleton *prop;
	struct jc_transform seat;
	char *descriptor;

	assert_int_equal(read_prop(text, &prop, &lint), JC_OK);
	assert_int_equal(lint.count, 0);
	jc_virtual_transforms_evaluate(prop, jc_skeleton_rest_worlds(prop), &seat);
	assert_float_equal(seat.translation.x, 0.0f, 1e-6f);
	assert_float_equal(seat.translation.y, 0.45f, 1e-6f);
	assert_float_equal(seat.translation.z, 0.7f, 1e-6f);
	assert_float_equal(seat.rotation.y, 0.70710678f, 1e-6f);
	/* Nodes that no virtual transform needs are left out. */
	assert_int_equal(jc_skeleton_write_descriptor(prop, &descriptor), JC_OK);
	assert_non_null(strstr(descriptor, "\"name\":\"chair\""));
	assert_non_null(strstr(descriptor, "\"name\":\"seat\",\"parent\":0"));
	assert_null(strstr(descriptor, "lamp"));
	assert_non_null(strstr(descriptor, "\"bones\":{}"));
	free(descriptor);
	jc_skeleton_destroy(prop);
}

static void a_nameless_seat_gets_a_note(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_skeleton *prop;

	assert_int_equal(read_prop(CHAIR("{\"parent\":0}"), &prop, &lint), JC_OK);
	assert_int_equal(lint.count, 1);
	assert_int_equal(lint.entries[0].severity, JC_NOTE);
	assert_string_equal(lint.entries[0].code, "virtual-transform-unnamed");
	jc_skeleton_destroy(prop);
}

static void root_alone_keeps_one_node(void **)
{
	struct jc_skeleton *prop;
	char *descriptor;

	assert_int_equal(read_prop(CHAIR("{\"translation\":[1,2,3]}"), &prop, NULL), JC_OK);
	assert_int_equal(jc_skeleton_write_descriptor(prop, &descriptor), JC_OK);
	assert_non_null(strstr(descriptor, "\"nodes\":[{\"name\":\"chair\""));
	assert_null(strstr(descriptor, "seat"));
	free(descriptor);
	jc_skeleton_destroy(prop);
}

static void a_file_without_virtual_transforms_is_no_prop(void **)
{
	struct jc_skeleton *prop;

	assert_int_equal(read_prop(CHAIR(""), &prop, NULL), JC_ERROR_ABSENT);
	assert_int_equal(read_prop(CHAIR("{\"parent\":7}"), &prop, NULL), JC_ERROR_ABSENT);
	assert_true(read_prop("{}", &prop, NULL) < 0);
	assert_true(read_prop("glTF", &prop, NULL) < 0);
	assert_int_equal(
		jc_skeleton_read(CHAIR("{}"), strlen(CHAIR("{}")), 0, NULL, &prop, NULL, NULL),
		JC_ERROR_NO_HUMANOID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_a_seat),
		cmocka_unit_test(a_nameless_seat_gets_a_note),
		cmocka_unit_test(root_alone_keeps_one_node),
		cmocka_unit_test(a_file_without_virtual_transforms_is_no_prop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
