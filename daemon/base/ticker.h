/* The timer for ticks: a timerfd on the loop, set for each tick's nominal time, so that errors do
 * not accumulate. (A 60 Hz uv_timer ran at 42 Hz under load.) */
#ifndef JC_TICKER_H
#define JC_TICKER_H

#include <stdint.h>
#include <uv.h>

/* The nominal time of a tick, as the protocol defines it: start + floor(tick * 10^6 / hz)
 * microseconds. */
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

/* Calls on_due at due_ns of CLOCK_MONOTONIC or a little later, and again at each time that on_due
 * returns; a time in the past is due at once. Returns 0 or a libuv error. After success the
 * ticker must be closed. */
int jc_ticker_start(struct jc_ticker *ticker, uv_loop_t *loop, int64_t due_ns,
	int64_t (*on_due)(void *context, int64_t now_ns), void *context);

/* The memory may be reused after on_closed has run. May be called from on_due. */
void jc_ticker_close(struct jc_ticker *ticker, void (*on_closed)(void *context));

#endif
