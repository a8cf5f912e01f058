/* Sockets and one epoll loop. Nothing is allocated per message. */
#include "crowd_private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "secure.h"
#include "status.h"

#define PATIENCE_NS INT64_C(30000000000) /* until all have subscribed */

int64_t jc_crowd_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int fail(const char *what)
{
	return jc_report(JC_EXIT_IO, "bench fanout", "%s: %s", what, strerror(errno));
}

static void disconnect(struct jc_crowd_subscriber *subscriber)
{
	SSL_free(subscriber->tls);
	subscriber->tls = NULL;
	if (subscriber->fd >= 0) {
		close(subscriber->fd);
	}
	subscriber->fd = -1;
}

void jc_crowd_lose(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber)
{
	if (subscriber->phase == JC_CROWD_LOST) {
		return;
	}
	subscriber->phase = JC_CROWD_LOST;
	disconnect(subscriber);
	if (crowd->measures) {
		crowd->figures->lost++;
	}
}

/* A peer's answer to the handshake comes whole; what may follow is not counted yet. */
static void greet(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber, size_t length)
{
	const char *greeting = crowd->options.greeting;

	if (!memmem(crowd->buffer, length, "\r\n\r\n", 4) ||
		memcmp(crowd->buffer, "HTTP/1.1 101", 12) != 0 ||
		(*greeting && !jc_crowd_say(subscriber, greeting))) {
		jc_crowd_lose(crowd, subscriber);
		return;
	}
	subscriber->phase = JC_CROWD_MOTION;
	crowd->ready++;
}

/* At most a record of TLS, so that none is left where epoll does not see it. Negative:
 * nothing is there. */
static ssize_t receive(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber)
{
	if (!subscriber->tls) {
		ssize_t got = recv(subscriber->fd, crowd->buffer, JC_CROWD_READ, MSG_DONTWAIT);

		return got < 0 && errno != EAGAIN && errno != EINTR ? 0 : got;
	}
	int got = SSL_read(subscriber->tls, crowd->buffer, JC_CROWD_READ);

	return got <= 0 && SSL_get_error(subscriber->tls, got) != SSL_ERROR_WANT_READ ? 0
	       : got > 0                                                              ? got
										      : -1;
}

static void read_subscriber(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber)
{
	ssize_t got = receive(crowd, subscriber);

	if (got < 0) {
		return;
	}
	if (got == 0) {
		jc_crowd_lose(crowd, subscriber);
	} else if (subscriber->phase == JC_CROWD_HANDSHAKE && crowd->options.greeting) {
		greet(crowd, subscriber, (size_t)got);
	} else if (crowd->options.message_bytes == 0) {
		jc_crowd_hear(crowd, subscriber, crowd->buffer, (size_t)got);
	} else if (crowd->measures) {
		crowd->figures->bytes += (uint64_t)got;
	}
}

/* The daemon is another process: it is waited for. */
static int begin_tls(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber)
{
	const struct sockaddr_in *address = (const struct sockaddr_in *)&crowd->options.address;
	struct jc_diagnostic diagnostic = { 0 };
	char host[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, &address->sin_addr, host, sizeof(host));
	if (jc_secure_connect(crowd->options.tls, subscriber->fd, host, &subscriber->tls,
		    &diagnostic) != JC_OK) {
		return jc_report(JC_EXIT_IO, "bench fanout", "%s", diagnostic.what);
	}
	return fcntl(subscriber->fd, F_SETFL, O_NONBLOCK) == 0 ? JC_EXIT_DONE
							       : fail("cannot read on");
}

static int open_socket(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber)
{
	const struct sockaddr_storage *address = &crowd->options.address;
	socklen_t length = address->ss_family == AF_INET ? sizeof(struct sockaddr_in)
							 : sizeof(struct sockaddr_in6);
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = subscriber };
	int on = 1;

	subscriber->fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (subscriber->fd < 0) {
		return fail("cannot open a socket");
	}
	if (connect(subscriber->fd, (const struct sockaddr *)address, length) != 0) {
		return fail("cannot connect");
	}
	setsockopt(subscriber->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (crowd->options.tls && begin_tls(crowd, subscriber) != JC_EXIT_DONE) {
		return JC_EXIT_IO;
	}
	if (epoll_ctl(crowd->epoll, EPOLL_CTL_ADD, subscriber->fd, &event) != 0) {
		return fail("cannot watch a socket");
	}
	return JC_EXIT_DONE;
}

static int connect_one(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber)
{
	int status = open_socket(crowd, subscriber);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (crowd->options.message_bytes > 0 && !crowd->options.greeting) {
		subscriber->phase = JC_CROWD_MOTION;
		crowd->ready++;
	} else if (!jc_crowd_say_handshake(subscriber)) {
		return fail("cannot send");
	}
	return JC_EXIT_DONE;
}

/* Reads until that instant, or until so many have subscribed. */
static int poll_until(struct jc_crowd *crowd, int64_t end_ns, size_t ready)
{
	struct epoll_event events[256];

	for (;;) {
		int64_t left_ns = end_ns - jc_crowd_now_ns();

		if (left_ns <= 0 || crowd->ready >= ready || crowd->failed) {
			return JC_EXIT_DONE;
		}
		int count = epoll_wait(crowd->epoll, events, 256, (int)(left_ns / 1000000) + 1);

		if (count < 0 && errno != EINTR) {
			return fail("cannot wait");
		}
		for (int i = 0; i < count; i++) {
			struct jc_crowd_subscriber *subscriber = events[i].data.ptr;

			if (subscriber->phase != JC_CROWD_LOST) {
				read_subscriber(crowd, subscriber);
			}
		}
	}
}

/* The first subscriber asks for the time before there is a crowd to wait behind. */
static int read_clock(struct jc_crowd *crowd)
{
	struct jc_crowd_subscriber *first = &crowd->subscribers[0];
	int status = poll_until(crowd, jc_crowd_now_ns() + PATIENCE_NS, 1);
	char text[JC_CROWD_TEXT];

	for (unsigned i = 1; i <= JC_CROWD_PINGS && status == JC_EXIT_DONE; i++) {
		snprintf(text, sizeof(text), "{\"type\":\"ping\",\"t\":%.3f}",
			(double)jc_crowd_now_ns() / 1000.0);
		if (!jc_crowd_say(first, text)) {
			return fail("cannot ask for the time");
		}
		for (int64_t end = jc_crowd_now_ns() + PATIENCE_NS; crowd->pongs < i &&
								    first->phase != JC_CROWD_LOST &&
								    jc_crowd_now_ns() < end;) {
			poll_until(crowd, jc_crowd_now_ns() + 1000000, SIZE_MAX);
		}
	}
	if (status == JC_EXIT_DONE && crowd->pongs < JC_CROWD_PINGS) {
		return jc_report(JC_EXIT_IO, "bench fanout", "the daemon does not tell the time");
	}
	return status;
}

/* Connections are made a few at a time: a listener's queue is short. */
static int connect_all(struct jc_crowd *crowd)
{
	size_t count = crowd->options.count;
	int status = connect_one(crowd, &crowd->subscribers[0]);

	if (status == JC_EXIT_DONE && crowd->options.message_bytes == 0) {
		status = read_clock(crowd);
	}
	for (size_t i = 1; i < count && status == JC_EXIT_DONE && !crowd->failed; i++) {
		status = connect_one(crowd, &crowd->subscribers[i]);
		if (status == JC_EXIT_DONE && i % 32 == 0) {
			status = poll_until(crowd, jc_crowd_now_ns() + 1000000, count);
		}
	}
	if (status == JC_EXIT_DONE) {
		status = poll_until(crowd, jc_crowd_now_ns() + PATIENCE_NS, count);
	}
	if (status == JC_EXIT_DONE && crowd->failed) {
		return JC_EXIT_IO;
	}
	if (status == JC_EXIT_DONE && crowd->ready < count) {
		return jc_report(JC_EXIT_IO, "bench fanout",
			"only %zu of %zu subscribers get bundles", crowd->ready, count);
	}
	return status;
}

/* A descriptor each, and some. */
static void raise_limit(size_t count)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < count + 64) {
		limit.rlim_cur = limit.rlim_max < count + 64 ? limit.rlim_max : count + 64;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

int jc_crowd_create(const struct jc_crowd_options *options, struct jc_crowd **out_crowd)
{
	struct jc_crowd *crowd =
		calloc(1, sizeof(*crowd) + options->count * sizeof(crowd->subscribers[0]));

	if (!crowd) {
		return jc_report(JC_EXIT_IO, "bench fanout", "out of memory");
	}
	crowd->options = *options;
	for (size_t i = 0; i < options->count; i++) {
		crowd->subscribers[i].fd = -1;
		crowd->subscribers[i].stalls = i >= options->count - options->stalled;
	}
	raise_limit(options->count);
	crowd->epoll = epoll_create1(EPOLL_CLOEXEC);

	int status = crowd->epoll < 0 ? fail("cannot wait") : connect_all(crowd);

	if (status != JC_EXIT_DONE) {
		jc_crowd_destroy(crowd);
		return status;
	}
	*out_crowd = crowd;
	return JC_EXIT_DONE;
}

void jc_crowd_destroy(struct jc_crowd *crowd)
{
	if (!crowd) {
		return;
	}
	for (size_t i = 0; i < crowd->options.count; i++) {
		disconnect(&crowd->subscribers[i]);
		free(crowd->subscribers[i].bytes);
	}
	if (crowd->epoll >= 0) {
		close(crowd->epoll);
	}
	free(crowd->seen);
	free(crowd);
}

/* The stalled ones stop being read, and wake. */
static void set_stalled(struct jc_crowd *crowd, bool stalled)
{
	int64_t now = jc_crowd_now_ns();

	for (size_t i = 0; i < crowd->options.count; i++) {
		struct jc_crowd_subscriber *subscriber = &crowd->subscribers[i];
		struct epoll_event event = { .events = stalled ? 0 : EPOLLIN,
			.data.ptr = subscriber };

		if (subscriber->stalls && subscriber->phase != JC_CROWD_LOST) {
			epoll_ctl(crowd->epoll, EPOLL_CTL_MOD, subscriber->fd, &event);
			subscriber->woken_ns = stalled ? 0 : now;
			subscriber->is_current = false;
		}
	}
}

/* From the next tick that all of them could see whole. */
static int expect_ticks(struct jc_crowd *crowd, double seconds)
{
	double now_us = (double)jc_crowd_now_ns() / 1000.0 - crowd->epoch_us - crowd->tick_us;
	uint32_t rate = crowd->options.rate;
	uint32_t first = (uint32_t)(now_us * crowd->tick_hz / 1.0e6) + 2 * rate;

	crowd->first_tick = first - first % rate;
	crowd->last_tick = crowd->first_tick + (uint32_t)(seconds * crowd->tick_hz);
	if (crowd->last_tick > crowd->first_tick + 4 * rate) {
		crowd->last_tick -= 4 * rate; /* what is under way at the end */
	}
	free(crowd->seen);
	crowd->seen = calloc(crowd->last_tick - crowd->first_tick + 1, 1);
	return crowd->seen ? JC_EXIT_DONE : jc_report(JC_EXIT_IO, "bench fanout", "out of memory");
}

static void count_ticks(struct jc_crowd *crowd)
{
	for (uint32_t tick = crowd->first_tick; tick < crowd->last_tick;
		tick += crowd->options.rate) {
		crowd->figures->expected_ticks++;
		crowd->figures->seen_ticks += crowd->seen[tick - crowd->first_tick];
	}
}

int jc_crowd_read(struct jc_crowd *crowd, double seconds, struct jc_crowd_figures *out_figures)
{
	int64_t begin_ns = jc_crowd_now_ns();
	int64_t length_ns = (int64_t)(seconds * 1.0e9);
	bool speaks = crowd->options.message_bytes == 0;
	int status = speaks ? expect_ticks(crowd, seconds) : JC_EXIT_DONE;

	memset(out_figures, 0, sizeof(*out_figures));
	crowd->figures = out_figures;
	crowd->measures = true;
	if (crowd->options.stalled > 0 && status == JC_EXIT_DONE) {
		/* A tenth as ever, then silence, then a tenth to come back. */
		status = poll_until(crowd, begin_ns + length_ns / 10, SIZE_MAX);
		set_stalled(crowd, true);
		if (status == JC_EXIT_DONE) {
			status = poll_until(crowd, begin_ns + length_ns / 10 * 9, SIZE_MAX);
		}
		set_stalled(crowd, false);
	}
	if (status == JC_EXIT_DONE) {
		status = poll_until(crowd, begin_ns + length_ns, SIZE_MAX);
	}
	crowd->measures = false;
	if (speaks && status == JC_EXIT_DONE) {
		count_ticks(crowd);
	} else if (!speaks) {
		out_figures->deliveries = out_figures->bytes / crowd->options.message_bytes;
	}
	return status;
}
