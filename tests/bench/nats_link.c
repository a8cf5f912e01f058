/* Measures what the link to NATS costs the loop: bench_nats_link [URL [BYTES [MESSAGES [TICKS]]]].
 * A publisher process sends MESSAGES messages at each tick of 60 Hz, a receiver process counts
 * them. Prints one line of JSON: processor time of each loop for a message, processor time of both
 * processes with all their threads, and the time from publishing to the handler. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ticker.h"
#include "cluster/nats_link.h"

#define TICK_HZ 60

struct end {
	uv_loop_t loop;
	struct jc_nats_link *link;
	struct jc_ticker ticker;
	uint8_t *bytes;
	size_t length, messages;
	uint32_t ticks, tick;
	int64_t start_ns, spent_ns, began_ns;
	size_t taken, expected;
	int64_t *delays_ns;
};

static const struct jc_log quiet = { .fd = -1 };

static void on_link_closed(void *context)
{
	(void)context;
}

static void on_ticker_closed(void *context)
{
	(void)context;
}

static int64_t process_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void open_link(struct end *end, const char *url)
{
	const struct jc_nats_options options = {
		.loop = &end->loop, .log = &quiet, .servers = url, .name = "bench"
	};
	struct jc_diagnostic diagnostic = { 0 };

	uv_loop_init(&end->loop);
	if (jc_nats_link_create(&options, &end->link, &diagnostic) != 0) {
		fprintf(stderr, "%s\n", diagnostic.what);
		exit(1);
	}
	while (jc_nats_link_state(end->link) != JC_NATS_CONNECTED) {
		uv_run(&end->loop, UV_RUN_ONCE);
	}
}

static int64_t on_due(void *context, int64_t now_ns)
{
	struct end *end = context;
	int64_t before = jc_clock_thread_ns();

	(void)now_ns;
	for (size_t i = 0; i < end->messages; i++) {
		int64_t sent_ns = jc_clock_now_ns();

		memcpy(end->bytes, &sent_ns, sizeof(sent_ns));
		jc_nats_link_publish(end->link, "jc.bench.f.view", NULL, end->bytes, end->length);
	}
	end->spent_ns += jc_clock_thread_ns() - before;
	if (++end->tick == end->ticks) {
		jc_ticker_close(&end->ticker, on_ticker_closed);
		jc_nats_link_close(end->link, on_link_closed, end);
	}
	return jc_tick_time_ns(end->start_ns, TICK_HZ, end->tick);
}

static void publish(struct end *end, const char *url, pid_t receiver)
{
	open_link(end, url);
	int64_t cpu_ns = process_ns(), loop_ns = jc_clock_thread_ns();

	end->start_ns = jc_clock_now_ns();
	jc_ticker_start(&end->ticker, &end->loop, end->start_ns, on_due, end);
	uv_run(&end->loop, UV_RUN_DEFAULT);

	double count = (double)end->ticks * (double)end->messages;

	waitpid(receiver, NULL, 0); /* it has printed the first half */
	printf("\"publish_ns\":%.0f,\"publisher_loop_ns\":%.0f,\"publisher_process_ns\":%.0f}\n",
		(double)end->spent_ns / count, (double)(jc_clock_thread_ns() - loop_ns) / count,
		(double)(process_ns() - cpu_ns) / count);
}

static void on_message(void *context, const struct jc_nats_message *message)
{
	struct end *end = context;
	int64_t sent_ns;

	if (message->length < sizeof(sent_ns) || end->taken == end->expected) {
		return;
	}
	memcpy(&sent_ns, message->bytes, sizeof(sent_ns));
	end->delays_ns[end->taken++] = jc_clock_now_ns() - sent_ns;
	if (end->taken == end->expected) {
		jc_nats_link_close(end->link, on_link_closed, end);
	}
}

static void receive(struct end *end, const char *url, int ready)
{
	struct jc_nats_subscription *subscription;

	end->expected = end->ticks * end->messages;
	end->delays_ns = calloc(end->expected, sizeof(*end->delays_ns));
	open_link(end, url);
	jc_nats_link_subscribe(end->link, "jc.bench.f.view", on_message, end, &subscription);
	jc_nats_link_flush(end->link);
	usleep(300000);

	int64_t cpu_ns = process_ns(), loop_ns = jc_clock_thread_ns();

	if (write(ready, "", 1) != 1) {
		exit(1);
	}
	uv_run(&end->loop, UV_RUN_DEFAULT);
	qsort(end->delays_ns, end->taken, sizeof(*end->delays_ns), compare);
	double count = (double)end->taken;

	printf("{\"receiver_loop_ns\":%.0f,\"receiver_process_ns\":%.0f,\"p50_us\":%.0f,"
	       "\"p99_us\":%.0f,",
		(double)(jc_clock_thread_ns() - loop_ns) / count,
		(double)(process_ns() - cpu_ns) / count,
		(double)end->delays_ns[end->taken / 2] / 1000,
		(double)end->delays_ns[end->taken * 99 / 100] / 1000);
}

int main(int argc, char **argv)
{
	const char *url = argc > 1 ? argv[1] : "nats://127.0.0.1:4222";
	struct end end = { .length = argc > 2 ? strtoul(argv[2], NULL, 10) : 3000,
		.messages = argc > 3 ? strtoul(argv[3], NULL, 10) : 10,
		.ticks = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 300 };
	int ready[2];
	char byte;

	signal(SIGPIPE, SIG_IGN);
	end.length = end.length < 8 ? 8 : end.length;
	end.bytes = calloc(1, end.length);
	if (pipe(ready) != 0 || !end.bytes) {
		return 1;
	}
	/* The child begins without libnats, which has threads. */
	pid_t receiver = fork();

	if (receiver == 0) {
		receive(&end, url, ready[1]);
		return 0;
	}
	if (read(ready[0], &byte, 1) != 1) {
		return 1;
	}
	publish(&end, url, receiver);
	return 0;
}
