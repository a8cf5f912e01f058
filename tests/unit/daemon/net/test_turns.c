/* Tests the order in which control messages are read, with a clock of the test: each reading of
 * processor time is 20 microseconds after the previous one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "crowd.h"
#include "jointcast/packet.h"
#include "net/web_socket.h"
#include "unit_test.h"

#define MS     INT64_C(1000000)
#define SECOND (1000 * MS)
#define TURN   (10 * MS)

/* Messages that a guest received. */
struct ear {
	size_t pongs, errors, closes;
	long last;     /* number of the last pong */
	bool in_order; /* each pong was the one after the last */
	size_t first;  /* pongs of all guests before its first */
	bool has_tick;
	struct jc_bundle_head head;
};

struct setting {
	struct crowd crowd;
	struct ear ears[CROWD_GUESTS];
	size_t pongs; /* of all guests */
};

static void take_text(struct setting *setting, struct ear *ear, const char *text)
{
	const char *t = strstr(text, "\"t\":");

	ear->errors += strstr(text, "\"type\":\"error\"") != NULL;
	if (!strstr(text, "\"type\":\"pong\"")) {
		return;
	}
	assert_non_null(t);
	long number = strtol(t + 4, NULL, 10);

	ear->first = ear->pongs == 0 ? setting->pongs : ear->first;
	ear->in_order = ear->pongs == 0 || (ear->in_order && number == ear->last + 1);
	ear->last = number;
	ear->pongs++;
	setting->pongs++;
}

/* One frame of a write, which may have several. Returns its length. */
static size_t take_frame(
	struct setting *setting, struct ear *ear, const uint8_t *bytes, size_t length)
{
	size_t head = bytes[1] < 126 ? 2 : bytes[1] == 126 ? 4 : 10;
	size_t size = bytes[1];

	if (head > 2) {
		size = 0;
		for (size_t i = 2; i < head; i++) {
			size = size << 8 | bytes[i];
		}
	}
	assert_true(head + size <= length);
	if (bytes[0] == 0x81) {
		char *text = calloc(1, size + 1);

		assert_non_null(text);
		memcpy(text, bytes + head, size);
		take_text(setting, ear, text);
		free(text);
	} else if (bytes[0] == 0x82) {
		assert_true(jc_bundle_read_head(bytes + head, size,
				    ear->has_tick ? &ear->head : NULL, &ear->head) > 0);
		ear->has_tick = true;
	}
	ear->closes += bytes[0] == 0x88;
	return head + size;
}

static void hear(struct crowd_guest *guest, const uint8_t *bytes, size_t length)
{
	struct setting *setting = (struct setting *)guest->crowd;
	struct ear *ear = &setting->ears[guest - guest->crowd->guests];

	if (memcmp(bytes, "HTTP", 4) == 0) {
		return;
	}
	for (size_t at = 0; at < length;) {
		at += take_frame(setting, ear, bytes + at, length - at);
	}
}

static void say(struct crowd_guest *guest, const char *text)
{
	crowd_send(guest, 1, text, strlen(text));
}

/* Those with the numbers from one to another; a text each. */
static void ping(struct crowd_guest *guest, int from, int to)
{
	char text[64];

	for (int i = from; i <= to; i++) {
		snprintf(text, sizeof(text), "{\"type\":\"ping\",\"t\":%d}", i);
		say(guest, text);
	}
}

static void pass(struct setting *setting, int64_t ns)
{
	for (int64_t passed_ns = 0; passed_ns < ns; passed_ns += TURN) {
		setting->crowd.ticks = 0;
		crowd_wait(&setting->crowd, TURN);
	}
}

/* All guests are connected, have sent hello, and every budget is full. */
static int set_up(void **state)
{
	struct setting *setting = calloc(1, sizeof(*setting));

	if (!setting) {
		return -1;
	}
	setting->crowd.hear = hear;
	crowd_open(&setting->crowd);
	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		crowd_connect(&setting->crowd.guests[i]);
		say(&setting->crowd.guests[i],
			"{\"type\":\"hello\",\"codings\":[2],\"credit\":true}");
		crowd_deliver(&setting->crowd.guests[i], false);
	}
	pass(setting, SECOND);
	assert_int_equal(setting->crowd.server.turns.listed, 0);
	*state = setting;
	return 0;
}

static int tear_down(void **state)
{
	struct setting *setting = *state;

	crowd_close(&setting->crowd);
	assert_int_equal(setting->crowd.server.turns.listed, 0);
	free(setting);
	return 0;
}

static struct jc_session *session_of(const struct crowd_guest *guest)
{
	return &guest->connection->web_socket->session;
}

/* Sets the rest and the recent time of a budget, as of now. */
static void set_budget(struct jc_budget *budget, int64_t left_ns, int64_t recent_ns)
{
	*budget = (struct jc_budget){
		.left_ns = left_ns, .filled_ns = jc_clock_now_ns(), .recent_ns = recent_ns
	};
}

static struct jc_budget *address_budget(const struct crowd_guest *guest)
{
	return &guest->connection->client_address->turns.budget;
}

static void expect_waiting(const struct crowd_guest *guest)
{
	assert_true(session_of(guest)->turn.is_waiting);
	assert_non_null(guest->connection->web_socket->unread);
	/* The daemon reads no more of its bytes. */
	assert_false(guest->is_read);
}

static void expect_served(const struct setting *setting, size_t index, long count)
{
	const struct crowd_guest *guest = &setting->crowd.guests[index];

	assert_int_equal(setting->ears[index].pongs, count);
	assert_int_equal(setting->ears[index].last, count);
	assert_true(setting->ears[index].in_order);
	assert_int_equal(setting->ears[index].errors, 0);
	assert_false(session_of(guest)->turn.is_waiting);
	assert_null(guest->connection->web_socket->unread);
	assert_int_equal(session_of(guest)->close_code, 0);
	assert_int_equal(guest->sent_length, 0);
	assert_true(guest->is_read);
}

static void reads_at_once_within_the_budgets(void **state)
{
	struct setting *setting = *state;

	ping(&setting->crowd.guests[0], 1, 20);
	crowd_deliver(&setting->crowd.guests[0], false);
	expect_served(setting, 0, 20);
	assert_false(setting->crowd.server.turns.is_timed);
	/* It is charged for that: itself, its address, and all together. */
	assert_in_range(session_of(&setting->crowd.guests[0])->turn.budget.left_ns, 1, 10 * MS - 1);
	assert_in_range(address_budget(&setting->crowd.guests[0])->left_ns, 1, 25 * MS - 1);
	assert_in_range(setting->crowd.server.turns.all.left_ns, 1, 4 * MS - 1);
}

static void reads_an_overdrawn_session_later_and_in_order(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guest = &setting->crowd.guests[0];

	set_budget(&session_of(guest)->turn.budget, -MS, 0);
	ping(guest, 1, 10);
	crowd_deliver(guest, false);
	expect_waiting(guest);
	assert_true(setting->crowd.server.turns.is_timed);
	ping(guest, 11, 20);
	crowd_deliver(guest, false);
	/* 2 % of a core: a millisecond takes 50 of them. */
	pass(setting, 40 * MS);
	assert_int_equal(setting->ears[0].pongs, 0);
	expect_waiting(guest);
	pass(setting, SECOND);
	expect_served(setting, 0, 20);
	assert_int_equal(setting->crowd.server.turns.listed, 0);
	assert_false(setting->crowd.server.turns.is_timed);
}

/* In pieces that end in the middle of a frame, of which one comes while another waits. */
static void loses_nothing_of_a_flood(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guest = &setting->crowd.guests[0];

	ping(guest, 1, 1500);
	assert_true(guest->sent_length > 2 * 16384);
	crowd_deliver(guest, false);
	assert_in_range(setting->ears[0].pongs, 1, 1499);
	expect_waiting(guest);
	crowd_deliver(guest, true);
	for (int i = 0; i < 60 && setting->ears[0].pongs < 1500; i++) {
		pass(setting, SECOND);
	}
	expect_served(setting, 0, 1500);
}

static void reads_captures_of_an_overdrawn_session(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guest = &setting->crowd.guests[0];
	static const uint8_t capture[64];
	uint64_t dropped = session_of(guest)->client->publications.dropped;

	session_of(guest)->client->publications.captures.left_ns = -3600 * SECOND;
	set_budget(&session_of(guest)->turn.budget, -SECOND, 0);
	crowd_send(guest, 2, capture, sizeof(capture));
	crowd_send(guest, 2, capture, sizeof(capture));
	crowd_deliver(guest, false);
	assert_int_equal(session_of(guest)->client->publications.dropped, dropped + 2);
	assert_false(session_of(guest)->turn.is_waiting);
	/* But not past a text that waits. */
	ping(guest, 1, 1);
	crowd_send(guest, 2, capture, sizeof(capture));
	crowd_deliver(guest, false);
	expect_waiting(guest);
	assert_int_equal(session_of(guest)->client->publications.dropped, dropped + 2);
	set_budget(&session_of(guest)->turn.budget, MS, 0);
	pass(setting, TURN);
	expect_served(setting, 0, 1);
	assert_int_equal(session_of(guest)->client->publications.dropped, dropped + 3);
}

static void an_overdrawn_address_delays_only_its_own_sessions(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guests = setting->crowd.guests;

	set_budget(address_budget(&guests[2]), -100 * MS, 0);
	for (int i = 2; i >= 0; i--) {
		ping(&guests[i], 1, 3);
		crowd_deliver(&guests[i], false);
	}
	ping(&guests[3], 1, 3);
	crowd_deliver(&guests[3], false);
	expect_waiting(&guests[2]);
	expect_waiting(&guests[3]);
	assert_ptr_equal(
		guests[2].connection->client_address, guests[3].connection->client_address);
	pass(setting, 2 * TURN);
	expect_served(setting, 0, 3);
	expect_served(setting, 1, 3);
	expect_waiting(&guests[2]);
	expect_waiting(&guests[3]);
	/* 10 % of a core. */
	pass(setting, SECOND + SECOND / 10);
	expect_served(setting, 2, 3);
	expect_served(setting, 3, 3);
}

static void all_wait_when_the_common_budget_is_overdrawn(void **state)
{
	struct setting *setting = *state;

	set_budget(&setting->crowd.server.turns.all, -20 * MS, 0);
	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		ping(&setting->crowd.guests[i], 1, 5);
		crowd_deliver(&setting->crowd.guests[i], false);
		expect_waiting(&setting->crowd.guests[i]);
	}
	assert_int_equal(setting->crowd.server.turns.listed, 3);
	pass(setting, 40 * MS);
	assert_int_equal(setting->pongs, 0);
	pass(setting, SECOND / 2);
	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		expect_served(setting, i, 5);
	}
	/* Among equal addresses, the first to wait is first. */
	for (size_t i = 1; i < CROWD_GUESTS; i++) {
		assert_true(setting->ears[i - 1].first < setting->ears[i].first);
	}
}

/* Guest 0 has been flooding, guest 1 does little and guest 2 was silent. */
static void make_unlike(struct setting *setting)
{
	set_budget(address_budget(&setting->crowd.guests[0]), 25 * MS, 300 * MS);
	set_budget(address_budget(&setting->crowd.guests[1]), 25 * MS, 5 * MS);
	set_budget(address_budget(&setting->crowd.guests[2]), 25 * MS, 0);
}

static void light_addresses_come_before_floods(void **state)
{
	struct setting *setting = *state;
	static const size_t order[] = { 2, 0, 1 };

	make_unlike(setting);
	/* No budget for several ticks of the timer. */
	set_budget(&setting->crowd.server.turns.all, -20 * MS, 0);
	for (size_t i = 0; i < 3; i++) {
		ping(&setting->crowd.guests[order[i]], 1, 30);
		crowd_deliver(&setting->crowd.guests[order[i]], false);
		expect_waiting(&setting->crowd.guests[order[i]]);
	}
	pass(setting, SECOND);
	for (size_t i = 0; i < 3; i++) {
		expect_served(setting, i, 30);
	}
	/* Guest 1 came last. */
	assert_int_equal(setting->ears[1].first, 0);
	assert_true(setting->ears[2].first < setting->ears[0].first);
}

static void a_light_address_stays_first_when_time_runs_out(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guests = setting->crowd.guests;

	/* Guests 2 and 3 have one address, and the next look has time for one message. */
	set_budget(address_budget(&guests[0]), 25 * MS, 300 * MS);
	set_budget(address_budget(&guests[2]), 25 * MS, 5 * MS);
	set_budget(&setting->crowd.server.turns.all, MS / 100 - 4 * MS, 0);
	ping(&guests[0], 1, 30);
	ping(&guests[2], 1, 1);
	ping(&guests[3], 1, 1);
	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		crowd_deliver(&guests[i], false);
	}
	pass(setting, SECOND);
	expect_served(setting, 0, 30);
	assert_int_equal(setting->ears[2].first, 0);
	assert_int_equal(setting->ears[3].first, 1);
}

static void reads_a_light_address_at_once_while_others_wait(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guests = setting->crowd.guests;

	make_unlike(setting);
	set_budget(&session_of(&guests[0])->turn.budget, -10 * MS, 0);
	for (size_t i = 0; i < 3; i++) {
		ping(&guests[i], 1, 2);
		crowd_deliver(&guests[i], false);
	}
	expect_waiting(&guests[0]);
	expect_served(setting, 1, 2);
	/* New ones have their turn in a moment. */
	expect_waiting(&guests[2]);
	pass(setting, TURN);
	expect_served(setting, 2, 2);
	expect_waiting(&guests[0]);
	pass(setting, SECOND);
	expect_served(setting, 0, 2);
}

/* Two sessions of one address get no more than one session of another. */
static void addresses_take_turns(void **state)
{
	struct setting *setting = *state;
	struct jc_config *config = &setting->crowd.config;

	config->control_percent_per_client = config->control_percent_per_address = 100;
	config->control_percent = 10;
	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		ping(&setting->crowd.guests[i], 1, 2000);
		set_budget(address_budget(&setting->crowd.guests[i]), 25 * MS, 400 * MS);
	}
	set_budget(&setting->crowd.server.turns.all, 0, 0);
	for (size_t i = CROWD_GUESTS; i-- > 0;) {
		crowd_deliver(&setting->crowd.guests[i], false);
		expect_waiting(&setting->crowd.guests[i]);
	}
	pass(setting, SECOND);
	size_t one = setting->ears[0].pongs, other = setting->ears[1].pongs;
	size_t both = setting->ears[2].pongs + setting->ears[3].pongs;

	assert_in_range(one, 100, 1999);
	assert_in_range(other, one * 9 / 10, one * 11 / 10);
	assert_in_range(both, one * 9 / 10, one * 11 / 10);
	assert_true(setting->ears[2].pongs > 0 && setting->ears[3].pongs > 0);
	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		assert_true(setting->ears[i].in_order);
	}
}

static void forgets_a_waiting_session_that_hangs_up(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guests = setting->crowd.guests;

	/* The two of one address, and another's in between. */
	static const size_t order[] = { 2, 0, 3 };

	for (int gone = 2; gone <= 3; gone++) {
		memset(setting->ears, 0, sizeof(setting->ears));
		set_budget(&setting->crowd.server.turns.all, -4 * MS, 0);
		for (size_t i = 0; i < 3; i++) {
			ping(&guests[order[i]], 1, 5);
			crowd_deliver(&guests[order[i]], false);
			expect_waiting(&guests[order[i]]);
		}
		crowd_hang_up(&guests[gone]);
		pass(setting, SECOND);
		expect_served(setting, 0, 5);
		expect_served(setting, (size_t)(5 - gone), 5);
		assert_int_equal(setting->ears[gone].pongs, 0);
		crowd_connect(&guests[gone]);
		say(&guests[gone], "{\"type\":\"hello\"}");
		crowd_deliver(&guests[gone], false);
		pass(setting, SECOND);
	}
}

static void an_address_without_sessions_takes_no_turns(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guests = setting->crowd.guests;

	for (size_t gone = 0; gone < 3; gone++) {
		/* First, in the middle and last of its list. */
		memset(setting->ears, 0, sizeof(setting->ears));
		crowd_hang_up(&guests[3]);
		set_budget(&setting->crowd.server.turns.all, -4 * MS, 0);
		for (size_t i = 0; i < 3; i++) {
			ping(&guests[i], 1, 5);
			crowd_deliver(&guests[i], false);
			expect_waiting(&guests[i]);
		}
		assert_int_equal(setting->crowd.server.turns.listed, 3);
		crowd_hang_up(&guests[gone]);
		assert_int_equal(setting->crowd.server.turns.listed, 2);
		crowd_connect(&guests[3]);
		pass(setting, SECOND);
		for (size_t i = 0; i < 3; i++) {
			if (i != gone) {
				expect_served(setting, i, 5);
			}
		}
		assert_int_equal(setting->crowd.server.turns.listed, 0);
		crowd_connect(&guests[gone]);
		say(&guests[gone], "{\"type\":\"hello\"}");
		crowd_deliver(&guests[gone], false);
		pass(setting, SECOND);
	}
}

/* The server closes the session: its messages have no effect any more, and it ends at its
 * deadline. */
static void forgets_a_waiting_session_that_is_closed(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guests = setting->crowd.guests;

	for (size_t i = 2; i < 4; i++) {
		set_budget(&session_of(&guests[i])->turn.budget, -500 * MS, 0);
		ping(&guests[i], 1, 5);
		crowd_deliver(&guests[i], false);
	}
	jc_session_close(session_of(&guests[2]), JC_CLOSE_POLICY, "enough");
	jc_server_settle(&setting->crowd.server);
	assert_int_equal(setting->ears[2].closes, 1);
	/* Its first look of the sweeper after two seconds ends it, before it could pay. */
	pass(setting, 3 * SECOND);
	assert_null(guests[2].connection);
	expect_waiting(&guests[3]);
	set_budget(&session_of(&guests[3])->turn.budget, 10 * MS, 0);
	pass(setting, TURN);
	expect_served(setting, 3, 5);
	assert_int_equal(setting->ears[2].pongs, 0);
	assert_int_equal(setting->crowd.server.turns.listed, 0);
}

static void ignores_messages_of_a_closed_session_in_its_turn(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guest = &setting->crowd.guests[0];

	set_budget(&session_of(guest)->turn.budget, -MS, 0);
	ping(guest, 1, 5);
	crowd_deliver(guest, false);
	jc_session_close(session_of(guest), JC_CLOSE_POLICY, "enough");
	pass(setting, SECOND);
	assert_int_equal(setting->ears[0].pongs, 0);
	assert_null(guest->connection->web_socket->unread);
	assert_int_equal(setting->crowd.server.turns.listed, 0);
}

/* A Close frame that waited is answered, and then the connection ends at once. */
static void answers_a_close_that_waited_and_ends(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guest = &setting->crowd.guests[0];
	static const uint8_t normal[] = { 0x03, 0xe8 };

	set_budget(&session_of(guest)->turn.budget, -MS, 0);
	ping(guest, 1, 5);
	crowd_send(guest, 8, normal, sizeof(normal));
	crowd_deliver(guest, false);
	expect_waiting(guest);
	pass(setting, SECOND);
	assert_int_equal(setting->ears[0].pongs, 5);
	assert_int_equal(setting->ears[0].closes, 1);
	assert_int_equal(guest->connection->phase, JC_CONNECTION_LINGER);
	assert_true(guest->is_read);
}

/* Beyond the budgets they are late, and that is all. */
static void late_messages_are_no_errors(void **state)
{
	struct setting *setting = *state;
	struct crowd_guest *guest = &setting->crowd.guests[0];
	char ack[80], place[160];

	say(guest, "{\"type\":\"join\",\"space\":\"lobby\"}");
	say(guest, "{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":0,\"name\":\"Ada\","
		   "\"kind\":\"poses\"}");
	say(guest, "{\"type\":\"subscribe\",\"space\":\"lobby\"}");
	crowd_deliver(guest, false);
	pass(setting, SECOND);
	assert_true(setting->ears[0].has_tick);
	assert_int_equal(setting->ears[0].errors, 0);
	snprintf(ack, sizeof(ack), "{\"type\":\"ack\",\"space\":\"lobby\",\"tick\":%u}",
		(unsigned)setting->ears[0].head.tick);
	for (int i = 1; i <= 300; i++) {
		ping(guest, i, i);
		say(guest, ack);
		snprintf(place, sizeof(place),
			"{\"type\":\"place\",\"space\":\"lobby\",\"body\":1,"
			"\"position\":[%g,0,0],\"yaw\":0}",
			0.25 * (i % 8));
		say(guest, place);
		say(guest, "{\"type\":\"viewpoint\",\"space\":\"lobby\",\"viewpoints\":"
			   "[{\"position\":[0,1.6,3],\"direction\":[0,0,-1]}]}");
	}
	crowd_deliver(guest, false);
	expect_waiting(guest);
	for (int i = 0; i < 60 && setting->ears[0].pongs < 300; i++) {
		pass(setting, SECOND);
	}
	expect_served(setting, 0, 300);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_at_once_within_the_budgets),
		TEST(reads_an_overdrawn_session_later_and_in_order),
		TEST(loses_nothing_of_a_flood),
		TEST(reads_captures_of_an_overdrawn_session),
		TEST(an_overdrawn_address_delays_only_its_own_sessions),
		TEST(all_wait_when_the_common_budget_is_overdrawn),
		TEST(light_addresses_come_before_floods),
		TEST(reads_a_light_address_at_once_while_others_wait),
		TEST(a_light_address_stays_first_when_time_runs_out),
		TEST(addresses_take_turns),
		TEST(forgets_a_waiting_session_that_hangs_up),
		TEST(an_address_without_sessions_takes_no_turns),
		TEST(forgets_a_waiting_session_that_is_closed),
		TEST(ignores_messages_of_a_closed_session_in_its_turn),
		TEST(answers_a_close_that_waited_and_ends),
		TEST(late_messages_are_no_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
