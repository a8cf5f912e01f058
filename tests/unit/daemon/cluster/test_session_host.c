/* Tests the origin's end of sessions: messages of edges come from the test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/session/session_host.h"
#include "control/client.h"
#include "crowd.h"
#include "fake_nats.h"
#include "forwarder.h"
#include "moderation/moderation.h"
#include "space/space.h"
#include "unit_test.h"

#define MS     INT64_C(1000000)
#define SECOND (1000 * MS)
#define LOBBY  "jc.lobby.u.east"
#define HALL   "jc.hall.u.east"
#define OTHER  "jc.lobby.u.west"
#define DOWN   "jc.lobby.d.east"
#define HELLO  "{\"type\":\"hello\"}"
#define OPEN   "{\"address\":\"192.0.2.7\",\"localPage\":false}"
#define PUBLISH                                                                                    \
	"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":3,\"name\":\"Ada\",\"kind\":"   \
	"\"poses\"}"
/* proto/golden/captures.json, "a lone arm", of publication 3. */
#define ARM                                                                                        \
	"\x21\x03\x41\x00\x4e\x53\xc2\x2a\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x20\x00\x20" \
	"\x00\xe0\xff\xbf"

/* Signed with CROWD_SECRET until 2030: ada may watch and publish "Ada", mia may do everything, max
 * watches and moderates. */
#define HEAD "eyJhbGciOiJIUzI1NiIsImtpZCI6ImsiLCJ0eXAiOiJKV1QifQ."
#define ADA                                                                                        \
	HEAD "eyJhdWQiOiJqb2ludGNhc3QiLCJleHAiOjE5MDAwMDAwMDAsInN1YiI6ImFkYSIsInJvbGVzIjpbIndhdGN" \
	     "oIiwicHVibGlzaCJdLCJzcGFjZXMiOlsibG9iYnkiLCJoYWxsIl0sImJvZGllcyI6WyJBZGEiXX0."       \
	     "bxBIgPE"                                                                             \
	     "7PeCILpw6V8-hgzvOF6LPPt1lMybInUPvGNg"
#define MIA                                                                                        \
	HEAD "eyJhdWQiOiJqb2ludGNhc3QiLCJleHAiOjE5MDAwMDAwMDAsInN1YiI6Im1pYSIsInJvbGVzIjpbIndhdGN" \
	     "oIiwicHVibGlzaCIsInJlY29yZCIsIm1vZGVyYXRlIiwiYWRtaW5pc3RlciJdLCJzcGFjZXMiOiIqIiwiYm" \
	     "9"                                                                                   \
	     "kaWVzIjoiKiJ9.TlJ2l2mo5y93cwcQgDngZePu8sbKrBHCJOE2Q9xm-qo"
#define BOSS                                                                                       \
	HEAD "eyJhdWQiOiJqb2ludGNhc3QiLCJleHAiOjE5MDAwMDAwMDAsInN1YiI6Im1heCIsInJvbGVzIjpbIndhdGN" \
	     "oIiwibW9kZXJhdGUiXSwic3BhY2VzIjoiKiIsImJvZGllcyI6IioifQ."                            \
	     "sKGLbMGiTHTPwOZhzUfKvCzAmEPA"                                                        \
	     "g6fyxLt1TKCEocA"
#define HELLO_OF(token) "{\"type\":\"hello\",\"token\":\"" token "\"}"

struct setting {
	struct crowd crowd;
	struct fake_nats nats;
	struct jc_session_host *host;
	struct jc_moderation_observer observer;
	char removed[512]; /* what it got last */
	bool exports;
};

static struct setting *setting;

static void hear(struct crowd_guest *guest, const uint8_t *bytes, size_t length)
{
	(void)guest;
	(void)bytes;
	(void)length;
}

static bool exports(void *context, const struct jc_fanout *fanout)
{
	(void)context;
	(void)fanout;
	return setting->exports;
}

static int set_up(void **state)
{
	(void)state;
	setting = calloc(1, sizeof(*setting));
	assert_non_null(setting);
	setting->crowd.hear = hear;
	setting->exports = true;
	crowd_open(&setting->crowd);
	fake_nats_open(&setting->nats);
	const struct jc_session_host_options options = { .log = &setting->crowd.log,
		.server = &setting->crowd.server,
		.spaces = &setting->crowd.spaces,
		.exports = exports };

	assert_int_equal(jc_session_host_create(&options, &setting->host), JC_OK);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	jc_session_host_destroy(setting->host);
	fake_nats_close(&setting->nats);
	crowd_close(&setting->crowd);
	free(setting);
	return 0;
}

/* The sessions end that were closed, and the bodies that left are gone. */
static void settle(void)
{
	jc_server_settle(&setting->crowd.server);
	crowd_wait_for_tick(&setting->crowd);
	jc_session_host_sweep(setting->host, jc_clock_now_ns());
}

static size_t count_sessions(void)
{
	struct jc_session_host_report report;

	jc_session_host_report(setting->host, &report);
	return report.sessions;
}

static void open_session(uint64_t number)
{
	fake_nats_send(LOBBY, JC_SESSION_OPEN, number, 0, OPEN);
}

static void say(uint64_t number, uint32_t sequence, const char *text)
{
	fake_nats_send(LOBBY, JC_SESSION_TEXT, number, sequence, text);
	crowd_wait(&setting->crowd, 10 * MS);
}

static void capture(uint64_t number, uint32_t sequence)
{
	uint8_t bytes[JC_SESSION_MESSAGE_HEAD + sizeof(ARM) - 1];
	const struct jc_session_message message = {
		.kind = JC_SESSION_BINARY, .number = number, .sequence = sequence
	};

	jc_session_message_write(&message, bytes);
	memcpy(bytes + JC_SESSION_MESSAGE_HEAD, ARM, sizeof(ARM) - 1);
	fake_nats_deliver(LOBBY, bytes, sizeof(bytes));
}

static size_t heard(const char *text)
{
	return fake_nats_count(&setting->nats, JC_SESSION_TEXT, text);
}

static const struct jc_body *body(const char *name)
{
	const struct jc_fanout *lobby = jc_spaces_find(&setting->crowd.spaces, "lobby");

	return jc_space_named(lobby->space, name);
}

static void publishes_through_an_edge(void **state)
{
	(void)state;
	open_session(7);
	assert_int_equal(fake_nats_read(&setting->nats, 0).kind, JC_SESSION_OPENED);
	assert_string_equal(setting->nats.messages[0].subject, DOWN);
	say(7, 1, HELLO);
	assert_int_equal(heard("\"type\":\"welcome\""), 1);
	say(7, 2,
		"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":3,\"name\":\"Ada\","
		"\"kind\":\"poses\",\"mayRecord\":true,\"request\":\"r1\"}");
	assert_int_equal(heard("\"type\":\"published\""), 1);
	assert_int_equal(heard("\"request\":\"r1\""), 1);
	assert_non_null(body("Ada"));
	assert_true(body("Ada")->is_waiting || !body("Ada")->live);
	capture(7, 3);
	crowd_wait(&setting->crowd, 200 * MS);
	assert_true(body("Ada")->live);
	/* Sequences towards the edge are without a gap. */
	for (size_t i = 0; i < setting->nats.count; i++) {
		assert_int_equal(fake_nats_read(&setting->nats, i).number, 7);
		assert_int_equal(fake_nats_read(&setting->nats, i).sequence, i);
	}
	fake_nats_send(LOBBY, JC_SESSION_CLOSE, 7, 4, "\xe9\x03");
	settle();
	assert_null(body("Ada"));
	assert_int_equal(count_sessions(), 0);
}

static void ends_the_sessions_of_an_edge_that_is_silent(void **state)
{
	(void)state;
	open_session(7);
	say(7, 1, HELLO);
	say(7, 2, PUBLISH);
	for (int i = 0; i < 20; i++) {
		jc_session_host_sweep(setting->host, jc_clock_now_ns());
		fake_nats_list(LOBBY, 99, 7, 3);
	}
	assert_non_null(body("Ada"));
	/* The answer has the number of the question. */
	assert_int_equal(
		fake_nats_read(&setting->nats, setting->nats.count - 1).kind, JC_SESSION_ALIVE);
	assert_int_equal(fake_nats_read(&setting->nats, setting->nats.count - 1).number, 99);
	for (int i = 0; i < 5; i++) {
		jc_session_host_sweep(setting->host, jc_clock_now_ns());
	}
	assert_int_equal(count_sessions(), 1);
	jc_session_host_sweep(setting->host, jc_clock_now_ns());
	settle();
	assert_null(body("Ada"));
	assert_int_equal(count_sessions(), 0);
	jc_session_host_sweep(setting->host, jc_clock_now_ns());

	struct jc_session_host_report report;

	jc_session_host_report(setting->host, &report);
	assert_int_equal(report.edges, 0);
}

static void ends_the_sessions_of_a_space_that_is_exported_no_longer(void **state)
{
	(void)state;
	open_session(7);
	say(7, 1, HELLO);
	say(7, 2, PUBLISH);
	setting->exports = false;
	settle();
	settle();
	assert_null(body("Ada"));
	assert_int_equal(count_sessions(), 0);
	assert_int_equal(fake_nats_send(LOBBY, JC_SESSION_OPEN, 8, 0, OPEN), 0);
}

static void closes_a_session_with_a_gap(void **state)
{
	(void)state;
	open_session(7);
	say(7, 1, HELLO);
	say(7, 2, PUBLISH);
	capture(7, 4);
	settle();
	assert_null(body("Ada"));
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_CLOSE, "lost"), 1);
	/* What follows is answered, once for each. */
	say(7, 5, "{\"type\":\"ping\",\"t\":1}");
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_CLOSE, "no such session"), 1);
}

/* Each of these needs a right; `hello` with no token, or with another's for another space, gives
 * none. */
static const char *const privileged[] = {
	("{\"type\":\"publish\",\"space\":\"hall\",\"publication\":0,\"name\":\"Ada\",\"kind\":"
	 "\"poses\"}"),
	"{\"type\":\"record\",\"space\":\"hall\",\"action\":\"start\"}",
	"{\"type\":\"replay\",\"space\":\"hall\",\"action\":\"list\"}",
	"{\"type\":\"moderate\",\"space\":\"hall\",\"action\":\"list\"}",
	"{\"type\":\"administer\",\"space\":\"hall\",\"action\":\"close\"}",
	"{\"type\":\"stage\",\"space\":\"hall\",\"body\":1}",
	"{\"type\":\"calibrate\",\"space\":\"hall\",\"body\":1}",
};

static void permits_nothing_without_a_token(void **state)
{
	(void)state;
	crowd_set_keys(&setting->crowd, CROWD_KEY);
	open_session(7);
	say(7, 1, HELLO);
	assert_int_equal(heard("\"type\":\"welcome\""), 1);
	for (uint32_t i = 0; i < sizeof(privileged) / sizeof(privileged[0]); i++) {
		fake_nats_clear(&setting->nats);
		say(7, 2 + i, privileged[i]);
		assert_int_equal(heard("\"type\":\"error\""), 1);
		assert_int_equal(heard("not-allowed") + heard("unknown-space"), 1);
	}
	fake_nats_clear(&setting->nats);
	capture(7, 9);
	assert_int_equal(heard("unknown-publication"), 1);
	assert_int_equal(
		jc_space_body_count(jc_spaces_find(&setting->crowd.spaces, "hall")->space), 0);
}

static void permits_nothing_with_a_wrong_token(void **state)
{
	(void)state;
	crowd_set_keys(&setting->crowd, CROWD_KEY);
	open_session(7);
	say(7, 1, HELLO_OF(ADA "x"));
	assert_int_equal(heard("\"reason\":\"bad-signature\""), 1);
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_CLOSE, ""), 1);
	settle();
	for (uint32_t i = 0; i < sizeof(privileged) / sizeof(privileged[0]); i++) {
		say(7, 2 + i, privileged[i]);
	}
	assert_int_equal(heard("\"type\":\"welcome\""), 0);
	assert_int_equal(heard("published"), 0);
	assert_int_equal(count_sessions(), 0);
}

static void permits_what_the_token_permits(void **state)
{
	(void)state;
	crowd_set_keys(&setting->crowd, CROWD_KEY);
	open_session(7);
	say(7, 1, HELLO_OF(ADA));
	say(7, 2, privileged[0]);
	assert_int_equal(heard("\"type\":\"published\""), 1);
	for (uint32_t i = 1; i < 5; i++) {
		fake_nats_clear(&setting->nats);
		say(7, 2 + i, privileged[i]);
		assert_int_equal(heard("not-allowed"), 1);
	}
}

static void bans_by_the_address_of_the_client(void **state)
{
	struct jc_sanctions *sanctions =
		jc_moderation_sanctions(setting->crowd.services.moderation);
	struct jc_sanction sanction = { .space = "lobby",
		.kind = JC_SANCTION_BAN,
		.who = "address 192.0.2.7",
		.until_s = INT64_MAX };

	(void)state;
	assert_int_equal(jc_sanctions_put(sanctions, &sanction), JC_OK);
	open_session(7);
	say(7, 1, HELLO);
	say(7, 2, PUBLISH);
	assert_int_equal(heard("\"code\":\"banned\""), 1);
	assert_null(body("Ada"));
	/* Another address of the same edge is not banned. */
	fake_nats_send(
		LOBBY, JC_SESSION_OPEN, 8, 0, "{\"address\":\"192.0.2.8\",\"localPage\":false}");
	say(8, 1, HELLO);
	say(8, 2, PUBLISH);
	assert_int_equal(heard("\"type\":\"published\""), 1);
}

static void does_not_join(void **state)
{
	(void)state;
	open_session(7);
	say(7, 1, HELLO);
	say(7, 2, "{\"type\":\"join\",\"space\":\"lobby\"}");
	assert_int_equal(heard("unsupported"), 1);
	say(7, 3, "{\"type\":\"subscribe\",\"space\":\"lobby\"}");
	assert_int_equal(heard("not-joined"), 1);
	say(7, 4, "{\"type\":\"replay\",\"space\":\"lobby\",\"action\":\"rewind\"}");
	assert_int_equal(heard("unsupported"), 2);
	assert_int_equal(jc_spaces_find(&setting->crowd.spaces, "lobby")->view_count, 0);
}

static void on_removed(struct jc_moderation_observer *observer, const struct jc_fanout *fanout,
	const char *who, const char *text, bool spares_administrators)
{
	assert_ptr_equal(observer, &setting->observer);
	snprintf(setting->removed, sizeof(setting->removed), "%s %s %d %s",
		jc_space_options(fanout->space)->name, who, (int)spares_administrators, text);
}

static void who_has_to_leave_is_reported_for_other_edges(void **state)
{
	(void)state;
	setting->observer.removed = on_removed;
	setting->crowd.control.observer = &setting->observer;
	crowd_set_keys(&setting->crowd, CROWD_KEY);
	open_session(7);
	say(7, 1, HELLO_OF(ADA));
	say(7, 2, PUBLISH);
	open_session(8);
	say(8, 1, HELLO_OF(MIA));
	fake_nats_clear(&setting->nats);
	say(8, 2,
		"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"ban\",\"subject\":\"ada\","
		"\"reason\":\"rude\"}");
	assert_ptr_equal(strstr(setting->removed, "lobby subject ada 0 {"), setting->removed);
	assert_non_null(strstr(setting->removed, "rude"));
	/* Who publishes gets the message on its session. */
	assert_int_equal(heard("\"type\":\"unpublished\""), 1);
	crowd_wait_for_tick(&setting->crowd);
	assert_null(body("Ada"));
	fake_nats_clear(&setting->nats);
	say(7, 3, PUBLISH);
	assert_int_equal(heard("\"code\":\"banned\""), 1);
	/* A moderator who does not administer cannot remove administrators, also not elsewhere. */
	open_session(9);
	say(9, 1, HELLO_OF(BOSS));
	fake_nats_clear(&setting->nats);
	say(9, 2,
		"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"kick\",\"subject\":"
		"\"ada\"}");
	assert_ptr_equal(strstr(setting->removed, "lobby subject ada 1 {"), setting->removed);
}

static void forged_messages_harm_nobody(void **state)
{
	static const char *const invalid[] = { "", "{", "[]", "{\"localPage\":false}",
		"{\"address\":\"192.0.2.7\"}", "{\"address\":7,\"localPage\":false}",
		"{\"address\":\"nowhere\",\"localPage\":false}",
		"{\"address\":\"192.0.2.7\",\"localPage\":1}",
		("{\"address\":\"192.0.2.7\",\"localPage\":false,"
		 "\"party\":\"1\"}"),
		("{\"address\":\"192.0.2.7\",\"localPage\":false,"
		 "\"party\":\"8000000000000001\"}") };
	uint8_t noise[40];

	(void)state;
	open_session(7);
	say(7, 1, HELLO);
	say(7, 2, PUBLISH);
	/* The number of another edge's session. */
	fake_nats_send(OTHER, JC_SESSION_CLOSE, 7, 3, "");
	fake_nats_send(OTHER, JC_SESSION_TEXT, 7, 3, "{\"type\":\"unpublish\",\"publication\":3}");
	fake_nats_send(OTHER, JC_SESSION_OPEN, 7, 0, OPEN);
	fake_nats_clear(&setting->nats);
	fake_nats_list(OTHER, 5, 7, 1);
	assert_int_equal(fake_nats_read(&setting->nats, 0).length, 0);
	/* Another space, and no name of an edge. */
	fake_nats_send(HALL, JC_SESSION_CLOSE, 7, 3, "");
	fake_nats_list(HALL, 5, 7, 1);
	fake_nats_send("jc.lobby.u.", JC_SESSION_CLOSE, 7, 3, "");
	fake_nats_send("jc.lobby.u.e>t", JC_SESSION_CLOSE, 7, 3, "");
	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		fake_nats_send(LOBBY, JC_SESSION_OPEN, 100 + i, 0, invalid[i]);
	}
	fake_nats_send(LOBBY, JC_SESSION_OPEN, 200, 1, OPEN);
	for (size_t length = 0; length <= sizeof(noise); length++) {
		memset(noise, (int)length, sizeof(noise));
		fake_nats_deliver(LOBBY, noise, length);
	}
	settle();
	assert_int_equal(count_sessions(), 1);
	assert_non_null(body("Ada"));
	capture(7, 3);
	crowd_wait(&setting->crowd, 200 * MS);
	assert_true(body("Ada")->live);
}

/* The limit is a rate: of what is answered beyond the burst, the time that passed has its share. */
static void answers_few_messages_of_unknown_sessions(void **state)
{
	enum { MESSAGES = 20000 };
	struct jc_session_host_report report;
	int64_t began_ns = jc_clock_now_ns();
	size_t answers;

	(void)state;
	for (uint32_t i = 0; i < MESSAGES; i++) {
		fake_nats_send(LOBBY, JC_SESSION_TEXT, 1000 + i, 1, HELLO);
	}
	answers = fake_nats_count(&setting->nats, JC_SESSION_CLOSE, "no such session");
	assert_in_range(answers, 2 * JC_MAX_SESSION_REFUSALS_PER_SECOND,
		(size_t)((double)(jc_clock_now_ns() - began_ns) * 1e-9 *
			 JC_MAX_SESSION_REFUSALS_PER_SECOND) +
			2 * JC_MAX_SESSION_REFUSALS_PER_SECOND + 1);
	jc_session_host_report(setting->host, &report);
	assert_int_equal(report.refused, answers);
	/* Another edge is answered. */
	fake_nats_clear(&setting->nats);
	fake_nats_send(OTHER, JC_SESSION_TEXT, 7, 1, HELLO);
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_CLOSE, "no such session"), 1);
}

static void limits_sessions_and_messages(void **state)
{
	struct jc_session_host_report report;
	char *text = malloc(1u << 20);

	(void)state;
	assert_non_null(text);
	memset(text, ' ', (1u << 20) - 1);
	text[(1u << 20) - 1] = '\0';
	open_session(7);
	say(7, 1, text);
	free(text);
	settle();
	assert_int_equal(count_sessions(), 0);
	assert_int_equal(
		fake_nats_count(&setting->nats, JC_SESSION_CLOSE, "larger than limits.message"), 1);
	for (uint64_t i = 0; i < 100000; i++) {
		char open[96];

		snprintf(open, sizeof(open), "{\"address\":\"10.%u.%u.7\",\"localPage\":false}",
			(unsigned)(i / 256 % 256), (unsigned)(i % 256));
		fake_nats_send(LOBBY, JC_SESSION_OPEN, 1000 + i, 0, open);
		if (i % 1000 == 999) {
			fake_nats_clear(&setting->nats);
		}
	}
	jc_session_host_report(setting->host, &report);
	assert_int_equal(report.sessions, JC_MAX_RELAYED_SESSIONS_OF_EDGE);
	assert_int_equal(report.refused, 100000 - JC_MAX_RELAYED_SESSIONS_OF_EDGE);
	/* Another edge has room. */
	fake_nats_send(OTHER, JC_SESSION_OPEN, 1, 0, OPEN);
	assert_int_equal(count_sessions(), JC_MAX_RELAYED_SESSIONS_OF_EDGE + 1);
	/* Sessions without an accepted `hello` end. */
	crowd_wait(&setting->crowd, (JC_MAX_HELLO_SECONDS + 1) * SECOND);
	settle();
	settle();
	assert_int_equal(count_sessions(), 0);
}

static void limits_the_sessions_of_an_address(void **state)
{
	unsigned most = setting->crowd.config.connections_per_address;

	(void)state;
	for (uint64_t i = 0; i < most + 10; i++) {
		open_session(i);
	}
	assert_int_equal(count_sessions(), most);
	assert_int_equal(
		fake_nats_count(&setting->nats, JC_SESSION_CLOSE, "too many connections"), 10);
	/* What one edge says of an address takes nothing from the clients of another one. */
	fake_nats_send(OTHER, JC_SESSION_OPEN, 1000, 0, OPEN);
	assert_int_equal(count_sessions(), most + 1);
}

/* The last message of a session has none behind it that shows its loss. */
static void a_lost_last_message_is_found_by_the_counts(void **state)
{
	struct jc_session_count count;
	struct jc_session_message answer;

	(void)state;
	open_session(7);
	say(7, 1, HELLO);
	say(7, 2, PUBLISH);
	fake_nats_clear(&setting->nats);
	fake_nats_list(LOBBY, 99, 7, 3);
	answer = fake_nats_read(&setting->nats, 0);
	assert_int_equal(answer.kind, JC_SESSION_ALIVE);
	assert_true(jc_session_count_read(&answer, 0, &count));
	assert_int_equal(count.number, 7);
	assert_int_equal(count.sent, 3); /* OPENED and two answers */
	assert_false(jc_session_count_read(&answer, 1, &count));
	fake_nats_list(LOBBY, 99, 7, 4);
	settle();
	assert_int_equal(count_sessions(), 0);
	assert_int_equal(fake_nats_count(&setting->nats, JC_SESSION_CLOSE, "lost"), 1);
	assert_null(body("Ada"));
}

/* Such as one whose CLOSE is lost. */
static void a_session_that_its_edge_does_not_know_ends(void **state)
{
	(void)state;
	open_session(7);
	say(7, 1, HELLO);
	say(7, 2, PUBLISH);
	open_session(8);
	say(8, 1, HELLO);
	for (int i = 0; i < 7; i++) {
		fake_nats_list(LOBBY, 99, 8, 2);
		jc_session_host_sweep(setting->host, jc_clock_now_ns());
	}
	settle();
	assert_int_equal(count_sessions(), 1);
	assert_null(body("Ada"));
	/* The answer lists what is here alone. */
	fake_nats_clear(&setting->nats);
	fake_nats_list(LOBBY, 99, 7, 3);
	assert_int_equal(fake_nats_read(&setting->nats, 0).length, 0);
}

/* Turns delay the texts of a flood; the session ends where too many of them wait. */
static void a_flood_of_texts_waits_for_its_turn_and_then_ends(void **state)
{
	char text[60000];
	uint32_t sequence = 2;

	(void)state;
	memset(text, ' ', sizeof(text));
	strcpy(text + sizeof(text) - 22, "{\"type\":\"pong\",\"t\":1}");
	open_session(7);
	say(7, 1, HELLO);
	while (sequence < 100000 && fake_nats_count(&setting->nats, JC_SESSION_CLOSE, "") == 0) {
		fake_nats_send(LOBBY, JC_SESSION_TEXT, 7, sequence++, text);
	}
	assert_true(sequence < 100000);
	settle();
	assert_int_equal(count_sessions(), 0);
}

static void ends_a_session_whose_answer_is_lost(void **state)
{
	(void)state;
	open_session(7);
	say(7, 1, HELLO);
	say(7, 2, PUBLISH);
	setting->nats.is_lost = true;
	say(7, 3, "{\"type\":\"ping\",\"t\":1}");
	settle();
	assert_int_equal(count_sessions(), 0);
	assert_null(body("Ada"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(publishes_through_an_edge),
		TEST(ends_the_sessions_of_an_edge_that_is_silent),
		TEST(ends_the_sessions_of_a_space_that_is_exported_no_longer),
		TEST(closes_a_session_with_a_gap),
		TEST(permits_nothing_without_a_token),
		TEST(permits_nothing_with_a_wrong_token),
		TEST(permits_what_the_token_permits),
		TEST(bans_by_the_address_of_the_client),
		TEST(does_not_join),
		TEST(who_has_to_leave_is_reported_for_other_edges),
		TEST(forged_messages_harm_nobody),
		TEST(answers_few_messages_of_unknown_sessions),
		TEST(limits_sessions_and_messages),
		TEST(limits_the_sessions_of_an_address),
		TEST(a_lost_last_message_is_found_by_the_counts),
		TEST(a_session_that_its_edge_does_not_know_ends),
		TEST(a_flood_of_texts_waits_for_its_turn_and_then_ends),
		TEST(ends_a_session_whose_answer_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
