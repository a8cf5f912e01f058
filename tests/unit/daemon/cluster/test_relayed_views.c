/* A relayed space gives its subscribers the packets of the origin, whatever is lost on the way. The
 * truth is the origin's own fanout in the same process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bridge.h"
#include "jointcast/transform.h"

static int setup(void **state)
{
	struct bridge *bridge = malloc(sizeof(*bridge));

	assert_non_null(bridge);
	bridge_open(bridge, 1);
	*state = bridge;
	return 0;
}

static int teardown(void **state)
{
	bridge_close(*state);
	free(*state);
	return 0;
}

/* A subscriber at the origin and one at the edge. */
struct pair {
	struct lobby_subscriber origin, edge;
};

static void join(struct bridge *bridge, struct pair *pair, const struct jc_view_options *options)
{
	lobby_join(&bridge->origin, &pair->origin, 100);
	lobby_join(&bridge->edge, &pair->edge, 100);
	lobby_subscribe(&pair->origin, options);
	lobby_subscribe(&pair->edge, options);
}

static void leave(struct pair *pair)
{
	jc_view_leave(&pair->origin.view);
	jc_view_leave(&pair->edge.view);
}

static void add_bodies(struct bridge *bridge, int count)
{
	for (int i = 0; i < count; i++) {
		lobby_add(&bridge->origin, 0)->restless = true;
	}
	lobby_run(&bridge->origin, LOBBY_ANNOUNCING + 1);
	bridge_announce(bridge);
}

/* The state of a stream that both have decoded: every place, step and miss. */
static void assert_same_state(const struct pair *pair, uint32_t id)
{
	const struct jc_stream_decoder *a = &pair->origin.decoders[id],
				       *b = &pair->edge.decoders[id];

	assert_true(a->started && b->started);
	assert_int_equal(a->sequence, b->sequence);
	assert_memory_equal(a->states, b->states, sizeof(a->states));
	for (int chain = 0; chain < JC_STREAM_CHAINS; chain++) {
		assert_int_equal(a->chains[chain].started, b->chains[chain].started);
		if (a->chains[chain].started) {
			assert_int_equal(a->chains[chain].count, b->chains[chain].count);
			assert_memory_equal(a->chains[chain].items, b->chains[chain].items,
				a->chains[chain].count * sizeof(a->chains[chain].items[0]));
		}
	}
}

static void assert_same_bundles(struct bridge *bridge, struct pair *pair, int ticks)
{
	for (int i = 0; i < ticks; i++) {
		bridge_run(bridge, 1);
		assert_int_equal(pair->edge.bundles, pair->origin.bundles);
		assert_int_equal(pair->edge.length, pair->origin.length);
		assert_memory_equal(pair->edge.last, pair->origin.last, pair->origin.length);
	}
	assert_int_equal(pair->edge.errors, 0);
}

static void shared_views_are_the_same_bytes(void **state)
{
	struct bridge *bridge = *state;
	static const enum jc_precision precisions[] = { JC_PRECISION_FINE, JC_PRECISION_STANDARD,
		JC_PRECISION_COARSE };

	add_bodies(bridge, 3);
	for (size_t i = 0; i < 3; i++) {
		for (uint32_t rate = 1; rate <= 4; rate *= 2) {
			struct jc_view_options options = lobby_standard;
			struct pair pair;

			options.spec.precision = precisions[i];
			options.spec.rate = rate;
			join(bridge, &pair, &options);
			assert_non_null(pair.edge.view.shared_view);
			assert_same_bundles(bridge, &pair, 40);
			assert_true(pair.edge.counts[1] >= 40 / (int)rate);
			leave(&pair);
			bridge->now_ns += JC_INTEREST_LASTS_NS;
		}
	}
}

static void packets_of_coding_1_are_the_same_bytes(void **state)
{
	struct bridge *bridge = *state;
	const struct jc_view_options plain = { .spec = { .rate = 1 } };
	struct pair pair;

	add_bodies(bridge, 2);
	join(bridge, &pair, &plain);
	assert_same_bundles(bridge, &pair, 20);
	assert_int_equal(pair.edge.counts[2], 20);
	/* After a long gap too, because they need no state. */
	lobby_run(&bridge->origin, 40);
	bridge_run(bridge, 5);
	assert_int_equal(pair.edge.counts[2], 25);
	assert_int_equal(bridge->asked, 0);
	leave(&pair);
}

static void a_cut_is_forwarded(void **state)
{
	struct bridge *bridge = *state;
	struct lobby_source *source = lobby_add(&bridge->origin, 0);
	struct pair pair;

	add_bodies(bridge, 1);
	join(bridge, &pair, &lobby_standard);
	assert_same_bundles(bridge, &pair, 5);
	source->cut = true;
	source->radians = 2.0f;
	assert_same_bundles(bridge, &pair, 1);
	assert_true(pair.edge.heads[1].cut);
	assert_same_bundles(bridge, &pair, 5);
	leave(&pair);
}

static void a_late_joiner_gets_the_state_without_a_request(void **state)
{
	struct bridge *bridge = *state;
	struct pair early;
	struct lobby_subscriber late;
	struct lobby_source *still = lobby_add(&bridge->origin, 0);

	still->radians = 0.5f; /* its packets are rare */
	add_bodies(bridge, 2);
	join(bridge, &early, &lobby_standard);
	bridge_run(bridge, 33);
	bridge->asked = 0;
	lobby_join(&bridge->edge, &late, 5);
	lobby_subscribe(&late, &lobby_standard);
	bridge_run(bridge, 1);
	assert_int_equal(late.keys[1] + late.keys[2] + late.keys[3], 3);
	for (int i = 0; i < 60; i++) {
		bridge_run(bridge, 1);
		struct pair both = { .origin = early.origin, .edge = late };

		for (uint32_t id = 1; id <= 3; id++) {
			assert_same_state(&both, id);
		}
	}
	assert_int_equal(late.errors + early.edge.errors, 0);
	assert_int_equal(late.keys[1], 1);
	assert_int_equal(bridge->asked, 0);
	assert_float_equal(lobby_head(&late, 1), 0.5f, 0.005f);
	jc_view_leave(&late.view);
	leave(&early);
}

static void a_lossy_subscriber_continues_with_one_rejoin(void **state)
{
	struct bridge *bridge = *state;
	struct pair pair;
	struct lobby_subscriber lossy;

	add_bodies(bridge, 2);
	join(bridge, &pair, &lobby_standard);
	lobby_join(&bridge->edge, &lossy, 5);
	lobby_subscribe(&lossy, &lobby_standard);
	for (int i = 0; i < 120; i++) {
		lossy.choked = i % 7 == 3 || (i > 60 && i < 75);
		bridge_run(bridge, 1);
		struct pair both = { .origin = pair.origin, .edge = lossy };

		if (!lossy.choked) {
			assert_same_state(&both, 1);
		}
	}
	assert_int_equal(lossy.errors, 0);
	assert_int_equal(pair.edge.errors, 0);
	assert_same_state(&pair, 2);
	jc_view_leave(&lossy.view);
	leave(&pair);
}

static bool loses_some(struct bridge *bridge, uint32_t tick, size_t view)
{
	(void)bridge;
	(void)view;
	return tick % 29 != 3 && (tick < 100 || tick > 117);
}

static void a_gap_ends_with_a_packet_that_needs_no_state(void **state)
{
	struct bridge *bridge = *state;
	struct pair pair;

	add_bodies(bridge, 3);
	join(bridge, &pair, &lobby_standard);
	bridge->passes = loses_some;
	for (int i = 0; i < 180; i++) {
		bridge_run(bridge, 1);
	}
	bridge->passes = NULL;
	bridge_run(bridge, 3);
	assert_int_equal(pair.edge.errors, 0);
	assert_true(bridge->asked > 3);
	assert_true(pair.edge.keys[1] > 3 && pair.edge.keys[1] < 15);
	for (uint32_t id = 1; id <= 3; id++) {
		assert_same_state(&pair, id);
	}
	leave(&pair);
}

static bool loses_sixteen(struct bridge *bridge, uint32_t tick, size_t view)
{
	uint32_t *from = bridge->context;

	(void)view;
	return tick < *from || tick >= *from + 16;
}

static void as_many_lost_frames_as_sequences_are_noticed(void **state)
{
	struct bridge *bridge = *state;
	uint32_t from;
	struct pair pair;

	add_bodies(bridge, 1);
	join(bridge, &pair, &lobby_standard);
	bridge_run(bridge, 5);
	from = bridge->origin.tick;
	bridge->context = &from;
	bridge->passes = loses_sixteen;
	bridge_run(bridge, 20);
	assert_int_equal(pair.edge.keys[1], 2);
	assert_int_equal(pair.edge.errors, 0);
	assert_same_state(&pair, 1);
	leave(&pair);
}

static void without_an_answer_nothing_is_forwarded(void **state)
{
	struct bridge *bridge = *state;
	uint32_t from;
	struct pair pair;
	int before;

	add_bodies(bridge, 1);
	join(bridge, &pair, &lobby_standard);
	bridge_run(bridge, 5);
	from = bridge->origin.tick;
	bridge->context = &from;
	bridge->passes = loses_sixteen;
	bridge->answers = false;
	bridge_run(bridge, 16);
	before = pair.edge.counts[1];
	bridge_run(bridge, 30);
	assert_int_equal(pair.edge.counts[1], before);
	bridge->answers = true;
	bridge_run(bridge, 2);
	assert_true(pair.edge.counts[1] > before);
	assert_int_equal(pair.edge.errors, 0);
	assert_same_state(&pair, 1);
	leave(&pair);
}

static void a_frame_is_used_once(void **state)
{
	struct bridge *bridge = *state;
	struct pair pair;

	add_bodies(bridge, 2);
	join(bridge, &pair, &lobby_standard);
	for (int i = 0; i < 30; i++) {
		bridge_run(bridge, 1);
		int bundles = pair.edge.bundles;

		bridge_deliver(bridge, 0, bridge->origin.tick - 1);
		if (i > 5) {
			bridge_deliver(bridge, 0, bridge->origin.tick - 5);
		}
		jc_relayed_views_flush(&bridge->views, bridge->now_ns);
		assert_int_equal(pair.edge.bundles, bundles);
	}
	assert_int_equal(bridge->views.repeated, 54);
	assert_same_bundles(bridge, &pair, 5);
	leave(&pair);
}

/* The second view's frame comes after the wait for it is over. */
static bool delays_second(struct bridge *bridge, uint32_t tick, size_t view)
{
	if (view == 1 && tick % 5 == 0) {
		jc_relayed_views_flush(&bridge->views, bridge->now_ns);
	}
	return true;
}

static void a_late_frame_keeps_the_state_without_a_request(void **state)
{
	struct bridge *bridge = *state;
	struct jc_view_options coarse = lobby_standard;
	struct pair first, second;

	coarse.spec.precision = JC_PRECISION_COARSE;
	add_bodies(bridge, 2);
	join(bridge, &first, &lobby_standard);
	join(bridge, &second, &coarse);
	bridge_run(bridge, 2);
	bridge->asked = 0;
	bridge->passes = delays_second;
	bridge_run(bridge, 61);
	assert_true(bridge->views.late > 10);
	assert_int_equal(bridge->asked, 0);
	assert_int_equal(first.edge.errors + second.edge.errors, 0);
	assert_int_equal(first.edge.bundles, first.origin.bundles);
	/* No bundle says that nothing has moved. */
	assert_int_equal(second.edge.bundles, second.edge.counts[1]);
	bridge->passes = NULL;
	bridge_run(bridge, 1);
	assert_same_state(&second, 1);
	assert_same_state(&first, 2);
	leave(&first);
	leave(&second);
}

static void ticks_wait_for_all_views(void **state)
{
	struct bridge *bridge = *state;
	struct jc_view_options half = lobby_standard;
	struct pair whole, halved;

	half.spec.rate = 2;
	add_bodies(bridge, 1);
	join(bridge, &whole, &lobby_standard);
	join(bridge, &halved, &half);
	/* A view is waited for after its first frame. */
	bridge_run(bridge, 4);
	uint64_t ticks = bridge->views.ticks, late = bridge->views.late;
	int before = halved.edge.bundles;

	bridge_run(bridge, 20);
	assert_int_equal(bridge->views.ticks, ticks + 20);
	assert_int_equal(bridge->views.late, late);
	assert_int_equal(whole.edge.bundles, whole.origin.bundles);
	assert_int_equal(halved.edge.bundles, before + 10);
	assert_memory_equal(halved.edge.last, halved.origin.last, halved.origin.length);
	leave(&whole);
	leave(&halved);
}

static void the_age_of_used_frames_is_counted(void **state)
{
	const int64_t age_ns = 20000000;
	struct bridge *bridge = *state;
	struct jc_histogram added = { .count = 0 };
	struct pair pair;

	add_bodies(bridge, 1);
	join(bridge, &pair, &lobby_standard);
	bridge->views.added = &added;
	bridge_run(bridge, 3);
	assert_int_equal(added.count, 0); /* the clock of the origin is unknown */
	bridge->sent_ns = jc_clock_now_ns() - age_ns;
	bridge_run(bridge, 10);
	assert_int_equal(added.count, 10);
	assert_true(added.sum_ns >= 10 * (uint64_t)age_ns);
	assert_true(jc_histogram_quantile(&added, 0.0) >= age_ns);
	/* A late frame reaches nobody. */
	bridge_run(bridge, 1);
	bridge->views.ticked += 2;
	bridge_run(bridge, 1);
	assert_int_equal(added.count, 11);
	assert_int_equal(bridge->views.late, 1);
	assert_int_equal(bridge->views.frames, 15);
	leave(&pair);
}

static void private_views_are_composed_at_the_edge(void **state)
{
	struct bridge *bridge = *state;
	struct jc_view_options options = lobby_standard;
	struct pair pair;

	add_bodies(bridge, 12);
	options.spec.precision = JC_PRECISION_FINE;
	options.budget = 20000;
	options.viewpoint_count = 1;
	options.viewpoints[0] = (struct jc_viewpoint){ .position = { 0.0f, 1.6f, 3.0f },
		.direction = { 0.0f, 0.0f, -1.0f },
		.half_angle = 0.8f };
	options.ignored_count = 1;
	options.ignored[0] = 4;
	join(bridge, &pair, &options);
	assert_non_null(pair.edge.view.private_view);
	for (int i = 0; i < 300; i++) {
		pair.edge.choked = i % 50 > 47;
		if (i % 60 == 30) {
			options.viewpoints[0].position.z += 4.0f;
			assert_int_equal(
				jc_view_look(&pair.edge.view, options.viewpoints, 1), JC_OK);
		}
		bridge_run(bridge, 1);
	}
	bridge_run(bridge, 30);
	assert_int_equal(pair.edge.errors, 0);
	assert_int_equal(pair.edge.counts[4], 0);
	assert_true(bridge->views.count > 2);
	for (uint32_t id = 1; id <= 3; id++) {
		struct jc_stream_frame a, b;

		assert_true(pair.edge.counts[id] > 60);
		jc_stream_frame(&pair.origin.decoders[id], &a);
		jc_stream_frame(&pair.edge.decoders[id], &b);
		assert_true(
			jc_quat_angle(a.rotations[JC_BONE_HEAD], b.rotations[JC_BONE_HEAD]) < 0.2f);
	}
	leave(&pair);
}

static void a_body_on_another_skeleton_is_encoded_at_the_edge(void **state)
{
	struct bridge *bridge = *state;
	struct jc_view_options own = lobby_standard;
	struct pair edge;
	double most = 0.0, most_degrees;

	own.spec.precision = JC_PRECISION_FINE;
	add_bodies(bridge, 1);
	/* Both sides make the same skeleton, which has three bones. */
	own.asset = lobby_asset(&bridge->edge, "other", 1.2f);
	lobby_join(&bridge->edge, &edge.edge, 1);
	lobby_subscribe(&edge.edge, &own);
	own.asset = lobby_asset(&bridge->origin, "other", 1.2f);
	lobby_join(&bridge->origin, &edge.origin, 1);
	lobby_subscribe(&edge.origin, &own);
	bridge_run(bridge, 3);
	for (int i = 0; i < 120; i++) {
		struct jc_stream_frame a, b;

		bridge_run(bridge, 1);
		jc_stream_frame(&edge.origin.decoders[1], &a);
		jc_stream_frame(&edge.edge.decoders[1], &b);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			most = fmax(
				most, (double)jc_quat_angle(a.rotations[bone], b.rotations[bone]));
		}
	}
	most_degrees = most * 57.29577951;
	print_message("largest difference %g degrees, %d packets, %d errors\n", most_degrees,
		edge.edge.counts[1], edge.edge.errors);
	assert_int_equal(edge.edge.errors, 0);
	assert_true(edge.edge.counts[1] > 100);
	/* The head of this skeleton stands for four bones, each at most 0.06 degrees off as the
	 * edge receives it; the streams of both sides add as much. */
	assert_true(most_degrees > 0.0 && most_degrees <= (4 + 2) * 0.06);
	leave(&edge);
}

static void a_body_that_leaves_has_no_packets(void **state)
{
	struct bridge *bridge = *state;
	struct pair pair;
	int before;

	add_bodies(bridge, 2);
	join(bridge, &pair, &lobby_standard);
	bridge_run(bridge, 10);
	jc_space_relay_remove(bridge->edge.fanout.space, 1);
	before = pair.edge.counts[1];
	bridge_run(bridge, 10);
	assert_int_equal(pair.edge.counts[1], before);
	assert_int_equal(pair.edge.counts[2], pair.origin.counts[2]);
	bridge_announce(bridge); /* it is there again, with the same id */
	bridge_run(bridge, 5);
	assert_int_equal(pair.edge.errors, 0);
	assert_same_state(&pair, 1);
	leave(&pair);
}

static void interest_ends_after_the_last_use(void **state)
{
	struct bridge *bridge = *state;
	struct pair pair;

	add_bodies(bridge, 1);
	join(bridge, &pair, &lobby_standard);
	bridge_run(bridge, 3);
	assert_int_equal(bridge->views.count, 1);
	leave(&pair);
	bridge->now_ns += JC_INTEREST_LASTS_NS / 2;
	bridge_sweep(bridge);
	assert_int_equal(bridge->views.count, 1);
	bridge->now_ns += JC_INTEREST_LASTS_NS;
	bridge_sweep(bridge);
	assert_int_equal(bridge->views.count, 0);
	assert_int_equal(bridge->export_count, 0);
}

static void a_new_epoch_begins_without_the_old_streams(void **state)
{
	struct bridge *bridge = *state;
	const struct jc_relay_epoch epoch = { .id = 2, .epoch = 8, .hz = LOBBY_HZ };
	struct pair pair;

	add_bodies(bridge, 2);
	join(bridge, &pair, &lobby_standard);
	bridge_run(bridge, 10);
	jc_space_relay_begin(bridge->edge.fanout.space, &bridge->views.relay, &epoch);
	jc_fanout_restart(&bridge->edge.fanout);
	jc_relayed_views_restart(&bridge->views, &bridge->edge.fanout);
	assert_int_equal(jc_space_body_count(bridge->edge.fanout.space), 0);
	bridge->origin.tick = 3; /* ticks begin anew, as in another process */
	bridge_announce(bridge);
	bridge_run(bridge, 5);
	assert_int_equal(pair.edge.head.space, 2);
	assert_int_equal(pair.edge.head.tick, bridge->origin.tick - 1);
	assert_int_equal(pair.edge.errors, 0);
	assert_same_state(&pair, 1);
	leave(&pair);
}

/* A packet of body 1 with a section of coding 14, which no decoder knows. */
static size_t write_unknown(uint8_t *out_bytes, uint8_t sequence, bool needs_state)
{
	static const uint8_t whole[] = { 0x9e, 2, 7, 7 }, step[] = { 0, 0x9e, 1, 9 };
	const struct jc_packet_head head = { .body = 1,
		.sequence = sequence,
		.needs_state = needs_state,
		.shape = needs_state ? JC_SHAPE_MASK : JC_SHAPE_LIST };
	int length = jc_bundle_append(&head, needs_state ? step : whole, 4, out_bytes, 64);

	assert_true(length > 0);
	return (size_t)length;
}

static void take_unknown(struct bridge *bridge, uint8_t sequence, bool needs_state)
{
	uint8_t packet[64];
	const struct jc_relayed_frame frame = { .tick = 1000u + sequence,
		.sent_ns = INT64_MAX,
		.packets = packet,
		.length = write_unknown(packet, sequence, needs_state) };

	jc_relayed_views_take(&bridge->views, bridge->views.list[0], &frame, bridge->now_ns);
	jc_relayed_views_flush(&bridge->views, bridge->now_ns);
}

static void a_coding_that_the_edge_does_not_know_is_forwarded(void **state)
{
	struct bridge *bridge = *state;
	struct lobby_subscriber early, late;
	uint8_t packet[64];

	add_bodies(bridge, 1);
	lobby_join(&bridge->edge, &early, 1);
	lobby_subscribe(&early, &lobby_standard);
	jc_relayed_views_sweep(&bridge->views, bridge->now_ns);
	for (uint8_t i = 0; i < 4; i++) {
		take_unknown(bridge, i, i > 0);
	}
	assert_int_equal(early.counts[1], 4);
	assert_int_equal(early.keys[1], 1);
	lobby_join(&bridge->edge, &late, 2);
	lobby_subscribe(&late, &lobby_standard);
	bridge->views.list[0]->view->wants_rejoin = false;
	take_unknown(bridge, 4, true);
	assert_int_equal(early.counts[1], 5);
	assert_int_equal(late.counts[1], 0);
	assert_true(bridge->views.list[0]->view->wants_rejoin);
	/* The answer of the origin comes with the frame of its tick. */
	jc_relayed_view_take_rejoin(
		bridge->views.list[0]->view, 1005, packet, write_unknown(packet, 5, false));
	take_unknown(bridge, 5, true);
	assert_int_equal(late.keys[1], 1);
	assert_int_equal(early.counts[1], 6);
	assert_int_equal(early.keys[1], 1);
	take_unknown(bridge, 6, true);
	assert_int_equal(late.counts[1], 2);
	/* After a gap there is nothing until the origin answers. */
	take_unknown(bridge, 8, true);
	take_unknown(bridge, 9, true);
	assert_int_equal(late.counts[1], 2);
	assert_int_equal(early.counts[1], 7);
	assert_int_equal(early.errors + late.errors, 0);
	jc_view_leave(&early.view);
	jc_view_leave(&late.view);
}

/* Every packet from a stream of frames is one that the origin made, or none. */
static void damaged_frames_do_no_harm(void **state)
{
	struct bridge *bridge = *state;
	static uint8_t large[JC_LIMIT_BUNDLE_BYTES + 1];
	struct pair pair;
	unsigned seed = 1;

	add_bodies(bridge, 2);
	join(bridge, &pair, &lobby_standard);
	bridge_run(bridge, 5);
	struct jc_awaited_view *awaited = bridge->views.list[0];

	for (int i = 0; i < 400; i++) {
		struct bridge_export *export = &bridge->exports[0];
		struct jc_relayed_frame frame = { .sent_ns = INT64_MAX, .packets = large };

		lobby_run(&bridge->origin, 1);
		frame.tick = bridge->origin.tick - 1;
		memcpy(large, export->packets, export->length);
		frame.length = export->length;
		seed = seed * 1103515245u + 12345u;
		switch (i % 4) {
		case 0:
			frame.length = (seed >> 8) % (export->length + 1);
			break;
		case 1:
			large[(seed >> 8) % export->length] ^= (uint8_t)(1u << (seed >> 29));
			break;
		case 2:
			frame.length = sizeof(large) - (seed >> 30);
			break;
		default:
			frame.tick -= (seed >> 8) % 16;
			break;
		}
		jc_relayed_views_take(&bridge->views, awaited, &frame, bridge->now_ns);
		jc_relayed_views_flush(&bridge->views, bridge->now_ns);
	}
	assert_true(awaited->view->damaged > 0);
	/* A changed byte of a chain changes the motion unnoticed, until the next complete packet.
	 */
	lobby_run(&bridge->origin, 20);
	bridge_run(bridge, 10);
	assert_same_state(&pair, 1);
	assert_same_state(&pair, 2);
	leave(&pair);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(shared_views_are_the_same_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(
			packets_of_coding_1_are_the_same_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(a_cut_is_forwarded, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_late_joiner_gets_the_state_without_a_request, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_lossy_subscriber_continues_with_one_rejoin, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_gap_ends_with_a_packet_that_needs_no_state, setup, teardown),
		cmocka_unit_test_setup_teardown(
			as_many_lost_frames_as_sequences_are_noticed, setup, teardown),
		cmocka_unit_test_setup_teardown(
			without_an_answer_nothing_is_forwarded, setup, teardown),
		cmocka_unit_test_setup_teardown(a_frame_is_used_once, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_late_frame_keeps_the_state_without_a_request, setup, teardown),
		cmocka_unit_test_setup_teardown(ticks_wait_for_all_views, setup, teardown),
		cmocka_unit_test_setup_teardown(the_age_of_used_frames_is_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(
			private_views_are_composed_at_the_edge, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_body_on_another_skeleton_is_encoded_at_the_edge, setup, teardown),
		cmocka_unit_test_setup_teardown(a_body_that_leaves_has_no_packets, setup, teardown),
		cmocka_unit_test_setup_teardown(interest_ends_after_the_last_use, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_new_epoch_begins_without_the_old_streams, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_coding_that_the_edge_does_not_know_is_forwarded, setup, teardown),
		cmocka_unit_test_setup_teardown(damaged_frames_do_no_harm, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
