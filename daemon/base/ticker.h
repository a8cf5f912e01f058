/* The tick: a timerfd on the loop, armed for each tick's own nominal time, so
 * that no error adds up. (A 60 Hz uv_timer ran at 42 Hz under load.) */
#ifndef JC_TICKER_H
#define JC_TICKER_H

#include <stdint.h>
#include <uv.h>

/* Nominal time of a tick: start + floor(tick * 10^6 / hz) microseconds, as the
 * protocol has it. */
int64_t jc_tick_time_ns(int64_t start_ns, uint32_t hz, uint32_t tick);

/* The newest tick whose nominal time is not after now (now >= start). */
uint32_t jc_tick_at(int64_t start_ns, uint32_t hz, int64_t now_ns);

struct jc_ticker {
	uv_poll_t poll;
	int fd;
	int64_t (*on_due)(void *context, int64_t now_ns);
	void *context; /* borrowed */
	void (*on_closed)(void *context);
};

/* Calls on_due at due_ns of CLOCK_MONOTONIC or a little later, and again at each
 * time that it returns; one that has passed is due at once. Returns 0 or a libuv
 * error. After success the ticker must be closed. */
int jc_ticker_start(struct jc_ticker *ticker, uv_loop_t *loop, int64_t due_ns,
	int64_t (*on_due)(void *context, int64_t now_ns), void *context);

/* Its memory may be reused once on_closed ran. From within on_due too. */
void jc_ticker_close(struct jc_ticker *ticker, void (*on_closed)(void *context));

#endif
