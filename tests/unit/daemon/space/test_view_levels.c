/* Levels of detail in a view of one's own: by distance, by whom one favours, by what one
 * has to spend. */
#include <math.h>
#include <stdlib.h>

#include "lobby.h"

/* A body walks away and returns through all levels: each decoded pose is within the bound of its
 * level, and every packet can be decoded. */
static void level_changes_have_no_gap_and_keep_the_error_bound(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_source *source = lobby_add(lobby, 0);
	struct lobby_subscriber a;
	unsigned levels = 0;
	uint32_t newest = 0;

	options.spec.precision = JC_PRECISION_FINE;
	options.viewpoint_count = 1;
	options.viewpoints[0] = (struct jc_viewpoint){ .half_angle = 1.0f };
	lobby_join(lobby, &a, 1);
	lobby_subscribe(&a, &options);
	source->restless = true;
	for (int i = 0; i < 40 * LOBBY_HZ; i++) {
		static const float degrees[] = { 0.06f, 0.25f, 0.25f, 1.0f, 1.0f };
		static const uint32_t paces[] = { 1, 1, 2, 2, 4 };
		const struct jc_view_body *view_body = &a.view.private_view->view_bodies[0];
		float away = 20.0f * (1.0f - cosf((float)i / (20.0f * LOBBY_HZ) * 3.14159265f));
		int count = a.counts[1];

		lobby_body(lobby, 1)->placement.position = (struct jc_vec3){ 0.0f, 0.0f, away };
		source->radians = 0.7f * sinf((float)i * 0.05f);
		lobby_run(lobby, 1);
		levels |= 1u << view_body->stream_level;
		/* 20 ticks a second at the least; and the last two levels have no hands. */
		newest = a.counts[1] > count ? lobby->tick : newest;
		assert_true(lobby->tick - newest < paces[view_body->stream_level]);
		if (a.counts[1] > count)
			assert_true(fabsf(lobby_head(&a, 1) - source->radians) <
				    1.001f * degrees[view_body->stream_level] * LOBBY_DEGREES);
	}
	assert_int_equal(levels, 31);
	assert_int_equal(a.errors, 0);
	/* Four borders, there and back: nothing wavered. */
	assert_int_equal(a.keys[1], 1 + 8);
	assert_int_equal(a.view.private_view->view_bodies[0].stream_level, 0);
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 1);
	jc_view_leave(&a.view);
}

static void bodies_of_one_view_can_have_different_rates(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber a;

	for (int i = 0; i < 2; i++)
		lobby_add(lobby, 0)->restless = true;
	lobby_body(lobby, 2)->placement.position = (struct jc_vec3){ 0.0f, 0.0f, 50.0f };
	lobby_body(lobby, 1)->placement.position = (struct jc_vec3){ 0.0f, 0.0f, 1.0f };
	options.viewpoint_count = 1;
	lobby_join(lobby, &a, 1);
	lobby_run(lobby, 1); /* they stand there now */
	lobby_subscribe(&a, &options);
	lobby_run(lobby, 80);
	assert_int_equal(a.counts[1], 80);
	assert_true(a.counts[2] >= 20 && a.counts[2] <= 21);
	assert_int_equal(a.decoders[1].pace, 1);
	assert_int_equal(a.decoders[2].pace, 4);
	/* Looking from over there turns it round, at once. */
	options.viewpoints[0].position.z = 50.0f;
	assert_int_equal(jc_view_look(&a.view, options.viewpoints, 1), JC_OK);
	lobby_run(lobby, 2 * LOBBY_HZ);
	assert_int_equal(a.decoders[1].pace, 4);
	assert_int_equal(a.decoders[2].pace, 1);
	assert_int_equal(jc_view_look(&a.view, NULL, 0), JC_OK);
	assert_non_null(a.view.shared_view);
	lobby_run(lobby, 2);
	assert_int_equal(a.decoders[1].pace, 1);
	assert_int_equal(a.errors, 0);
	jc_view_leave(&a.view);
}

static void favoured_bodies_get_more_detail_and_are_omitted_last(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber a;
	const uint32_t favoured[] = { 77, 5, 10 };

	for (int i = 0; i < 10; i++)
		lobby_add(lobby, 0)->restless = true;
	for (uint32_t id = 1; id <= 10; id++)
		lobby_body(lobby, id)->placement.position.z = 30.0f;
	lobby_join(lobby, &a, 1);
	lobby_run(lobby, 1);
	/* Favoured alone changes nothing, but is remembered for when it does. */
	lobby_subscribe(&a, &lobby_standard);
	assert_int_equal(jc_view_favour(&a.view, favoured, 2), JC_OK);
	lobby_run(lobby, 2);
	assert_int_equal(a.decoders[5].pace + a.decoders[6].pace, 2);
	options.viewpoint_count = 1;
	assert_int_equal(jc_view_look(&a.view, options.viewpoints, 1), JC_OK);
	lobby_run(lobby, LOBBY_HZ);
	assert_int_equal(a.decoders[5].pace, 2); /* 7.5 m; the others 30 m */
	assert_int_equal(a.decoders[6].pace, 4);
	/* With hardly anything to spend it is the last. */
	options.budget = 1500;
	options.favoured_count = 1;
	options.favoured[0] = 5;
	lobby_subscribe(&a, &options);
	lobby_run(lobby, 2 * LOBBY_HZ);
	assert_int_equal(a.shown[5], 0);
	assert_true(a.shown[10] > 0 && a.assets[10] == NULL);
	assert_int_equal(jc_view_favour(&a.view, favoured + 2, 1), JC_OK);
	lobby_run(lobby, 4 * LOBBY_HZ);
	assert_non_null(a.assets[10]);
	/* Returns to the shared view. */
	lobby_subscribe(&a, &lobby_standard);
	assert_non_null(a.view.shared_view);
	assert_int_equal(jc_view_favour(&a.view, favoured, 2), JC_OK);
	assert_non_null(a.view.private_view);
	assert_int_equal(jc_view_favour(&a.view, NULL, 0), JC_OK);
	assert_non_null(a.view.shared_view);
	lobby_run(lobby, 2);
	assert_int_equal(a.errors, 0);
	jc_view_leave(&a.view);
}

static size_t bytes_of_ten_seconds(uint32_t budget, int *out_left_out)
{
	struct lobby *lobby = malloc(sizeof(*lobby));
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber *a = malloc(sizeof(*a));

	lobby_open(lobby, 0);
	for (int i = 0; i < 20; i++)
		lobby_add(lobby, 0)->restless = true;
	lobby_body(lobby, 7)->priority = 1;
	options.budget = budget;
	lobby_join(lobby, a, 1);
	lobby_subscribe(a, &options);
	lobby_run(lobby, 3 * LOBBY_HZ);
	size_t before = a->bytes;

	lobby_run(lobby, 10 * LOBBY_HZ);
	assert_int_equal(a->errors, 0);
	*out_left_out = 0;
	for (uint32_t id = 1; id <= 20; id++) {
		const struct jc_view_body *view_body =
			&a->view.private_view->view_bodies[lobby_body(lobby, id)->slot];

		*out_left_out += view_body->level == JC_LEVELS;
		/* A left-out body is reported. */
		assert_int_equal(
			a->shown[id] > 0 && a->assets[id] == NULL, view_body->body_stream == NULL);
		assert_true(view_body->level >= a->view.private_view->view_bodies[6].level);
	}
	before = a->bytes - before;
	jc_view_leave(&a->view);
	lobby_close(lobby);
	free(lobby);
	free(a);
	return before / 10;
}

static void view_stays_within_its_budget_and_uses_it(void **)
{
	int left_out;
	size_t all = bytes_of_ten_seconds(10000000, &left_out);

	assert_int_equal(left_out, 0);
	for (uint32_t budget = (uint32_t)all; budget > 2000; budget /= 2) {
		size_t used = bytes_of_ten_seconds(budget, &left_out);

		assert_true(used <= budget);
		assert_true(used >= budget / 3);
	}
	assert_true(left_out > 0);
	assert_true(bytes_of_ten_seconds(100, &left_out) <= 100);
	assert_int_equal(left_out, 20);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, lobby_setup, lobby_teardown)
	const struct CMUnitTest tests[] = {
		TEST(level_changes_have_no_gap_and_keep_the_error_bound),
		TEST(bodies_of_one_view_can_have_different_rates),
		TEST(favoured_bodies_get_more_detail_and_are_omitted_last),
		TEST(view_stays_within_its_budget_and_uses_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
