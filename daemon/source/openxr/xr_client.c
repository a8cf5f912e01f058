/* A call into a runtime may block for any time. The loop therefore waits for the thread only
 * at the end, and for a limited time. */
#include "source/openxr/xr_client.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "jointcast/error.h"
#include "source/openxr/xr_runner.h"

#define SECOND_NS INT64_C(1000000000)

struct jc_xr_client {
	struct jc_xr_event_ring ring;
	struct jc_xr_runner runner; /* used by the thread only */
	_Atomic int64_t busy_ns;    /* start of the step in progress; 0 between steps */
	pthread_t thread;
	pthread_mutex_t lock; /* of the next members */
	pthread_cond_t changed;
	bool stop;      /* asks the thread to end */
	bool done;      /* the thread has ended */
	bool abandoned; /* the loop no longer waits; the thread frees this struct */
	bool has_roles; /* the thread has not taken `roles` yet */
	struct jc_tracker_roles roles;
};

static struct timespec timespec_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / SECOND_NS),
		.tv_nsec = (long)(ns % SECOND_NS) };
}

static void release(struct jc_xr_client *client)
{
	pthread_cond_destroy(&client->changed);
	pthread_mutex_destroy(&client->lock);
	free(client);
}

/* Waits until that time or a stop request. Returns whether to continue. */
static bool rest_until(struct jc_xr_client *client, int64_t until_ns)
{
	const struct timespec until = timespec_of(until_ns);
	bool stop;

	pthread_mutex_lock(&client->lock);
	while (!client->stop &&
		pthread_cond_timedwait(&client->changed, &client->lock, &until) != ETIMEDOUT) {
	}
	stop = client->stop;
	pthread_mutex_unlock(&client->lock);
	return !stop;
}

static void take_roles(struct jc_xr_client *client)
{
	pthread_mutex_lock(&client->lock);
	if (client->has_roles) {
		jc_xr_xdev_set_roles(&client->runner.xdev, &client->roles);
	}
	client->has_roles = false;
	pthread_mutex_unlock(&client->lock);
}

static void *run(void *context)
{
	struct jc_xr_client *client = context;
	int64_t due_ns = jc_clock_now_ns();
	bool abandoned;

	do {
		int64_t now_ns = jc_clock_now_ns();

		atomic_store_explicit(&client->busy_ns, now_ns, memory_order_relaxed);
		take_roles(client);
		int64_t wait_ns = jc_xr_runner_step(&client->runner, now_ns);

		atomic_store_explicit(&client->busy_ns, 0, memory_order_relaxed);
		/* Steps have even intervals; missed steps are skipped. */
		due_ns += wait_ns;
		now_ns = jc_clock_now_ns();
		if (due_ns < now_ns || due_ns > now_ns + wait_ns) {
			due_ns = now_ns + wait_ns;
		}
	} while (rest_until(client, due_ns));
	jc_xr_runner_finish(&client->runner);

	pthread_mutex_lock(&client->lock);
	client->done = true;
	abandoned = client->abandoned;
	pthread_cond_broadcast(&client->changed);
	pthread_mutex_unlock(&client->lock);
	if (abandoned) {
		release(client);
	}
	return NULL;
}

static int start(struct jc_xr_client *client)
{
	sigset_t all, before;

	/* The loop handles all signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int failure = pthread_create(&client->thread, NULL, run, client);

	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failure;
}

int jc_xr_client_create(const struct jc_xr_options *options, struct jc_xr_client **out_client)
{
	struct jc_xr_client *client = calloc(1, sizeof(*client));
	pthread_condattr_t attributes;

	if (!client) {
		return JC_ERROR_MEMORY;
	}
	pthread_mutex_init(&client->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&client->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	jc_xr_runner_init(&client->runner, options, &client->ring);
	if (start(client) != 0) {
		release(client);
		return JC_ERROR_LIMIT;
	}
	*out_client = client;
	return JC_OK;
}

void jc_xr_client_set_roles(struct jc_xr_client *client, const struct jc_tracker_roles *roles)
{
	pthread_mutex_lock(&client->lock);
	client->roles = *roles;
	client->has_roles = true;
	pthread_mutex_unlock(&client->lock);
}

const struct jc_xr_event *jc_xr_client_peek(struct jc_xr_client *client)
{
	return jc_xr_event_ring_peek(&client->ring);
}

void jc_xr_client_drop(struct jc_xr_client *client)
{
	jc_xr_event_ring_drop(&client->ring);
}

int64_t jc_xr_client_busy_ns(const struct jc_xr_client *client, int64_t now_ns)
{
	int64_t since_ns = atomic_load_explicit(&client->busy_ns, memory_order_relaxed);

	return since_ns > 0 && now_ns > since_ns ? now_ns - since_ns : 0;
}

/* exit() would run destructors of the runtime while a thread is inside it, and could wait for
 * the dynamic linker's lock that this thread holds. Streams are not flushed either: a thread that
 * reads a stream holds its lock, and the log has no buffer. */
static void leave_at_once(int status, void *context)
{
	(void)context;
	_exit(status);
}

void jc_xr_client_destroy(struct jc_xr_client *client)
{
	if (!client) {
		return;
	}
	const struct timespec until = timespec_of(jc_clock_now_ns() + JC_XR_FAREWELL_NS);

	pthread_mutex_lock(&client->lock);
	client->stop = true;
	pthread_cond_broadcast(&client->changed);
	while (!client->done &&
		pthread_cond_timedwait(&client->changed, &client->lock, &until) != ETIMEDOUT) {
	}
	client->abandoned = !client->done;
	bool abandoned = client->abandoned;
	pthread_t thread = client->thread;

	pthread_mutex_unlock(&client->lock);
	if (abandoned) {
		pthread_detach(thread);
		on_exit(leave_at_once, NULL);
		return;
	}
	pthread_join(thread, NULL);
	release(client);
}
