/* Writes messages as text, counts errors, and delays answers to moderators until the disk has
 * their sanctions. A delayed answer names its client by serial, for the client may go before. */
#include "control/reply.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shared_text.h"
#include "control/client.h"
#include "jointcast_private/json.h"
#include "maxima.h"
#include "moderation/moderation.h"
#include "net/session.h"

#ifndef NDEBUG
static const char *const codes[] = {
	"bad-message",
	"unknown-type",
	"no-hello",
	"bad-field",
	"unsupported",
	"too-many",
	"failed",
	"refused",
	"not-allowed",
	"banned",
	"unknown-space",
	"not-joined",
	"unknown-body",
	"unknown-publication",
	"bad-capture",
	"cannot-record",
	"cannot-replay",
	"unknown-replay",
	"bad-skeleton",
	"unknown-skeleton",
	"unknown-avatar",
};

static bool is_known(const char *code)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (strcmp(codes[i], code) == 0) {
			return true;
		}
	}
	return false;
}
#endif

/* A thing may end while a message that names it is on its way. */
static const char *const races[] = { "unknown-space", "not-joined", "unknown-body",
	"unknown-publication", "unknown-replay", "unknown-skeleton", "unknown-avatar" };

/* Whether an error is the fault of the client. A capture counts always: captures are not charged
 * by their processor time. */
static bool is_fault(const json_t *error)
{
	const char *code = json_string_value(json_object_get(error, "code"));
	const char *ref = json_string_value(json_object_get(error, "ref"));

	for (size_t i = 0; code && i < sizeof(races) / sizeof(races[0]); i++) {
		if (strcmp(races[i], code) == 0) {
			return ref && strcmp(ref, "capture") == 0;
		}
	}
	return true;
}

/* Single precision reads back exactly from nine digits. */
#define DUMP_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(9))

/* The text of a message, which is stolen. The caller frees it; NULL when there is no memory. */
static char *dump(json_t *message)
{
	char *text = message ? json_dumps(message, DUMP_FLAGS) : NULL;

	json_decref(message);
	return text;
}

void jc_reply_send(struct jc_client *client, json_t *message)
{
	char *text = dump(message);

	if (text) {
		jc_session_send(client->session, text, strlen(text));
	}
	free(text);
}

/* Whether messages of the type have no answer: they are frequent, and only the newest counts. */
static bool is_unanswered(const char *type)
{
	return strcmp(type, "ack") == 0 || strcmp(type, "viewpoint") == 0;
}

/* Whether the field is what a client may send: an integer within 2^53, or a short text. */
static bool read_request(const json_t *field, struct jc_request_tag *request)
{
	const char *text = json_string_value(field);
	long long number;

	if (text && strlen(text) <= JC_REQUEST_TAG_BYTES) {
		request->kind = JC_REQUEST_TAG_TEXT;
		strcpy(request->text, text);
		return true;
	}
	if (!jc_json_is_integer(field, &number) || number < -JC_REQUEST_TAG_NUMBER ||
		number > JC_REQUEST_TAG_NUMBER) {
		return false;
	}
	request->kind = JC_REQUEST_TAG_INTEGER;
	request->number = number;
	return true;
}

bool jc_reply_begin(struct jc_client *client, const char *type, const json_t *message)
{
	const json_t *field = json_object_get(message, "request");

	client->request = (struct jc_request_tag){ .kind = JC_REQUEST_TAG_NONE };
	if (!field || (type && is_unanswered(type)) || read_request(field, &client->request)) {
		return true;
	}
	jc_reply_error(client, "bad-field",
		"request must be an integer from -2^53 to 2^53 or text of at most 32 bytes", type);
	return false;
}

void jc_reply_end(struct jc_client *client)
{
	if (client->request.kind != JC_REQUEST_TAG_NONE) {
		jc_reply_answer(client, json_pack("{ss}", "type", "done"));
	}
}

struct jc_request_tag jc_reply_defer(struct jc_client *client)
{
	struct jc_request_tag request = client->request;

	client->request.kind = JC_REQUEST_TAG_NONE;
	return request;
}

void jc_reply_resume(struct jc_client *client, const struct jc_request_tag *request)
{
	client->request = *request;
}

void jc_reply_put_request(json_t *message, const struct jc_request_tag *request)
{
	if (request->kind == JC_REQUEST_TAG_INTEGER) {
		json_object_set_new(message, "request", json_integer(request->number));
	} else if (request->kind == JC_REQUEST_TAG_TEXT) {
		json_object_set_new(message, "request", json_string(request->text));
	}
}

json_t *jc_reply_mark(struct jc_client *client, json_t *answer)
{
	struct jc_request_tag request = jc_reply_defer(client);

	jc_reply_put_request(answer, &request);
	return answer;
}

void jc_reply_answer(struct jc_client *client, json_t *answer)
{
	jc_reply_send(client, jc_reply_mark(client, answer));
}

void jc_reply_answer_shared(struct jc_client *client, struct jc_shared_text *answer)
{
	if (client->request.kind == JC_REQUEST_TAG_NONE) {
		jc_session_send_shared(client->session, answer);
		return;
	}
	/* {"request":7} and {"type":…} become {"request":7,"type":…}. */
	char *head = dump(jc_reply_mark(client, json_object()));
	size_t length = head ? strlen(head) : 0;
	char *text = length > 0 ? malloc(length + answer->length) : NULL;

	if (text) {
		memcpy(text, head, length);
		text[length - 1] = ',';
		memcpy(text + length, jc_shared_text_chars(answer) + 1, answer->length - 1);
		jc_session_send(client->session, text, length + answer->length - 1);
	}
	free(text);
	free(head);
}

struct delayed {
	struct jc_state_wait wait;  /* wait.asker is the serial of the session */
	struct jc_control *control; /* borrowed: it outlives the loop, and so the write */
	json_t *answer;             /* owned */
	bool reports_stored;        /* whether the answer has that field */
};

static struct jc_moderation *moderation_of(const struct jc_client *client)
{
	return client->services->moderation;
}

/* Charges the client for its answer: no message of it is being read here. */
static void on_done(struct jc_state_wait *wait, bool is_stored)
{
	struct delayed *delayed = (struct delayed *)wait;
	int64_t begun_ns = jc_clock_thread_ns();
	struct jc_client *client = jc_client_find(delayed->control, wait->asker);

	if (delayed->reports_stored) {
		json_object_set_new(delayed->answer, "stored", json_boolean(is_stored));
	}
	if (client) {
		jc_reply_send(client, delayed->answer);
		jc_turns_charge(&client->session->turn, jc_clock_thread_ns() - begun_ns);
	} else {
		json_decref(delayed->answer);
	}
	free(delayed);
}

/* Steals the answer. */
static void delay(struct jc_client *client, json_t *answer, bool reports_stored)
{
	struct delayed *delayed = calloc(1, sizeof(*delayed));

	if (!answer || !delayed) {
		json_decref(answer);
		free(delayed);
		return;
	}
	delayed->wait.asker = client->session->serial;
	delayed->wait.done = on_done;
	delayed->control = client->control;
	delayed->answer = answer;
	delayed->reports_stored = reports_stored;
	jc_moderation_await(moderation_of(client), &delayed->wait);
}

void jc_reply_moderated_saved(struct jc_client *client, json_t *answer)
{
	if (jc_moderation_has_file(moderation_of(client))) {
		delay(client, jc_reply_mark(client, answer), true);
	} else {
		json_object_set_new(answer, "stored", json_false());
		jc_reply_answer(client, answer);
	}
}

void jc_reply_moderated(struct jc_client *client, json_t *answer)
{
	if (jc_moderation_is_awaited(moderation_of(client), client->session->serial)) {
		delay(client, jc_reply_mark(client, answer), false);
	} else {
		jc_reply_answer(client, answer);
	}
}

static bool delays(struct jc_client *client, json_t *error)
{
	const char *ref = json_string_value(json_object_get(error, "ref"));

	if (!ref || strcmp(ref, "moderate") != 0 ||
		!jc_moderation_is_awaited(moderation_of(client), client->session->serial)) {
		return false;
	}
	delay(client, error, false);
	return true;
}

static void send_error(struct jc_client *client, json_t *error)
{
	bool counts = is_fault(error);

	assert(!error || is_known(json_string_value(json_object_get(error, "code"))));
	jc_reply_mark(client, error);
	if (!delays(client, error)) {
		jc_reply_send(client, error);
	}
	if (counts &&
		!jc_token_bucket_spend(&client->errors, JC_ERROR_SECONDS, 1, jc_clock_now_ns())) {
		jc_session_close(client->session, JC_CLOSE_POLICY, "too many errors");
	}
}

void jc_reply_error(
	struct jc_client *client, const char *code, const char *message, const char *ref)
{
	jc_reply_error_of(client, code, message, ref, NULL);
}

void jc_reply_error_of(struct jc_client *client, const char *code, const char *message,
	const char *ref, const char *name)
{
	send_error(client, json_pack("{ss ss ss ss* ss*}", "type", "error", "code", code, "message",
				   message, "ref", ref, "name", name));
}

void jc_reply_error_until(struct jc_client *client, const char *code, const char *message,
	const char *ref, int64_t until_s)
{
	json_t *until = until_s < INT64_MAX ? json_integer((json_int_t)until_s) : NULL;

	send_error(client, json_pack("{ss ss ss ss* so*}", "type", "error", "code", code, "message",
				   message, "ref", ref, "until", until));
}
