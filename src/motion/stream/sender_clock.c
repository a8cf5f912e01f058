/* The least way of a window is that of a packet without jitter. A clock of another rate changes it
 * by the same amount in every window; a delay comes in one, and does not go on for ever. */
#include "jointcast_private/apps/sender_clock.h"

#include <math.h>
#include <stdlib.h>

#define WINDOW_NS INT64_C(2000000000)
#define STEP_NS   INT64_C(1000000000) /* between packets, by either clock, at most */
#define COARSE    0.02f               /* seconds from one number to the next */

#define RATE_LEAST (WINDOW_NS / 200) /* half a per cent */
#define RATE_MOST  (WINDOW_NS / 20)  /* no clock is so wrong */
#define EVEN_NS    INT64_C(4000000)  /* by which changes of a steady clock differ, */
#define EVEN       4                 /* and by that part of the change */

int64_t jc_sender_clock_ns(float seconds)
{
	if (!(fabsf(seconds) < (float)JC_SENDER_CLOCK_SECONDS) ||
		nextafterf(fabsf(seconds), INFINITY) - fabsf(seconds) > COARSE) {
		return INT64_MIN;
	}
	return (int64_t)((double)seconds * 1.0e9);
}

static void begin(struct jc_sender_clock *clock, int64_t sent_ns, int64_t arrived_ns)
{
	*clock = (struct jc_sender_clock){ .is_begun = true,
		.sent_ns = sent_ns,
		.arrived_ns = arrived_ns,
		.began_ns = arrived_ns,
		.least_ns = arrived_ns - sent_ns,
		.shortest_ns = INT64_MAX };
}

static void end_window(struct jc_sender_clock *clock)
{
	for (size_t i = JC_SENDER_CLOCK_WINDOWS - 1; i > 0; i--) {
		clock->ways_ns[i] = clock->ways_ns[i - 1];
	}
	clock->ways_ns[0] = clock->least_ns;
	clock->count += clock->count < JC_SENDER_CLOCK_WINDOWS;
	if (clock->least_ns < clock->shortest_ns) {
		clock->shortest_ns = clock->least_ns;
	}
}

void jc_sender_clock_note(struct jc_sender_clock *clock, int64_t sent_ns, int64_t arrived_ns)
{
	int64_t way_ns = arrived_ns - sent_ns;

	if (!clock->is_begun || sent_ns < clock->sent_ns || sent_ns - clock->sent_ns > STEP_NS ||
		arrived_ns - clock->arrived_ns > STEP_NS) {
		begin(clock, sent_ns, arrived_ns);
		return;
	}
	if (sent_ns == clock->sent_ns) {
		return;
	}
	clock->sent_ns = sent_ns;
	clock->arrived_ns = arrived_ns;
	if (arrived_ns - clock->began_ns >= WINDOW_NS) {
		end_window(clock);
		clock->began_ns = arrived_ns;
		clock->least_ns = way_ns;
	}
	clock->least_ns = way_ns < clock->least_ns ? way_ns : clock->least_ns;
}

/* Whether the way changes by the same amount from window to window. */
static bool is_steady(const struct jc_sender_clock *clock)
{
	int64_t mean_ns = (clock->ways_ns[0] - clock->ways_ns[JC_SENDER_CLOCK_WINDOWS - 1]) /
			  (JC_SENDER_CLOCK_WINDOWS - 1);

	if (clock->count < JC_SENDER_CLOCK_WINDOWS || llabs(mean_ns) < RATE_LEAST ||
		llabs(mean_ns) > RATE_MOST) {
		return false;
	}
	for (size_t i = 1; i < JC_SENDER_CLOCK_WINDOWS; i++) {
		int64_t change_ns = clock->ways_ns[i - 1] - clock->ways_ns[i];

		if (llabs(change_ns - mean_ns) > EVEN_NS + llabs(mean_ns) / EVEN) {
			return false;
		}
	}
	return true;
}

enum jc_stream_fault jc_sender_clock_fault(const struct jc_sender_clock *clock)
{
	if (is_steady(clock)) {
		return JC_STREAM_CLOCK;
	}
	return clock->count > 1 && clock->ways_ns[0] - clock->shortest_ns > JC_STREAM_DELAY_NS
		       ? JC_STREAM_DELAYED
		       : JC_STREAM_SOUND;
}
