/* Outfits come and go with those who keep and wear them, and who was told of one is
 * remembered by a number that no other ever has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/outfit_set.h"
#include "space/wardrobe.h"

static int setup(void **state)
{
	static struct jc_wardrobe wardrobe;
	struct jc_diagnostic diagnostic;

	*state = &wardrobe;
	return jc_wardrobe_init(&wardrobe, &diagnostic);
}

static int teardown(void **state)
{
	jc_wardrobe_finish(*state);
	return 0;
}

/* A figure whose hips are so high. */
static struct jc_outfit *make(double height)
{
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton;
	struct jc_outfit *outfit;
	char text[160];
	int length = snprintf(text, sizeof(text),
		"{\"nodes\":[{\"name\":\"h\",\"translation\":[0,%g,0]}],\"bones\":{\"hips\":0}}",
		height);

	assert_int_equal(
		jc_skeleton_read(text, (size_t)length, 0, NULL, &skeleton, NULL, &diagnostic),
		JC_OK);
	assert_int_equal(jc_outfit_create(skeleton, &outfit, &diagnostic), JC_OK);
	return outfit;
}

static struct jc_outfit *keep(struct jc_wardrobe *wardrobe, double height)
{
	struct jc_outfit *outfit;

	assert_int_equal(jc_wardrobe_keep(wardrobe, make(height), &outfit), JC_OK);
	return outfit;
}

static void the_built_in_one_is_always_there(void **state)
{
	struct jc_wardrobe *wardrobe = *state;

	assert_int_equal(wardrobe->count, 1);
	assert_true(wardrobe->humanoid->is_common);
	assert_ptr_equal(jc_wardrobe_find(wardrobe, wardrobe->humanoid->hash), wardrobe->humanoid);
	jc_outfit_wear(wardrobe->humanoid);
	jc_outfit_take_off(wardrobe->humanoid);
	assert_int_equal(wardrobe->count, 1);
}

static void equal_skeletons_lie_there_once(void **state)
{
	struct jc_wardrobe *wardrobe = *state;
	struct jc_outfit *one = keep(wardrobe, 1.0);
	struct jc_outfit *other = keep(wardrobe, 1.5);

	assert_ptr_equal(keep(wardrobe, 1.0), one);
	assert_ptr_not_equal(other, one);
	assert_int_equal(wardrobe->count, 3);
	jc_outfit_drop(one);
	assert_ptr_equal(jc_wardrobe_find(wardrobe, one->hash), one);
	jc_outfit_drop(one);
	jc_outfit_drop(other);
	assert_int_equal(wardrobe->count, 1);
}

static void what_is_worn_stays_until_it_is_taken_off(void **state)
{
	struct jc_wardrobe *wardrobe = *state;
	struct jc_outfit *outfit = keep(wardrobe, 1.0);
	char hash[JC_SKELETON_HASH_LENGTH + 1];

	strcpy(hash, outfit->hash);
	assert_ptr_equal(jc_outfit_wear(outfit), outfit);
	jc_outfit_wear(outfit);
	jc_outfit_drop(outfit);
	jc_outfit_take_off(outfit);
	assert_ptr_equal(jc_wardrobe_find(wardrobe, hash), outfit);
	jc_outfit_take_off(outfit);
	assert_null(jc_wardrobe_find(wardrobe, hash));
}

static void many_are_found_by_their_hashes(void **state)
{
	struct jc_wardrobe *wardrobe = *state;
	struct jc_outfit *outfits[100];

	for (int i = 0; i < 100; i++) {
		outfits[i] = keep(wardrobe, 1.0 + i);
	}
	for (int i = 0; i < 100; i += 2) {
		jc_outfit_drop(outfits[i]);
	}
	for (int i = 1; i < 100; i += 2) {
		assert_ptr_equal(jc_wardrobe_find(wardrobe, outfits[i]->hash), outfits[i]);
		jc_outfit_drop(outfits[i]);
	}
	assert_null(jc_wardrobe_find(wardrobe, ""));
	assert_int_equal(wardrobe->count, 1);
}

static void a_message_holds_the_descriptor_as_it_is(void **state)
{
	struct jc_outfit *outfit = make(1.0);
	char *descriptor;

	(void)state;
	assert_int_equal(jc_skeleton_write_descriptor(outfit->skeleton, &descriptor), JC_OK);
	assert_int_equal(outfit->descriptor_length, strlen(descriptor));
	assert_memory_equal(jc_outfit_descriptor(outfit), descriptor, outfit->descriptor_length);
	assert_string_equal(jc_outfit_descriptor(outfit) + outfit->descriptor_length, "}");
	free(descriptor);
	jc_outfit_destroy(outfit);
}

static void one_that_comes_back_is_new_to_who_knew_it(void **state)
{
	struct jc_wardrobe *wardrobe = *state;
	struct jc_outfit_set set = { 0 };
	struct jc_outfit *outfit = keep(wardrobe, 1.0);

	assert_true(jc_outfit_set_add(&set, outfit));
	assert_false(jc_outfit_set_add(&set, outfit));
	jc_outfit_drop(outfit);
	outfit = keep(wardrobe, 1.0);
	assert_true(jc_outfit_set_add(&set, outfit));
	jc_outfit_drop(outfit);
	jc_outfit_set_finish(&set);
}

static void a_set_tells_each_number_once(void **state)
{
	struct jc_outfit_set set = { 0 };
	struct jc_outfit outfit = { 0 };

	(void)state;
	/* 389 generates the numbers below 1013, in no order. */
	for (uint32_t i = 0, number = 1; i < 1012; i++, number = number * 389 % 1013) {
		outfit.number = number;
		assert_true(jc_outfit_set_add(&set, &outfit) || i > 0);
	}
	for (uint32_t number = 1; number < 1013; number++) {
		outfit.number = number;
		jc_outfit_set_add(&set, &outfit);
		assert_false(jc_outfit_set_add(&set, &outfit));
	}
	assert_int_equal(set.count, 1012);
	jc_outfit_set_finish(&set);
}

static void past_the_most_the_oldest_are_forgotten(void **state)
{
	struct jc_outfit_set set = { 0 };
	struct jc_outfit outfit = { 0 };

	(void)state;
	for (uint32_t number = 1; number <= 5 * JC_MAX_KNOWN_OUTFITS; number++) {
		outfit.number = number;
		assert_true(jc_outfit_set_add(&set, &outfit));
		assert_true(set.capacity <= JC_MAX_KNOWN_OUTFITS);
		/* Those of late are known always. */
		outfit.number = number > 100 ? number - 100 : number;
		assert_false(jc_outfit_set_add(&set, &outfit));
	}
	outfit.number = 1;
	assert_true(jc_outfit_set_add(&set, &outfit));
	jc_outfit_set_finish(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_built_in_one_is_always_there, setup, teardown),
		cmocka_unit_test_setup_teardown(equal_skeletons_lie_there_once, setup, teardown),
		cmocka_unit_test_setup_teardown(
			what_is_worn_stays_until_it_is_taken_off, setup, teardown),
		cmocka_unit_test_setup_teardown(many_are_found_by_their_hashes, setup, teardown),
		cmocka_unit_test(a_message_holds_the_descriptor_as_it_is),
		cmocka_unit_test_setup_teardown(
			one_that_comes_back_is_new_to_who_knew_it, setup, teardown),
		cmocka_unit_test(a_set_tells_each_number_once),
		cmocka_unit_test(past_the_most_the_oldest_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
