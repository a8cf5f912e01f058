/* Tests which participants ignore each other. */
#include "space/people/ignores.h"
#include "unit_test.h"

static void ignore_works_both_ways_until_each_side_ends_it(void **)
{
	struct jc_ignores ignores = { 0 };
	int a, b;

	assert_false(jc_ignores_between(&ignores, 1, 2));
	assert_true(jc_ignores_add(&ignores, 1, 2, &a));
	assert_false(jc_ignores_add(&ignores, 1, 2, &a));
	assert_true(jc_ignores_between(&ignores, 1, 2));
	assert_true(jc_ignores_between(&ignores, 2, 1));
	assert_false(jc_ignores_between(&ignores, 1, 3));
	assert_true(jc_ignores_add(&ignores, 2, 1, &b));
	assert_true(jc_ignores_remove(&ignores, 1, 2, &a));
	assert_false(jc_ignores_remove(&ignores, 1, 2, &a));
	assert_true(jc_ignores_between(&ignores, 1, 2));
	assert_true(jc_ignores_forget(&ignores, &b));
	assert_false(jc_ignores_forget(&ignores, &b));
	assert_false(jc_ignores_between(&ignores, 1, 2));
	jc_ignores_finish(&ignores);
}

static void distinguishes_many_pairs(void **)
{
	struct jc_ignores ignores = { 0 };
	char by[3];

	/* Those whose sum is divisible by 3, in an order that is none. */
	for (uint64_t i = 0; i < 40; i++) {
		uint64_t a = 1 + i * 17 % 40;

		for (uint64_t b = 1; b <= 40; b++) {
			if (a != b && (a + b) % 3 == 0)
				jc_ignores_add(&ignores, a, b, &by[b % 3]);
		}
	}
	for (uint64_t a = 1; a <= 40; a++) {
		for (uint64_t b = 1; b <= 40; b++)
			assert_int_equal(
				jc_ignores_between(&ignores, a, b), a != b && (a + b) % 3 == 0);
	}
	/* Those by the first are of multiples of 3 alone. */
	assert_true(jc_ignores_forget(&ignores, &by[0]));
	assert_false(jc_ignores_between(&ignores, 3, 6));
	assert_true(jc_ignores_between(&ignores, 1, 2));
	jc_ignores_finish(&ignores);
}

static void renamed_client_stays_ignored_and_does_not_ignore_itself(void **)
{
	struct jc_ignores ignores = { 0 };
	int a = 0, b = 0;

	jc_ignores_add(&ignores, 1, 5, &a);
	jc_ignores_add(&ignores, 1, 9, &a);
	jc_ignores_add(&ignores, 5, 3, &b);
	jc_ignores_add(&ignores, 5, 9, &b);
	jc_ignores_rename(&ignores, 7, 8);
	assert_int_equal(ignores.count, 4);
	/* 1 ignored both; 5 ignored 9. */
	jc_ignores_rename(&ignores, 5, 9);
	assert_int_equal(ignores.count, 2);
	assert_false(jc_ignores_between(&ignores, 1, 5));
	assert_false(jc_ignores_between(&ignores, 9, 9));
	assert_true(jc_ignores_between(&ignores, 1, 9));
	assert_true(jc_ignores_between(&ignores, 3, 9));
	assert_true(jc_ignores_remove(&ignores, 9, 1, &a));
	assert_true(jc_ignores_forget(&ignores, &b));
	assert_int_equal(ignores.count, 0);
	jc_ignores_finish(&ignores);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ignore_works_both_ways_until_each_side_ends_it),
		cmocka_unit_test(distinguishes_many_pairs),
		cmocka_unit_test(renamed_client_stays_ignored_and_does_not_ignore_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
