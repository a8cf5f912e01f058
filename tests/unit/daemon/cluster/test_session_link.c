/* Tests the edge's end of sessions: messages of the origin come from the test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/session/session_link.h"
#include "crowd.h"
#include "fake_nats.h"
#include "forwarder.h"
#include "space/relay/space_relay.h"
#include "unit_test.h"

#define OPEN  "{\"address\":\"127.0.0.1\",\"localPage\":false,\"party\":\""
#define MS    INT64_C(1000000)
#define LOBBY "jc.lobby.u.west"
#define EDGE  "jc.lobby.d.west"
#define HELLO "{\"type\":\"hello\",\"codings\":[1,2],\"client\":\"test\"}"
#define PUBLISH                                                                                    \
	"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":3,\"name\":\"Ada\",\"kind\":"   \
	"\"poses\",\"mayRecord\":true,\"request\":\"r1\",\"unknown\":1}"
#define PUBLISHED                                                                                  \
	"{\"type\":\"published\",\"space\":\"lobby\",\"publication\":3,\"body\":70,\"name\":"      \
	"\"Ada\","                                                                                 \
	"\"request\":\"r1\"}"
/* proto/golden/captures.json, "a lone arm", of publication 3: at 5 012 345 678 µs. */
#define ARM                                                                                        \
	"\x21\x03\x41\x00\x4e\x53\xc2\x2a\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x20\x00\x20" \
	"\x00\xe0\xff\xbf"
/* The same, 1 000 000 µs later. */
#define ARM_LATER                                                                                  \
	"\x21\x03\x41\x00\x8e\x95\xd1\x2a\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x20\x00\x20" \
	"\x00\xe0\xff\xbf"

struct setting {
	struct crowd crowd;
	struct fake_nats nats;
	struct jc_session_link *link;
	struct jc_relay relay;
	char heard[1 << 18]; /* what the first guest got */
	size_t heard_length;
	uint64_t number;   /* of the newest session */
	uint32_t sequence; /* of the origin's next message to it */
	unsigned looked_for;
	bool is_silent; /* the origin */
};

static struct setting *setting;

static void hear(struct crowd_guest *guest, const uint8_t *bytes, size_t length)
{
	if (guest != &setting->crowd.guests[0]) {
		return;
	}
	for (size_t i = 0; i < length && setting->heard_length < sizeof(setting->heard) - 1; i++) {
		setting->heard[setting->heard_length++] = bytes[i] ? (char)bytes[i] : ' ';
	}
	setting->heard[setting->heard_length] = '\0';
}

static int64_t origin_us(void *context, const struct jc_fanout *fanout, int64_t edge_us)
{
	(void)context;
	(void)fanout;
	return edge_us + 1000000;
}

static void look_for(void *context, const char *space)
{
	(void)context;
	assert_string_equal(space, "lobby");
	setting->looked_for++;
}

static bool is_heard(void *context, const char *space)
{
	(void)context;
	(void)space;
	return !setting->is_silent;
}

static void no_packets(struct jc_relay *relay, const struct jc_body *body,
	const struct jc_stream_spec *spec, bool is_new, bool wants_rejoin,
	struct jc_body_stream_packet *out_common, struct jc_body_stream_packet *out_rejoin)
{
	(void)relay;
	(void)body;
	(void)spec;
	(void)is_new;
	(void)wants_rejoin;
	out_common->length = out_rejoin->length = 0;
}

/* "lobby" has its origin elsewhere. */
static void relay_lobby(void)
{
	static const struct jc_relay_ops ops = { .packets = no_packets };
	const struct jc_fanout *lobby = jc_spaces_find(&setting->crowd.spaces, "lobby");

	setting->relay.ops = &ops;
	jc_space_relay_begin(lobby->space, &setting->relay,
		&(struct jc_relay_epoch){ .id = ++setting->crowd.spaces.last_id,
			.epoch = 1,
			.hz = 10,
			.start_ns = setting->crowd.spaces.start_ns });
}

static int set_up(void **state)
{
	(void)state;
	setting = calloc(1, sizeof(*setting));
	assert_non_null(setting);
	setting->crowd.hear = hear;
	crowd_open(&setting->crowd);
	fake_nats_open(&setting->nats);
	const struct jc_session_link_options options = { .log = &setting->crowd.log,
		.control = &setting->crowd.control,
		.edge = "west",
		.origin_us = origin_us,
		.look_for = look_for,
		.is_heard = is_heard };

	assert_int_equal(jc_session_link_create(&options, &setting->link), JC_OK);
	relay_lobby();
	crowd_connect(&setting->crowd.guests[0]);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	jc_session_link_destroy(setting->link);
	fake_nats_close(&setting->nats);
	crowd_close(&setting->crowd);
	free(setting);
	return 0;
}

static void forget(void)
{
	setting->heard_length = 0;
	setting->heard[0] = '\0';
	fake_nats_clear(&setting->nats);
}

/* The guest sends a message; what it got before is forgotten. */
static void say_bytes(uint8_t opcode, const void *bytes, size_t length)
{
	struct crowd_guest *guest = &setting->crowd.guests[0];

	forget();
	crowd_send(guest, opcode, bytes, length);
	crowd_deliver(guest, false);
	crowd_wait(&setting->crowd, 10 * MS);
}

static void say(const char *text)
{
	say_bytes(1, text, strlen(text));
}

/* The origin sends a message of the newest session. */
static void answer(const char *text)
{
	forget();
	fake_nats_send(EDGE, JC_SESSION_TEXT, setting->number, setting->sequence++, text);
}

static bool heard(const char *text)
{
	return strstr(setting->heard, text) != NULL;
}

static size_t sent(const char *text)
{
	return fake_nats_count(&setting->nats, JC_SESSION_TEXT, text);
}

/* Finds the newest session that was opened. */
static void follow(void)
{
	for (size_t i = 0; i < setting->nats.count; i++) {
		if (fake_nats_read(&setting->nats, i).kind == JC_SESSION_OPEN) {
			setting->number = fake_nats_read(&setting->nats, i).number;
		}
	}
	setting->sequence = 1;
	fake_nats_send(EDGE, JC_SESSION_OPENED, setting->number, 0, "");
}

/* The text of the field `request` in the newest sent text that contains another. */
static const char *request_of(const char *text)
{
	static char request[64];

	request[0] = '\0';
	for (size_t i = 0; i < setting->nats.count; i++) {
		const char *payload = (const char *)fake_nats_read(&setting->nats, i).payload;
		const char *field = strstr(payload, "\"request\":\"");

		if (field && strstr(payload, text)) {
			sscanf(field + 11, "%63[^\"]", request);
		}
	}
	return request;
}

static size_t count_sessions(void)
{
	struct jc_session_link_report report;

	jc_session_link_report(setting->link, &report);
	return report.sessions;
}

static void publish(void)
{
	say(HELLO);
	assert_true(heard("\"type\":\"welcome\""));
	say(PUBLISH);
	follow();
	answer(PUBLISHED);
}

/* The origin says nothing any more, and the edge notices. */
static void lose(void)
{
	forget();
	for (int i = 0; i < 6; i++) {
		jc_session_link_sweep(setting->link);
	}
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_CLOSE, ""), 1);
}

/* Sweeps until the edge publishes again. */
static void come_back(void)
{
	for (int i = 0; i < 50 && sent("\"type\":\"publish\"") == 0; i++) {
		forget();
		jc_session_link_sweep(setting->link);
	}
	assert_int_equal(sent("\"type\":\"publish\""), 1);
}

static void a_client_learns_at_once_that_the_origin_is_gone(void **state)
{
	(void)state;
	publish();
	setting->looked_for = 0;
	say("{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"list\",\"request\":2}");
	assert_int_equal(setting->looked_for, 1);
	setting->is_silent = true;
	jc_session_link_abandon(setting->link, "hall");
	assert_int_equal(count_sessions(), 1);
	assert_int_equal(setting->heard_length, 0);
	jc_session_link_abandon(setting->link, "lobby");
	assert_true(heard("\"code\":\"failed\""));
	assert_true(heard("\"request\":2"));
	assert_int_equal(count_sessions(), 0);
	/* While the origin is silent the body is not published; then it is. */
	forget();
	for (int i = 0; i < 100; i++) {
		jc_session_link_sweep(setting->link);
	}
	assert_int_equal(setting->nats.count, 0);
	setting->is_silent = false;
	come_back();
}

static void opens_a_session_with_the_first_message_that_needs_it(void **state)
{
	(void)state;
	say(HELLO);
	assert_int_equal(setting->nats.count, 0);
	say(PUBLISH);
	assert_int_equal(setting->nats.count, 3);
	assert_string_equal(setting->nats.messages[0].subject, LOBBY);
	assert_int_equal(fake_nats_read(&setting->nats, 0).kind, JC_SESSION_OPEN);
	assert_ptr_equal(strstr(fake_nats_newest(&setting->nats, JC_SESSION_OPEN), OPEN),
		fake_nats_newest(&setting->nats, JC_SESSION_OPEN));
	assert_int_equal(sent("\"type\":\"hello\",\"client\":\"test\",\"codings\":[1,2]"), 1);
	/* The message itself is forwarded byte for byte. */
	assert_string_equal(fake_nats_newest(&setting->nats, JC_SESSION_TEXT), PUBLISH);
	assert_int_equal(fake_nats_read(&setting->nats, 0).sequence, 0);
	assert_int_equal(fake_nats_read(&setting->nats, 1).sequence, 1);
	assert_int_equal(fake_nats_read(&setting->nats, 2).sequence, 2);
	assert_false(heard("done"));
	/* Later messages use the same session. */
	say("{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"list\",\"request\":2}");
	assert_int_equal(setting->nats.count, 1);
	assert_int_equal(fake_nats_read(&setting->nats, 0).sequence, 3);
	assert_int_equal(count_sessions(), 1);
}

static void forwards_answers_unchanged(void **state)
{
	char welcome[128];

	(void)state;
	say(HELLO);
	say(PUBLISH);
	follow();
	snprintf(welcome, sizeof(welcome), "{\"type\":\"welcome\",\"request\":\"%s\"}",
		request_of("hello"));
	answer(welcome);
	assert_int_equal(setting->heard_length, 0);
	answer(PUBLISHED);
	assert_true(heard(PUBLISHED));
	answer("{\"type\":\"error\",\"code\":\"bad-capture\",\"message\":\"x\",\"ref\":"
	       "\"capture\"}");
	assert_true(heard("bad-capture"));
	answer("{\"type\":\"later\",\"x\":1.50}");
	assert_true(heard("{\"type\":\"later\",\"x\":1.50}"));
	answer("{\"type\":\"going_away\",\"retryAfter\":5}");
	assert_int_equal(setting->heard_length, 0);
}

static void forwards_captures_in_time_of_the_origin(void **state)
{
	(void)state;
	say(HELLO);
	say(PUBLISH);
	follow();
	/* Not before the answer. */
	say_bytes(2, ARM, sizeof(ARM) - 1);
	assert_int_equal(setting->nats.count, 0);
	assert_int_equal(setting->heard_length, 0);
	answer(PUBLISHED);
	say_bytes(2, ARM, sizeof(ARM) - 1);
	assert_int_equal(setting->nats.count, 1);
	struct jc_session_message message = fake_nats_read(&setting->nats, 0);

	assert_int_equal(message.kind, JC_SESSION_BINARY);
	assert_int_equal(message.length, sizeof(ARM) - 1);
	assert_memory_equal(message.payload, ARM_LATER, sizeof(ARM) - 1);
	/* A capture that is too short for a time is refused by the origin. */
	say_bytes(2, ARM, 5);
	assert_int_equal(fake_nats_read(&setting->nats, 0).length, 5);
	/* That of another's body. */
	say_bytes(2, "\x21\x04", 2);
	assert_int_equal(setting->nats.count, 0);
	assert_true(heard("unknown-publication"));
}

static void forwards_messages_about_the_publication(void **state)
{
	static const char *const messages[] = {
		"{\"type\":\"consent\",\"publication\":3,\"mayRecord\":false}",
		"{\"type\":\"amend\",\"publication\":3,\"display\":\"A\"}",
		("{\"type\":\"place\",\"space\":\"lobby\",\"body\":70,\"position\":[0,0,1],\"yaw\":"
		 "0}"),
		"{\"type\":\"unpublish\",\"publication\":3}",
	};

	(void)state;
	publish();
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		say(messages[i]);
		assert_string_equal(fake_nats_newest(&setting->nats, JC_SESSION_TEXT), messages[i]);
	}
	answer("{\"type\":\"unpublished\",\"publication\":3}");
	assert_true(heard("unpublished"));
	say(messages[3]);
	assert_int_equal(setting->nats.count, 0);
	assert_true(heard("unknown-publication"));
	/* The number is free again, here too. */
	say("{\"type\":\"publish\",\"space\":\"hall\",\"publication\":3,\"name\":\"Ada\",\"kind\":"
	    "\"poses\"}");
	assert_int_equal(setting->nats.count, 0);
	assert_true(heard("\"type\":\"published\""));
	say(PUBLISH);
	assert_int_equal(setting->nats.count, 0);
	assert_true(heard("the publication is in use"));
}

static void serves_its_own_spaces_itself(void **state)
{
	(void)state;
	say(HELLO);
	say("{\"type\":\"join\",\"space\":\"lobby\"}");
	say("{\"type\":\"publish\",\"space\":\"hall\",\"publication\":0,\"name\":\"A\",\"kind\":"
	    "\"poses\"}");
	assert_true(heard("\"type\":\"published\""));
	say("{\"type\":\"consent\",\"publication\":0}");
	assert_true(heard("consented"));
	say("{\"type\":\"moderate\",\"space\":\"nowhere\",\"action\":\"list\"}");
	assert_true(heard("unknown-space"));
	say("{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":0,\"name\":\"A\",\"kind\":"
	    "\"poses\"}");
	assert_true(heard("the publication is in use"));
	assert_int_equal(count_sessions(), 0);
}

static void does_nothing_before_hello(void **state)
{
	(void)state;
	say(PUBLISH);
	assert_true(heard("no-hello"));
	assert_int_equal(setting->nats.count, 0);
}

static void sends_a_new_token(void **state)
{
	(void)state;
	publish();
	say("{\"type\":\"token\",\"token\":\"abc\"}");
	assert_int_equal(sent("\"type\":\"token\",\"token\":\"abc\""), 1);
	assert_true(heard("renewed"));
	answer("{\"type\":\"renewed\",\"request\":\"none\"}");
	lose();
	come_back();
	assert_int_equal(sent("\"token\":\"abc\""), 1);
}

static void closes_the_session_when_the_client_leaves(void **state)
{
	(void)state;
	publish();
	forget();
	crowd_hang_up(&setting->crowd.guests[0]);
	assert_int_equal(setting->nats.count, 1);
	assert_int_equal(fake_nats_read(&setting->nats, 0).kind, JC_SESSION_CLOSE);
	assert_int_equal(fake_nats_read(&setting->nats, 0).number, setting->number);
	assert_int_equal(count_sessions(), 0);
}

static void answers_what_a_lost_origin_does_not(void **state)
{
	(void)state;
	publish();
	say("{\"type\":\"record\",\"space\":\"lobby\",\"action\":\"start\",\"request\":\"r2\"}");
	say("{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":4,\"name\":\"B\",\"kind\":"
	    "\"poses\"}");
	lose();
	assert_true(heard("\"code\":\"failed\",\"message\":\"the origin of the space does not "
			  "answer\",\"ref\":\"record\",\"request\":\"r2\""));
	assert_true(heard("\"ref\":\"publish\""));
	assert_false(heard("unpublished"));
	assert_int_equal(count_sessions(), 0);
	/* An unanswered body is not published again, an open one is. */
	come_back();
	assert_int_equal(sent("\"publication\":3"), 1);
	assert_int_equal(sent("\"publication\":4"), 0);
}

static void a_session_that_the_origin_does_not_open_is_lost(void **state)
{
	(void)state;
	say(HELLO);
	say(PUBLISH);
	assert_int_equal(count_sessions(), 1);
	forget();
	/* The origin lives, but has not got OPEN. */
	for (int i = 0; i < 8 && count_sessions() > 0; i++) {
		for (size_t k = 0; k < setting->nats.count; k++) {
			if (fake_nats_read(&setting->nats, k).kind == JC_SESSION_ALIVE) {
				fake_nats_send(EDGE, JC_SESSION_ALIVE,
					fake_nats_read(&setting->nats, k).number, 0, "");
			}
		}
		fake_nats_clear(&setting->nats);
		jc_session_link_sweep(setting->link);
	}
	assert_int_equal(count_sessions(), 0);
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_CLOSE, ""), 1);
	assert_true(heard("\"code\":\"failed\",\"message\":\"the origin of the space does not "
			  "answer\",\"ref\":\"publish\",\"request\":\"r1\""));
}

/* Sweeps; the origin answers each ALIVE, and lists the newest session or none. */
static void sweep_with_answers(int sweeps, bool is_listed)
{
	for (int i = 0; i < sweeps; i++) {
		fake_nats_clear(&setting->nats);
		jc_session_link_sweep(setting->link);
		for (size_t k = 0; k < setting->nats.count; k++) {
			struct jc_session_message message = fake_nats_read(&setting->nats, k);

			if (message.kind != JC_SESSION_ALIVE) {
				continue;
			}
			if (is_listed) {
				fake_nats_list(
					EDGE, message.number, setting->number, setting->sequence);
			} else {
				fake_nats_send(EDGE, JC_SESSION_ALIVE, message.number, 0, "");
			}
		}
	}
}

/* Another process may be the origin by now: only what it has opened counts. */
static void a_session_lasts_while_the_origin_lists_it(void **state)
{
	(void)state;
	publish();
	sweep_with_answers(20, true);
	assert_int_equal(count_sessions(), 1);
	for (int i = 0; i < 8 && count_sessions() > 0; i++) {
		sweep_with_answers(1, false);
	}
	assert_int_equal(count_sessions(), 0);
	/* A new origin opens the next session, and lists it. */
	come_back();
	follow();
	sweep_with_answers(20, true);
	assert_int_equal(count_sessions(), 1);
	assert_int_equal(sent("\"type\":\"publish\""), 0);
}

static void an_answer_gives_no_consent_that_was_withdrawn_since(void **state)
{
	(void)state;
	publish();
	say("{\"type\":\"consent\",\"publication\":3,\"mayRecord\":true}");
	say("{\"type\":\"consent\",\"publication\":3,\"mayRecord\":false}");
	answer("{\"type\":\"consented\",\"publication\":3,\"mayRecord\":true,"
	       "\"mayRebroadcast\":false}");
	lose();
	come_back();
	assert_int_equal(sent("mayRecord"), 0);
}

static void publishes_again_what_the_client_still_wants(void **state)
{
	char text[256];

	(void)state;
	publish();
	say("{\"type\":\"amend\",\"publication\":3,\"display\":\"A\"}");
	answer("{\"type\":\"amended\",\"publication\":3,\"body\":70}");
	/* Without an answer it does not count; a withdrawn consent does. */
	say("{\"type\":\"amend\",\"publication\":3,\"display\":\"B\"}");
	say("{\"type\":\"consent\",\"publication\":3,\"mayRecord\":false,\"mayRebroadcast\":true}");
	lose();
	say("{\"type\":\"place\",\"space\":\"lobby\",\"body\":70,\"position\":[1,0,2],\"yaw\":0."
	    "5}");
	say("{\"type\":\"consent\",\"publication\":3,\"mayRebroadcast\":true,\"request\":9}");
	assert_true(heard("{\"type\":\"consented\",\"publication\":3,\"mayRecord\":false,"
			  "\"mayRebroadcast\":true,\"request\":9}"));
	say_bytes(2, ARM, sizeof(ARM) - 1);
	assert_int_equal(setting->nats.count + setting->heard_length, 0);
	come_back();
	assert_int_equal(sent("mayRecord"), 0);
	assert_int_equal(sent("\"mayRebroadcast\":true"), 1);
	assert_int_equal(sent("\"display\":\"A\""), 1);
	assert_int_equal(sent("\"position\":[1,0,2]"), 1);
	assert_int_equal(sent("unknown"), 0);
	snprintf(text, sizeof(text),
		"{\"type\":\"published\",\"space\":\"lobby\",\"publication\":3,\"body\":91,"
		"\"request\":\"%s\"}",
		request_of("publish"));
	follow();
	answer(text);
	assert_true(heard("{\"type\":\"amended\",\"publication\":3,\"body\":91}"));
	assert_false(heard("published"));
	say_bytes(2, ARM, sizeof(ARM) - 1);
	assert_int_equal(fake_nats_read(&setting->nats, 0).kind, JC_SESSION_BINARY);
}

static void says_so_when_a_body_cannot_be_published_again(void **state)
{
	char text[256];

	(void)state;
	publish();
	lose();
	come_back();
	snprintf(text, sizeof(text),
		"{\"type\":\"error\",\"code\":\"unknown-space\",\"message\":\"x\",\"ref\":"
		"\"publish\",\"request\":\"%s\"}",
		request_of("publish"));
	follow();
	answer(text);
	assert_int_equal(setting->heard_length, 0);
	come_back(); /* the space may come */
	snprintf(text, sizeof(text),
		"{\"type\":\"error\",\"code\":\"banned\",\"message\":\"no\",\"ref\":\"publish\","
		"\"request\":\"%s\"}",
		request_of("publish"));
	answer(text);
	assert_true(heard("{\"type\":\"unpublished\",\"publication\":3,\"reason\":\"no\"}"));
	for (int i = 0; i < 50; i++) {
		jc_session_link_sweep(setting->link);
	}
	assert_int_equal(sent("\"type\":\"publish\""), 0);
}

static void removes_again_what_the_client_has_removed_meanwhile(void **state)
{
	char text[256];

	(void)state;
	publish();
	lose();
	come_back();
	snprintf(text, sizeof(text),
		"{\"type\":\"published\",\"space\":\"lobby\",\"publication\":3,\"body\":91,"
		"\"request\":\"%s\"}",
		request_of("publish"));
	follow();
	say("{\"type\":\"unpublish\",\"publication\":3,\"request\":1}");
	assert_true(heard("{\"type\":\"unpublished\",\"publication\":3,\"request\":1}"));
	answer(text);
	assert_int_equal(sent("\"type\":\"unpublish\",\"publication\":3"), 1);
	assert_int_equal(setting->heard_length, 0);
}

static void a_gap_loses_the_session(void **state)
{
	(void)state;
	publish();
	forget();
	fake_nats_send(EDGE, JC_SESSION_TEXT, setting->number, setting->sequence + 1, "{}");
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_CLOSE, ""), 1);
	assert_int_equal(count_sessions(), 0);
	come_back();
}

static void the_origin_closes_the_connection_of_a_client_that_it_refuses(void **state)
{
	(void)state;
	publish();
	forget();
	fake_nats_send(EDGE, JC_SESSION_CLOSE, setting->number, 0, "\xe9\x03gone");
	assert_int_equal(setting->crowd.guests[0].connection->web_socket->session.close_code, 0);
	come_back();
	follow();
	fake_nats_send(EDGE, JC_SESSION_CLOSE, setting->number, 0,
		"\xf0\x03"
		"expired");
	assert_true(heard("expired"));
	assert_int_equal(setting->crowd.guests[0].connection->web_socket->session.close_code,
		JC_CLOSE_POLICY);
}

static void a_client_that_the_origin_removes_leaves(void **state)
{
	const struct jc_fanout *lobby = jc_spaces_find(&setting->crowd.spaces, "lobby");

	(void)state;
	say(HELLO);
	say("{\"type\":\"join\",\"space\":\"lobby\"}");
	say(PUBLISH);
	follow();
	answer(PUBLISHED);
	answer("{\"type\":\"moderated\",\"space\":\"lobby\",\"action\":\"mute\"}");
	assert_int_equal(lobby->view_count, 1);
	answer("{\"type\":\"moderated\",\"space\":\"lobby\",\"action\":\"kick\"}");
	assert_true(heard("kick"));
	assert_int_equal(lobby->view_count, 0);
}

/* `moderated` comes before `unpublished`, and may also come by another way, sooner. */
static void a_client_that_was_removed_can_publish_again_at_once(void **state)
{
	static const char again[] =
		"{\"type\":\"published\",\"space\":\"lobby\",\"publication\":3,\"body\":71,"
		"\"request\":\"r1\"}";
	static const char banned[] = "{\"type\":\"error\",\"code\":\"banned\",\"ref\":"
				     "\"publish\",\"request\":\"r1\"}";
	static const char unpublished[] = "{\"type\":\"unpublished\",\"publication\":3}";

	(void)state;
	publish();
	answer("{\"type\":\"moderated\",\"space\":\"lobby\",\"action\":\"kick\"}");
	say(PUBLISH);
	assert_false(heard("bad-field"));
	assert_int_equal(sent("\"type\":\"publish\""), 1);
	answer(unpublished); /* of the first one */
	answer(again);
	say_bytes(2, ARM, sizeof(ARM) - 1);
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_BINARY, ""), 1);
	answer("{\"type\":\"moderated\",\"space\":\"lobby\",\"action\":\"ban\"}");
	say(PUBLISH);
	assert_int_equal(sent("\"type\":\"publish\""), 1);
	answer(unpublished);
	answer(banned);
	assert_true(heard("banned"));
	say(PUBLISH);
	assert_int_equal(sent("\"type\":\"publish\""), 1); /* the number is free */
}

static void a_removed_client_keeps_no_lost_body(void **state)
{
	struct jc_forwarder *forwarder = setting->crowd.control.forwarder;

	(void)state;
	publish();
	lose();
	forget();
	forwarder->ops->removed(forwarder, setting->crowd.control.clients, "attic");
	assert_false(heard("unpublished"));
	forwarder->ops->removed(forwarder, setting->crowd.control.clients, "lobby");
	assert_true(heard("{\"type\":\"unpublished\",\"publication\":3}"));
	for (int i = 0; i < 50; i++) {
		jc_session_link_sweep(setting->link);
	}
	assert_int_equal(sent("\"type\":\"publish\""), 0);
}

/* The newest ALIVE. */
static struct jc_session_message newest_alive(void)
{
	size_t i = setting->nats.count;

	while (i > 0 && fake_nats_read(&setting->nats, i - 1).kind != JC_SESSION_ALIVE) {
		i--;
	}
	assert_true(i > 0);
	return fake_nats_read(&setting->nats, i - 1);
}

/* The last message of a session has none behind it that shows its loss. */
static void a_lost_last_message_is_found_by_the_counts(void **state)
{
	struct jc_session_message alive;
	struct jc_session_count count;

	(void)state;
	publish();
	say("{\"type\":\"stage\",\"space\":\"lobby\",\"body\":1,\"request\":7}");
	for (int i = 0; i < 2; i++) {
		jc_session_link_sweep(setting->link);
	}
	alive = newest_alive();
	assert_true(jc_session_count_read(&alive, 0, &count));
	assert_int_equal(count.number, setting->number);
	assert_int_equal(count.sent, 4); /* OPEN, hello, publish, stage */
	assert_false(jc_session_count_read(&alive, 1, &count));
	fake_nats_list(EDGE, alive.number, setting->number, setting->sequence);
	assert_int_equal(count_sessions(), 1);
	/* The origin has sent the answer to `stage`, which has not come. */
	fake_nats_list(EDGE, alive.number, setting->number, setting->sequence + 1);
	assert_int_equal(count_sessions(), 0);
	assert_true(heard("\"code\":\"failed\",\"message\":\"a message is lost\",\"ref\":\"stage\","
			  "\"request\":7"));
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_CLOSE, ""), 1);
	come_back();
}

static void a_refused_amendment_is_not_repeated(void **state)
{
	(void)state;
	publish();
	/* Two without `request`, which are answered in order, and one with. */
	say("{\"type\":\"amend\",\"publication\":3,\"display\":\"A\",\"meta\":{\"a\":1}}");
	say("{\"type\":\"amend\",\"publication\":3,\"avatar\":\"none\"}");
	say("{\"type\":\"amend\",\"publication\":3,\"meta\":{\"b\":1},\"request\":5}");
	answer("{\"type\":\"error\",\"code\":\"bad-field\",\"message\":\"x\",\"ref\":\"amend\","
	       "\"request\":5}");
	assert_true(heard("bad-field"));
	answer("{\"type\":\"amended\",\"publication\":3,\"body\":70}");
	answer("{\"type\":\"error\",\"code\":\"unknown-avatar\",\"message\":\"x\",\"ref\":"
	       "\"amend\"}");
	assert_true(heard("unknown-avatar"));
	/* One that is answered before an earlier `publish`. */
	say("{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":4,\"name\":\"B\",\"kind\":"
	    "\"poses\"}");
	say("{\"type\":\"amend\",\"publication\":3,\"display\":\"C\"}");
	answer("{\"type\":\"error\",\"code\":\"bad-field\",\"message\":\"x\",\"ref\":\"amend\"}");
	answer("{\"type\":\"published\",\"publication\":4,\"body\":72}");
	/* One that the origin sends on its own changes the body alone. */
	say("{\"type\":\"amend\",\"publication\":3,\"display\":\"B\",\"request\":6}");
	answer("{\"type\":\"error\",\"code\":\"too-many\",\"message\":\"x\",\"ref\":\"amend\","
	       "\"request\":6}");
	answer("{\"type\":\"amended\",\"publication\":3,\"body\":71}");
	lose();
	for (int i = 0; i < 50 && sent("\"type\":\"publish\"") == 0; i++) {
		forget();
		jc_session_link_sweep(setting->link);
	}
	assert_int_equal(sent("\"type\":\"publish\",\"space\":\"lobby\",\"publication\":4"), 1);
	assert_int_equal(sent("\"display\":\"A\""), 1);
	assert_int_equal(sent("\"meta\":{\"a\":1}"), 1);
	assert_int_equal(sent("avatar"), 0);
}

static void sends_a_registered_skeleton_first(void **state)
{
	char text[256], hash[65] = "";

	(void)state;
	say(HELLO);
	say("{\"type\":\"skeleton\",\"name\":\"mine\",\"descriptor\":{\"name\":\"mine\",\"nodes\":["
	    "{\"name\":\"h\",\"translation\":[0,1.25,0]}],\"bones\":{\"hips\":0}}}");
	crowd_wait(&setting->crowd, 100 * MS);
	assert_true(heard("\"hash\":\""));
	sscanf(strstr(setting->heard, "\"hash\":\"") + 8, "%64[0-9a-f]", hash);
	assert_int_equal(strlen(hash), 64);
	snprintf(text, sizeof(text),
		"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":3,\"name\":\"Ada\","
		"\"kind\":\"poses\",\"skeleton\":\"%s\"}",
		hash);
	say(text);
	assert_int_equal(sent("\"type\":\"skeleton\",\"name\":\"edge "), 1);
	assert_int_equal(sent("[0,1.25,0]") + sent("[0.0,1.25,0.0]"), 1);
	/* The origin reads it before the rest follows. */
	assert_int_equal(sent("publish"), 0);
	char request[64];

	snprintf(request, sizeof(request), "%s", request_of("\"type\":\"skeleton\""));
	follow();
	say("{\"type\":\"stage\",\"space\":\"lobby\",\"body\":1}");
	assert_int_equal(setting->nats.count, 0);
	snprintf(text, sizeof(text), "{\"type\":\"registered\",\"request\":\"%s\"}", request);
	answer(text);
	assert_int_equal(setting->heard_length, 0);
	assert_int_equal(sent("\"type\":\"publish\""), 1);
	assert_int_equal(sent("\"type\":\"stage\""), 1);
	/* Once in a session. */
	snprintf(text, sizeof(text),
		"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":4,\"name\":\"Ada\","
		"\"kind\":\"poses\",\"skeleton\":\"%s\"}",
		hash);
	say(text);
	assert_int_equal(sent("\"type\":\"skeleton\""), 0);
	assert_int_equal(sent("\"type\":\"publish\""), 1);
}

static void forged_messages_harm_nobody(void **state)
{
	uint8_t noise[40];

	(void)state;
	publish();
	forget();
	fake_nats_send(EDGE, JC_SESSION_TEXT, setting->number + 1, 0, "{}");
	fake_nats_send(EDGE, JC_SESSION_CLOSE, setting->number + 1, 0, "");
	for (size_t length = 0; length <= sizeof(noise); length++) {
		memset(noise, (int)length, sizeof(noise));
		fake_nats_deliver(EDGE, noise, length);
	}
	assert_int_equal(setting->heard_length, 0);
	assert_int_equal(count_sessions(), 1);
	/* An answer that is no object ends the session. */
	answer("{\"type\":");
	assert_int_equal(count_sessions(), 0);
	come_back();
}

static void limits_unanswered_messages(void **state)
{
	char text[128];

	(void)state;
	publish();
	for (int i = 0; i < (int)JC_MAX_FORWARDED_ANSWERS; i++) {
		snprintf(text, sizeof(text),
			"{\"type\":\"stage\",\"space\":\"lobby\",\"body\":1,\"request\":%d}", i);
		say(text);
		assert_int_equal(setting->nats.count, 1);
	}
	say("{\"type\":\"stage\",\"space\":\"lobby\",\"body\":1,\"request\":99}");
	assert_int_equal(setting->nats.count, 0);
	assert_true(heard("too many messages wait"));
	answer("{\"type\":\"done\",\"request\":5}");
	say("{\"type\":\"stage\",\"space\":\"lobby\",\"body\":1,\"request\":99}");
	assert_int_equal(setting->nats.count, 1);
}

static void without_nats_the_client_gets_an_error(void **state)
{
	(void)state;
	say(HELLO);
	setting->nats.is_lost = true;
	say(PUBLISH);
	assert_true(heard("\"code\":\"failed\""));
	assert_true(heard("\"request\":\"r1\""));
	setting->nats.is_lost = false;
	say(PUBLISH);
	follow();
	answer(PUBLISHED);
	/* A capture that cannot be sent is left out; what follows has its sequence. */
	setting->nats.is_lost = true;
	say_bytes(2, ARM, sizeof(ARM) - 1);
	setting->nats.is_lost = false;
	say_bytes(2, ARM, sizeof(ARM) - 1);
	assert_int_equal(fake_nats_read(&setting->nats, 0).sequence, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(opens_a_session_with_the_first_message_that_needs_it),
		TEST(a_client_learns_at_once_that_the_origin_is_gone),
		TEST(forwards_answers_unchanged),
		TEST(forwards_captures_in_time_of_the_origin),
		TEST(forwards_messages_about_the_publication),
		TEST(serves_its_own_spaces_itself),
		TEST(does_nothing_before_hello),
		TEST(sends_a_new_token),
		TEST(closes_the_session_when_the_client_leaves),
		TEST(answers_what_a_lost_origin_does_not),
		TEST(an_answer_gives_no_consent_that_was_withdrawn_since),
		TEST(a_session_that_the_origin_does_not_open_is_lost),
		TEST(a_session_lasts_while_the_origin_lists_it),
		TEST(publishes_again_what_the_client_still_wants),
		TEST(says_so_when_a_body_cannot_be_published_again),
		TEST(removes_again_what_the_client_has_removed_meanwhile),
		TEST(a_gap_loses_the_session),
		TEST(the_origin_closes_the_connection_of_a_client_that_it_refuses),
		TEST(a_client_that_the_origin_removes_leaves),
		TEST(a_client_that_was_removed_can_publish_again_at_once),
		TEST(a_removed_client_keeps_no_lost_body),
		TEST(a_lost_last_message_is_found_by_the_counts),
		TEST(a_refused_amendment_is_not_repeated),
		TEST(sends_a_registered_skeleton_first),
		TEST(forged_messages_harm_nobody),
		TEST(limits_unanswered_messages),
		TEST(without_nats_the_client_gets_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
