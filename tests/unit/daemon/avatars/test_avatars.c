/* Tests when an upload has room in the table of avatars. */
#include <string.h>

#include "avatars/avatars.h"
#include "unit_test.h"

static struct {
	struct jc_avatar one;
	struct jc_avatar *list[JC_MAX_AVATARS]; /* all the same */
	struct jc_avatars avatars;
} table;

static const struct jc_avatar_policy policy = {
	.upload = true, .quota_bytes = 1000, .total_bytes = 1000000
};
static const struct jc_worn_avatar small = { .bytes = 100 };

/* Fills the table with avatars of one subject. */
static void fill(const char *subject, uint64_t bytes, size_t count)
{
	table.one = (struct jc_avatar){ .is_uploaded = true, .file.worn.bytes = bytes };
	strcpy(table.one.claim.subject, subject);
	for (size_t i = 0; i < JC_MAX_AVATARS; i++) {
		table.list[i] = &table.one;
	}
	table.avatars = (struct jc_avatars){ .count = count, .list = table.list };
}

static bool has_room(const char *subject, const struct jc_avatar *replaced)
{
	return !jc_avatars_find_excess(&table.avatars, &policy, &small, subject, replaced);
}

static void test_quota_of_a_subject(void **state)
{
	(void)state;
	fill("ada", 100, 9);
	assert_true(has_room("ada", NULL));
	fill("ada", 100, 10);
	assert_false(has_room("ada", NULL));
	assert_true(has_room("bob", NULL));
	fill("ada", 1, JC_MAX_AVATARS_OF_ONE);
	assert_false(has_room("ada", NULL));
	assert_true(has_room("ada", &table.one));
}

static void test_quota_of_all(void **state)
{
	(void)state;
	fill("ada", 999901, 1);
	assert_false(has_room("bob", NULL));
	fill("ada", 999900, 1);
	assert_true(has_room("bob", NULL));
}

/* What does not fit into the table is refused before it is on the disk. */
static void test_full_table(void **state)
{
	(void)state;
	fill("ada", 1, JC_MAX_AVATARS);
	assert_false(has_room("bob", NULL));
	assert_true(has_room("ada", &table.one));
	fill("ada", 1, JC_MAX_AVATARS - 1);
	assert_true(has_room("bob", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quota_of_a_subject),
		cmocka_unit_test(test_quota_of_all),
		cmocka_unit_test(test_full_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
