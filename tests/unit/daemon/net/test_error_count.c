/* Tests how many errors a connection may cause, with a clock of the test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "net/web_socket.h"
#include "unit_test.h"

#define MS     INT64_C(1000000)
#define SECOND (1000 * MS)
#define PING   "{\"type\":\"ping\",\"t\":1}"

struct setting {
	struct crowd crowd;
	size_t errors; /* that the first guest received */
};

/* A write has whole frames; none of the tests has a text that contains the name of another. */
static void hear(struct crowd_guest *guest, const uint8_t *bytes, size_t length)
{
	struct setting *setting = (struct setting *)guest->crowd;
	static const char error[] = "\"type\":\"error\"";

	for (size_t i = 0; i + sizeof(error) - 1 <= length; i++) {
		setting->errors += memcmp(bytes + i, error, sizeof(error) - 1) == 0;
	}
}

static struct crowd_guest *guest_of(struct setting *setting)
{
	return &setting->crowd.guests[0];
}

/* Sends a text and waits until it is read. */
static void say(struct setting *setting, const char *text)
{
	crowd_send(guest_of(setting), 1, text, strlen(text));
	crowd_deliver(guest_of(setting), false);
	crowd_wait(&setting->crowd, 10 * MS);
}

static bool is_open(struct setting *setting)
{
	const struct jc_connection *connection = guest_of(setting)->connection;

	return connection && connection->web_socket &&
	       connection->web_socket->session.close_code == 0;
}

/* Time passes for a client that is not silent. */
static void pass(struct setting *setting, int seconds)
{
	for (int i = 0; i < seconds; i++) {
		say(setting, PING);
		crowd_wait(&setting->crowd, SECOND - 10 * MS);
	}
}

static int set_up(void **state)
{
	struct setting *setting = calloc(1, sizeof(*setting));

	if (!setting) {
		return -1;
	}
	setting->crowd.hear = hear;
	crowd_open(&setting->crowd);
	crowd_connect(guest_of(setting));
	say(setting, "{\"type\":\"hello\"}");
	*state = setting;
	return 0;
}

static int tear_down(void **state)
{
	struct setting *setting = *state;

	crowd_close(&setting->crowd);
	free(setting);
	return 0;
}

static void err(struct setting *setting, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		say(setting, "{\"type\":\"fly\"}");
	}
}

static void sixteen_errors_within_a_minute_close(void **state)
{
	struct setting *setting = *state;

	err(setting, 15);
	pass(setting, 50);
	assert_true(is_open(setting));
	err(setting, 1);
	assert_int_equal(setting->errors, 16);
	assert_false(is_open(setting));
}

static void an_error_is_forgotten_each_minute(void **state)
{
	struct setting *setting = *state;

	err(setting, 15);
	for (size_t minute = 1; minute <= 20; minute++) {
		pass(setting, 60);
		err(setting, 1);
		assert_int_equal(setting->errors, 15 + minute);
		assert_true(is_open(setting));
	}
	err(setting, 1);
	assert_false(is_open(setting));
}

/* No more than fifteen are saved up. */
static void a_long_connection_has_no_more_errors(void **state)
{
	struct setting *setting = *state;

	pass(setting, 20 * 60);
	err(setting, 15);
	assert_true(is_open(setting));
	err(setting, 1);
	assert_false(is_open(setting));
}

/* Such errors cost processor time, as all messages. */
static void races_of_the_protocol_are_charged_and_not_counted(void **state)
{
	static const char *const late[] = {
		"{\"type\":\"ack\",\"space\":\"lobby\",\"tick\":1}",
		"{\"type\":\"viewpoint\",\"space\":\"lobby\",\"viewpoints\":[]}",
		"{\"type\":\"leave\",\"space\":\"closed\"}",
		("{\"type\":\"place\",\"space\":\"lobby\",\"body\":9,"
		 "\"position\":[0,0,0],\"yaw\":0}"),
		"{\"type\":\"amend\",\"publication\":3,\"display\":\"Ada\"}",
		"{\"type\":\"unregister\",\"name\":\"robe\"}",
	};
	struct setting *setting = *state;
	size_t count = sizeof(late) / sizeof(late[0]);
	for (size_t i = 0; i < 20 * count; i++) {
		say(setting, late[i % count]);
	}
	pass(setting, 2);
	assert_int_equal(setting->errors, 20 * count);
	for (size_t i = 0; i < 1000; i++) {
		crowd_send(guest_of(setting), 1, late[0], strlen(late[0]));
	}
	crowd_deliver(guest_of(setting), false);
	assert_true(guest_of(setting)->connection->web_socket->session.turn.is_waiting);
	assert_true(setting->errors < 20 * count + 500);
	for (int i = 0; i < 1000 && setting->errors < 20 * count + 1000; i++) {
		crowd_wait(&setting->crowd, 10 * MS);
		crowd_deliver(guest_of(setting), false);
	}
	assert_int_equal(setting->errors, 20 * count + 1000);
	pass(setting, 2);
	assert_true(is_open(setting));
	err(setting, 15);
	assert_true(is_open(setting));
	err(setting, 1);
	assert_false(is_open(setting));
}

/* Captures are not charged: few of those without a publication are answered, and those count. */
static void lost_captures_close_a_connection_that_goes_on(void **state)
{
	static const uint8_t capture[] = { 0x21, 7, 0x41 };
	struct setting *setting = *state;
	size_t seconds = 0;

	for (int i = 0; i < 30; i++) { /* on their way for 300 ms */
		crowd_send(guest_of(setting), 2, capture, sizeof(capture));
		crowd_deliver(guest_of(setting), false);
		crowd_wait(&setting->crowd, 10 * MS);
	}
	assert_int_equal(setting->errors, 2);
	while (is_open(setting) && seconds < 60) {
		crowd_send(guest_of(setting), 2, capture, sizeof(capture));
		crowd_deliver(guest_of(setting), false);
		crowd_wait(&setting->crowd, SECOND);
		seconds++;
	}
	assert_int_equal(setting->errors, 16);
	assert_false(is_open(setting));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sixteen_errors_within_a_minute_close),
		TEST(an_error_is_forgotten_each_minute),
		TEST(a_long_connection_has_no_more_errors),
		TEST(races_of_the_protocol_are_charged_and_not_counted),
		TEST(lost_captures_close_a_connection_that_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
