/* Tests that a tick allocates nothing after its streams exist, for all view options. */
#include <stdlib.h>

#include "allocator.h"
#include "lobby.h"

static void ticks_allocate_nothing(void **)
{
	struct lobby *lobby = malloc(sizeof(*lobby));
	struct lobby_subscriber *subscribers = calloc(4, sizeof(subscribers[0]));
	struct jc_view_options views[4] = { lobby_standard, lobby_standard, lobby_standard,
		{ .spec.rate = 1 } };

	lobby_open(lobby, 0);
	for (int i = 0; i < 5; i++)
		lobby_add(lobby, 0)->restless = true;
	views[1].viewpoint_count = 1;
	views[1].viewpoints[0].position.z = 8.0f;
	views[2].asset = lobby_asset(lobby, "giant", 2.0f);
	for (unsigned i = 0; i < 4; i++) {
		lobby_join(lobby, &subscribers[i], i + 1);
		assert_int_equal(jc_view_subscribe(&subscribers[i].view, &views[i], false), JC_OK);
	}
	lobby_run(lobby, LOBBY_HZ);
	int before = subscribers[1].counts[1];

	allocator_begin(1);
	lobby_run(lobby, LOBBY_HZ);
	/* One that misses a bundle and comes back costs none either. */
	subscribers[1].choked = subscribers[0].choked = true;
	lobby_run(lobby, 1);
	subscribers[1].choked = subscribers[0].choked = false;
	lobby_run(lobby, 4);
	assert_false(allocator_end());
	assert_true(subscribers[1].counts[1] > before + 20);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(subscribers[i].errors, 0);
		jc_view_leave(&subscribers[i].view);
	}
	lobby_close(lobby);
	free(subscribers);
	free(lobby);
}

/* The test itself would notice. */
static void stream_with_a_failed_allocation_begins_at_the_next_tick(void **)
{
	struct lobby *lobby = malloc(sizeof(*lobby));
	struct lobby_subscriber *subscriber = malloc(sizeof(*subscriber));

	lobby_open(lobby, 0);
	lobby_add(lobby, 0);
	lobby_join(lobby, subscriber, 1);
	assert_int_equal(jc_view_subscribe(&subscriber->view, &lobby_standard, false), JC_OK);
	allocator_begin(1);
	lobby_run(lobby, 1); /* its stream: refused, and left out */
	assert_true(allocator_end());
	assert_int_equal(subscriber->counts[1], 0);
	lobby_run(lobby, 1);
	assert_int_equal(subscriber->counts[1], 1);
	jc_view_leave(&subscriber->view);
	lobby_close(lobby);
	free(subscriber);
	free(lobby);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_allocate_nothing),
		cmocka_unit_test(stream_with_a_failed_allocation_begins_at_the_next_tick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
