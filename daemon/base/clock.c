/* Reads the clocks. */
#include "base/clock.h"

#include <time.h>

static int64_t read_ns(clockid_t id)
{
	struct timespec time;

	clock_gettime(id, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void jc_clock_init(struct jc_clock *clock)
{
	clock->epoch_ns = read_ns(CLOCK_MONOTONIC);
	clock->wall_us = read_ns(CLOCK_REALTIME) / 1000;
}

int64_t jc_clock_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

int64_t jc_clock_thread_ns(void)
{
	return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t jc_clock_wall_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

int64_t jc_clock_server_us(const struct jc_clock *clock, int64_t now_ns)
{
	return (now_ns - clock->epoch_ns) / 1000;
}
