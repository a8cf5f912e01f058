/* Time-outs and limits of a connection, by a clock that the test turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shared_text.h"
#include "jointcast/skeleton.h"
#include "line.h"
#include "space/roster.h"
#include "space/space.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)

/* The last write to the peer, and the number of writes. */
struct ear {
	uint8_t bytes[512];
	size_t length, count;
};

struct setting {
	struct line line;
	struct ear ear;
};

static void hear(void *context, const uint8_t *bytes, size_t length)
{
	struct ear *ear = context;

	ear->length = length < sizeof(ear->bytes) ? length : sizeof(ear->bytes);
	memcpy(ear->bytes, bytes, ear->length);
	ear->count++;
}

static int open_line(void **state)
{
	struct setting *setting = calloc(1, sizeof(*setting));

	if (!setting) {
		return -1;
	}
	setting->line.hear = hear;
	setting->line.context = &setting->ear;
	line_open(&setting->line);
	line_connect(&setting->line);
	*state = setting;
	return 0;
}

static int close_line(void **state)
{
	struct setting *setting = *state;

	line_close(&setting->line);
	free(setting);
	return 0;
}

static struct jc_session *greet(struct setting *setting)
{
	static const char hello[] = "{\"type\":\"hello\"}";

	line_shake_hands(&setting->line);
	assert_true(line_send(&setting->line, 1, hello, sizeof(hello) - 1));
	assert_memory_equal(setting->ear.bytes + 4, "{\"type\":\"welcome\"", 17);
	return &setting->line.connection->web_socket->session;
}

static void expect_close(const struct setting *setting, unsigned code)
{
	assert_int_equal(setting->ear.bytes[0], 0x88);
	assert_int_equal(setting->ear.bytes[2] << 8 | setting->ear.bytes[3], code);
}

static void pings_after_20_seconds_of_silence_and_ends_after_60(void **state)
{
	struct setting *setting = *state;
	greet(setting);
	int64_t heard = setting->line.connection->web_socket->received_ns;

	setting->ear.count = 0;
	jc_connection_sweep(setting->line.connection, heard + 20 * SECOND - 1);
	assert_int_equal(setting->ear.count, 0);
	jc_connection_sweep(setting->line.connection, heard + 20 * SECOND);
	assert_int_equal(setting->ear.bytes[0], 0x89);
	/* Once, not at every look. */
	jc_connection_sweep(setting->line.connection, heard + 59 * SECOND);
	assert_int_equal(setting->ear.count, 1);
	jc_connection_sweep(setting->line.connection, heard + 60 * SECOND);
	assert_null(setting->line.connection);
}

static void pong_ends_the_silence(void **state)
{
	struct setting *setting = *state;
	greet(setting);
	struct jc_web_socket *web_socket = setting->line.connection->web_socket;

	web_socket->received_ns -= 30 * SECOND;
	jc_connection_sweep(setting->line.connection, web_socket->received_ns + 30 * SECOND);
	assert_int_equal(setting->ear.bytes[0], 0x89);
	assert_true(line_send(&setting->line, 10, setting->ear.bytes + 2, 4));
	jc_connection_sweep(setting->line.connection, jc_clock_now_ns() + 35 * SECOND);
	assert_non_null(setting->line.connection);
}

static void closes_with_1008_without_hello_within_10_seconds(void **state)
{
	struct setting *setting = *state;

	line_shake_hands(&setting->line);
	int64_t opened = setting->line.connection->web_socket->session.opened_ns;

	jc_connection_sweep(setting->line.connection, opened + 10 * SECOND - 1);
	assert_int_equal(setting->ear.bytes[0], 'H');
	jc_connection_sweep(setting->line.connection, opened + 10 * SECOND);
	expect_close(setting, JC_CLOSE_POLICY);
}

static void ends_two_seconds_after_an_unanswered_close(void **state)
{
	struct setting *setting = *state;
	struct jc_session *session = greet(setting);

	jc_session_close(session, JC_CLOSE_POLICY, "enough");
	expect_close(setting, JC_CLOSE_POLICY);
	jc_connection_sweep(setting->line.connection, jc_clock_now_ns() + SECOND);
	assert_non_null(setting->line.connection);
	jc_connection_sweep(setting->line.connection, jc_clock_now_ns() + 2 * SECOND);
	assert_null(setting->line.connection);
}

static void answers_408_to_half_a_head_after_its_deadline(void **state)
{
	struct setting *setting = *state;
	struct jc_connection *connection = setting->line.connection;

	connection->deadline_ns = 5 * SECOND;
	assert_int_equal(jc_connection_on_bytes(connection, (const uint8_t *)"GET / HT", 8), 0);
	jc_connection_sweep(connection, 5 * SECOND - 1);
	assert_int_equal(setting->ear.count, 0);
	jc_connection_sweep(connection, 5 * SECOND);
	assert_memory_equal(setting->ear.bytes, "HTTP/1.1 408 ", 13);
}

static void ends_a_silent_connection_without_an_answer(void **state)
{
	struct setting *setting = *state;

	setting->line.connection->deadline_ns = 5 * SECOND;
	jc_connection_sweep(setting->line.connection, 5 * SECOND);
	assert_null(setting->line.connection);
	assert_int_equal(setting->ear.count, 0);
}

/* 128 messages wait; one more, and the client is too slow. It receives the reason when its
 * socket takes bytes again. */
static void closes_with_1008_when_the_send_queue_is_full(void **state)
{
	struct setting *setting = *state;
	struct jc_session *session = greet(setting);

	setting->line.is_full = true;
	jc_session_send(session, "{\"type\":\"first\"}", 16);
	for (int i = 0; i < 128; i++) {
		jc_session_send(session, "{\"type\":\"more\"}", 15);
		assert_int_equal(session->close_code, 0);
	}
	setting->ear.count = 0;
	jc_session_send(session, "{\"type\":\"more\"}", 15);
	assert_int_equal(session->close_code, JC_CLOSE_POLICY);
	assert_int_equal(setting->ear.count, 0);
	setting->line.is_full = false;
	assert_int_equal(jc_connection_on_writable(setting->line.connection), 0);
	assert_null(session->queue.first);
	expect_close(setting, JC_CLOSE_POLICY);
}

/* A body with its own skeleton joins. */
static void announce_joined(struct jc_session *session, uint32_t number)
{
	static const char change[] = "{\"type\":\"roster\"}";
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton;
	struct jc_skeleton_asset *asset;
	char text[160];
	int length = snprintf(text, sizeof(text),
		"{\"nodes\":[{\"name\":\"h\",\"translation\":[0,%g,0]}],\"bones\":{\"hips\":0}}",
		0.5 + 0.001 * number);

	assert_int_equal(
		jc_skeleton_read(text, (size_t)length, 0, NULL, &skeleton, NULL, &diagnostic),
		JC_OK);
	assert_int_equal(jc_skeleton_asset_create(skeleton, &asset, &diagnostic), JC_OK);
	asset->number = number;

	struct jc_body body = { .asset = asset };
	struct jc_announcement announcement = { .change = jc_shared_text_create(
							change, sizeof(change) - 1),
		.joined_count = 1,
		.joined = { &body } };

	session->client->subscriber.ops->roster_changed(
		&session->client->subscriber, session->client->views[0], &announcement);
	jc_shared_text_drop(announcement.change);
	jc_skeleton_asset_destroy(asset);
}

/* Neither the changes nor the skeletons of the bodies that join wait: a complete roster
 * takes their place once the socket has taken what waits. */
static void joining_bodies_do_not_fill_the_queue(void **state)
{
	static const char join[] = "{\"type\":\"join\",\"space\":\"lobby\"}";
	struct setting *setting = *state;
	struct jc_session *session = greet(setting);

	assert_true(line_send(&setting->line, 1, join, sizeof(join) - 1));
	assert_non_null(session->client->views[0]);
	setting->line.is_full = true;
	jc_session_send(session, "{\"type\":\"first\"}", 16);
	for (uint32_t i = 1; i <= 200; i++) {
		announce_joined(session, 100 + i);
	}
	assert_int_equal(session->close_code, 0);
	assert_true(session->queue.length <= 2);
	setting->line.is_full = false;
	assert_int_equal(jc_connection_on_writable(setting->line.connection), 0);
	assert_null(session->queue.first);
	assert_false(session->client->views[0]->needs_roster);
	setting->ear.bytes[sizeof(setting->ear.bytes) - 1] = '\0';
	assert_non_null(strstr((char *)setting->ear.bytes + 4, "\"bodies\":[]"));
}

/* The request is answered in its place; the roster still comes last. */
static void a_client_that_is_behind_gets_done_and_later_its_roster(void **state)
{
	static const char join[] = "{\"type\":\"join\",\"space\":\"lobby\",\"request\":7}";
	struct setting *setting = *state;
	struct jc_session *session = greet(setting);

	setting->line.is_full = true;
	jc_session_send(session, "{\"type\":\"first\"}", 16);
	jc_session_send(session, "{\"type\":\"other\"}", 16);
	assert_true(line_send(&setting->line, 1, join, sizeof(join) - 1));
	assert_true(session->client->views[0]->needs_roster);
	assert_int_equal(session->queue.length, 2);
	jc_send_queue_shift(&session->queue);
	assert_string_equal(jc_shared_text_chars(jc_send_queue_first(&session->queue)),
		"{\"type\":\"done\",\"request\":7}");
	setting->line.is_full = false;
	assert_int_equal(jc_connection_on_writable(setting->line.connection), 0);
	setting->ear.bytes[setting->ear.length] = '\0';
	assert_non_null(strstr((char *)setting->ear.bytes + 4, "\"bodies\":[]"));
	assert_null(strstr((char *)setting->ear.bytes + 4, "\"request\""));
}

/* Motion is another matter: the newest is all that counts. */
static void a_full_socket_gets_no_bundles_and_stays_open(void **state)
{
	struct setting *setting = *state;
	struct jc_session *session = greet(setting);
	const struct jc_subscriber *subscriber = &session->client->subscriber;
	uint8_t bundle[JC_BUNDLE_HEADROOM + 1] = { 0 };

	assert_int_equal(subscriber->ops->bundle(
				 &session->client->subscriber, bundle + JC_BUNDLE_HEADROOM, 1),
		JC_DELIVERED);
	setting->line.is_full = true;
	jc_session_send(session, "{\"type\":\"first\"}", 16);
	setting->ear.count = 0;
	assert_false(subscriber->ops->is_ready(subscriber));
	assert_int_equal(subscriber->ops->bundle(
				 &session->client->subscriber, bundle + JC_BUNDLE_HEADROOM, 1),
		JC_CHOKED);
	assert_int_equal(setting->ear.count, 0);
	assert_int_equal(session->close_code, 0);
}

static void closes_after_the_sixteenth_error(void **state)
{
	struct setting *setting = *state;
	struct jc_session *session = greet(setting);

	for (int i = 1; i < 16; i++) {
		assert_true(line_send(&setting->line, 1, "{}", 2));
		assert_int_equal(session->close_code, 0);
	}
	setting->ear.count = 0;
	assert_true(line_send(&setting->line, 1, "{}", 2));
	assert_int_equal(setting->ear.count, 2);
	expect_close(setting, JC_CLOSE_POLICY);
}

/* A flood is read as fast as is allowed: two seconds' worth, then not before the next look.
 * It is of captures beyond their own quota, which are dropped. */
static void bytes_above_the_limit_wait_for_the_next_sweep(void **state)
{
	struct setting *setting = *state;
	struct jc_connection *connection = setting->line.connection;
	struct jc_session *session = greet(setting);
	static uint8_t capture[JC_MAX_MESSAGE_BYTES];
	size_t sent = 0;

	session->client->publications.captures.left_ns = -3600 * SECOND;
	while (!connection->is_held && sent < 40u << 20) {
		/* No time passes, however slow the machine is. */
		connection->bytes.reckoned_ns = jc_clock_now_ns();
		assert_true(line_send(&setting->line, 2, capture, sizeof(capture)));
		sent += sizeof(capture);
	}
	assert_true(connection->is_held);
	assert_true(sent >= 16u << 20);
	assert_int_equal(session->close_code, 0);
	/* A look at the moment of the last byte: the session was not silent. */
	jc_connection_sweep(connection, connection->web_socket->received_ns);
	assert_false(connection->is_held);
}

static bool is_in_list(const struct jc_fanout *fanout, const struct jc_view *view)
{
	const struct jc_view *at = fanout->joined;

	while (at && at != view) {
		at = at->next;
	}
	return at != NULL;
}

/* Senders walk such a list: it does not change until the event is over. */
static void a_session_closed_by_a_send_leaves_its_spaces_only_in_settle(void **state)
{
	static const char join[] = "{\"type\":\"join\",\"space\":\"lobby\"}";
	struct setting *setting = *state;
	struct jc_session *session = greet(setting);

	assert_true(line_send(&setting->line, 1, join, sizeof(join) - 1));

	struct jc_view *view = session->client->views[0];
	struct jc_fanout *fanout = view->fanout;

	assert_true(is_in_list(fanout, view));
	setting->line.is_full = true;
	for (unsigned i = 0; i < JC_MAX_QUEUED_MESSAGES + 2 && !session->close_code; i++) {
		jc_session_send(session, "{\"type\":\"more\"}", 15);
	}
	assert_int_equal(session->close_code, JC_CLOSE_POLICY);
	assert_ptr_equal(session->client->views[0], view);
	assert_ptr_equal(view->fanout, fanout);
	assert_true(is_in_list(fanout, view));
	assert_int_equal(fanout->view_count, 1);
	assert_false(session->has_left);
	/* It may be sent more, which changes nothing. */
	jc_session_send(session, "{\"type\":\"more\"}", 15);
	assert_true(is_in_list(fanout, view));
	jc_server_settle(&setting->line.server);
	assert_true(session->has_left);
	assert_null(view->fanout);
	assert_false(is_in_list(fanout, view));
	assert_int_equal(fanout->view_count, 0);
	/* Once: the connection may go later. */
	jc_server_settle(&setting->line.server);
	line_hang_up(&setting->line);
}

/* 3 kB are for a connection that watches a space; libwebsockets, libuv and malloc take 1.2
 * of them, its skeletons and what grows by pages the rest. */
static void one_watched_space_takes_little_memory(void **)
{
	assert_true(sizeof(struct jc_connection) + sizeof(struct jc_web_socket) +
			    sizeof(struct jc_client) + sizeof(struct jc_view) <=
		    1280);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_line, close_line)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(pings_after_20_seconds_of_silence_and_ends_after_60),
		TEST(pong_ends_the_silence),
		TEST(closes_with_1008_without_hello_within_10_seconds),
		TEST(ends_two_seconds_after_an_unanswered_close),
		TEST(answers_408_to_half_a_head_after_its_deadline),
		TEST(ends_a_silent_connection_without_an_answer),
		TEST(closes_with_1008_when_the_send_queue_is_full),
		TEST(joining_bodies_do_not_fill_the_queue),
		TEST(a_client_that_is_behind_gets_done_and_later_its_roster),
		TEST(a_full_socket_gets_no_bundles_and_stays_open),
		TEST(closes_after_the_sixteenth_error),
		TEST(bytes_above_the_limit_wait_for_the_next_sweep),
		TEST(a_session_closed_by_a_send_leaves_its_spaces_only_in_settle),
		cmocka_unit_test(one_watched_space_takes_little_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
