/* The ring between two threads; run under the thread sanitizer as well. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "source/openxr/xr_event.h"
#include "unit_test.h"

#define EVENTS 20000

static void put(struct jc_xr_event_ring *ring, int64_t number)
{
	struct jc_xr_event *event = jc_xr_event_ring_free(ring);

	assert_non_null(event);
	event->kind = JC_XR_FRAME;
	event->frame.time_ns = number;
	jc_xr_event_ring_put(ring);
}

static int64_t take(struct jc_xr_event_ring *ring)
{
	const struct jc_xr_event *event = jc_xr_event_ring_peek(ring);

	assert_non_null(event);
	int64_t number = event->frame.time_ns;

	jc_xr_event_ring_drop(ring);
	return number;
}

static void ring_returns_events_in_order_and_rejects_more_when_full(void **)
{
	struct jc_xr_event_ring *ring = calloc(1, sizeof(*ring));

	assert_non_null(ring);
	assert_null(jc_xr_event_ring_peek(ring));
	/* Counts that wrap around are still counts. */
	ring->put = ring->taken = 0u - 5u;
	for (int round = 0; round < 3; round++) {
		for (unsigned i = 0; i < JC_XR_RING_SLOTS; i++) {
			put(ring, i);
		}
		assert_null(jc_xr_event_ring_free(ring));
		for (unsigned i = 0; i < JC_XR_RING_SLOTS; i++) {
			assert_int_equal(take(ring), i);
		}
		assert_null(jc_xr_event_ring_peek(ring));
	}
	free(ring);
}

static void *put_many(void *context)
{
	struct jc_xr_event_ring *ring = context;

	for (int64_t i = 0; i < EVENTS;) {
		struct jc_xr_event *event = jc_xr_event_ring_free(ring);

		if (!event) {
			sched_yield();
			continue;
		}
		event->frame.time_ns = i;
		event->frame.joints[JC_JOINT_COUNT - 1].position.x = (float)i;
		jc_xr_event_ring_put(ring);
		i++;
	}
	return NULL;
}

static void two_threads_pass_every_event_intact(void **)
{
	struct jc_xr_event_ring *ring = calloc(1, sizeof(*ring));
	pthread_t thread;

	assert_non_null(ring);
	assert_int_equal(pthread_create(&thread, NULL, put_many, ring), 0);
	for (int64_t i = 0; i < EVENTS;) {
		const struct jc_xr_event *event = jc_xr_event_ring_peek(ring);

		if (!event) {
			sched_yield();
			continue;
		}
		assert_int_equal(event->frame.time_ns, i);
		assert_true(event->frame.joints[JC_JOINT_COUNT - 1].position.x == (float)i);
		jc_xr_event_ring_drop(ring);
		i++;
	}
	pthread_join(thread, NULL);
	assert_null(jc_xr_event_ring_peek(ring));
	free(ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ring_returns_events_in_order_and_rejects_more_when_full),
		cmocka_unit_test(two_threads_pass_every_event_intact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
