/* Links proven to be a forest, against orders and faults worked out by hand. */
#include "jointcast/limits.h"
#include "jointcast_private/hierarchy.h"
#include "unit_test.h"

static void parents_come_before_children_by_depth_then_index(void **)
{
	/* 3 and 4 are roots; 0 and 5 hang below 4, 2 below 3, 1 below 0. */
	const int parents[] = { 4, 0, 3, -1, -1, 4 };
	const int expected[] = { 3, 4, 0, 2, 5, 1 };
	int order[6];

	assert_int_equal(jc_hierarchy_order(parents, 6, "nodes", order, NULL), JC_OK);
	assert_memory_equal(order, expected, sizeof(expected));
}

static void rejects_cycles_naming_a_node(void **)
{
	const int self[] = { -1, 1 };
	const int ring[] = { -1, 3, 1, 2, 0 };
	struct jc_diagnostic diagnostic;
	int order[5];

	assert_int_equal(
		jc_hierarchy_order(self, 2, "nodes", order, &diagnostic), JC_ERROR_INVALID);
	assert_string_equal(diagnostic.where, "nodes[1]");
	assert_int_equal(
		jc_hierarchy_order(ring, 5, "joints", order, &diagnostic), JC_ERROR_INVALID);
	assert_string_equal(diagnostic.where, "joints[1]");
}

static void rejects_missing_parents(void **)
{
	const int high[] = { -1, 2 };
	const int low[] = { -2 };
	int order[2];

	assert_int_equal(jc_hierarchy_order(high, 2, "nodes", order, NULL), JC_ERROR_INVALID);
	assert_int_equal(jc_hierarchy_order(low, 1, "nodes", order, NULL), JC_ERROR_INVALID);
}

/* A chain in which index 0 is the deepest is the dearest to walk. */
static void enforces_the_limit_of_depth(void **)
{
	int parents[JC_LIMIT_DEPTH + 1];
	int order[JC_LIMIT_DEPTH + 1];
	struct jc_diagnostic diagnostic;

	for (int i = 0; i < (int)JC_LIMIT_DEPTH; i++) {
		parents[i] = i + 1;
	}
	parents[JC_LIMIT_DEPTH - 1] = -1;
	assert_int_equal(jc_hierarchy_order(parents, JC_LIMIT_DEPTH, "nodes", order, NULL), JC_OK);
	assert_int_equal(order[0], JC_LIMIT_DEPTH - 1);
	assert_int_equal(order[JC_LIMIT_DEPTH - 1], 0);

	parents[JC_LIMIT_DEPTH - 1] = (int)JC_LIMIT_DEPTH;
	parents[JC_LIMIT_DEPTH] = -1;
	assert_int_equal(
		jc_hierarchy_order(parents, JC_LIMIT_DEPTH + 1, "nodes", order, &diagnostic),
		JC_ERROR_LIMIT);
}

static void accepts_an_empty_hierarchy(void **)
{
	int order[1] = { 7 };

	assert_int_equal(jc_hierarchy_order(NULL, 0, "nodes", order, NULL), JC_OK);
	assert_int_equal(order[0], 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parents_come_before_children_by_depth_then_index),
		cmocka_unit_test(rejects_cycles_naming_a_node),
		cmocka_unit_test(rejects_missing_parents),
		cmocka_unit_test(enforces_the_limit_of_depth),
		cmocka_unit_test(accepts_an_empty_hierarchy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
