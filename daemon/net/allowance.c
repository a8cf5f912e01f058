/* A token bucket that counts in nanoseconds of time earned. */
#include "net/allowance.h"

#define SECOND INT64_C(1000000000)
#define MOST   (2 * SECOND)

void jc_allowance_init(struct jc_allowance *allowance, int64_t now_ns)
{
	*allowance = (struct jc_allowance){ .left_ns = MOST, .reckoned_ns = now_ns };
}

bool jc_allowance_spend(
	struct jc_allowance *allowance, int64_t units, int64_t per_second, int64_t now_ns)
{
	int64_t cost_ns = units * SECOND / per_second;
	int64_t earned_ns = now_ns - allowance->reckoned_ns;

	allowance->reckoned_ns = now_ns;
	allowance->left_ns =
		earned_ns > MOST - allowance->left_ns ? MOST : allowance->left_ns + earned_ns;
	if (allowance->left_ns < cost_ns) {
		return false;
	}
	allowance->left_ns -= cost_ns;
	return true;
}
