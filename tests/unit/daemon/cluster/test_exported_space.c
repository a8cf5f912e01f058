/* Tests what an origin publishes of a space: frames for interested edges alone, the same bytes as
 * for its own clients, rejoin packets on request, changes of the state, and answers. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "base/clock.h"
#include "cluster/frame_message.h"
#include "cluster/origin/exported_space.h"
#include "cluster/policy_message.h"
#include "cluster/view_spec.h"
#include "lobby.h"
#include "moderation/sanction_history.h"

#define SECOND INT64_C(1000000000)
#define SERVED 32 /* ids of bodies */

/* An outlet that keeps the last message, and follows frames as an edge does. */
struct wire {
	struct jc_outlet base;
	bool is_deaf; /* counts only */
	bool is_full; /* takes nothing that can come later */
	int frames, rejoins, texts;
	char subject[JC_MAX_NATS_SUBJECT], rejoin_subject[JC_MAX_NATS_SUBJECT];
	struct jc_frame_message head;
	size_t length;
	uint8_t packets[65536]; /* of the last frame of a tick */
	json_t *last;           /* text */
	struct jc_stream_decoder followers[SERVED], joined[SERVED];
	int errors;
};

struct scene {
	struct lobby lobby;
	struct wire wire;
	struct jc_sanction_history sanctions;
	struct jc_clock clock;
	struct jc_export source;
	struct jc_exported_space *exported;
	int64_t now_ns;
};

static void follow(struct jc_stream_decoder decoders[SERVED],
	const struct jc_frame_message *message, int *errors)
{
	size_t at = 0;

	while (at < message->packets_length) {
		struct jc_packet_head head;
		const uint8_t *payload;
		size_t length;
		int used = jc_bundle_read_packet(message->packets + at,
			message->packets_length - at, &head, &payload, &length);

		assert_true(used > 0 && head.body < SERVED);
		*errors += jc_stream_decode(&decoders[head.body], &head, payload, length) < 0;
		at += (size_t)used;
	}
}

static void on_frame(struct wire *wire, const struct jc_frame_message *message)
{
	if (message->kind == JC_FRAME_REJOIN) {
		wire->rejoins++;
		strcpy(wire->rejoin_subject, wire->subject);
		follow(wire->joined, message, &wire->errors);
		return;
	}
	wire->frames++;
	wire->head = *message;
	wire->length = message->packets_length;
	memcpy(wire->packets, message->packets, message->packets_length);
	follow(wire->followers, message, &wire->errors);
	for (size_t i = 0; i < SERVED; i++) {
		wire->joined[i].started &= wire->followers[i].started;
	}
}

static void publish(struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	struct wire *wire = (struct wire *)outlet;
	struct jc_frame_message message;

	if (wire->is_deaf) {
		wire->frames++;
		return;
	}
	assert_int_equal(jc_frame_message_read(bytes, length, &message), JC_OK);
	strcpy(wire->subject, subject);
	on_frame(wire, &message);
}

static bool publish_spare(
	struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	if (((struct wire *)outlet)->is_full) {
		return false;
	}
	publish(outlet, subject, bytes, length);
	return true;
}

static void publish_parts(
	struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	struct wire *wire = (struct wire *)outlet;

	strcpy(wire->subject, subject);
	wire->texts++;
	json_decref(wire->last);
	wire->last = json_loadb(bytes, length, 0, NULL);
	assert_non_null(wire->last);
}

static const struct jc_outlet_ops wire_ops = {
	.publish = publish, .publish_spare = publish_spare, .publish_parts = publish_parts
};

static int setup(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	lobby_open(&scene->lobby, 0);
	jc_clock_init(&scene->clock);
	scene->now_ns = SECOND;
	scene->wire.base.ops = &wire_ops;
	scene->source = (struct jc_export){ .clock = &scene->clock,
		.sanctions = &scene->sanctions,
		.outlet = &scene->wire.base,
		.origin = "stage",
		.incarnation = "00ff" };
	scene->lobby.fanout.policy = (struct jc_space_policy){ .hz = LOBBY_HZ, .subscribers = 100 };
	assert_int_equal(jc_exported_space_create(
				 &scene->source, &scene->lobby.fanout, 0xab12, &scene->exported),
		JC_OK);
	*state = scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *scene = *state;

	jc_exported_space_destroy(scene->exported);
	json_decref(scene->wire.last);
	jc_sanction_history_finish(&scene->sanctions);
	lobby_close(&scene->lobby);
	free(scene);
	return 0;
}

static void ask_text_as(struct scene *scene, const char *edge, const char *text)
{
	char reply[JC_MAX_REPLY_SUBJECT];

	snprintf(reply, sizeof(reply), "_INBOX.%s.1", edge);
	jc_exported_space_answer(
		scene->exported, edge, reply, (const uint8_t *)text, strlen(text), scene->now_ns);
}

static void ask_text(struct scene *scene, const char *text)
{
	ask_text_as(scene, "a", text);
}

/* Steals the request; returns the answer, which the wire keeps. */
static json_t *ask_as(struct scene *scene, const char *edge, json_t *request)
{
	char *text = json_dumps(request, 0);

	json_decref(scene->wire.last);
	scene->wire.last = NULL;
	ask_text_as(scene, edge, text);
	free(text);
	json_decref(request);
	return scene->wire.last;
}

static json_t *ask(struct scene *scene, json_t *request)
{
	return ask_as(scene, "a", request);
}

static bool is_refused(const json_t *answer)
{
	return json_string_value(json_object_get(answer, "error")) != NULL;
}

/* A list of views; steals the spec. */
static json_t *want(struct scene *scene, const char *edge, json_t *spec)
{
	return ask_as(scene, edge,
		json_pack("{ss so si}", "type", "interest", "views",
			spec ? json_pack("[o]", spec) : json_array(), "watched", 3));
}

static json_t *standard_at(uint32_t rate)
{
	struct jc_stream_spec spec = lobby_standard.spec;

	spec.rate = rate;
	return jc_view_spec_pack(&spec);
}

static void interest_of(struct scene *scene, const char *edge)
{
	json_t *answer = want(scene, edge, standard_at(1));

	assert_int_equal(json_integer_value(json_object_get(answer, "expires")), 6);
}

static const char *token_of(uint32_t rate)
{
	static char token[JC_VIEW_TOKEN];
	struct jc_stream_spec spec = lobby_standard.spec;

	spec.rate = rate;
	assert_int_equal(jc_view_token(&spec, token), JC_OK);
	return token;
}

static void ask_rejoin(struct scene *scene, int count)
{
	for (int i = 0; i < count; i++) {
		/* The frame comes on the subject of the view. */
		assert_int_equal(json_object_size(ask(scene, json_pack("{ss ss}", "type", "rejoin",
								     "view", token_of(1)))),
			0);
	}
}

static void without_interest_nothing_is_published_and_nothing_encoded(void **state)
{
	struct scene *scene = *state;

	lobby_add(&scene->lobby, 0)->restless = true;
	lobby_run(&scene->lobby, LOBBY_HZ);
	assert_int_equal(scene->wire.frames, 0);
	assert_int_equal(jc_space_stream_count(scene->lobby.fanout.space), 0);
	assert_int_equal(scene->lobby.fanout.view_count, 0);
	assert_int_equal(scene->lobby.fanout.remote_count, 0);
}

static void frames_hold_the_packets_of_the_origins_own_clients(void **state)
{
	struct scene *scene = *state;
	struct lobby_subscriber *client = malloc(sizeof(*client));
	char subject[JC_MAX_NATS_SUBJECT];

	lobby_add(&scene->lobby, 0)->restless = true;
	lobby_add(&scene->lobby, 0);
	lobby_join(&scene->lobby, client, 1);
	lobby_subscribe(client, &lobby_standard);
	interest_of(scene, "edge-1");
	lobby_run(&scene->lobby, LOBBY_ANNOUNCING + 2);
	for (int i = 0; i < LOBBY_HZ; i++) {
		int before = client->bundles;

		lobby_run(&scene->lobby, 1);
		assert_int_equal(client->bundles, before + 1);
		assert_int_equal(scene->wire.head.tick, scene->lobby.tick - 1);
		/* Without the head of the bundle, one byte. */
		assert_int_equal(scene->wire.length, client->length - 1);
		assert_memory_equal(scene->wire.packets, client->last + 1, scene->wire.length);
	}
	assert_int_equal(scene->wire.errors, 0);
	assert_int_equal(scene->wire.head.space, scene->exported->number);
	assert_int_equal(scene->wire.head.revision, jc_space_revision(scene->lobby.fanout.space));
	assert_true(scene->wire.head.sent_us >= 0);
	jc_subject_of_frames("lobby", token_of(1), subject);
	assert_string_equal(scene->wire.subject, subject);
	/* One stream a body, for the client and the edge. */
	assert_int_equal(jc_space_stream_count(scene->lobby.fanout.space), 2);
	jc_view_leave(&client->view);
	free(client);
}

static void each_tick_of_the_rate_has_a_frame_also_without_packets(void **state)
{
	struct scene *scene = *state;

	want(scene, "edge-1", standard_at(2));
	lobby_run(&scene->lobby, LOBBY_HZ); /* no body */
	assert_int_equal(scene->wire.frames, LOBBY_HZ / 2);
	assert_int_equal(scene->wire.length, 0);
	lobby_add(&scene->lobby, 0); /* does not move */
	lobby_run(&scene->lobby, LOBBY_HZ);
	assert_int_equal(scene->wire.frames, LOBBY_HZ);
	assert_true(scene->wire.followers[1].started);
}

static void a_hidden_body_is_in_no_frame(void **state)
{
	struct scene *scene = *state;

	lobby_add(&scene->lobby, 0)->restless = true;
	lobby_add(&scene->lobby, 0)->restless = true;
	jc_space_moderate(scene->lobby.fanout.space, 1, true, false);
	interest_of(scene, "edge-1");
	lobby_run(&scene->lobby, LOBBY_HZ);
	ask_rejoin(scene, 1);
	lobby_run(&scene->lobby, LOBBY_HZ);
	assert_false(scene->wire.followers[1].started || scene->wire.joined[1].started);
	assert_true(scene->wire.followers[2].started && scene->wire.joined[2].started);
}

static void one_frame_answers_all_rejoins_four_times_a_second(void **state)
{
	struct scene *scene = *state;
	char subject[JC_MAX_NATS_SUBJECT];

	lobby_add(&scene->lobby, 0)->restless = true;
	interest_of(scene, "edge-1");
	lobby_run(&scene->lobby, LOBBY_HZ);
	ask_rejoin(scene, 3);
	assert_int_equal(scene->wire.rejoins, 0);
	lobby_run(&scene->lobby, 2);
	assert_int_equal(scene->wire.rejoins, 1); /* for all */
	jc_subject_of_frames("lobby", token_of(1), subject);
	assert_string_equal(scene->wire.rejoin_subject, subject);
	assert_int_equal(scene->exported->views[0]->rejoins, 1);
	assert_true(scene->wire.joined[1].started);
	assert_memory_equal(&scene->wire.joined[1].chains[0].items,
		&scene->wire.followers[1].chains[0].items,
		sizeof(scene->wire.joined[1].chains[0].items));
	for (int tick = 0; tick < 10 * LOBBY_HZ; tick++) {
		ask_rejoin(scene, 1);
		scene->now_ns += SECOND / LOBBY_HZ;
		lobby_run(&scene->lobby, 1);
	}
	assert_in_range(scene->exported->views[0]->rejoins, 38, 41);
	assert_int_equal(scene->wire.errors, 0);
	assert_int_equal(scene->wire.frames, 11 * LOBBY_HZ + 2);
	assert_int_equal(scene->lobby.fanout.skipped, 0);
}

static void rejoins_wait_where_they_would_take_the_room_of_frames(void **state)
{
	struct scene *scene = *state;

	lobby_add(&scene->lobby, 0)->restless = true;
	interest_of(scene, "edge-1");
	lobby_run(&scene->lobby, LOBBY_HZ);
	scene->wire.is_full = true;
	ask_rejoin(scene, 1);
	lobby_run(&scene->lobby, LOBBY_HZ);
	assert_int_equal(scene->wire.rejoins, 0);
	assert_int_equal(scene->wire.frames, 2 * LOBBY_HZ);
	scene->wire.is_full = false;
	lobby_run(&scene->lobby, LOBBY_HZ);
	assert_int_equal(scene->wire.rejoins, 1);
	assert_true(scene->wire.joined[1].started);
	assert_int_equal(scene->wire.frames, 3 * LOBBY_HZ);
	assert_int_equal(scene->wire.errors, 0);
}

static void interest_ends_when_it_expires_or_its_last_edge_does(void **state)
{
	struct scene *scene = *state;

	interest_of(scene, "edge-1");
	interest_of(scene, "edge-2");
	assert_int_equal(scene->lobby.fanout.remote_count, 6);
	/* What one edge states does not fill the space. */
	scene->lobby.fanout.policy.subscribers = 4;
	interest_of(scene, "edge-2");
	assert_int_equal(scene->lobby.fanout.remote_count, 4);
	want(scene, "edge-1", NULL);
	scene->now_ns += 5 * SECOND;
	jc_exported_space_sweep(scene->exported, scene->now_ns);
	lobby_run(&scene->lobby, 3);
	assert_int_equal(scene->wire.frames, 3);
	scene->now_ns += SECOND;
	jc_exported_space_sweep(scene->exported, scene->now_ns);
	lobby_run(&scene->lobby, 3);
	assert_int_equal(scene->wire.frames, 3);
	assert_int_equal(scene->lobby.fanout.remote_count, 0);
	assert_int_equal(jc_space_stream_count(scene->lobby.fanout.space), 0);
}

static void more_edges_cost_nothing_more_and_a_tick_allocates_nothing(void **state)
{
	static const char *const edges[] = { "edge-1", "edge-2", "edge-3" };
	struct scene *scene = *state;
	int published[3];

	for (int i = 0; i < 4; i++) {
		lobby_add(&scene->lobby, 0)->restless = true;
	}
	scene->wire.is_deaf = true;
	for (size_t i = 0; i < 3; i++) {
		interest_of(scene, edges[i]);
		lobby_run(&scene->lobby, LOBBY_HZ);
		scene->wire.frames = 0;
		ask_rejoin(scene, 1);
		allocator_begin(1);
		lobby_run(&scene->lobby, LOBBY_HZ);
		assert_false(allocator_end());
		published[i] = scene->wire.frames;
		assert_int_equal(scene->exported->view_count, 1);
		assert_int_equal(jc_space_stream_count(scene->lobby.fanout.space), 4);
		assert_int_equal(scene->lobby.fanout.shared_view_count, 1);
	}
	assert_int_equal(published[0], LOBBY_HZ + 1);
	assert_int_equal(published[1], published[0]);
	assert_int_equal(published[2], published[0]);
}

static void the_state_is_complete(void **state)
{
	struct scene *scene = *state;
	struct jc_fanout *fanout = &scene->lobby.fanout;
	const char *props = "{\"type\":\"props\",\"props\":[]}";
	const struct jc_sanction ban = { "lobby", JC_SANCTION_BAN, "subject eve", "subject ada", "",
		1, INT64_MAX };
	struct jc_space_policy policy;
	bool is_closed;
	json_t *answer, *roster;

	lobby_add(&scene->lobby, 0);
	jc_fanout_set_props(fanout, jc_shared_text_create(props, strlen(props)));
	jc_sanction_history_put(&scene->sanctions, &ban);
	fanout->policy.bodies = 9;
	answer = ask(scene, json_pack("{ss}", "type", "state"));
	assert_string_equal(json_string_value(json_object_get(answer, "origin")), "stage");
	assert_string_equal(json_string_value(json_object_get(answer, "incarnation")), "00ff");
	assert_string_equal(json_string_value(json_object_get(answer, "epoch")), "ab12");
	assert_int_equal(
		json_integer_value(json_object_get(answer, "id")), scene->exported->number);
	assert_int_equal(json_integer_value(json_object_get(answer, "tickHz")), LOBBY_HZ);
	assert_int_equal(json_integer_value(json_object_get(answer, "revision")), 1);
	roster = json_loads(json_string_value(json_object_get(answer, "roster")), 0, NULL);
	assert_int_equal(json_integer_value(json_object_get(roster, "revision")), 1);
	assert_int_equal(json_array_size(json_object_get(roster, "bodies")), 1);
	json_decref(roster);
	assert_null(jc_policy_message_read(json_object_get(answer, "policy"), &policy, &is_closed));
	assert_int_equal(policy.bodies, 9);
	assert_int_equal(json_array_size(json_object_get(answer, "sanctions")), 1);
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(answer, "texts"), "props")),
		props);
	assert_string_equal(scene->wire.subject, "_INBOX.a.1");
}

static void a_standby_gets_sanctions_in_force_and_ended(void **state)
{
	struct scene *scene = *state;
	const struct jc_sanction ban = { "lobby", JC_SANCTION_BAN, "subject eve", "subject ada", "",
		1, INT64_MAX };
	const json_t *answer, *ended;

	scene->sanctions.keeps_ended = true;
	jc_sanction_history_put(&scene->sanctions, &ban);
	jc_sanction_history_lift(&scene->sanctions, "lobby", JC_SANCTION_MUTE, "subject bob", 7);
	jc_sanction_history_lift(&scene->sanctions, "hall", JC_SANCTION_MUTE, "subject bob", 7);
	answer = ask(scene, json_pack("{ss}", "type", "succession"));
	ended = json_object_get(answer, "ended");
	assert_int_equal(json_array_size(json_object_get(answer, "sanctions")), 1);
	assert_int_equal(json_array_size(ended), 1);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(ended, 0), "since")), 7);
}

/* The value of a field in the last message, which must be a state change. */
static const json_t *changed(const struct scene *scene, const char *key)
{
	assert_string_equal(scene->wire.subject, "jc.lobby.s");
	assert_string_equal(
		json_string_value(json_object_get(scene->wire.last, "incarnation")), "00ff");
	return json_object_get(scene->wire.last, key);
}

static void changes_of_the_state_are_published_once(void **state)
{
	struct scene *scene = *state;
	const struct jc_sanction ban = { "lobby", JC_SANCTION_BAN, "subject eve", "subject ada", "",
		1, 5 };
	const struct jc_sanction other = { "hall", JC_SANCTION_BAN, "subject eve", "subject ada",
		"", 1, 5 };
	const char *props = "{\"type\":\"props\"}";
	const json_t *removal;
	json_t *change;

	lobby_add(&scene->lobby, 0);
	lobby_run(&scene->lobby, LOBBY_ANNOUNCING + 1);
	assert_int_equal(scene->wire.texts, 1);
	assert_int_equal(json_integer_value(changed(scene, "revision")), 1);
	change = json_loads(json_string_value(changed(scene, "change")), 0, NULL);
	assert_int_equal(json_array_size(json_object_get(change, "joined")), 1);
	json_decref(change);
	scene->lobby.fanout.policy.subscribers = 4;
	jc_exported_space_sweep(scene->exported, scene->now_ns);
	assert_int_equal(
		json_integer_value(json_object_get(
			json_object_get(changed(scene, "policy"), "limits"), "subscribers")),
		4);
	scene->lobby.fanout.is_closed = true;
	jc_exported_space_sweep(scene->exported, scene->now_ns);
	assert_true(json_is_true(json_object_get(changed(scene, "policy"), "closed")));
	jc_sanction_history_put(&scene->sanctions, &ban);
	jc_exported_space_sweep(scene->exported, scene->now_ns);
	assert_int_equal(json_array_size(changed(scene, "sanctions")), 1);
	jc_sanction_history_expire(&scene->sanctions, 5);
	jc_exported_space_sweep(scene->exported, scene->now_ns);
	assert_int_equal(json_array_size(changed(scene, "sanctions")), 0);
	jc_fanout_set_props(&scene->lobby.fanout, jc_shared_text_create(props, strlen(props)));
	assert_string_equal(json_string_value(changed(scene, "text")), props);
	assert_string_equal(json_string_value(changed(scene, "key")), "props");
	assert_int_equal(scene->wire.texts, 6);
	jc_sanction_history_put(&scene->sanctions, &other);
	jc_exported_space_sweep(scene->exported, scene->now_ns);
	jc_exported_space_sweep(scene->exported, scene->now_ns);
	assert_int_equal(scene->wire.texts, 6);
	jc_exported_space_remove(scene->exported, "subject eve", "{\"type\":\"moderated\"}", true);
	removal = changed(scene, "moderated");
	assert_string_equal(json_string_value(json_object_get(removal, "who")), "subject eve");
	assert_string_equal(
		json_string_value(json_object_get(removal, "text")), "{\"type\":\"moderated\"}");
	assert_true(json_is_true(json_object_get(removal, "sparesAdministrators")));
}

/* As the control part composes `replaying`; context: the text, NULL for none. */
static struct jc_shared_text *compose(
	void *context, struct jc_fanout *fanout, enum jc_space_text which)
{
	const char *text = context;

	(void)fanout;
	return text && which == JC_SPACE_TEXT_REPLAYING ? jc_shared_text_create(text, strlen(text))
							: NULL;
}

static void a_space_that_stays_open_is_closed_for_a_moment_each_time(void **state)
{
	struct scene *scene = *state;
	struct jc_fanout *fanout = &scene->lobby.fanout;

	fanout->stays_open = true;
	for (int i = 0; i < 2; i++) {
		fanout->is_closed = true; /* as an administrator does */
		fanout->closings++;
		jc_exported_space_sweep(scene->exported, scene->now_ns);
		assert_true(json_is_true(json_object_get(changed(scene, "policy"), "closed")));
		fanout->closings++; /* at once again: counts as one */
		jc_exported_space_sweep(scene->exported, scene->now_ns);
		jc_exported_space_sweep(scene->exported, scene->now_ns);
		assert_true(json_is_false(json_object_get(changed(scene, "policy"), "closed")));
		jc_exported_space_sweep(scene->exported, scene->now_ns);
		assert_int_equal(scene->wire.texts, 2 * (i + 1));
	}
}

static void a_text_is_published_whole_and_its_end_as_the_change(void **state)
{
	struct scene *scene = *state;
	struct jc_space_texts texts = { .compose = compose, .context = (char *)"with markers" };
	struct jc_shared_text *change = jc_shared_text_create("short", 5);
	json_t *answer;

	scene->lobby.fanout.texts = &texts;
	answer = ask(scene, json_pack("{ss}", "type", "state"));
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(answer, "texts"), "replaying")),
		"with markers");
	jc_fanout_change_text(&scene->lobby.fanout, JC_SPACE_TEXT_REPLAYING, change);
	assert_string_equal(json_string_value(changed(scene, "text")), "with markers");
	assert_string_equal(json_string_value(changed(scene, "key")), "replaying");
	texts.context = NULL;
	jc_fanout_change_text(&scene->lobby.fanout, JC_SPACE_TEXT_REPLAYING, change);
	assert_string_equal(json_string_value(changed(scene, "text")), "short");
	jc_shared_text_drop(change);
}

static void a_skeleton_of_the_roster_is_given_by_its_hash(void **state)
{
	struct scene *scene = *state;
	const char *hash = scene->lobby.skeleton_table.humanoid->hash;
	struct jc_skeleton_asset *other = lobby_asset(&scene->lobby, "giant", 2.0f);
	const char *descriptor;

	lobby_add(&scene->lobby, 0);
	descriptor = json_string_value(json_object_get(
		ask(scene, json_pack("{ss ss}", "type", "skeleton", "hash", hash)), "descriptor"));
	assert_int_equal(
		strlen(descriptor), scene->lobby.skeleton_table.humanoid->descriptor_length);
	assert_true(is_refused(
		ask(scene, json_pack("{ss ss}", "type", "skeleton", "hash", other->hash))));
	assert_true(is_refused(ask(scene, json_pack("{ss si}", "type", "skeleton", "hash", 1))));
}

static void the_time_is_given(void **state)
{
	struct scene *scene = *state;
	json_t *answer = ask(scene, json_pack("{ss sI}", "type", "clock", "t", (json_int_t)42));

	assert_int_equal(json_integer_value(json_object_get(answer, "t")), 42);
	assert_true(json_integer_value(json_object_get(answer, "time")) >= 0);
	assert_true(is_refused(ask(scene, json_pack("{ss ss}", "type", "clock", "t", "42"))));
}

static void wrong_requests_are_refused(void **state)
{
	static const char *const wrong[] = { "", "{", "[]", "7", "{\"type\":7}",
		"{\"type\":\"publish\"}", "{\"type\":\"rejoin\"}",
		"{\"type\":\"rejoin\",\"view\":\"2-fine-fine-1-7e\"}", "{\"type\":\"interest\"}",
		"{\"type\":\"interest\",\"views\":[]}",
		"{\"type\":\"interest\",\"views\":{},\"watched\":0}",
		"{\"type\":\"interest\",\"views\":[7],\"watched\":0}",
		"{\"type\":\"interest\",\"views\":[1,2,3,4,5,6,7,8,9]}",
		"{\"type\":\"interest\",\"views\":[],\"watched\":-1}",
		"{\"type\":\"interest\",\"views\":[],\"watched\":\"all\"}" };
	struct scene *scene = *state;
	char *deep = malloc(1 << 20);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		ask_text(scene, wrong[i]);
		assert_true(is_refused(scene->wire.last));
		assert_int_equal(scene->wire.texts, (int)i + 1);
	}
	memset(deep, '[', 1 << 20);
	jc_exported_space_answer(
		scene->exported, "a", "_INBOX.a.1", (uint8_t *)deep, 1 << 20, scene->now_ns);
	jc_exported_space_answer(
		scene->exported, "a", "_INBOX.a.1", (uint8_t *)deep, 60000, scene->now_ns);
	assert_true(is_refused(scene->wire.last));
	assert_int_equal(scene->exported->view_count, 0);
	free(deep);
}

static void answers_go_to_the_edge_that_asks_alone(void **state)
{
	static const char *const subjects[] = { "", "jc.lobby.s", "jc.announce", "$SYS.REQ.SERVER",
		"_INBOX.a", "_INBOX.b.1", "_INBOX.ab.1", "_INBOX.1" };
	struct scene *scene = *state;
	const char *text = "{\"type\":\"state\"}";

	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		jc_exported_space_answer(scene->exported, "a", subjects[i], (const uint8_t *)text,
			strlen(text), scene->now_ns);
	}
	assert_int_equal(scene->wire.texts, 0);
}

static void requests_beyond_the_limits_have_no_answer(void **state)
{
	struct scene *scene = *state;

	for (int i = 0; i < 10000; i++) {
		ask_text(scene, "{\"type\":\"state\"}");
	}
	assert_int_equal(scene->wire.texts, 2 * JC_MAX_EDGE_STATES_PER_SECOND);
	assert_int_equal(scene->exported->refused, 10000 - 2 * JC_MAX_EDGE_STATES_PER_SECOND);
	/* Another edge has its own. */
	ask_text_as(scene, "b", "{\"type\":\"state\"}");
	assert_int_equal(scene->wire.texts, 2 * JC_MAX_EDGE_STATES_PER_SECOND + 1);
	scene->now_ns += SECOND;
	ask_text(scene, "{\"type\":\"clock\",\"t\":1}");
	assert_int_equal(scene->wire.texts, 2 * JC_MAX_EDGE_STATES_PER_SECOND + 2);
}

/* Names cannot be chosen where each edge has a user of its own; elsewhere they are bounded. */
static void edges_beyond_the_limit_have_no_answer_until_others_are_quiet(void **state)
{
	struct scene *scene = *state;
	char name[24];

	for (unsigned i = 0; i < JC_MAX_EDGES + 5; i++) {
		snprintf(name, sizeof(name), "edge-%u", i);
		ask_text_as(scene, name, "{\"type\":\"clock\",\"t\":1}");
	}
	assert_int_equal(scene->wire.texts, JC_MAX_EDGES);
	scene->now_ns += 2 * SECOND;
	ask_text_as(scene, name, "{\"type\":\"clock\",\"t\":1}");
	assert_int_equal(scene->wire.texts, JC_MAX_EDGES + 1);
}

static void sixty_edges_get_the_state_at_once(void **state)
{
	struct scene *scene = *state;

	for (uint64_t i = 1; i <= 6; i++) {
		lobby_add(&scene->lobby, i);
	}
	jc_space_catch_up(scene->lobby.fanout.space);
	scene->wire.texts = 0;
	for (int edge = 0; edge < 60; edge++) {
		ask_text(scene, "{\"type\":\"state\"}");
	}
	assert_int_equal(scene->wire.texts, 60);
}

/* A long state takes more time to write and to send. */
static void long_states_count_as_many(void **state)
{
	struct scene *scene = *state;
	struct jc_shared_text *roster;
	int64_t cost;

	for (uint64_t i = 1; i <= 60; i++) {
		lobby_add(&scene->lobby, i);
	}
	jc_space_catch_up(scene->lobby.fanout.space);
	scene->wire.texts = 0;
	roster = jc_space_roster(scene->lobby.fanout.space);
	cost = 1 + (int64_t)(roster->length / JC_MAX_EDGE_STATE_BYTES);
	jc_shared_text_drop(roster);
	assert_true(cost > 1 && cost <= JC_MAX_EDGE_STATE_COUNT);
	for (int i = 0; i < 500; i++) {
		ask_text(scene, "{\"type\":\"state\"}");
	}
	assert_int_equal(scene->wire.texts, 2 * JC_MAX_EDGE_STATES_PER_SECOND / cost);
}

/* Reading 64 KB of JSON takes milliseconds, which ticks miss. */
static void long_requests_count_as_many(void **state)
{
	struct scene *scene = *state;
	char *text = malloc(64 * 1024 + 1);

	memset(text, ' ', 64 * 1024);
	text[64 * 1024] = '\0';
	memcpy(text, "{}", 2);
	for (int i = 0; i < 100; i++) {
		ask_text(scene, text);
	}
	free(text);
	assert_int_equal(scene->wire.texts, 2 * JC_MAX_EDGE_REQUESTS_PER_SECOND / 65);
}

static void views_beyond_those_of_the_space_are_left_out(void **state)
{
	struct scene *scene = *state;
	struct lobby_subscriber *clients = calloc(JC_MAX_SHARED_VIEWS, sizeof(clients[0]));

	for (unsigned i = 0; i < JC_MAX_SHARED_VIEWS; i++) {
		struct jc_view_options options = lobby_standard;

		options.spec.sections = i + 1;
		lobby_join(&scene->lobby, &clients[i], i + 1);
		lobby_subscribe(&clients[i], &options);
	}
	assert_string_equal(
		json_string_value(json_array_get(
			json_object_get(want(scene, "edge-1", standard_at(1)), "leftOut"), 0)),
		token_of(1));
	assert_int_equal(scene->exported->view_count, 0);
	for (unsigned i = 0; i < JC_MAX_SHARED_VIEWS; i++) {
		jc_view_leave(&clients[i].view);
	}
	interest_of(scene, "edge-1");
	assert_int_equal(scene->exported->view_count, 1);
	free(clients);
}

static void exports_of_one_space_have_different_numbers(void **state)
{
	struct scene *scene = *state;
	uint32_t number = scene->exported->number;
	struct jc_export other = scene->source;

	jc_exported_space_destroy(scene->exported);
	assert_int_equal(jc_exported_space_create(
				 &scene->source, &scene->lobby.fanout, 0xab13, &scene->exported),
		JC_OK);
	assert_int_not_equal(scene->exported->number, number);
	jc_exported_space_destroy(scene->exported);
	strcpy(other.incarnation, "00fe");
	assert_int_equal(
		jc_exported_space_create(&other, &scene->lobby.fanout, 0xab12, &scene->exported),
		JC_OK);
	assert_int_not_equal(scene->exported->number, number);
	jc_exported_space_destroy(scene->exported);
	scene->exported = NULL;
}

static void an_export_ends_with_its_space(void **)
{
	struct scene *scene;

	setup((void **)&scene);
	lobby_close(&scene->lobby);
	assert_null(scene->exported->fanout);
	ask_text(scene, "{\"type\":\"state\"}");
	jc_exported_space_sweep(scene->exported, scene->now_ns);
	assert_int_equal(scene->wire.texts, 0);
	jc_exported_space_destroy(scene->exported);
	free(scene);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(without_interest_nothing_is_published_and_nothing_encoded),
		SCENE(frames_hold_the_packets_of_the_origins_own_clients),
		SCENE(each_tick_of_the_rate_has_a_frame_also_without_packets),
		SCENE(a_hidden_body_is_in_no_frame),
		SCENE(one_frame_answers_all_rejoins_four_times_a_second),
		SCENE(rejoins_wait_where_they_would_take_the_room_of_frames),
		SCENE(interest_ends_when_it_expires_or_its_last_edge_does),
		SCENE(more_edges_cost_nothing_more_and_a_tick_allocates_nothing),
		SCENE(the_state_is_complete),
		SCENE(a_standby_gets_sanctions_in_force_and_ended),
		SCENE(changes_of_the_state_are_published_once),
		SCENE(a_space_that_stays_open_is_closed_for_a_moment_each_time),
		SCENE(a_text_is_published_whole_and_its_end_as_the_change),
		SCENE(a_skeleton_of_the_roster_is_given_by_its_hash),
		SCENE(the_time_is_given),
		SCENE(wrong_requests_are_refused),
		SCENE(answers_go_to_the_edge_that_asks_alone),
		SCENE(requests_beyond_the_limits_have_no_answer),
		SCENE(sixty_edges_get_the_state_at_once),
		SCENE(long_states_count_as_many),
		SCENE(edges_beyond_the_limit_have_no_answer_until_others_are_quiet),
		SCENE(long_requests_count_as_many),
		SCENE(views_beyond_those_of_the_space_are_left_out),
		SCENE(exports_of_one_space_have_different_numbers),
		cmocka_unit_test(an_export_ends_with_its_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
