/* Full jitter below a bound that doubles. */
#include "net/reconnection.h"

#define SECOND         INT64_C(1000000000)
#define STEADY_NS      (10 * SECOND)
#define FIRST_BOUND_NS (SECOND / 4)
#define BOUND_NS       (5 * SECOND)
#define DOUBLINGS      5u /* of the first bound exceed the last one */

void jc_reconnection_init(struct jc_reconnection *reconnection, double seconds)
{
	*reconnection = (struct jc_reconnection){ .most_ns = (int64_t)(seconds * (double)SECOND),
		.return_ns = -1 };
}

void jc_reconnection_opened(struct jc_reconnection *reconnection, int64_t now_ns)
{
	reconnection->opened_ns = now_ns;
}

/* The first attempt after a farewell is made when the server wants it. */
static int64_t next_delay(struct jc_reconnection *reconnection, double random)
{
	int64_t delay_ns = reconnection->return_ns;
	int64_t bound_ns;

	reconnection->return_ns = -1;
	if (delay_ns >= 0) {
		return delay_ns;
	}
	bound_ns = reconnection->attempts < DOUBLINGS ? FIRST_BOUND_NS << reconnection->attempts
						      : BOUND_NS;
	bound_ns = bound_ns < BOUND_NS ? bound_ns : BOUND_NS;
	reconnection->attempts++;
	return (int64_t)((double)bound_ns * random);
}

int64_t jc_reconnection_delay(struct jc_reconnection *reconnection, int64_t now_ns, double random)
{
	bool was_steady =
		reconnection->opened_ns > 0 && now_ns - reconnection->opened_ns >= STEADY_NS;
	int64_t left_ns, delay_ns;

	if (reconnection->lost_ns == 0 || was_steady) {
		reconnection->lost_ns = now_ns;
		reconnection->attempts = 0;
	}
	reconnection->opened_ns = 0;
	left_ns = reconnection->lost_ns + reconnection->most_ns - now_ns;
	if (left_ns <= 0) {
		return -1;
	}
	delay_ns = next_delay(reconnection, random);
	return delay_ns < left_ns ? delay_ns : left_ns;
}
