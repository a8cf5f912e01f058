/* Calls back at given times: a timerfd through uv_poll. The owner of the ticks decides what is
 * due when. */
#include "base/ticker.h"

#include <assert.h>
#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"

int64_t jc_tick_time_ns(int64_t start_ns, uint32_t hz, uint32_t tick)
{
	return start_ns + (int64_t)((uint64_t)tick * 1000000 / hz) * 1000;
}

uint32_t jc_tick_at(int64_t start_ns, uint32_t hz, int64_t now_ns)
{
	assert(now_ns >= start_ns);
	uint64_t elapsed_us = (uint64_t)(now_ns - start_ns) / 1000;

	/* floor(tick * 10^6 / hz) <= elapsed  <=>  tick * 10^6 < (elapsed + 1) * hz */
	return (uint32_t)(((elapsed_us + 1) * hz - 1) / 1000000);
}

static void arm(struct jc_ticker *ticker, int64_t due_ns)
{
	struct itimerspec when = { .it_value = { .tv_sec = due_ns / 1000000000,
					   .tv_nsec = due_ns % 1000000000 } };

	timerfd_settime(ticker->fd, TFD_TIMER_ABSTIME, &when, NULL);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct jc_ticker *ticker = poll->data;
	uint64_t expirations;

	(void)status;
	(void)events;
	if (read(ticker->fd, &expirations, sizeof(expirations)) != sizeof(expirations)) {
		return;
	}
	int64_t due_ns = ticker->on_due(ticker->context, jc_clock_now_ns());

	if (!uv_is_closing((uv_handle_t *)poll)) {
		arm(ticker, due_ns);
	}
}

int jc_ticker_start(struct jc_ticker *ticker, uv_loop_t *loop, int64_t due_ns,
	int64_t (*on_due)(void *context, int64_t now_ns), void *context)
{
	*ticker = (struct jc_ticker){ .on_due = on_due, .context = context };

	ticker->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (ticker->fd < 0) {
		return uv_translate_sys_error(errno);
	}
	int status = uv_poll_init(loop, &ticker->poll, ticker->fd);
	if (status != 0) {
		close(ticker->fd);
		return status;
	}
	ticker->poll.data = ticker;
	arm(ticker, due_ns);
	uv_poll_start(&ticker->poll, UV_READABLE, on_readable);
	return 0;
}

static void on_poll_closed(uv_handle_t *handle)
{
	struct jc_ticker *ticker = handle->data;

	close(ticker->fd);
	ticker->on_closed(ticker->context);
}

void jc_ticker_close(struct jc_ticker *ticker, void (*on_closed)(void *context))
{
	ticker->on_closed = on_closed;
	uv_close((uv_handle_t *)&ticker->poll, on_poll_closed);
}
