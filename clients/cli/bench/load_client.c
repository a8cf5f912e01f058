/* The load client: sockets and an epoll loop. Receiving a message allocates nothing. */
#include "bench/load_client_private.h"

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
#include <unistd.h>

#include "error_report.h"
#include "net/link.h"
#include "net/tls_client.h"

#define PATIENCE_NS INT64_C(30000000000) /* time limit until all have subscribed */

static int fail(const char *what)
{
	return jc_report(JC_EXIT_IO, "bench fanout", "%s: %s", what, strerror(errno));
}

static void disconnect(struct jc_load_client_subscriber *subscriber)
{
	SSL_free(subscriber->tls);
	subscriber->tls = NULL;
	if (subscriber->fd >= 0) {
		close(subscriber->fd);
	}
	subscriber->fd = -1;
}

void jc_load_client_lose(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber)
{
	if (subscriber->phase == JC_LOAD_CLIENT_LOST) {
		return;
	}
	subscriber->phase = JC_LOAD_CLIENT_LOST;
	disconnect(subscriber);
	if (load_client->measures) {
		load_client->figures->lost++;
	}
}

/* A peer's handshake answer arrives in one read; bytes after it are not counted. */
static void greet(struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber,
	size_t length)
{
	const char *greeting = load_client->options.greeting;

	if (!memmem(load_client->buffer, length, "\r\n\r\n", 4) ||
		memcmp(load_client->buffer, "HTTP/1.1 101", 12) != 0 ||
		(*greeting && !jc_load_client_send(subscriber, greeting))) {
		jc_load_client_lose(load_client, subscriber);
		return;
	}
	subscriber->phase = JC_LOAD_CLIENT_MOTION;
	load_client->ready++;
}

/* Reads at most one TLS record, because epoll does not see bytes that libssl holds. Returns a
 * negative number when nothing is there. */
static ssize_t receive(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber)
{
	if (!subscriber->tls) {
		ssize_t got = recv(
			subscriber->fd, load_client->buffer, JC_LOAD_CLIENT_READ, MSG_DONTWAIT);

		return got < 0 && errno != EAGAIN && errno != EINTR ? 0 : got;
	}
	int got = SSL_read(subscriber->tls, load_client->buffer, JC_LOAD_CLIENT_READ);

	return got <= 0 && SSL_get_error(subscriber->tls, got) != SSL_ERROR_WANT_READ ? 0
	       : got > 0                                                              ? got
										      : -1;
}

static void read_subscriber(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber)
{
	ssize_t got = receive(load_client, subscriber);

	if (got < 0) {
		return;
	}
	if (got == 0) {
		jc_load_client_lose(load_client, subscriber);
	} else if (subscriber->phase == JC_LOAD_CLIENT_HANDSHAKE && load_client->options.greeting) {
		greet(load_client, subscriber, (size_t)got);
	} else if (load_client->options.message_bytes == 0) {
		jc_load_client_receive(load_client, subscriber, load_client->buffer, (size_t)got);
	} else if (load_client->measures) {
		load_client->figures->bytes += (uint64_t)got;
	}
}

/* The handshake blocks, which is possible because the daemon is another process. */
static int begin_tls(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber)
{
	const struct sockaddr_in *address =
		(const struct sockaddr_in *)&load_client->options.address;
	struct jc_diagnostic diagnostic = { 0 };
	char host[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, &address->sin_addr, host, sizeof(host));
	if (jc_tls_client_connect(load_client->options.tls, subscriber->fd, host, &subscriber->tls,
		    &diagnostic) != JC_OK) {
		return jc_report(JC_EXIT_IO, "bench fanout", "%s", diagnostic.what);
	}
	return fcntl(subscriber->fd, F_SETFL, O_NONBLOCK) == 0
		       ? JC_EXIT_DONE
		       : fail("cannot set a socket to non-blocking");
}

static int open_socket(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber)
{
	const struct sockaddr_storage *address = &load_client->options.address;
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
	if (load_client->options.tls && begin_tls(load_client, subscriber) != JC_EXIT_DONE) {
		return JC_EXIT_IO;
	}
	if (epoll_ctl(load_client->epoll, EPOLL_CTL_ADD, subscriber->fd, &event) != 0) {
		return fail("cannot add a socket to epoll");
	}
	return JC_EXIT_DONE;
}

static int connect_one(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber)
{
	int status = open_socket(load_client, subscriber);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (load_client->options.message_bytes > 0 && !load_client->options.greeting) {
		subscriber->phase = JC_LOAD_CLIENT_MOTION;
		load_client->ready++;
	} else if (!jc_load_client_send_handshake(subscriber)) {
		return fail("cannot send");
	}
	return JC_EXIT_DONE;
}

/* Reads until that time, or until this number of subscribers is ready. */
static int poll_until(struct jc_load_client *load_client, int64_t end_ns, size_t ready)
{
	struct epoll_event events[256];

	for (;;) {
		int64_t left_ns = end_ns - jc_link_now_ns();

		if (left_ns <= 0 || load_client->ready >= ready || load_client->failed) {
			return JC_EXIT_DONE;
		}
		int count =
			epoll_wait(load_client->epoll, events, 256, (int)(left_ns / 1000000) + 1);

		if (count < 0 && errno != EINTR) {
			return fail("cannot wait");
		}
		for (int i = 0; i < count; i++) {
			struct jc_load_client_subscriber *subscriber = events[i].data.ptr;

			if (subscriber->phase != JC_LOAD_CLIENT_LOST) {
				read_subscriber(load_client, subscriber);
			}
		}
	}
}

/* The first subscriber measures the clock before there are others to wait for. */
static int read_clock(struct jc_load_client *load_client)
{
	struct jc_load_client_subscriber *first = &load_client->subscribers[0];
	int status = poll_until(load_client, jc_link_now_ns() + PATIENCE_NS, 1);
	char text[JC_LOAD_CLIENT_TEXT];

	for (unsigned i = 1; i <= JC_LOAD_CLIENT_PINGS && status == JC_EXIT_DONE; i++) {
		snprintf(text, sizeof(text), "{\"type\":\"ping\",\"t\":%.3f}",
			(double)jc_link_now_ns() / 1000.0);
		if (!jc_load_client_send(first, text)) {
			return fail("cannot send a ping");
		}
		for (int64_t end = jc_link_now_ns() + PATIENCE_NS;
			load_client->pongs < i && first->phase != JC_LOAD_CLIENT_LOST &&
			jc_link_now_ns() < end;) {
			poll_until(load_client, jc_link_now_ns() + 1000000, SIZE_MAX);
		}
	}
	if (status == JC_EXIT_DONE && load_client->pongs < JC_LOAD_CLIENT_PINGS) {
		return jc_report(JC_EXIT_IO, "bench fanout", "the daemon does not answer pings");
	}
	return status;
}

/* Connects in small groups, because the queue of a listener is short. */
static int connect_all(struct jc_load_client *load_client)
{
	size_t count = load_client->options.count;
	int status = connect_one(load_client, &load_client->subscribers[0]);

	if (status == JC_EXIT_DONE && load_client->options.message_bytes == 0) {
		status = read_clock(load_client);
	}
	for (size_t i = 1; i < count && status == JC_EXIT_DONE && !load_client->failed; i++) {
		status = connect_one(load_client, &load_client->subscribers[i]);
		if (status == JC_EXIT_DONE && i % 32 == 0) {
			status = poll_until(load_client, jc_link_now_ns() + 1000000, count);
		}
	}
	if (status == JC_EXIT_DONE) {
		status = poll_until(load_client, jc_link_now_ns() + PATIENCE_NS, count);
	}
	if (status == JC_EXIT_DONE && load_client->failed) {
		return JC_EXIT_IO;
	}
	if (status == JC_EXIT_DONE && load_client->ready < count) {
		return jc_report(JC_EXIT_IO, "bench fanout",
			"only %zu of %zu subscribers receive bundles", load_client->ready, count);
	}
	return status;
}

/* One descriptor per subscriber, and some reserve. */
static void raise_limit(size_t count)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < count + 64) {
		limit.rlim_cur = limit.rlim_max < count + 64 ? limit.rlim_max : count + 64;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

int jc_load_client_create(
	const struct jc_load_client_options *options, struct jc_load_client **out_load_client)
{
	struct jc_load_client *load_client = calloc(
		1, sizeof(*load_client) + options->count * sizeof(load_client->subscribers[0]));

	if (!load_client) {
		return jc_report(JC_EXIT_IO, "bench fanout", "out of memory");
	}
	load_client->options = *options;
	for (size_t i = 0; i < options->count; i++) {
		load_client->subscribers[i].fd = -1;
		load_client->subscribers[i].stalls = i >= options->count - options->stalled;
	}
	raise_limit(options->count);
	load_client->epoll = epoll_create1(EPOLL_CLOEXEC);

	int status = load_client->epoll < 0 ? fail("cannot wait") : connect_all(load_client);

	if (status != JC_EXIT_DONE) {
		jc_load_client_destroy(load_client);
		return status;
	}
	*out_load_client = load_client;
	return JC_EXIT_DONE;
}

void jc_load_client_destroy(struct jc_load_client *load_client)
{
	if (!load_client) {
		return;
	}
	for (size_t i = 0; i < load_client->options.count; i++) {
		disconnect(&load_client->subscribers[i]);
		free(load_client->subscribers[i].bytes);
	}
	if (load_client->epoll >= 0) {
		close(load_client->epoll);
	}
	free(load_client->seen);
	free(load_client);
}

/* The last subscribers stop reading, or start again. */
static void set_stalled(struct jc_load_client *load_client, bool stalled)
{
	int64_t now = jc_link_now_ns();

	for (size_t i = 0; i < load_client->options.count; i++) {
		struct jc_load_client_subscriber *subscriber = &load_client->subscribers[i];
		struct epoll_event event = { .events = stalled ? 0 : EPOLLIN,
			.data.ptr = subscriber };

		if (subscriber->stalls && subscriber->phase != JC_LOAD_CLIENT_LOST) {
			epoll_ctl(load_client->epoll, EPOLL_CTL_MOD, subscriber->fd, &event);
			subscriber->woken_ns = stalled ? 0 : now;
			subscriber->is_current = false;
		}
	}
}

/* Counts ticks from the next one that all subscribers can receive. */
static int expect_ticks(struct jc_load_client *load_client, double seconds)
{
	double now_us =
		(double)jc_link_now_ns() / 1000.0 - load_client->epoch_us - load_client->tick_us;
	uint32_t rate = load_client->options.rate;
	uint32_t first = (uint32_t)(now_us * load_client->tick_hz / 1.0e6) + 2 * rate;

	load_client->first_tick = first - first % rate;
	load_client->last_tick =
		load_client->first_tick + (uint32_t)(seconds * load_client->tick_hz);
	if (load_client->last_tick > load_client->first_tick + 4 * rate) {
		load_client->last_tick -=
			4 * rate; /* bundles that are still on the way at the end */
	}
	free(load_client->seen);
	load_client->seen = calloc(load_client->last_tick - load_client->first_tick + 1, 1);
	return load_client->seen ? JC_EXIT_DONE
				 : jc_report(JC_EXIT_IO, "bench fanout", "out of memory");
}

static void count_ticks(struct jc_load_client *load_client)
{
	for (uint32_t tick = load_client->first_tick; tick < load_client->last_tick;
		tick += load_client->options.rate) {
		load_client->figures->expected_ticks++;
		load_client->figures->seen_ticks +=
			load_client->seen[tick - load_client->first_tick];
	}
}

int jc_load_client_read(struct jc_load_client *load_client, double seconds,
	struct jc_load_client_figures *out_figures)
{
	int64_t begin_ns = jc_link_now_ns();
	int64_t length_ns = (int64_t)(seconds * 1.0e9);
	bool speaks = load_client->options.message_bytes == 0;
	int status = speaks ? expect_ticks(load_client, seconds) : JC_EXIT_DONE;

	memset(out_figures, 0, sizeof(*out_figures));
	load_client->figures = out_figures;
	load_client->measures = true;
	if (load_client->options.stalled > 0 && status == JC_EXIT_DONE) {
		/* Reads normally for a tenth of the time, stalls for eight tenths, recovers in the
		 * last tenth. */
		status = poll_until(load_client, begin_ns + length_ns / 10, SIZE_MAX);
		set_stalled(load_client, true);
		if (status == JC_EXIT_DONE) {
			status = poll_until(load_client, begin_ns + length_ns / 10 * 9, SIZE_MAX);
		}
		set_stalled(load_client, false);
	}
	if (status == JC_EXIT_DONE) {
		status = poll_until(load_client, begin_ns + length_ns, SIZE_MAX);
	}
	load_client->measures = false;
	if (speaks && status == JC_EXIT_DONE) {
		count_ticks(load_client);
	} else if (!speaks) {
		out_figures->deliveries = out_figures->bytes / load_client->options.message_bytes;
	}
	return status;
}
