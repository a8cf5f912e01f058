/* Tests the link against a nats-server of this machine. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/nats_link.h"
#include "maxima.h"
#include "nats_end.h"
#include "nats_server.h"
#include "unit_test.h"

static uv_loop_t loop;
static struct nats_server server;
static const struct jc_log quiet = { .fd = -1 };

static struct jc_nats_options options(void)
{
	return (struct jc_nats_options){ .loop = &loop, .log = &quiet, .servers = server.url };
}

#define WAIT(condition)                                                                            \
	while (!(condition)) {                                                                     \
		uv_run(&loop, UV_RUN_ONCE);                                                        \
	}

static void connect_end(struct end *end)
{
	end_connect(end, options());
}

static void settle(struct end *end)
{
	end_settle(end, "settle");
}

static void delivers_what_was_subscribed(void **state)
{
	struct end here, there;
	struct jc_nats_subscription *lobby;

	(void)state;
	connect_end(&here);
	connect_end(&there);
	lobby = end_subscribe(&there, "jc.lobby.s");
	end_subscribe(&there, "jc.*.u");
	settle(&there);
	end_publish(&here, "jc.lobby.s", "one");
	end_publish(&here, "jc.hall.s", "not subscribed");
	end_publish(&here, "jc.hall.u", "two");
	WAIT(there.text_count == 2);
	assert_string_equal(there.texts[0], "jc.lobby.s one");
	assert_string_equal(there.texts[1], "jc.hall.u two");
	jc_nats_subscription_end(lobby);
	settle(&there);
	end_publish(&here, "jc.lobby.s", "three");
	end_publish(&here, "jc.hall.u", "four");
	WAIT(there.text_count == 3);
	assert_string_equal(there.texts[2], "jc.hall.u four");
	assert_int_equal(there.state_count, 1);
	end_close(&here);
	end_close(&there);
}

/* Answers each request with its own text, in parts. */
static void echo(void *context, const struct jc_nats_message *message)
{
	struct end *end = context;

	assert_int_equal(jc_nats_link_publish_parts(
				 end->link, message->reply, message->bytes, message->length),
		JC_OK);
}

static void answer_once(void *context, const struct jc_nats_message *message)
{
	struct end *end = context;

	assert_int_equal(strncmp(message->reply, "_INBOX.test.", 12), 0);
	assert_int_equal(jc_nats_link_publish_parts(end->link, message->reply, "yes", 3), JC_OK);
	assert_int_equal(jc_nats_link_publish_parts(end->link, message->reply, "no", 2), JC_OK);
}

static size_t length_of_answer;
static uint32_t sum_of_answer;

static uint32_t sum(const uint8_t *bytes, size_t length)
{
	uint32_t total = 1;

	for (size_t i = 0; i < length; i++) {
		total = total * 31 + bytes[i];
	}
	return total;
}

static void on_long_answer(void *context, const struct jc_nats_message *message)
{
	struct end *end = context;

	assert_non_null(message);
	length_of_answer = message->length;
	sum_of_answer = sum(message->bytes, message->length);
	assert_int_equal(message->bytes[message->length], 0);
	end->timeouts = 100;
}

static void requests_get_their_first_answer_once(void **state)
{
	struct end here, there;
	struct jc_nats_subscription *subscription;

	(void)state;
	connect_end(&here);
	connect_end(&there);
	jc_nats_link_subscribe(there.link, "jc.lobby.c", answer_once, &there, &subscription);
	settle(&there);
	assert_int_equal(
		jc_nats_link_request(here.link, "jc.lobby.c", "x", 1, 5000, end_take, &here),
		JC_OK);
	WAIT(here.text_count == 1);
	assert_non_null(strstr(here.texts[0], " yes"));
	settle(&here); /* the second answer has come */
	assert_int_equal(here.text_count, 1);

	/* Nobody answers here, but it is heard. */
	end_subscribe(&there, "jc.hall.c");
	settle(&there);
	assert_int_equal(
		jc_nats_link_request(here.link, "jc.hall.c", "x", 1, 50, end_take, &here), JC_OK);
	assert_int_equal(here.timeouts, 0);
	WAIT(here.timeouts == 1);

	/* A forgotten request has no end. */
	assert_int_equal(
		jc_nats_link_request(here.link, "jc.hall.c", "x", 1, 30, end_take, &here), JC_OK);
	jc_nats_link_forget(here.link, &here);
	assert_int_equal(
		jc_nats_link_request(here.link, "jc.hall.c", "x", 1, 60, end_take, &there), JC_OK);
	WAIT(there.timeouts == 1);
	assert_int_equal(here.timeouts, 1);
	assert_string_equal(here.unheard, "");
	end_close(&here);
	end_close(&there);
}

/* The request would time out after ten minutes, and the test with it. */
static void a_request_that_nobody_receives_ends_at_once(void **state)
{
	struct end here, there;
	struct jc_nats_subscription *ended;

	(void)state;
	connect_end(&here);
	connect_end(&there);
	ended = end_subscribe(&there, "jc.hall.c.test");
	settle(&there);
	jc_nats_subscription_end(ended);
	settle(&there);
	assert_int_equal(
		jc_nats_link_request(here.link, "jc.hall.c.test", "x", 1, 600000, end_take, &here),
		JC_OK);
	WAIT(here.timeouts == 1);
	assert_string_equal(here.unheard, "jc.hall.c.test");
	end_close(&here);
	end_close(&there);
}

static void long_answers_come_as_a_whole(void **state)
{
	enum { LENGTH = 300001 };
	struct end here, there;
	struct jc_nats_subscription *subscription;
	uint8_t *bytes = malloc(LENGTH);

	(void)state;
	for (size_t i = 0; i < LENGTH; i++) {
		bytes[i] = (uint8_t)(i * i >> 3);
	}
	connect_end(&here);
	connect_end(&there);
	jc_nats_link_subscribe(there.link, "jc.lobby.c", echo, &there, &subscription);
	settle(&there);
	assert_int_equal(jc_nats_link_request(here.link, "jc.lobby.c", bytes, LENGTH, 5000,
				 on_long_answer, &here),
		JC_OK);
	WAIT(here.timeouts == 100);
	assert_int_equal(length_of_answer, LENGTH);
	assert_int_equal(sum_of_answer, sum(bytes, LENGTH));
	free(bytes);
	end_close(&here);
	end_close(&there);
}

static void messages_of_two_subjects_keep_their_order(void **state)
{
	struct end here, there;

	(void)state;
	connect_end(&here);
	connect_end(&there);
	end_subscribe(&there, "jc.lobby.f.>");
	end_subscribe(&there, "jc.lobby.s");
	settle(&there);
	for (int i = 0; i < 2000; i++) {
		char text[16];

		snprintf(text, sizeof(text), "%d", i);
		end_publish(&here, i % 3 ? "jc.lobby.f.a" : "jc.lobby.s", text);
	}
	WAIT(there.text_count == 2000);
	for (int i = 0; i < 2000; i++) {
		assert_int_equal(atoi(strchr(there.texts[i], ' ')), i);
		assert_true((strncmp(there.texts[i], "jc.lobby.s", 10) == 0) == (i % 3 == 0));
	}
	end_close(&here);
	end_close(&there);
}

static void a_restarted_server_finds_the_subscriptions_again(void **state)
{
	struct end here, there;
	struct jc_nats_subscription *ended;
	struct jc_nats_report report;

	(void)state;
	connect_end(&here);
	connect_end(&there);
	end_subscribe(&there, "early");
	ended = end_subscribe(&there, "ended");
	nats_server_stop(&server);
	WAIT(jc_nats_link_state(here.link) == JC_NATS_LOST &&
		jc_nats_link_state(there.link) == JC_NATS_LOST);
	assert_int_equal(
		jc_nats_link_publish(here.link, "early", NULL, "lost", 4), JC_ERROR_ABSENT);
	end_subscribe(&there, "late");
	jc_nats_subscription_end(ended);
	nats_server_start(&server, NULL);
	WAIT(jc_nats_link_state(here.link) == JC_NATS_CONNECTED &&
		jc_nats_link_state(there.link) == JC_NATS_CONNECTED);
	settle(&there);
	end_publish(&here, "early", "1");
	end_publish(&here, "ended", "2");
	end_publish(&here, "late", "3");
	WAIT(there.text_count == 2);
	assert_string_equal(there.texts[0], "early 1");
	assert_string_equal(there.texts[1], "late 3");
	assert_int_equal(there.state_count, 3);
	assert_int_equal(there.states[1], JC_NATS_LOST);
	assert_int_equal(there.states[2], JC_NATS_CONNECTED);
	jc_nats_link_report(here.link, &report);
	assert_int_equal(report.connections, 2);
	assert_int_equal(report.messages_out, 3);
	assert_int_equal(report.refused, 1);
	end_close(&here);
	end_close(&there);
}

static void waits_for_a_server_that_starts_later(void **state)
{
	struct end end;
	struct jc_nats_report report;
	const int port = server.port;

	(void)state;
	nats_server_stop(&server);
	end_open(&end, options());
	do {
		uv_run(&loop, UV_RUN_ONCE);
		jc_nats_link_report(end.link, &report);
	} while (!report.problem[0]);
	assert_string_equal(report.problem, "no server answers there");
	assert_int_equal(jc_nats_link_state(end.link), JC_NATS_CONNECTING);
	assert_int_equal(jc_nats_link_publish(end.link, "a", NULL, "lost", 4), JC_ERROR_ABSENT);
	nats_server_start(&server, NULL);
	assert_int_equal(server.port, port);
	WAIT(jc_nats_link_state(end.link) == JC_NATS_CONNECTED);
	jc_nats_link_report(end.link, &report);
	assert_string_equal(report.problem, "");
	assert_string_equal(report.server, server.url);
	end_close(&end);
}

static void refuses_what_the_server_would_not_take(void **state)
{
	static const char *const wrong[] = { "", ".", "a.", ".a", "a..b", "a b", "a\r\nPUB b 0",
		"a.*", "a.>", "a\tb" };
	struct end end;
	struct jc_nats_subscription *subscription;
	uint8_t *bytes = calloc(1, JC_MAX_NATS_MESSAGE + 1);
	char longest[JC_MAX_NATS_SUBJECT + 1];

	(void)state;
	connect_end(&end);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(
			jc_nats_link_publish(end.link, wrong[i], NULL, "", 0), JC_ERROR_INVALID);
		assert_int_equal(
			jc_nats_link_publish(end.link, "a", *wrong[i] ? wrong[i] : "*", "", 0),
			JC_ERROR_INVALID);
	}
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(jc_nats_link_publish(end.link, longest, NULL, "", 0), JC_ERROR_INVALID);
	assert_int_equal(jc_nats_link_subscribe(end.link, "a*", end_take, &end, &subscription),
		JC_ERROR_INVALID);
	assert_int_equal(jc_nats_link_subscribe(end.link, "a.>.b", end_take, &end, &subscription),
		JC_ERROR_INVALID);
	assert_int_equal(jc_nats_link_most(end.link), JC_MAX_NATS_MESSAGE);
	assert_int_equal(jc_nats_link_publish(end.link, "a", NULL, bytes, JC_MAX_NATS_MESSAGE + 1),
		JC_ERROR_LIMIT);
	assert_int_equal(
		jc_nats_link_publish(end.link, "a", NULL, bytes, JC_MAX_NATS_MESSAGE), JC_OK);
	settle(&end); /* the connection holds */
	assert_int_equal(end.state_count, 1);
	free(bytes);
	end_close(&end);
}

/* While the loop does not read, more arrives than the queue holds. */
static void a_full_queue_drops_frames_first(void **state)
{
	enum { MESSAGES = 40, LENGTH = 1 << 19 };
	struct end here, there;
	struct jc_nats_report report;
	uint8_t *bytes = calloc(1, LENGTH);

	(void)state;
	connect_end(&here);
	connect_end(&there);
	end_subscribe(&there, "jc.a.f.v");
	end_subscribe(&there, "jc.a.s");
	settle(&there);
	for (int i = 0; i < MESSAGES; i++) {
		/* The loop reads nothing that has arrived: only `here` works. */
		while (jc_nats_link_publish(here.link, i == MESSAGES - 1 ? "jc.a.s" : "jc.a.f.v",
			       NULL, bytes, LENGTH) == JC_ERROR_LIMIT) {
			jc_nats_link_flush(here.link);
			usleep(1000);
		}
	}
	jc_nats_link_flush(here.link);
	do {
		usleep(1000);
		jc_nats_link_report(there.link, &report);
	} while (report.dropped_frames + report.queued / LENGTH < MESSAGES);
	assert_true(report.dropped_frames > 0);
	assert_int_equal(report.dropped_others, 0);
	assert_true(report.queued <= JC_MAX_NATS_ARRIVED);
	WAIT(there.text_count == MESSAGES - report.dropped_frames);
	assert_true(strncmp(there.texts[there.text_count - 1], "jc.a.s ", 7) == 0);
	assert_true(strncmp(there.texts[0], "jc.a.f.v ", 9) == 0);
	free(bytes);
	end_close(&here);
	end_close(&there);
}

/* A server that stops reading never stops the loop; frames leave room for other messages. */
static void a_frozen_server_blocks_nothing(void **state)
{
	enum { LENGTH = 1 << 19 };
	struct end here, there;
	struct jc_nats_report report;
	uint8_t *bytes = calloc(1, LENGTH);
	size_t frames = 0;
	int status;

	(void)state;
	connect_end(&here);
	connect_end(&there);
	end_subscribe(&there, "jc.a.>");
	settle(&there);
	kill(server.pid, SIGSTOP);
	/* What can come later leaves a half of the memory to others. */
	do {
		status = jc_nats_link_publish_spare(here.link, "jc.a.f.v", bytes, LENGTH);
		frames += status == JC_OK;
		jc_nats_link_flush(here.link);
		jc_nats_link_report(here.link, &report);
		assert_true(report.leaving <= JC_MAX_NATS_LEAVING / 2);
	} while (status == JC_OK);
	assert_int_equal(status, JC_ERROR_LIMIT);
	do {
		status = jc_nats_link_publish(here.link, "jc.a.f.v", NULL, bytes, LENGTH);
		frames += status == JC_OK;
		jc_nats_link_flush(here.link);
	} while (status == JC_OK);
	assert_int_equal(status, JC_ERROR_LIMIT);
	assert_int_equal(jc_nats_link_publish(here.link, "jc.a.s", NULL, "state", 5), JC_OK);
	jc_nats_link_report(here.link, &report);
	assert_int_equal(report.refused, 2);
	assert_true(report.leaving > JC_MAX_NATS_LEAVING_PART - 2 * LENGTH);
	kill(server.pid, SIGCONT);
	WAIT(there.text_count == frames + 1);
	assert_string_equal(there.texts[frames], "jc.a.s state");
	assert_int_equal(here.state_count, 1);
	free(bytes);
	end_close(&here);
	end_close(&there);
}

static void close_in_handler(void *context, const struct jc_nats_message *message)
{
	struct end *end = context;

	(void)message;
	jc_nats_link_close(end->link, end_on_closed, end);
	end->text_count = 0;
}

static void closes_while_messages_arrive(void **state)
{
	struct end here, there;
	struct jc_nats_subscription *subscription;

	(void)state;
	for (int round = 0; round < 5; round++) {
		connect_end(&here);
		connect_end(&there);
		jc_nats_link_subscribe(
			there.link, "flood", close_in_handler, &there, &subscription);
		settle(&there);
		end_subscribe(&here, "no.answer");
		settle(&here);
		jc_nats_link_request(there.link, "no.answer", "", 0, 10000, end_take, &there);
		for (int i = 0; i < 1000; i++) {
			end_publish(&here, "flood", "x");
		}
		WAIT(there.is_closed);
		assert_int_equal(there.timeouts, 0);
		end_close(&here);
	}
}

static void sends_what_was_published_before_the_close(void **state)
{
	struct end here, there;

	(void)state;
	connect_end(&here);
	connect_end(&there);
	end_subscribe(&there, "jc.announce");
	settle(&there);
	for (int i = 0; i < 200; i++) {
		end_publish(&here, "jc.announce", "leaving");
	}
	end_close(&here);
	WAIT(there.text_count == 200);
	end_close(&there);
}

static int set_up(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	uv_loop_init(&loop);
	nats_server_start(&server, NULL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nats_server_stop(&server);
	return uv_loop_close(&loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delivers_what_was_subscribed),
		cmocka_unit_test(requests_get_their_first_answer_once),
		cmocka_unit_test(a_request_that_nobody_receives_ends_at_once),
		cmocka_unit_test(long_answers_come_as_a_whole),
		cmocka_unit_test(messages_of_two_subjects_keep_their_order),
		cmocka_unit_test(a_restarted_server_finds_the_subscriptions_again),
		cmocka_unit_test(waits_for_a_server_that_starts_later),
		cmocka_unit_test(refuses_what_the_server_would_not_take),
		cmocka_unit_test(a_full_queue_drops_frames_first),
		cmocka_unit_test(a_frozen_server_blocks_nothing),
		cmocka_unit_test(closes_while_messages_arrive),
		cmocka_unit_test(sends_what_was_published_before_the_close),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
