/* Tests budgets of processor time. */
#include "net/budget.h"
#include "unit_test.h"

#define MS     INT64_C(1000000)
#define SECOND (1000 * MS)
#define MOST   (10 * MS)
#define BEGIN  (500 * SECOND)

static void a_budget_begins_full(void **)
{
	struct jc_budget budget;

	jc_budget_init(&budget, MOST, BEGIN);
	assert_int_equal(budget.left_ns, MOST);
	assert_int_equal(budget.recent_ns, 0);
	assert_int_equal(jc_budget_fill(&budget, 2, MOST, BEGIN), MOST);
}

static void time_fills_a_budget_at_the_percentage(void **)
{
	struct jc_budget budget;

	jc_budget_init(&budget, MOST, BEGIN);
	jc_budget_charge(&budget, MOST);
	assert_int_equal(jc_budget_fill(&budget, 2, MOST, BEGIN), 0);
	assert_int_equal(jc_budget_fill(&budget, 2, MOST, BEGIN + 100 * MS), 2 * MS);
	/* From the last fill on, at another percentage. */
	assert_int_equal(jc_budget_fill(&budget, 40, MOST, BEGIN + 110 * MS), 6 * MS);
	assert_int_equal(jc_budget_fill(&budget, 0, MOST, BEGIN + 120 * MS), 6 * MS);
}

/* Every message fills the budget: the rounding error stays small. */
static void many_small_steps_fill_as_much_as_one(void **)
{
	struct jc_budget budget;

	jc_budget_init(&budget, 0, BEGIN);
	for (int64_t passed_ns = 0; passed_ns <= 100 * MS; passed_ns += 1001) {
		jc_budget_fill(&budget, 2, MOST, BEGIN + passed_ns);
	}
	jc_budget_fill(&budget, 2, MOST, BEGIN + 100 * MS);
	assert_in_range(budget.left_ns, 2 * MS - MS / 100, 2 * MS);
}

static void a_budget_never_exceeds_its_maximum(void **)
{
	struct jc_budget budget;

	jc_budget_init(&budget, MOST, BEGIN);
	assert_int_equal(jc_budget_fill(&budget, 100, MOST, BEGIN + SECOND), MOST);
	jc_budget_charge(&budget, MS);
	assert_int_equal(jc_budget_fill(&budget, 100, MOST, BEGIN + 2 * SECOND), MOST);
	/* A configuration that is read again may allow less. */
	assert_int_equal(jc_budget_fill(&budget, 100, MOST / 2, BEGIN + 2 * SECOND), MOST / 2);
	/* An address that is new was never filled. */
	budget = (struct jc_budget){ .left_ns = 0 };
	assert_int_equal(jc_budget_fill(&budget, 100, MOST, INT64_MAX), MOST);
}

static void an_overdraft_is_paid_back_first(void **)
{
	struct jc_budget budget;

	jc_budget_init(&budget, MOST, BEGIN);
	jc_budget_charge(&budget, MOST + 4 * MS);
	assert_int_equal(budget.left_ns, -4 * MS);
	assert_int_equal(jc_budget_fill(&budget, 10, MOST, BEGIN + 20 * MS), -2 * MS);
	assert_int_equal(jc_budget_fill(&budget, 10, MOST, BEGIN + 40 * MS), 0);
	assert_int_equal(jc_budget_fill(&budget, 10, MOST, BEGIN + 50 * MS), MS);
	/* However large it is. */
	jc_budget_charge(&budget, 1001 * MS);
	assert_int_equal(
		jc_budget_fill(&budget, 10, MOST, BEGIN + 50 * MS + 9 * SECOND), -100 * MS);
	assert_int_equal(jc_budget_fill(&budget, 10, MOST, BEGIN + 50 * MS + 10 * SECOND), 0);
	assert_int_equal(jc_budget_fill(&budget, 10, MOST, BEGIN + 50 * MS + 3600 * SECOND), MOST);
}

static void recent_time_decays_within_a_second(void **)
{
	struct jc_budget budget;
	int64_t before_ns;

	jc_budget_init(&budget, MOST, BEGIN);
	jc_budget_charge(&budget, 8 * MS);
	jc_budget_charge(&budget, 8 * MS);
	assert_int_equal(budget.recent_ns, 16 * MS);
	jc_budget_fill(&budget, 2, MOST, BEGIN);
	assert_int_equal(budget.recent_ns, 16 * MS);
	jc_budget_fill(&budget, 2, MOST, BEGIN + SECOND / 2);
	assert_int_equal(budget.recent_ns, 8 * MS);
	before_ns = budget.recent_ns;
	for (int i = 1; i <= 10; i++) {
		jc_budget_fill(&budget, 2, MOST, BEGIN + SECOND / 2 + i * 10 * MS);
		assert_true(budget.recent_ns < before_ns);
		before_ns = budget.recent_ns;
	}
	assert_true(budget.recent_ns > 7 * MS);
	jc_budget_fill(&budget, 2, MOST, BEGIN + 2 * SECOND);
	assert_int_equal(budget.recent_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_budget_begins_full),
		cmocka_unit_test(time_fills_a_budget_at_the_percentage),
		cmocka_unit_test(many_small_steps_fill_as_much_as_one),
		cmocka_unit_test(a_budget_never_exceeds_its_maximum),
		cmocka_unit_test(an_overdraft_is_paid_back_first),
		cmocka_unit_test(recent_time_decays_within_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
