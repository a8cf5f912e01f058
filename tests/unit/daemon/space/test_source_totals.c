/* Tests the age of captures when they are written, and the counters of bodies that left. */
#include <stdlib.h>

#include "nobody.h"
#include "space/space.h"
#include "unit_test.h"

#define MS     INT64_C(1000000)
#define SECOND INT64_C(1000000000)

struct fake_source {
	struct jc_source base;
	struct jc_source_sample next;
	struct jc_source_status status;
};

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	(void)now_ns;
	*out_sample = ((struct fake_source *)base)->next;
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	*out_status = ((const struct fake_source *)base)->status;
}

static void destroy(struct jc_source *base)
{
	free(base);
}

static const struct jc_source_ops source_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

struct fixture {
	struct jc_skeleton_table skeleton_table;
	struct jc_distribution distribution;
	struct jc_space *space;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct jc_diagnostic diagnostic;

	fixture->distribution.ops = &nobody;
	assert_int_equal(jc_skeleton_table_init(&fixture->skeleton_table, &diagnostic), JC_OK);
	struct jc_space_options options = { .name = "lobby",
		.id = 1,
		.hz = 60,
		.start_ns = SECOND,
		.distribution = &fixture->distribution };
	assert_int_equal(jc_space_create(&options, &fixture->space), JC_OK);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jc_space_destroy(fixture->space);
	jc_skeleton_table_finish(&fixture->skeleton_table);
	free(fixture);
	return 0;
}

static struct fake_source *add(struct fixture *fixture, const char *kind, uint64_t frames)
{
	struct fake_source *source = calloc(1, sizeof(*source));

	source->base.ops = &source_ops;
	source->next.live = true;
	source->status = (struct jc_source_status){
		.kind = kind, .condition = JC_SOURCE_LIVE, .frames = frames, .held = 2, .losses = 1
	};
	jc_pose_init(&source->next.pose);
	assert_int_equal(jc_space_add(fixture->space, "Ada", fixture->skeleton_table.humanoid,
				 &source->base),
		JC_OK);
	return source;
}

/* A tick at that time, all of which is written 1 ms later. */
static void tick(struct fixture *fixture, uint32_t number)
{
	int64_t now_ns = SECOND + (int64_t)number * SECOND / 60 + MS;

	jc_space_tick(fixture->space, number);
	jc_space_written(fixture->space, now_ns + MS);
}

static const struct jc_histogram *latency(const struct fixture *fixture)
{
	return &jc_space_body(fixture->space, 0)->latency;
}

static void counts_each_capture_once_when_written(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "openxr", 1);

	source->next.capture_ns = SECOND + 40 * MS;
	tick(fixture, 3); /* due at 50 ms, written at 52 */
	tick(fixture, 4);
	assert_true(latency(fixture)->count == 1);
	assert_true(latency(fixture)->sum_ns == 12 * MS);
	source->next.capture_ns = SECOND + 80 * MS;
	tick(fixture, 6);
	assert_true(latency(fixture)->count == 2);
	assert_true(latency(fixture)->sum_ns == 12 * MS + 22 * MS);
}

static void held_and_silent_samples_are_not_counted(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "openxr", 1);

	source->next.capture_ns = SECOND + 40 * MS;
	source->next.held = true;
	tick(fixture, 3);
	source->next.held = false;
	source->next.live = false;
	tick(fixture, 4);
	assert_true(latency(fixture)->count == 0);
}

static void captures_without_a_receiver_are_not_counted(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "openxr", 1);

	source->next.capture_ns = SECOND + 40 * MS;
	jc_space_tick(fixture->space, 3);
	source->next.capture_ns = SECOND + 60 * MS;
	tick(fixture, 4);
	assert_true(latency(fixture)->count == 1);
}

static void counts_sources_by_kind_and_keeps_totals_after_departure(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_totals tallies[JC_SOURCE_KINDS];
	struct fake_source *source = add(fixture, "publisher", 10);

	source->next.capture_ns = SECOND + 40 * MS;
	add(fixture, "openxr", 5);
	add(fixture, "publisher", 30)->status.condition = JC_SOURCE_STALE;
	tick(fixture, 3);
	for (int left = 0; left < 2; left++) {
		jc_space_tally(fixture->space, tallies);
		assert_string_equal(tallies[0].kind, "publisher");
		assert_true(tallies[0].frames == 40);
		assert_true(tallies[0].held == 4);
		assert_true(tallies[0].losses == 2);
		assert_true(tallies[0].latency.count == 1);
		assert_int_equal(tallies[0].bodies[JC_SOURCE_LIVE], left ? 0 : 1);
		assert_int_equal(tallies[0].bodies[JC_SOURCE_STALE], 1);
		assert_string_equal(tallies[1].kind, "openxr");
		assert_true(tallies[1].frames == 5);
		assert_null(tallies[2].kind);
		if (!left) {
			jc_space_remove(fixture->space, jc_space_body(fixture->space, 0)->id);
			tick(fixture, 4);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			counts_each_capture_once_when_written, setup, teardown),
		cmocka_unit_test_setup_teardown(
			held_and_silent_samples_are_not_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(
			captures_without_a_receiver_are_not_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(
			counts_sources_by_kind_and_keeps_totals_after_departure, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
