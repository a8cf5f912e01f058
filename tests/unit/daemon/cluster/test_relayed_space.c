/* A relayed space follows the rosters and requests of a real exported space, in one process; the
 * test decides which messages arrive. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/shared_text.h"
#include "cluster/edge/relayed_roster.h"
#include "cluster/edge/relayed_space.h"
#include "cluster/origin/exported_space.h"
#include "cluster/view_spec.h"
#include "fake_link.h"
#include "lobby.h"
#include "moderation/sanction_history.h"

#define EPOCH 0xab12

struct stage {
	struct jc_outlet outlet;
	struct lobby origin;
	struct jc_spaces origin_spaces, edge_spaces;
	struct jc_sanction_history origin_sanctions;
	struct jc_sanctions edge_sanctions;
	struct jc_export export;
	struct jc_exported_space *exported;
	struct jc_nats_link link;
	struct jc_log log;
	struct jc_relayed_context context;
	struct jc_relayed_space *relayed;
	struct lobby_subscriber subscriber;
	int64_t ahead_ns; /* of the sweeps */
	int lost;         /* state changes to lose from now on */
	bool is_mute;     /* the origin publishes nothing */
	char removed[80]; /* who has to leave, last */
};

static void publish(struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	struct stage *stage = (struct stage *)outlet;

	if (!stage->is_mute) {
		fake_link_deliver(&stage->link, subject, bytes, length, false);
	}
}

static bool publish_spare(
	struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	publish(outlet, subject, bytes, length);
	return true;
}

static void publish_parts(
	struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	struct stage *stage = (struct stage *)outlet;
	bool is_change = strncmp(subject, "jc.", 3) == 0;

	if (stage->is_mute || (is_change && stage->lost > 0)) {
		stage->lost -= is_change;
	} else if (!fake_link_answer(&stage->link, subject, bytes, length)) {
		fake_link_deliver(&stage->link, subject, bytes, length, true);
	}
}

static const struct jc_outlet_ops outlet_ops = {
	.publish = publish, .publish_spare = publish_spare, .publish_parts = publish_parts
};

static void ignore_waiting(void *owner)
{
	(void)owner;
}

static void ignore_closed(void *owner, struct jc_fanout *fanout)
{
	(void)owner;
	(void)fanout;
}

static void on_removed(void *owner, struct jc_fanout *fanout, const char *who, const char *text,
	bool spares_administrators)
{
	struct stage *stage = owner;

	snprintf(stage->removed, sizeof(stage->removed), "%s %s %s %d",
		jc_space_options(fanout->space)->name, who, text, (int)spares_administrators);
}

/* The origin answers all requests that are open now. */
static void answer_all(struct stage *stage)
{
	for (struct fake_request *at; !stage->is_mute && (at = fake_link_find(&stage->link, ""));) {
		char text[sizeof(at->text)];

		snprintf(text, sizeof(text), "%s", at->text);
		jc_exported_space_answer(stage->exported, "edge", at->reply, (uint8_t *)text,
			strlen(text), jc_clock_now_ns());
	}
}

static void sweep(struct stage *stage, int64_t ns)
{
	stage->ahead_ns += ns;
	jc_relayed_space_sweep(stage->relayed, jc_clock_now_ns() + stage->ahead_ns);
	answer_all(stage);
}

static void run(struct stage *stage, int ticks)
{
	for (int i = 0; i < ticks; i++) {
		lobby_run(&stage->origin, 1);
		answer_all(stage);
	}
}

static void claim(struct stage *stage)
{
	struct jc_origin_claim claim = { .space = "lobby",
		.epoch = stage->exported->epoch,
		.revision = jc_space_revision(stage->origin.fanout.space) };

	jc_relayed_space_claim(stage->relayed, &claim, stage->export.incarnation,
		jc_clock_now_ns() + stage->ahead_ns);
}

static struct jc_fanout *fanout_of(struct stage *stage)
{
	return jc_spaces_find(&stage->edge_spaces, "lobby");
}

/* The complete roster without the fields that differ at an edge. */
static char *roster_of(struct jc_space *space)
{
	struct jc_shared_text *text = jc_space_roster(space);
	json_t *roster = json_loads(jc_shared_text_chars(text), 0, NULL);
	char *chars;

	json_object_del(roster, "id");
	json_object_del(roster, "epoch");
	json_object_del(roster, "tickTime");
	chars = jc_relayed_roster_text(roster);
	json_decref(roster);
	jc_shared_text_drop(text);
	return chars;
}

static void assert_same_roster(struct stage *stage)
{
	char *here = roster_of(fanout_of(stage)->space);
	char *there = roster_of(stage->origin.fanout.space);

	assert_string_equal(here, there);
	free(here);
	free(there);
}

static int setup(void **state)
{
	struct stage *stage = calloc(1, sizeof(*stage));
	struct jc_diagnostic diagnostic;

	assert_non_null(stage);
	stage->outlet.ops = &outlet_ops;
	lobby_open(&stage->origin, 0);
	assert_int_equal(jc_spaces_init(&stage->origin_spaces, &diagnostic), JC_OK);
	assert_int_equal(jc_spaces_init(&stage->edge_spaces, &diagnostic), JC_OK);
	stage->export = (struct jc_export){ .clock = &stage->origin_spaces.clock,
		.sanctions = &stage->origin_sanctions,
		.outlet = &stage->outlet,
		.origin = "origin",
		.incarnation = "0123456789abcdef" };
	stage->origin.fanout.policy = stage->origin_spaces.policy.space;
	assert_int_equal(jc_exported_space_create(
				 &stage->export, &stage->origin.fanout, EPOCH, &stage->exported),
		JC_OK);
	jc_log_init(&stage->log, STDERR_FILENO, NULL);
	stage->context = (struct jc_relayed_context){ .link = &stage->link,
		.spaces = &stage->edge_spaces,
		.sanctions = &stage->edge_sanctions,
		.log = &stage->log,
		.edge = "edge",
		.owner = stage,
		.on_waiting = ignore_waiting,
		.on_closed = ignore_closed,
		.on_removed = on_removed };
	assert_int_equal(jc_relayed_space_create(&stage->context, "lobby", &stage->relayed), JC_OK);
	*state = stage;
	return 0;
}

static int teardown(void **state)
{
	struct stage *stage = *state;

	jc_view_leave(&stage->subscriber.view);
	jc_relayed_space_destroy(stage->relayed);
	jc_exported_space_destroy(stage->exported);
	jc_spaces_finish(&stage->edge_spaces);
	lobby_close(&stage->origin);
	jc_spaces_finish(&stage->origin_spaces);
	jc_sanction_history_finish(&stage->origin_sanctions);
	jc_sanctions_finish(&stage->edge_sanctions);
	free(stage);
	return 0;
}

static void begin(struct stage *stage, int bodies)
{
	for (int i = 0; i < bodies; i++) {
		lobby_add(&stage->origin, 0)->restless = true;
	}
	run(stage, LOBBY_ANNOUNCING + 1);
	claim(stage);
	sweep(stage, 0);
	sweep(stage, 0);
	sweep(stage, 0);
	assert_non_null(fanout_of(stage));
}

/* A subscriber at the edge. */
static void watch(struct stage *stage)
{
	lobby_join(&stage->origin, &stage->subscriber, 9);
	jc_view_leave(&stage->subscriber.view);
	jc_view_join(&stage->subscriber.view, fanout_of(stage), &stage->subscriber.base);
	lobby_subscribe(&stage->subscriber, &lobby_standard);
	answer_all(stage);
}

static void the_roster_is_that_of_the_origin(void **state)
{
	struct stage *stage = *state;

	begin(stage, 3);
	assert_same_roster(stage);
	jc_space_describe(
		stage->origin.fanout.space, 2, "Ada \"B\" \xc3\xa9", strdup("{\"n\":0.1}"));
	jc_space_set_recorded(stage->origin.fanout.space, true);
	run(stage, LOBBY_ANNOUNCING + 1);
	assert_same_roster(stage);
	jc_space_remove(stage->origin.fanout.space, 1);
	lobby_add(&stage->origin, 0);
	run(stage, LOBBY_ANNOUNCING + 1);
	assert_same_roster(stage);
	assert_int_equal(stage->relayed->refused, 0);
	assert_false(stage->relayed->needs_state);
}

static void a_skeleton_is_fetched_before_its_body_enters(void **state)
{
	struct stage *stage = *state;
	struct jc_skeleton_asset *other = lobby_asset(&stage->origin, "other", 1.1f);

	begin(stage, 1);
	jc_space_wear(stage->origin.fanout.space, 1, other, NULL);
	stage->is_mute = false;
	run(stage, LOBBY_ANNOUNCING + 1);
	assert_same_roster(stage);
	assert_string_equal(jc_space_body(fanout_of(stage)->space, 0)->asset->hash, other->hash);
	assert_ptr_not_equal(jc_space_body(fanout_of(stage)->space, 0)->asset, other);
}

/* The answer with the state names a skeleton that the origin no longer has when the edge asks. */
static void a_body_that_leaves_before_its_skeleton_is_here_holds_nothing_up(void **state)
{
	struct stage *stage = *state;
	struct jc_skeleton_asset *other = lobby_asset(&stage->origin, "other", 1.1f);
	struct fake_request *at;

	lobby_add(&stage->origin, 0);
	lobby_add(&stage->origin, 0);
	jc_space_wear(stage->origin.fanout.space, 1, other, NULL);
	run(stage, LOBBY_ANNOUNCING + 1);
	claim(stage);
	for (int i = 0; i < 5 && !fake_link_find(&stage->link, "\"skeleton\""); i++) {
		jc_relayed_space_sweep(stage->relayed, jc_clock_now_ns());
		at = fake_link_find(&stage->link, "");
		assert_non_null(at);
		if (!strstr(at->text, "\"skeleton\"")) {
			jc_exported_space_answer(stage->exported, "edge", at->reply,
				(const uint8_t *)at->text, strlen(at->text), jc_clock_now_ns());
		}
	}
	assert_non_null(fake_link_find(&stage->link, "\"skeleton\""));
	jc_space_remove(stage->origin.fanout.space, 3); /* it has the other skeleton */
	run(stage, LOBBY_ANNOUNCING + 1);
	for (int i = 0; i < 4; i++) {
		claim(stage);
		sweep(stage, 1100000000);
	}
	assert_non_null(fanout_of(stage));
	assert_same_roster(stage);
}

static void packets_come_through(void **state)
{
	struct stage *stage = *state;

	begin(stage, 2);
	watch(stage);
	run(stage, 60);
	assert_int_equal(stage->subscriber.errors, 0);
	assert_true(stage->subscriber.counts[1] > 50 && stage->subscriber.counts[2] > 50);
	/* An entering body has packets after its roster entry. */
	lobby_add(&stage->origin, 0)->restless = true;
	for (int i = 0; i < 40; i++) {
		run(stage, 1);
		assert_true(stage->subscriber.counts[3] == 0 ||
			    jc_space_find(fanout_of(stage)->space, 3));
	}
	assert_true(stage->subscriber.counts[3] > 10);
	assert_int_equal(stage->relayed->early, 0);
	assert_int_equal(stage->subscriber.errors, 0);
}

/* Other edges want one view each, which the edge does not; no view: none any more. */
static void want_elsewhere(struct stage *stage, int edges, bool wants)
{
	for (int i = 0; i < edges; i++) {
		struct jc_stream_spec spec = lobby_standard.spec;
		char name[32], reply[64];
		json_t *request;
		char *text;

		spec.rate = 4;
		spec.sections = (unsigned)i + 1;
		snprintf(name, sizeof(name), "other-%d", i);
		snprintf(reply, sizeof(reply), "_INBOX.%s.1", name);
		request = json_pack("{ss so si}", "type", "interest", "views",
			wants ? json_pack("[o]", jc_view_spec_pack(&spec)) : json_array(),
			"watched", 1);
		text = json_dumps(request, 0);
		jc_exported_space_answer(stage->exported, name, reply, (uint8_t *)text,
			strlen(text), jc_clock_now_ns());
		free(text);
		json_decref(request);
	}
}

static void a_view_that_the_origin_leaves_out_is_encoded_here(void **state)
{
	struct stage *stage = *state;
	int received;

	begin(stage, 2);
	want_elsewhere(stage, 8, true);
	watch(stage);
	run(stage, 10);
	assert_int_equal(stage->exported->view_count, 8);
	sweep(stage, 0);
	/* The view from which others are encoded stays wanted. */
	assert_int_equal(stage->relayed->views.count, 1);
	assert_true(jc_stream_spec_is_source(&stage->relayed->views.list[0]->view->spec));
	assert_int_equal(stage->subscriber.counts[1], 0);
	/* The interest is repeated. */
	want_elsewhere(stage, 8, false);
	sweep(stage, INT64_C(2100000000));
	run(stage, 60);
	assert_int_equal(stage->exported->view_count, 1);
	received = stage->subscriber.counts[1];
	assert_true(received > 40 && stage->subscriber.counts[2] > 40);
	/* After a while the view is asked for again, and the other one is no longer used. */
	sweep(stage, INT64_C(9000000000));
	run(stage, 60);
	assert_int_equal(stage->relayed->views.count, 1);
	assert_false(jc_stream_spec_is_source(&stage->relayed->views.list[0]->view->spec));
	assert_true(stage->subscriber.counts[1] > received + 40);
	assert_int_equal(stage->subscriber.errors, 0);
}

static void a_lost_change_ends_with_the_state(void **state)
{
	struct stage *stage = *state;

	begin(stage, 2);
	watch(stage);
	run(stage, 5);
	stage->lost = 1;
	jc_space_remove(stage->origin.fanout.space, 1);
	lobby_add(&stage->origin, 0)->restless = true;
	run(stage, 30);
	assert_true(stage->relayed->early > 0);
	assert_true(stage->relayed->needs_state);
	assert_int_equal(stage->subscriber.counts[3], 0);
	sweep(stage, 1100000000);
	assert_same_roster(stage);
	run(stage, 20);
	assert_true(stage->subscriber.counts[3] > 0);
	assert_int_equal(stage->subscriber.errors, 0);
}

#define HEAD "{\"epoch\":\"ab12\",\"incarnation\":"
#define LEFT(revision)                                                                             \
	"\"{\\\"type\\\":\\\"roster\\\",\\\"space\\\":\\\"lobby\\\",\\\"revision\\\":" #revision   \
	",\\\"left\\\":[1]}\"}"

static void a_repeated_or_foreign_change_does_nothing(void **state)
{
	struct stage *stage = *state;
	static const char *const texts[] = {
		HEAD "\"0123456789abcdef\",\"revision\":1,\"change\":" LEFT(1),
		HEAD "\"ffff\",\"revision\":2,\"change\":" LEFT(2),
		HEAD "\"0123456789abcdef\",\"policy\":{}}",
		"{",
		"[]",
		"{\"change\":7}",
	};

	begin(stage, 2);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		fake_link_deliver(&stage->link, "jc.lobby.s", texts[i], strlen(texts[i]), true);
	}
	assert_same_roster(stage);
	fake_link_deliver(&stage->link, "jc.lobby.s", "abc", 3, false);
	assert_same_roster(stage);
}

static void a_silent_origin_makes_bodies_stale_then_they_leave(void **state)
{
	struct stage *stage = *state;

	begin(stage, 2);
	watch(stage);
	run(stage, 10);
	stage->is_mute = true;
	sweep(stage, 500000000);
	assert_true(jc_space_body(fanout_of(stage)->space, 0)->live);
	sweep(stage, 600000000);
	assert_int_equal(jc_space_body_count(fanout_of(stage)->space), 2);
	assert_false(jc_space_body(fanout_of(stage)->space, 0)->live);
	sweep(stage, INT64_C(31000000000));
	assert_int_equal(jc_space_body_count(fanout_of(stage)->space), 0);
	stage->is_mute = false;
	claim(stage);
	sweep(stage, 0); /* answers come in the time of the test, which is behind */
	assert_same_roster(stage);
	assert_true(jc_space_body(fanout_of(stage)->space, 0)->live);
}

static void policy_and_sanctions_are_those_of_the_origin(void **state)
{
	struct stage *stage = *state;
	struct jc_sanction ban = { .space = "lobby",
		.kind = JC_SANCTION_BAN,
		.who = "subject ada",
		.by = "subject eve",
		.since_s = 1,
		.until_s = INT64_MAX };

	begin(stage, 1);
	stage->origin.fanout.policy.subscribers = 7;
	assert_int_equal(jc_sanction_history_put(&stage->origin_sanctions, &ban), JC_OK);
	jc_exported_space_sweep(stage->exported, jc_clock_now_ns());
	assert_int_equal(fanout_of(stage)->policy.subscribers, 7);
	assert_non_null(
		jc_sanctions_find(&stage->edge_sanctions, "lobby", JC_SANCTION_BAN, "subject ada"));
	jc_sanction_history_lift(
		&stage->origin_sanctions, "lobby", JC_SANCTION_BAN, "subject ada", 1);
	jc_exported_space_sweep(stage->exported, jc_clock_now_ns());
	assert_int_equal(stage->edge_sanctions.count, 0);
}

static void an_origin_that_lost_changes_is_asked_for_the_state(void **state)
{
	struct stage *stage = *state;

	begin(stage, 1);
	stage->lost = 1;
	stage->origin.fanout.policy.subscribers = 7;
	jc_exported_space_sweep(stage->exported, jc_clock_now_ns());
	sweep(stage, 1100000000);
	assert_int_not_equal(fanout_of(stage)->policy.subscribers, 7);
	jc_exported_space_lost(stage->exported);
	sweep(stage, 1100000000);
	assert_int_equal(fanout_of(stage)->policy.subscribers, 7);
	assert_same_roster(stage);
}

/* A space with another policy than that of its origin would be open to others. */
static void a_state_without_valid_policy_is_refused(void **state)
{
	struct stage *stage = *state;
	struct jc_permit *watch;

	lobby_add(&stage->origin, 0);
	run(stage, LOBBY_ANNOUNCING + 1);
	watch = jc_space_policy_permit(&stage->origin.fanout.policy, JC_ROLE_WATCH);
	watch->count = 1; /* a subject without a name */
	claim(stage);
	sweep(stage, 0);
	sweep(stage, 0);
	assert_null(fanout_of(stage));
	assert_true(stage->relayed->refused > 0);
	watch->count = 0;
	sweep(stage, 1100000000);
	assert_non_null(fanout_of(stage));
}

/* Of what the edge asked the earlier one nothing is answered, nor has it timed out. */
static void another_origin_serves_while_requests_to_the_earlier_one_wait(void **state)
{
	struct stage *stage = *state;

	begin(stage, 2);
	watch(stage);
	run(stage, 10);
	stage->is_mute = true;
	jc_relayed_space_abandon(stage->relayed, jc_clock_now_ns() + stage->ahead_ns);
	sweep(stage, INT64_C(2100000000));
	assert_non_null(fake_link_find(&stage->link, "\"clock\""));
	assert_non_null(fake_link_find(&stage->link, "\"interest\""));
	jc_exported_space_destroy(stage->exported);
	strcpy(stage->export.incarnation, "fedcba9876543210");
	assert_int_equal(jc_exported_space_create(&stage->export, &stage->origin.fanout, EPOCH + 1,
				 &stage->exported),
		JC_OK);

	uint32_t id = jc_space_options(fanout_of(stage)->space)->id;
	int received = stage->subscriber.bundles;

	stage->ahead_ns = 0; /* answers come in the time of the test */
	claim(stage);
	/* Requests from before the claim stay without an answer. */
	assert_null(fake_link_find(&stage->link, "\"interest\""));
	stage->is_mute = false;
	answer_all(stage);
	assert_int_not_equal(jc_space_options(fanout_of(stage)->space)->id, id);
	assert_same_roster(stage);
	run(stage, 10);
	assert_true(stage->subscriber.bundles > received);
}

/* Also where the edge has had no session and no client until now. */
static void who_has_to_leave_is_told_to_every_edge(void **state)
{
	static const char *const wrong[] = { "{}", "7", "{\"who\":\"a\",\"text\":\"\"}",
		"{\"who\":1,\"text\":\"\",\"sparesAdministrators\":true}" };
	struct stage *stage = *state;
	uint64_t refused;
	char text[160];

	begin(stage, 1);
	jc_exported_space_remove(stage->exported, "subject ada", "{}", true);
	assert_string_equal(stage->removed, "lobby subject ada {} 1");
	jc_exported_space_remove(stage->exported, "subject bo", "{}", false);
	assert_string_equal(stage->removed, "lobby subject bo {} 0");
	stage->removed[0] = '\0';
	refused = stage->relayed->refused;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(text, sizeof(text),
			"{\"epoch\":\"%x\",\"incarnation\":\"%s\",\"moderated\":%s}", EPOCH,
			stage->export.incarnation, wrong[i]);
		fake_link_deliver(&stage->link, "jc.lobby.s", text, strlen(text), true);
	}
	assert_int_equal(stage->relayed->refused, refused + 4);
	assert_string_equal(stage->removed, "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_roster_is_that_of_the_origin, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_skeleton_is_fetched_before_its_body_enters, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_body_that_leaves_before_its_skeleton_is_here_holds_nothing_up, setup,
			teardown),
		cmocka_unit_test_setup_teardown(packets_come_through, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_view_that_the_origin_leaves_out_is_encoded_here, setup, teardown),
		cmocka_unit_test_setup_teardown(a_lost_change_ends_with_the_state, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_repeated_or_foreign_change_does_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_silent_origin_makes_bodies_stale_then_they_leave, setup, teardown),
		cmocka_unit_test_setup_teardown(
			policy_and_sanctions_are_those_of_the_origin, setup, teardown),
		cmocka_unit_test_setup_teardown(
			an_origin_that_lost_changes_is_asked_for_the_state, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_state_without_valid_policy_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(
			another_origin_serves_while_requests_to_the_earlier_one_wait, setup,
			teardown),
		cmocka_unit_test_setup_teardown(
			who_has_to_leave_is_told_to_every_edge, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
