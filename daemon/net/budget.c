/* A token bucket in nanoseconds of processor time. */
#include "net/budget.h"

#define SECOND INT64_C(1000000000)

void jc_budget_init(struct jc_budget *budget, int64_t most_ns, int64_t now_ns)
{
	*budget = (struct jc_budget){ .left_ns = most_ns, .filled_ns = now_ns };
}

int64_t jc_budget_fill(struct jc_budget *budget, unsigned percent, int64_t most_ns, int64_t now_ns)
{
	int64_t passed_ns = now_ns - budget->filled_ns;
	int64_t earned_ns = passed_ns / 100 * percent;

	budget->filled_ns = now_ns;
	budget->left_ns =
		earned_ns > most_ns - budget->left_ns ? most_ns : budget->left_ns + earned_ns;
	budget->recent_ns -=
		passed_ns < SECOND
			? (int64_t)((double)budget->recent_ns * (double)passed_ns / SECOND)
			: budget->recent_ns;
	return budget->left_ns;
}

void jc_budget_charge(struct jc_budget *budget, int64_t spent_ns)
{
	budget->left_ns -= spent_ns;
	budget->recent_ns += spent_ns;
}
