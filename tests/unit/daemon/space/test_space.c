/* The origin half, with a source and a distribution that only count. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_text.h"
#include "jointcast/transform.h"
#include "nobody.h"
#include "space/roster.h"
#include "space/shared_view.h"
#include "space/space.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)

struct fake_source {
	struct jc_source base;
	struct jc_source_sample next;
	int64_t asked_ns;
	int *destroyed;
};

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct fake_source *source = (struct fake_source *)base;

	source->asked_ns = now_ns;
	*out_sample = source->next;
	out_sample->capture_ns += now_ns;
}

static void destroy(struct jc_source *base)
{
	struct fake_source *source = (struct fake_source *)base;

	++*source->destroyed;
	free(source);
}

static const struct jc_source_ops source_ops = { .sample = sample, .destroy = destroy };

/* A shared view and its receiver. */
struct fake_distribution {
	struct jc_distribution base;
	struct jc_space *space;
	struct jc_shared_view *shared_view;
	bool wants_rejoin, takes_rejoin;
	int bundles, changes, joins;
	struct jc_bundle last;
	uint8_t bytes[JC_LIMIT_BUNDLE_BYTES];
	char announced[4096]; /* the last roster change */
};

static void on_plan(struct jc_distribution *base, uint32_t tick)
{
	struct fake_distribution *distribution = (struct fake_distribution *)base;
	struct jc_shared_view *shared_view = distribution->shared_view;

	shared_view->due = tick % shared_view->spec.rate == 0;
	if (shared_view->due)
		jc_shared_view_plan(shared_view, distribution->space, distribution->wants_rejoin);
}

static void on_send(struct jc_distribution *base, uint32_t tick)
{
	struct fake_distribution *distribution = (struct fake_distribution *)base;
	struct jc_shared_view *shared_view = distribution->shared_view;
	struct jc_bundle_head head = { 300, tick };

	if (!shared_view->due || !jc_shared_view_compose(shared_view, distribution->space, &head))
		return;
	const struct jc_bundle *bundle = shared_view->rejoins && distribution->takes_rejoin
						 ? &shared_view->rejoin
						 : &shared_view->common;

	/* The headroom is there to be overwritten. */
	memset(bundle->bytes - JC_BUNDLE_HEADROOM, 0xff, JC_BUNDLE_HEADROOM);
	distribution->bundles++;
	distribution->last = *bundle;
	memcpy(distribution->bytes, bundle->head, bundle->head_length);
	memcpy(distribution->bytes + bundle->head_length, bundle->bytes, bundle->length);
}

static void on_announce(struct jc_distribution *base, const struct jc_announcement *announcement)
{
	struct fake_distribution *distribution = (struct fake_distribution *)base;

	distribution->changes++;
	distribution->joins += (int)announcement->joined_count;
	snprintf(distribution->announced, sizeof(distribution->announced), "%s",
		jc_shared_text_chars(announcement->change));
}

static const struct jc_distribution_ops distribution_ops = {
	.plan = on_plan,
	.cast = on_send,
	.body_entered = nobody_enters,
	.roster_due = nobody_due,
	.announce = on_announce,
};

struct fixture {
	struct jc_skeleton_table skeleton_table;
	struct fake_distribution distribution;
	struct jc_space *space;
	int destroyed;
};

static const struct jc_stream_spec plain = { .rate = 1 };

/* From now on views of that kind are cast. */
static void spec(struct fixture *fixture, const struct jc_stream_spec *spec)
{
	jc_shared_view_destroy(fixture->distribution.shared_view);
	assert_int_equal(
		jc_shared_view_create(spec, false, &fixture->distribution.shared_view), JC_OK);
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct jc_diagnostic diagnostic;

	fixture->distribution.base.ops = &distribution_ops;
	assert_int_equal(jc_skeleton_table_init(&fixture->skeleton_table, &diagnostic), JC_OK);
	struct jc_space_options options = { .name = "lobby",
		.id = 300,
		.epoch = 1,
		.hz = 60,
		.start_ns = SECOND,
		.distribution = &fixture->distribution.base };
	assert_int_equal(jc_space_create(&options, &fixture->space), JC_OK);
	fixture->distribution.space = fixture->space;
	spec(fixture, &plain);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jc_shared_view_destroy(fixture->distribution.shared_view);
	jc_space_destroy(fixture->space);
	jc_skeleton_table_finish(&fixture->skeleton_table);
	free(fixture);
	return 0;
}

static struct fake_source *add(struct fixture *fixture, const char *name)
{
	struct fake_source *source = calloc(1, sizeof(*source));

	source->base.ops = &source_ops;
	source->destroyed = &fixture->destroyed;
	source->next.live = true;
	jc_pose_init(&source->next.pose);
	assert_int_equal(
		jc_space_add(fixture->space, name, fixture->skeleton_table.humanoid, &source->base),
		JC_OK);
	return source;
}

struct packets {
	struct jc_bundle_head head;
	size_t count;
	struct jc_packet_head heads[JC_MAX_BODIES];
	struct jc_payload payloads[JC_MAX_BODIES];
};

static void read_bundle(const struct fake_distribution *distribution, struct packets *packets)
{
	const uint8_t *bytes = distribution->bytes;
	size_t length = distribution->last.head_length + distribution->last.length;
	int at = jc_bundle_read_head(bytes, length, NULL, &packets->head);

	packets->count = 0;
	assert_true(at > 0);
	while ((size_t)at < length) {
		const uint8_t *payload;
		size_t payload_length;
		int used = jc_bundle_read_packet(bytes + at, length - (size_t)at,
			&packets->heads[packets->count], &payload, &payload_length);
		assert_true(used > 0);
		assert_true(jc_payload_decode(packets->heads[packets->count].shape, payload,
				    payload_length, &packets->payloads[packets->count]) >= 0);
		packets->count++;
		at += used;
	}
}

static void empty_space_sends_bundles(void **state)
{
	struct fixture *fixture = *state;
	struct packets packets;

	jc_space_tick(fixture->space, 3);
	read_bundle(&fixture->distribution, &packets);
	assert_int_equal(packets.head.space, 300);
	assert_int_equal(packets.head.tick, 3);
	assert_int_equal(packets.count, 0);
}

static void samples_every_body_at_the_nominal_time_and_sends_it_once(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *a = add(fixture, "a");
	struct fake_source *b = add(fixture, "b");
	struct packets packets;

	a->next.pose.rotations[JC_BONE_HEAD] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 0.5f);
	a->next.pose.states[JC_BONE_HEAD] = JC_TRACKED;
	b->next.capture_ns = -INT64_C(7000000);
	jc_space_tick(fixture->space, 60);

	assert_true(a->asked_ns == 2 * SECOND);
	read_bundle(&fixture->distribution, &packets);
	assert_int_equal(fixture->distribution.bundles, 1);
	assert_int_equal(packets.count, 2);
	assert_int_equal(packets.heads[0].body, 1);
	assert_int_equal(packets.heads[1].body, 2);
	assert_int_equal(packets.heads[0].capture_age_us, 0); /* however late the tick came */
	assert_int_equal(packets.heads[1].capture_age_us, 7000);
	/* The built-in skeleton rests as the pose is normalised: R = N. */
	assert_true(jc_quat_angle(packets.payloads[0].rotations[JC_BONE_HEAD],
			    a->next.pose.rotations[JC_BONE_HEAD]) < 0.0002f);
	assert_true(packets.payloads[1].rotation_mask == 0);
}

static void sequence_numbers_count_packets_and_cuts_are_kept(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "a");
	struct packets packets;

	for (uint32_t tick = 0; tick < 300; tick++) {
		source->next.cut = tick % 100 == 0;
		jc_space_tick(fixture->space, tick);
		read_bundle(&fixture->distribution, &packets);
		assert_int_equal(packets.heads[0].sequence, tick & 15);
		assert_int_equal(packets.heads[0].cut, tick % 100 == 0);
		assert_int_equal(fixture->distribution.last.cut, tick % 100 == 0);
	}
}

static void flags_are_at_the_positions_that_the_bundle_states(void **state)
{
	struct fixture *fixture = *state;
	struct packets packets;

	for (int i = 0; i < 3; i++)
		add(fixture, "a");
	jc_space_tick(fixture->space, 1);
	assert_int_equal(fixture->distribution.last.packet_count, 3);
	fixture->distribution.bytes[fixture->distribution.last.head_length +
				    fixture->distribution.last.flags_at[1]] |= 1;
	read_bundle(&fixture->distribution, &packets);
	assert_false(packets.heads[0].cut);
	assert_true(packets.heads[1].cut);
	assert_false(packets.heads[2].cut);
}

static void omits_an_invalid_pose_and_keeps_its_cut(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "a");
	struct packets packets;

	add(fixture, "b");
	source->next.cut = true;
	source->next.pose.hips_translation.x = NAN;
	jc_space_tick(fixture->space, 1);
	read_bundle(&fixture->distribution, &packets);
	assert_int_equal(packets.count, 1);
	assert_int_equal(packets.heads[0].body, 2);
	source->next.cut = false;
	source->next.pose.hips_translation.x = 0.0f;
	jc_space_tick(fixture->space, 2);
	read_bundle(&fixture->distribution, &packets);
	assert_int_equal(packets.count, 2);
	assert_true(packets.heads[0].cut);
}

static void a_body_that_goes_stale_is_announced_once(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "a");

	jc_space_tick(fixture->space, 1);
	assert_int_equal(fixture->distribution.joins, 1);
	assert_int_equal(fixture->distribution.changes, 1);
	assert_int_equal(jc_space_revision(fixture->space), 1);
	source->next.live = false;
	jc_space_tick(fixture->space, 100);
	jc_space_tick(fixture->space, 200);
	assert_int_equal(fixture->distribution.changes, 2);
	assert_int_equal(fixture->distribution.joins, 1);
	assert_non_null(strstr(fixture->distribution.announced, "\"state\":\"stale\""));
	assert_int_equal(jc_space_revision(fixture->space), 2);
}

static void full_space_fits_one_bundle_and_rejects_more_bodies(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *last = NULL;
	struct packets packets;

	for (size_t i = 0; i < JC_MAX_BODIES; i++) {
		last = add(fixture,
			"a name that is far longer than the sixty-four bytes which are kept of it");
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			last->next.pose.states[bone] = JC_TRACKED;
			last->next.pose.rotations[bone] =
				jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, 0.3f);
		}
	}
	assert_int_equal(
		jc_space_add(fixture->space, "b", fixture->skeleton_table.humanoid, &last->base),
		JC_ERROR_LIMIT);
	jc_space_tick(fixture->space, 1);
	read_bundle(&fixture->distribution, &packets);
	assert_int_equal(packets.count, JC_MAX_BODIES);
	assert_int_equal(strlen(jc_space_body(fixture->space, 0)->name), JC_MAX_BODY_NAME - 1);
}

static void destroys_its_sources(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "a");
	add(fixture, "b");
	spec(fixture, &plain); /* lets go of all streams */
	jc_space_destroy(fixture->space);
	fixture->space = NULL;
	assert_int_equal(fixture->destroyed, 2);
}

static void registers_equal_skeletons_once(void **state)
{
	struct fixture *fixture = *state;
	struct jc_diagnostic diagnostic;
	struct jc_skeleton_asset *asset;
	struct jc_skeleton *skeleton;

	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	assert_int_equal(
		jc_skeleton_table_add(&fixture->skeleton_table, skeleton, &asset, &diagnostic),
		JC_OK);
	assert_ptr_equal(asset, fixture->skeleton_table.humanoid);
	assert_int_equal(fixture->skeleton_table.count, 1);
	assert_int_equal(strlen(jc_shared_text_chars(asset->message)), asset->message->length);
	assert_non_null(strstr(jc_shared_text_chars(asset->message), asset->hash));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

struct fake_sink {
	struct jc_sink base;
	int poses;
	uint32_t bodies[2];
	struct jc_quat head;
	int64_t now_ns;
	int *destroyed;
};

static void on_sink_pose(struct jc_sink *base, const struct jc_body *body,
	const struct jc_skeleton_pose *pose, int64_t now_ns)
{
	struct fake_sink *sink = (struct fake_sink *)base;

	sink->bodies[sink->poses++ % 2] = body->id;
	sink->head = pose->rotations[JC_BONE_HEAD];
	sink->now_ns = now_ns;
}

static void destroy_sink(struct jc_sink *base)
{
	++*((struct fake_sink *)base)->destroyed;
}

static const struct jc_sink_ops sink_ops = { .pose = on_sink_pose, .destroy = destroy_sink };

static void sink_receives_every_body_and_ends_with_the_space(void **state)
{
	struct fixture *fixture = *state;
	struct fake_sink sink = { .base.ops = &sink_ops, .destroyed = &fixture->destroyed };

	add(fixture, "a");
	add(fixture, "b")->next.pose.rotations[JC_BONE_HEAD] =
		(struct jc_quat){ 0.0f, 1.0f, 0.0f, 0.0f };
	jc_space_add_sink(fixture->space, &sink.base);
	jc_space_tick(fixture->space, 60);
	assert_int_equal(sink.poses, 2);
	assert_int_equal(sink.bodies[0], 1);
	assert_int_equal(sink.bodies[1], 2);
	assert_true(sink.head.y == 1.0f); /* of b, in the built-in skeleton */
	assert_true(sink.now_ns == 2 * SECOND);
	spec(fixture, &plain); /* lets go of all streams */
	jc_space_destroy(fixture->space);
	fixture->space = NULL;
	assert_int_equal(fixture->destroyed, 3);
}

static void capture_after_its_tick_has_a_negative_age(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "a");
	struct packets packets;

	source->next.capture_ns = 2000000;
	jc_space_tick(fixture->space, 60);
	read_bundle(&fixture->distribution, &packets);
	assert_int_equal(packets.count, 1);
	assert_int_equal(packets.heads[0].capture_age_us, -2000);
}

static const struct jc_stream_spec standard = {
	.chains = true, .precision = JC_PRECISION_STANDARD, .rate = 1, .sections = JC_STREAM_ALL
};

/* Follows the one packet of the last bundle, if there is one. */
static int follow(const struct fake_distribution *distribution, struct jc_stream_decoder *decoder)
{
	const uint8_t *bytes = distribution->bytes, *payload;
	size_t length = distribution->last.head_length + distribution->last.length;
	size_t payload_length;
	struct jc_bundle_head bundle;
	struct jc_packet_head head;
	int at = jc_bundle_read_head(bytes, length, NULL, &bundle);

	assert_true(at > 0);
	if ((size_t)at == length)
		return 0;
	assert_true(jc_bundle_read_packet(
			    bytes + at, length - (size_t)at, &head, &payload, &payload_length) > 0);
	assert_true(jc_stream_decode(decoder, &head, payload, payload_length) >= 0);
	return 1;
}

static void turn_head(struct fake_source *source, float radians)
{
	source->next.pose.rotations[JC_BONE_HEAD] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, radians);
}

static void announces_new_channels_and_then_sends_their_values(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "a");
	struct jc_stream_decoder decoder = { 0 };
	struct jc_stream_frame frame;

	spec(fixture, &standard);
	jc_space_tick(fixture->space, 1);
	assert_int_equal(follow(&fixture->distribution, &decoder), 1);
	jc_stream_frame(&decoder, &frame);
	assert_int_equal(frame.value_count, 0);
	assert_int_equal(fixture->distribution.changes, 1);
	source->base.channels = (struct jc_source_channels){ .count = 1,
		.value_count = 4,
		.revision = 1,
		.names = { "lookAt" },
		.value_counts = { 4 } };
	source->next.values[1] = 5.0f;
	source->next.values[3] = 0.5f;
	/* Before the roster has them packets carry none. */
	jc_space_tick(fixture->space, 2);
	assert_int_equal(fixture->distribution.changes, 1);
	assert_int_equal(follow(&fixture->distribution, &decoder), 0);
	turn_head(source, 0.5f);
	jc_space_tick(fixture->space, 3);
	assert_int_equal(follow(&fixture->distribution, &decoder), 1);
	jc_stream_frame(&decoder, &frame);
	assert_int_equal(frame.value_count, 0);
	jc_space_tick(fixture->space, 100);
	assert_int_equal(fixture->distribution.changes, 2);
	follow(&fixture->distribution, &decoder);
	jc_space_tick(fixture->space, 101);
	assert_int_equal(follow(&fixture->distribution, &decoder), 1);
	jc_stream_frame(&decoder, &frame);
	assert_int_equal(frame.value_count, 6); /* by threes */
	assert_true(frame.values[1] == 1.0f);   /* clamped */
	assert_true(frame.values[3] == 0.5f);
	jc_space_tick(fixture->space, 200);
	assert_int_equal(fixture->distribution.changes, 2);
}

static void chains_follow_the_body_at_their_rate(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "a");
	struct jc_stream_spec fourth = standard;
	struct jc_stream_decoder decoder = { 0 };
	struct jc_stream_frame frame;

	fourth.rate = 4;
	spec(fixture, &fourth);
	for (uint32_t tick = 0; tick < 80; tick++) {
		turn_head(source, 0.02f * (float)tick);
		jc_space_tick(fixture->space, tick);
		assert_int_equal(fixture->distribution.bundles, tick / 4 + 1);
		if (tick % 4 != 0)
			continue;
		assert_int_equal(follow(&fixture->distribution, &decoder), 1);
		jc_stream_frame(&decoder, &frame);
		assert_true(jc_quat_angle(frame.rotations[JC_BONE_HEAD],
				    source->next.pose.rotations[JC_BONE_HEAD]) <
			    0.2501f * 3.14159265f / 180.0f);
	}
}

static void rejoin_on_request_synchronises_a_late_decoder(void **state)
{
	struct fixture *fixture = *state;
	struct jc_stream_frame frame;

	spec(fixture, &standard);
	struct fake_source *source = add(fixture, "a");

	/* Two runs of the same motion: one follows all the way, one comes late. */
	for (int run = 0; run < 2; run++) {
		struct jc_stream_decoder decoder = { 0 };

		for (uint32_t tick = 0; tick < 40; tick++) {
			turn_head(source, 0.05f * (float)tick);
			source->next.cut = tick == 0;
			fixture->distribution.wants_rejoin = tick == 20 || (run > 0 && tick == 0);
			fixture->distribution.takes_rejoin = run > 0;
			jc_space_tick(fixture->space, 40 * (uint32_t)run + tick);
			if (run == 0 || tick >= 20)
				follow(&fixture->distribution, &decoder);
		}
		jc_stream_frame(&decoder, &frame);
		assert_int_equal(decoder.sequence, (40 * run + 39) & 15);
		assert_true(jc_quat_angle(frame.rotations[JC_BONE_HEAD],
				    source->next.pose.rotations[JC_BONE_HEAD]) <
			    0.2501f * 3.14159265f / 180.0f);
	}
}

static void bodies_at_rest_send_keepalives_twice_a_second(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *source = add(fixture, "a");
	struct jc_stream_decoder decoder = { 0 };
	int bundles[4] = { 0 };

	spec(fixture, &standard);
	turn_head(source, 0.3f);
	for (uint32_t tick = 0; tick < 61; tick++) {
		int before = fixture->distribution.bundles;

		jc_space_tick(fixture->space, tick);
		if (fixture->distribution.bundles == before)
			bundles[0]++;
		else
			bundles[follow(&fixture->distribution, &decoder) ? 1 : 2]++;
	}
	assert_int_equal(bundles[1], 3); /* ticks 0, 30, 60 */
	assert_int_equal(bundles[2], 2); /* after the first two of these */
	assert_int_equal(bundles[0], 56);
	source->next.cut = true;
	jc_space_tick(fixture->space, 61);
	assert_true(fixture->distribution.last.cut);
}

static void bundles_hold_the_chains_of_a_full_space(void **state)
{
	struct fixture *fixture = *state;
	struct fake_source *sources[JC_MAX_BODIES];

	spec(fixture, &standard);
	for (size_t i = 0; i < JC_MAX_BODIES; i++)
		sources[i] = add(fixture, "a");
	for (uint32_t tick = 1; tick < 6; tick++) {
		for (size_t i = 0; i < JC_MAX_BODIES; i++) {
			for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
				struct jc_vec3 axis = { sinf((float)(bone + (int)i)), 1.0f,
					cosf((float)(bone * (int)tick)) };

				sources[i]->next.pose.states[bone] = JC_TRACKED;
				sources[i]->next.pose.rotations[bone] = jc_quat_from_axis_angle(
					jc_vec3_normalize(axis), 3.0f * sinf((float)tick));
			}
		}
		fixture->distribution.wants_rejoin = fixture->distribution.takes_rejoin = tick > 2;
		jc_space_tick(fixture->space, tick);
		assert_int_equal(fixture->distribution.last.packet_count, JC_MAX_BODIES);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(empty_space_sends_bundles),
		TEST(samples_every_body_at_the_nominal_time_and_sends_it_once),
		TEST(sequence_numbers_count_packets_and_cuts_are_kept),
		TEST(flags_are_at_the_positions_that_the_bundle_states),
		TEST(omits_an_invalid_pose_and_keeps_its_cut),
		TEST(a_body_that_goes_stale_is_announced_once),
		TEST(full_space_fits_one_bundle_and_rejects_more_bodies),
		TEST(destroys_its_sources),
		TEST(registers_equal_skeletons_once),
		TEST(sink_receives_every_body_and_ends_with_the_space),
		TEST(capture_after_its_tick_has_a_negative_age),
		TEST(announces_new_channels_and_then_sends_their_values),
		TEST(chains_follow_the_body_at_their_rate),
		TEST(rejoin_on_request_synchronises_a_late_decoder),
		TEST(bodies_at_rest_send_keepalives_twice_a_second),
		TEST(bundles_hold_the_chains_of_a_full_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
