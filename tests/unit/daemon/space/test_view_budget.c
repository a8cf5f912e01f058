/* Tests how a view with a budget learns the cost of its bodies. */
#include <math.h>
#include <stdlib.h>

#include "lobby.h"

/* Ticks from one sharing of the budget to the next: twice the whole ticks of 1/8 s. */
#define SHARING 14

#define CROWD 6

static const struct jc_body_stream *stream_of(
	struct lobby *lobby, const struct lobby_subscriber *subscriber, uint32_t id)
{
	const struct jc_body *body = lobby_body(lobby, id);

	return subscriber->view.private_view->view_bodies[body->slot].body_stream;
}

static const struct jc_view_body *view_body_of(
	struct lobby *lobby, const struct lobby_subscriber *subscriber, uint32_t id)
{
	return &subscriber->view.private_view->view_bodies[lobby_body(lobby, id)->slot];
}

/* Bytes a second that a view takes a body to cost at the lowest level. */
static float lowest_cost(const struct jc_view_body *view_body)
{
	struct jc_stream_spec spec = jc_stream_spec_at(&lobby_standard.spec, JC_LEVELS - 1);

	return view_body->reference * jc_stream_spec_weight(&spec);
}

static void cost_is_the_mean_of_the_packets_after_the_start(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber a, late;
	double sum = 0.0;

	lobby_add(lobby, 0)->restless = true;
	options.budget = 1000000;
	lobby_join(lobby, &a, 1);
	lobby_join(lobby, &late, 2);
	lobby_subscribe(&a, &options);
	lobby_run(lobby, 1);
	const struct jc_body_stream *stream = stream_of(lobby, &a, 1);
	uint16_t start = stream->common.length;

	assert_false(stream->common.needs_state);
	lobby_run(lobby, 1);
	/* Neither the packet that starts the stream nor the one after it. */
	assert_true(stream->common.needs_state);
	assert_int_equal(stream->measured, 0);
	for (int ticks = 1; ticks <= LOBBY_HZ; ticks++) {
		lobby_run(lobby, 1);
		if (ticks == 20) {
			lobby_subscribe(&late, &options); /* its rejoin packet does not count */
		}
		assert_true(stream->common.needs_state);
		sum += stream->common.length;
		assert_true(fabs(stream->bytes_a_second - sum * LOBBY_HZ / ticks) < 0.5);
	}
	assert_int_equal(late.keys[1], 1);
	assert_true(start > 2 * stream->bytes_a_second / LOBBY_HZ);
	/* Then the last second counts most. */
	float before = stream->bytes_a_second;

	lobby_run(lobby, 1);
	float now = (float)stream->common.length * LOBBY_HZ;

	assert_true(fabsf(stream->bytes_a_second - (before + (now - before) / LOBBY_HZ)) < 0.5f);
	jc_view_leave(&a.view);
	jc_view_leave(&late.view);
}

static void fill(struct lobby *lobby)
{
	for (int i = 0; i < CROWD; i++)
		lobby_add(lobby, 0)->restless = true;
	lobby_run(lobby, 1);
}

/* Bytes a second of one body at the lowest level, with the heads of bundles. */
static float cost_of_one(void)
{
	struct lobby *lobby = malloc(sizeof(*lobby));
	struct lobby_subscriber *a = malloc(sizeof(*a));
	struct jc_view_options options = lobby_standard;

	lobby_open(lobby, 0);
	fill(lobby);
	options.is_some = true;
	options.bodies[options.body_count++] = 1;
	options.viewpoint_count = 1;
	options.viewpoints[0].position.z = 1000.0f;
	lobby_join(lobby, a, 1);
	lobby_subscribe(a, &options);
	lobby_run(lobby, 2 * LOBBY_HZ);
	size_t before = a->bytes;

	lobby_run(lobby, 10 * LOBBY_HZ);
	float cost = (float)(a->bytes - before) / 10.0f;

	jc_view_leave(&a->view);
	lobby_close(lobby);
	free(lobby);
	free(a);
	return cost;
}

/* The crowd begins with more rejoin packets than bodies that stay, at any time before the first
 * sharing of the budget. */
static void a_body_that_fits_stays_from_the_start(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber a;
	float cost = cost_of_one();

	fill(lobby);
	options.budget = (uint32_t)(2.2f * cost);
	for (int late = 0; late < SHARING; late++) {
		lobby_run(lobby, 1);
		lobby_join(lobby, &a, 1);
		lobby_subscribe(&a, &options);
		for (int i = 0; i < 5 * LOBBY_HZ; i++) {
			lobby_run(lobby, 1);
			assert_int_not_equal(view_body_of(lobby, &a, 1)->level, (uint8_t)JC_LEVELS);
		}
		assert_null(a.assets[CROWD]);
		assert_int_equal(a.errors, 0);
		jc_view_leave(&a.view);
	}
}

static bool is_empty(struct lobby *lobby, const struct lobby_subscriber *subscriber)
{
	for (uint32_t id = 1; id <= CROWD; id++) {
		if (view_body_of(lobby, subscriber, id)->level != JC_LEVELS) {
			return false;
		}
	}
	return true;
}

/* A view without bodies has its whole budget for trials of 500 bytes: the assumed cost halves in
 * the time in which the budget is enough for a trial of each body. */
static void an_empty_view_tries_a_body_again_with_the_whole_budget(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber a;

	fill(lobby);
	options.budget = (uint32_t)(0.7f * cost_of_one());
	lobby_join(lobby, &a, 1);
	lobby_subscribe(&a, &options);
	lobby_run(lobby, 10 * LOBBY_HZ);
	assert_true(is_empty(lobby, &a));
	for (uint32_t id = 1; id <= CROWD; id++)
		((struct lobby_source *)lobby_body(lobby, id)->source)->restless = false;

	float budget = (float)options.budget;
	float halving = 500.0f * CROWD / budget;
	float halvings = log2f(lowest_cost(view_body_of(lobby, &a, 1)) / (0.95f * 0.8f * budget));

	assert_true(halving > 10.0f); /* the least time */
	assert_true(halvings > 0.0f);
	int most = (int)ceilf(halving * halvings * LOBBY_HZ) + SHARING;
	int ticks = 0;
	while (!a.assets[1]) {
		assert_true(ticks++ < most);
		lobby_run(lobby, 1);
	}
	/* It costs little now, so it stays. */
	for (int i = 0; i < 10 * LOBBY_HZ; i++) {
		lobby_run(lobby, 1);
		assert_non_null(a.assets[1]);
	}
	assert_int_equal(a.errors, 0);
	jc_view_leave(&a.view);
}

/* A busy machine skips ticks, here all whose numbers begin a period. */
static void skipped_ticks_delay_neither_levels_nor_budget(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber a;

	fill(lobby);
	options.budget = 1000000;
	options.viewpoint_count = 1;
	lobby_join(lobby, &a, 1);
	lobby_subscribe(&a, &options);
	const struct jc_private_view *private_view = a.view.private_view;

	assert_int_equal(private_view->phase, 0);
	for (int i = 0; i < 4 * LOBBY_HZ; i++) {
		if (i == LOBBY_HZ) {
			assert_int_equal(view_body_of(lobby, &a, 1)->level, 0);
			options.viewpoints[0].position.z = 1000.0f;
			assert_int_equal(jc_view_look(&a.view, options.viewpoints, 1), JC_OK);
		}
		lobby_run(lobby, 1);
		assert_true(lobby->tick - 1 - private_view->weighed <= SHARING);
		lobby->tick += lobby->tick % (SHARING / 2) == 0;
	}
	assert_int_equal(view_body_of(lobby, &a, 1)->level, JC_LEVELS - 1);
	assert_int_equal(a.errors, 0);
	jc_view_leave(&a.view);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, lobby_setup, lobby_teardown)
	const struct CMUnitTest tests[] = {
		TEST(cost_is_the_mean_of_the_packets_after_the_start),
		TEST(a_body_that_fits_stays_from_the_start),
		TEST(an_empty_view_tries_a_body_again_with_the_whole_budget),
		TEST(skipped_ticks_delay_neither_levels_nor_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
