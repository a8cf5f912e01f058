/* Tests leaving bodies: the others keep their streams, ids are not reused, and no list changes
 * while it is walked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_text.h"
#include "jointcast/stream.h"
#include "jointcast/transform.h"
#include "nobody.h"
#include "space/shared_view.h"
#include "space/space.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)
#define HZ     60
#define IDS    8

/* Ticks after which the changes of a roster have been announced: 250 ms. */
#define ANNOUNCING (HZ / 4)

/* Nods at an individual speed. */
struct nodder {
	struct jc_source base;
	float speed;
	bool live, held;
	int *destroyed;
};

static struct jc_quat nod(float speed, int64_t now_ns)
{
	struct jc_vec3 x = { 1.0f, 0.0f, 0.0f };

	return jc_quat_from_axis_angle(x, sinf(speed * (float)(now_ns % SECOND) * 1e-9f));
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct nodder *nodder = (struct nodder *)base;

	*out_sample = (struct jc_source_sample){
		.capture_ns = now_ns, .live = nodder->live, .held = nodder->held
	};
	jc_pose_init(&out_sample->pose);
	out_sample->pose.states[JC_BONE_HEAD] = JC_TRACKED;
	out_sample->pose.rotations[JC_BONE_HEAD] = nod(nodder->speed, now_ns);
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	(void)base;
	*out_status = (struct jc_source_status){ .kind = "publisher" };
}

static void destroy(struct jc_source *base)
{
	struct nodder *nodder = (struct nodder *)base;

	++*nodder->destroyed;
	free(nodder);
}

static const struct jc_source_ops nodder_ops = {
	.sample = sample, .status = status, .destroy = destroy
};

/* A distribution that follows every body by its id, and can remove one whenever it
 * hears of a change. */
struct listener {
	struct jc_distribution base;
	struct jc_space *space;
	struct jc_shared_view *shared_view;
	struct jc_stream_decoder decoders[IDS];
	int packets[IDS];
	int errors;
	bool rejoins;
	uint32_t left[IDS];
	int left_count;
	uint64_t revision; /* tick of the announcement */
	uint32_t removes;  /* an id; 0: none */
};

static void on_plan(struct jc_distribution *base, uint32_t tick)
{
	struct listener *listener = (struct listener *)base;

	(void)tick;
	jc_shared_view_plan(listener->shared_view, listener->space, listener->rejoins);
}

static void on_send(struct jc_distribution *base, uint32_t tick)
{
	struct listener *listener = (struct listener *)base;
	struct jc_bundle_head bundle_head = { 1, tick };
	const struct jc_bundle *bundle =
		listener->rejoins ? &listener->shared_view->rejoin : &listener->shared_view->common;
	size_t at = 0;

	if (!jc_shared_view_compose(listener->shared_view, listener->space, &bundle_head)) {
		return;
	}
	while (at < bundle->length) {
		struct jc_packet_head head;
		const uint8_t *payload;
		size_t length;
		int used = jc_bundle_read_packet(
			bundle->bytes + at, bundle->length - at, &head, &payload, &length);

		assert_true(used > 0 && head.body > 0 && head.body < IDS);
		listener->errors += jc_stream_decode(&listener->decoders[head.body], &head, payload,
					    length) < 0;
		listener->packets[head.body]++;
		at += (size_t)used;
	}
}

static void on_announce(struct jc_distribution *base, const struct jc_announcement *announcement)
{
	struct listener *listener = (struct listener *)base;

	(void)announcement;
	listener->revision = jc_space_revision(listener->space);
	jc_space_remove(listener->space, listener->removes);
}

static void on_body_left(struct jc_distribution *base, uint32_t id, size_t slot)
{
	struct listener *listener = (struct listener *)base;

	jc_shared_view_leave(listener->shared_view, slot);
	listener->left[listener->left_count++] = id;
	jc_space_remove(listener->space, listener->removes);
}

static const struct jc_distribution_ops listener_ops = {
	.plan = on_plan,
	.cast = on_send,
	.body_entered = nobody_enters,
	.body_left = on_body_left,
	.roster_due = nobody_due,
	.announce = on_announce,
};

struct fixture {
	struct jc_skeleton_table skeleton_table;
	struct listener listener;
	struct jc_space *space;
	int destroyed;
	uint32_t tick;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct jc_diagnostic diagnostic;
	struct jc_space_options options = {
		.name = "lobby", .id = 1, .hz = HZ, .distribution = &fixture->listener.base
	};
	struct jc_stream_spec spec = { .chains = true,
		.precision = JC_PRECISION_STANDARD,
		.rate = 1,
		.sections = JC_STREAM_ALL };

	fixture->listener.base.ops = &listener_ops;
	assert_int_equal(jc_skeleton_table_init(&fixture->skeleton_table, &diagnostic), JC_OK);
	assert_int_equal(jc_space_create(&options, &fixture->space), JC_OK);
	fixture->listener.space = fixture->space;
	assert_int_equal(
		jc_shared_view_create(&spec, false, &fixture->listener.shared_view), JC_OK);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jc_shared_view_destroy(fixture->listener.shared_view);
	jc_space_destroy(fixture->space);
	jc_skeleton_table_finish(&fixture->skeleton_table);
	free(fixture);
	return 0;
}

static struct nodder *create(struct fixture *fixture, float speed)
{
	struct nodder *nodder = calloc(1, sizeof(*nodder));

	*nodder = (struct nodder){ .base.ops = &nodder_ops,
		.speed = speed,
		.live = true,
		.destroyed = &fixture->destroyed };
	return nodder;
}

static struct nodder *add(struct fixture *fixture, float speed)
{
	struct nodder *nodder = create(fixture, speed);

	assert_int_equal(
		jc_space_add(fixture->space, "n", fixture->skeleton_table.humanoid, &nodder->base),
		JC_OK);
	return nodder;
}

static int64_t run(struct fixture *fixture, int ticks)
{
	int64_t now_ns = 0;

	for (int i = 0; i < ticks; i++) {
		now_ns = (int64_t)fixture->tick * SECOND / HZ;
		jc_space_tick(fixture->space, fixture->tick++);
	}
	return now_ns;
}

/* The body as its listener has it nods at that speed. */
static void assert_nods(struct fixture *fixture, uint32_t id, float speed, int64_t now_ns)
{
	struct jc_stream_frame frame;

	jc_stream_frame(&fixture->listener.decoders[id], &frame);
	/* 0.25 degrees. */
	assert_true(jc_quat_angle(frame.rotations[JC_BONE_HEAD], nod(speed, now_ns)) < 0.00437f);
}

static void departure_keeps_streams_of_other_bodies(void **state)
{
	struct fixture *fixture = *state;

	for (int i = 1; i <= 3; i++) {
		add(fixture, (float)i);
	}
	run(fixture, 20);
	jc_space_remove(fixture->space, 1);
	int64_t now_ns = run(fixture, 20);

	/* No subscriber needed a rejoin: earlier state is still valid. */
	assert_int_equal(fixture->listener.errors, 0);
	assert_int_equal(fixture->listener.packets[1], 20);
	assert_nods(fixture, 2, 2.0f, now_ns);
	assert_nods(fixture, 3, 3.0f, now_ns);
	assert_int_equal(jc_space_body_count(fixture->space), 2);
	assert_int_equal(jc_space_body(fixture->space, 0)->id, 2);
}

static void next_body_has_a_new_id_and_a_new_stream(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, 1.0f);
	add(fixture, 2.0f);
	run(fixture, 7);
	jc_space_remove(fixture->space, 2);
	run(fixture, 1);
	add(fixture, 3.0f);
	int64_t now_ns = run(fixture, 9);

	assert_int_equal(jc_space_body(fixture->space, 1)->id, 3);
	assert_int_equal(fixture->listener.errors, 0);
	assert_nods(fixture, 1, 1.0f, now_ns);
	assert_nods(fixture, 3, 3.0f, now_ns);
}

static void announces_a_departure_once_with_the_next_revision(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, 1.0f);
	add(fixture, 2.0f);
	run(fixture, 2);
	jc_space_remove(fixture->space, 1);
	jc_space_remove(fixture->space, 1);
	jc_space_remove(fixture->space, 77);
	assert_int_equal(fixture->listener.left_count, 0);
	assert_int_equal(fixture->destroyed, 0);
	run(fixture, 2 * ANNOUNCING);
	assert_int_equal(fixture->listener.left_count, 1);
	assert_int_equal(fixture->listener.left[0], 1);
	assert_int_equal(fixture->listener.revision, 2);
	assert_int_equal(fixture->destroyed, 1);
}

static void body_can_be_removed_during_iteration(void **state)
{
	struct fixture *fixture = *state;

	struct nodder *first = add(fixture, 1.0f);

	add(fixture, 2.0f);
	add(fixture, 3.0f);
	run(fixture, 1);
	/* The first goes silent, which is announced in the middle of the tick. */
	first->live = false;
	fixture->listener.removes = 1;
	run(fixture, ANNOUNCING);
	fixture->listener.removes = 3;
	int64_t now_ns = run(fixture, 3);

	assert_int_equal(fixture->listener.left_count, 2);
	assert_int_equal(jc_space_body_count(fixture->space), 1);
	assert_nods(fixture, 2, 2.0f, now_ns);
	assert_int_equal(fixture->listener.errors, 0);
}

static void full_space_accepts_a_body_at_once_after_a_departure(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < JC_MAX_BODIES; i++) {
		add(fixture, 1.0f);
	}
	const struct jc_body *last = jc_space_body(fixture->space, JC_MAX_BODIES - 1);
	struct jc_vec3 spot = last->placement.position;

	jc_space_remove(fixture->space, last->id);
	add(fixture, 1.0f);
	assert_int_equal(jc_space_body_count(fixture->space), JC_MAX_BODIES);
	last = jc_space_body(fixture->space, JC_MAX_BODIES - 1);
	assert_int_equal(last->id, JC_MAX_BODIES + 1);
	assert_memory_equal(&last->placement.position, &spot, sizeof(spot));
}

/* A body whose source comes and goes, and has not delivered yet. */
static struct nodder *add_visitor(struct fixture *fixture, float speed, uint32_t *out_first_id)
{
	struct nodder *nodder = create(fixture, speed);
	const struct jc_entry entry = {
		.name = "v", .asset = fixture->skeleton_table.humanoid, .source = &nodder->base
	};

	nodder->base.comes_and_goes = nodder->base.is_awaited = true;
	nodder->live = false;
	assert_int_equal(jc_space_enter(fixture->space, &entry, out_first_id), JC_OK);
	return nodder;
}

/* The complete roster as a subscriber gets it. */
static void assert_roster(struct fixture *fixture, const char *wanted, bool is_in)
{
	struct jc_shared_text *roster = jc_space_roster(fixture->space);

	assert_int_equal(strstr(jc_shared_text_chars(roster), wanted) != NULL, is_in);
	jc_shared_text_drop(roster);
}

static void visitor_appears_with_its_first_motion(void **state)
{
	struct fixture *fixture = *state;
	uint32_t id;
	struct nodder *visitor = add_visitor(fixture, 3.0f, &id);

	add(fixture, 1.0f);
	run(fixture, 2 * ANNOUNCING);
	assert_int_equal(jc_space_body_count(fixture->space), 1);
	assert_int_equal(jc_space_waiting_count(fixture->space), 1);
	assert_ptr_equal(jc_space_waiting(fixture->space, 0)->source, visitor);
	assert_null(jc_space_find(fixture->space, id));
	assert_roster(fixture, "\"name\":\"v\",\"skeleton\"", false);
	assert_int_equal(fixture->listener.packets[id], 0);
	/* A pose that is held is not its motion. */
	visitor->live = visitor->held = true;
	run(fixture, 1);
	assert_int_equal(jc_space_body_count(fixture->space), 1);
	visitor->held = false;
	int64_t now_ns = run(fixture, 2 * ANNOUNCING);

	assert_int_equal(jc_space_waiting_count(fixture->space), 0);
	assert_ptr_equal(jc_space_find(fixture->space, id)->source, visitor);
	assert_roster(fixture, "\"name\":\"v\",\"skeleton\"", true);
	assert_nods(fixture, id, 3.0f, now_ns);
	assert_nods(fixture, 2, 1.0f, now_ns);
	assert_int_equal(fixture->listener.errors, 0);
	assert_int_equal(fixture->listener.left_count, 0);
}

#define WAITING(reason) ",\"waiting\":[{\"name\":\"v\",\"source\":\"publisher\"" reason "}]}"

static void roster_names_the_waiting_visitor_and_the_reason(void **state)
{
	struct fixture *fixture = *state;
	uint32_t id;
	struct nodder *visitor = add_visitor(fixture, 1.0f, &id);

	jc_space_set_leave_after(fixture->space, SECOND);
	run(fixture, 2 * ANNOUNCING);
	assert_roster(fixture, WAITING(""), true);
	visitor->base.reason = "no headset";
	run(fixture, 2 * ANNOUNCING);
	assert_roster(fixture, WAITING(",\"reason\":\"no headset\""), true);
	uint64_t revision = jc_space_revision(fixture->space);

	run(fixture, 4 * ANNOUNCING);
	assert_int_equal(jc_space_revision(fixture->space), revision);
	visitor->live = true;
	visitor->base.reason = NULL;
	run(fixture, 2 * ANNOUNCING);
	assert_int_equal(jc_space_revision(fixture->space), revision + 1);
	assert_roster(fixture, ",\"waiting\":[]}", true);
	visitor->live = false;
	visitor->base.reason = "nobody is tracked";
	run(fixture, HZ + 2 * ANNOUNCING);
	assert_roster(fixture, WAITING(",\"reason\":\"nobody is tracked\""), true);
	jc_space_remove(fixture->space, id);
	run(fixture, 2 * ANNOUNCING);
	assert_roster(fixture, ",\"waiting\":[]}", true);
}

static void publisher_is_shown_from_its_first_motion_on(void **state)
{
	struct fixture *fixture = *state;
	struct nodder *publisher = create(fixture, 3.0f);

	publisher->base.is_awaited = true;
	publisher->live = false;
	assert_int_equal(jc_space_add(fixture->space, "p", fixture->skeleton_table.humanoid,
				 &publisher->base),
		JC_OK);
	run(fixture, 2 * ANNOUNCING);
	assert_roster(fixture,
		"\"state\":\"stale\",\"mayRecord\":true,\"mayRebroadcast\":true,"
		"\"waiting\":true}",
		true);
	assert_int_equal(fixture->listener.packets[1], 0);
	publisher->live = true;
	int64_t now_ns = run(fixture, 1);

	/* Before the roster reports it. */
	assert_int_equal(fixture->listener.packets[1], 1);
	now_ns = run(fixture, 2 * ANNOUNCING);
	assert_nods(fixture, 1, 3.0f, now_ns);
	assert_roster(fixture, "\"waiting\"", false);
	int packets = fixture->listener.packets[1];

	publisher->live = false;
	run(fixture, 2 * ANNOUNCING);
	assert_roster(fixture, "\"waiting\"", false);
	assert_true(fixture->listener.packets[1] > packets);
}

static void visitor_without_motion_leaves_after_the_limit_and_returns_anew(void **state)
{
	struct fixture *fixture = *state;
	uint32_t id;
	struct nodder *visitor = add_visitor(fixture, 3.0f, &id);

	jc_space_set_leave_after(fixture->space, 2 * SECOND);
	visitor->live = true;
	run(fixture, 2 * ANNOUNCING);
	struct jc_vec3 spot = jc_space_find(fixture->space, id)->placement.position;

	/* Held, then at rest: each of these ticks still shows it. */
	visitor->held = true;
	run(fixture, HZ);
	visitor->live = false;
	run(fixture, HZ);
	int packets = fixture->listener.packets[id];

	assert_true(packets > 2 * HZ); /* none while the nod is too slow to be seen */
	assert_int_equal(jc_space_body_count(fixture->space), 1);
	run(fixture, ANNOUNCING);
	assert_int_equal(jc_space_body_count(fixture->space), 0);
	assert_int_equal(fixture->listener.packets[id], packets);
	assert_int_equal(fixture->listener.left_count, 1);
	assert_int_equal(fixture->listener.left[0], id);
	assert_int_equal(fixture->destroyed, 0);
	assert_roster(fixture, "\"bodies\":[]", true);
	add(fixture, 1.0f);

	visitor->live = true;
	visitor->held = false;
	int64_t now_ns = run(fixture, 2 * ANNOUNCING);
	const struct jc_body *body = jc_space_body(fixture->space, 1);

	assert_ptr_equal(body->source, visitor);
	assert_int_equal(body->id, 3);
	assert_string_equal(body->name, "v");
	assert_memory_equal(&body->placement.position, &spot, sizeof(spot));
	assert_nods(fixture, 3, 3.0f, now_ns);
	assert_nods(fixture, 2, 1.0f, now_ns);
	assert_int_equal(fixture->listener.errors, 0);
}

static void motion_before_the_limit_keeps_the_visitor(void **state)
{
	struct fixture *fixture = *state;
	uint32_t id;
	struct nodder *visitor = add_visitor(fixture, 3.0f, &id);

	jc_space_set_leave_after(fixture->space, 2 * SECOND);
	for (int i = 0; i < 5; i++) {
		visitor->live = true;
		run(fixture, 1);
		visitor->live = false;
		run(fixture, 2 * HZ - 1);
	}
	assert_non_null(jc_space_find(fixture->space, id));
	assert_int_equal(fixture->listener.left_count, 0);
}

static void removed_visitor_is_destroyed_while_it_waits_and_after_it_returned(void **state)
{
	struct fixture *fixture = *state;
	uint32_t ids[3];
	struct nodder *visitor;

	jc_space_set_leave_after(fixture->space, SECOND);
	for (int i = 0; i < 3; i++) {
		visitor = add_visitor(fixture, 1.0f, &ids[i]);
	}
	visitor->live = true;
	run(fixture, 1);
	visitor->live = false;
	run(fixture, HZ + 1);
	visitor->live = true;
	run(fixture, 1);
	assert_int_not_equal(jc_space_body(fixture->space, 0)->id, ids[2]);
	jc_space_remove(fixture->space, ids[2]);
	jc_space_remove(fixture->space, ids[0]);
	run(fixture, 1);
	assert_int_equal(fixture->destroyed, 2);
	assert_int_equal(jc_space_body_count(fixture->space), 0);
	assert_int_equal(jc_space_waiting_count(fixture->space), 1);
	assert_false(jc_space_is_idle(fixture->space));
	jc_space_remove(fixture->space, ids[1]);
	run(fixture, 1);
	assert_true(jc_space_is_idle(fixture->space));
}

static void waiting_visitor_keeps_its_place_and_its_name(void **state)
{
	struct fixture *fixture = *state;
	uint32_t id;
	struct nodder *visitor = add_visitor(fixture, 1.0f, &id);
	struct nodder *late = create(fixture, 1.0f);

	jc_space_limit(fixture->space, 2, 0);
	add(fixture, 1.0f);
	assert_int_equal(
		jc_space_add(fixture->space, "v", fixture->skeleton_table.humanoid, &late->base),
		JC_ERROR_LIMIT);
	jc_space_remove(fixture->space, 2);
	assert_int_equal(
		jc_space_add(fixture->space, "v", fixture->skeleton_table.humanoid, &late->base),
		JC_OK);
	assert_string_equal(jc_space_body(fixture->space, 0)->name, "v (2)");
	visitor->live = true;
	run(fixture, 1);
	assert_int_equal(jc_space_body_count(fixture->space), 2);
	assert_string_equal(jc_space_find(fixture->space, id)->name, "v");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(departure_keeps_streams_of_other_bodies),
		TEST(next_body_has_a_new_id_and_a_new_stream),
		TEST(announces_a_departure_once_with_the_next_revision),
		TEST(body_can_be_removed_during_iteration),
		TEST(full_space_accepts_a_body_at_once_after_a_departure),
		TEST(visitor_appears_with_its_first_motion),
		TEST(roster_names_the_waiting_visitor_and_the_reason),
		TEST(publisher_is_shown_from_its_first_motion_on),
		TEST(visitor_without_motion_leaves_after_the_limit_and_returns_anew),
		TEST(motion_before_the_limit_keeps_the_visitor),
		TEST(removed_visitor_is_destroyed_while_it_waits_and_after_it_returned),
		TEST(waiting_visitor_keeps_its_place_and_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
