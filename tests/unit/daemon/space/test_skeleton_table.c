/* Tests that a skeleton asset lives as long as it has owners or users, and the sets of assets
 * that a client or a recording already has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/skeleton_table.h"
#include "unit_test.h"

static int setup(void **state)
{
	static struct jc_skeleton_table skeleton_table;
	struct jc_diagnostic diagnostic;

	*state = &skeleton_table;
	return jc_skeleton_table_init(&skeleton_table, &diagnostic);
}

static int teardown(void **state)
{
	jc_skeleton_table_finish(*state);
	return 0;
}

/* Makes an asset of a figure whose hips are at `height` metres. */
static struct jc_skeleton_asset *make(double height)
{
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton;
	struct jc_skeleton_asset *asset;
	char text[160];
	int length = snprintf(text, sizeof(text),
		"{\"nodes\":[{\"name\":\"h\",\"translation\":[0,%g,0]}],\"bones\":{\"hips\":0}}",
		height);

	assert_int_equal(
		jc_skeleton_read(text, (size_t)length, 0, NULL, &skeleton, NULL, &diagnostic),
		JC_OK);
	assert_int_equal(jc_skeleton_asset_create(skeleton, &asset, &diagnostic), JC_OK);
	return asset;
}

static struct jc_skeleton_asset *keep(struct jc_skeleton_table *skeleton_table, double height)
{
	struct jc_skeleton_asset *asset;

	assert_int_equal(jc_skeleton_table_retain(skeleton_table, make(height), &asset), JC_OK);
	return asset;
}

static void contains_the_built_in_skeleton_always(void **state)
{
	struct jc_skeleton_table *skeleton_table = *state;

	assert_int_equal(skeleton_table->count, 1);
	assert_true(skeleton_table->humanoid->is_common);
	assert_ptr_equal(jc_skeleton_table_find(skeleton_table, skeleton_table->humanoid->hash),
		skeleton_table->humanoid);
	jc_skeleton_asset_use(skeleton_table->humanoid);
	jc_skeleton_asset_unuse(skeleton_table->humanoid);
	assert_int_equal(skeleton_table->count, 1);
}

static void stores_equal_skeletons_once(void **state)
{
	struct jc_skeleton_table *skeleton_table = *state;
	struct jc_skeleton_asset *one = keep(skeleton_table, 1.0);
	struct jc_skeleton_asset *other = keep(skeleton_table, 1.5);

	assert_ptr_equal(keep(skeleton_table, 1.0), one);
	assert_ptr_not_equal(other, one);
	assert_int_equal(skeleton_table->count, 3);
	jc_skeleton_asset_release(one);
	assert_ptr_equal(jc_skeleton_table_find(skeleton_table, one->hash), one);
	jc_skeleton_asset_release(one);
	jc_skeleton_asset_release(other);
	assert_int_equal(skeleton_table->count, 1);
}

static void keeps_a_skeleton_while_it_is_in_use(void **state)
{
	struct jc_skeleton_table *skeleton_table = *state;
	struct jc_skeleton_asset *asset = keep(skeleton_table, 1.0);
	char hash[JC_SKELETON_HASH_LENGTH + 1];

	strcpy(hash, asset->hash);
	assert_ptr_equal(jc_skeleton_asset_use(asset), asset);
	jc_skeleton_asset_use(asset);
	jc_skeleton_asset_release(asset);
	jc_skeleton_asset_unuse(asset);
	assert_ptr_equal(jc_skeleton_table_find(skeleton_table, hash), asset);
	jc_skeleton_asset_unuse(asset);
	assert_null(jc_skeleton_table_find(skeleton_table, hash));
}

static void finds_many_skeletons_by_hash(void **state)
{
	struct jc_skeleton_table *skeleton_table = *state;
	struct jc_skeleton_asset *assets[100];

	for (int i = 0; i < 100; i++) {
		assets[i] = keep(skeleton_table, 1.0 + i);
	}
	for (int i = 0; i < 100; i += 2) {
		jc_skeleton_asset_release(assets[i]);
	}
	for (int i = 1; i < 100; i += 2) {
		assert_ptr_equal(
			jc_skeleton_table_find(skeleton_table, assets[i]->hash), assets[i]);
		jc_skeleton_asset_release(assets[i]);
	}
	assert_null(jc_skeleton_table_find(skeleton_table, ""));
	assert_int_equal(skeleton_table->count, 1);
}

static void message_contains_the_unchanged_descriptor(void **)
{
	struct jc_skeleton_asset *asset = make(1.0);
	char *descriptor;

	assert_int_equal(jc_skeleton_write_descriptor(asset->skeleton, &descriptor), JC_OK);
	assert_int_equal(asset->descriptor_length, strlen(descriptor));
	assert_memory_equal(
		jc_skeleton_asset_descriptor(asset), descriptor, asset->descriptor_length);
	assert_string_equal(jc_skeleton_asset_descriptor(asset) + asset->descriptor_length, "}");
	free(descriptor);
	jc_skeleton_asset_destroy(asset);
}

static void skeleton_added_again_is_new_to_every_set(void **state)
{
	struct jc_skeleton_table *skeleton_table = *state;
	struct jc_skeleton_asset_set set = { 0 };
	struct jc_skeleton_asset *asset = keep(skeleton_table, 1.0);

	assert_true(jc_skeleton_asset_set_add(&set, asset));
	assert_false(jc_skeleton_asset_set_add(&set, asset));
	jc_skeleton_asset_release(asset);
	asset = keep(skeleton_table, 1.0);
	assert_true(jc_skeleton_asset_set_add(&set, asset));
	jc_skeleton_asset_release(asset);
	jc_skeleton_asset_set_finish(&set);
}

static void set_adds_each_skeleton_once(void **)
{
	struct jc_skeleton_asset_set set = { 0 };
	struct jc_skeleton_asset asset = { 0 };

	/* The powers of 389 modulo 1013 are all numbers from 1 to 1012, unordered. */
	for (uint32_t i = 0, number = 1; i < 1012; i++, number = number * 389 % 1013) {
		asset.number = number;
		assert_true(jc_skeleton_asset_set_add(&set, &asset) || i > 0);
	}
	for (uint32_t number = 1; number < 1013; number++) {
		asset.number = number;
		jc_skeleton_asset_set_add(&set, &asset);
		assert_false(jc_skeleton_asset_set_add(&set, &asset));
	}
	assert_int_equal(set.count, 1012);
	jc_skeleton_asset_set_finish(&set);
}

static void set_forgets_the_oldest_beyond_its_maximum(void **)
{
	struct jc_skeleton_asset_set set = { 0 };
	struct jc_skeleton_asset asset = { 0 };

	for (uint32_t number = 1; number <= 5 * JC_MAX_KNOWN_SKELETONS; number++) {
		asset.number = number;
		assert_true(jc_skeleton_asset_set_add(&set, &asset));
		assert_true(set.capacity <= JC_MAX_KNOWN_SKELETONS);
		/* The most recent assets are always known. */
		asset.number = number > 100 ? number - 100 : number;
		assert_false(jc_skeleton_asset_set_add(&set, &asset));
	}
	asset.number = 1;
	assert_true(jc_skeleton_asset_set_add(&set, &asset));
	jc_skeleton_asset_set_finish(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			contains_the_built_in_skeleton_always, setup, teardown),
		cmocka_unit_test_setup_teardown(stores_equal_skeletons_once, setup, teardown),
		cmocka_unit_test_setup_teardown(
			keeps_a_skeleton_while_it_is_in_use, setup, teardown),
		cmocka_unit_test_setup_teardown(finds_many_skeletons_by_hash, setup, teardown),
		cmocka_unit_test(message_contains_the_unchanged_descriptor),
		cmocka_unit_test_setup_teardown(
			skeleton_added_again_is_new_to_every_set, setup, teardown),
		cmocka_unit_test(set_adds_each_skeleton_once),
		cmocka_unit_test(set_forgets_the_oldest_beyond_its_maximum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
