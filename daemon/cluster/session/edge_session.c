/* Numbers the messages of a session, and remembers what is unanswered. */
#include "cluster/session/edge_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/subjects.h"
#include "jointcast/error.h"
#include "net/frame.h"

/* Owned by its session. */
struct jc_held_message {
	struct jc_held_message *next;
	bool holds; /* those behind it wait for its answer */
	size_t length;
	char text[];
};

static int send_message(struct jc_edge_session *session, enum jc_session_message_kind kind,
	const void *payload, size_t length)
{
	const struct jc_session_message message = { .kind = kind,
		.number = session->number,
		.sequence = session->sent,
		.payload = payload,
		.length = length };
	int status = jc_session_sender_send(session->sender, session->subject, &message);

	session->sent += status == JC_OK;
	return status;
}

int jc_edge_session_create(
	const struct jc_edge_session_options *options, struct jc_edge_session **out_session)
{
	struct jc_edge_session *session = calloc(1, sizeof(*session));
	struct jc_session_open open = { .peer = *options->peer,
		.is_local_page = options->is_local_page,
		.party = options->party };
	int status = JC_ERROR_MEMORY;
	char *payload = NULL;

	if (!session) {
		return status;
	}
	payload = jc_session_open_write(&open);
	session->sender = options->sender;
	session->client = options->client;
	session->number = options->number;
	session->end = &session->first;
	snprintf(session->space, sizeof(session->space), "%s", options->space);
	jc_subject_of_edge(options->space, JC_SUBJECT_UP, options->edge, session->subject);
	if (payload) {
		status = send_message(session, JC_SESSION_OPEN, payload, strlen(payload));
	}
	free(payload);
	if (status != JC_OK) {
		free(session);
		return status;
	}
	*out_session = session;
	return JC_OK;
}

static struct jc_held_message *shift(struct jc_edge_session *session)
{
	struct jc_held_message *message = session->first;

	session->first = message->next;
	if (!session->first) {
		session->end = &session->first;
	}
	session->held_count--;
	return message;
}

void jc_edge_session_destroy(struct jc_edge_session *session)
{
	while (session->first) {
		free(shift(session));
	}
	for (size_t i = 0; i < session->awaited_count; i++) {
		json_decref(session->awaited[i].amend);
	}
	free(session->awaited);
	free(session->skeletons);
	free(session);
}

void jc_edge_session_close(struct jc_edge_session *session)
{
	const struct jc_session_message message = { .number = session->number,
		.sequence = session->sent };

	jc_session_sender_close(
		session->sender, session->subject, &message, JC_CLOSE_GOING_AWAY, "");
}

static int hold(struct jc_edge_session *session, const char *text, size_t length, bool holds)
{
	struct jc_held_message *message;

	if (session->held_count >= JC_MAX_FORWARDED_HELD) {
		return JC_ERROR_LIMIT;
	}
	message = malloc(sizeof(*message) + length);
	if (!message) {
		return JC_ERROR_MEMORY;
	}
	*message = (struct jc_held_message){ .holds = holds, .length = length };
	memcpy(message->text, text, length);
	*session->end = message;
	session->end = &message->next;
	session->held_count++;
	return JC_OK;
}

int jc_edge_session_say(struct jc_edge_session *session, const char *text, size_t length)
{
	return session->is_holding ? hold(session, text, length, false)
				   : send_message(session, JC_SESSION_TEXT, text, length);
}

int jc_edge_session_say_and_hold(struct jc_edge_session *session, const char *text, size_t length)
{
	if (session->is_holding) {
		return hold(session, text, length, true);
	}
	session->is_holding = true;
	return send_message(session, JC_SESSION_TEXT, text, length);
}

int jc_edge_session_release(struct jc_edge_session *session)
{
	int status = JC_OK;

	session->is_holding = false;
	while (session->first && !session->is_holding && status == JC_OK) {
		struct jc_held_message *message = shift(session);

		session->is_holding = message->holds;
		status = send_message(session, JC_SESSION_TEXT, message->text, message->length);
		free(message);
	}
	return status;
}

void jc_edge_session_send_capture(
	struct jc_edge_session *session, const uint8_t *bytes, size_t length)
{
	send_message(session, JC_SESSION_BINARY, bytes, length);
}

bool jc_edge_session_count(struct jc_edge_session *session, uint32_t sequence)
{
	session->unlisted = 0;
	return sequence == session->received++;
}

bool jc_edge_session_confirm(struct jc_edge_session *session, uint32_t sent)
{
	session->unlisted = 0;
	return sent == session->received;
}

bool jc_edge_session_await(struct jc_edge_session *session, const struct jc_awaited_answer *awaited)
{
	if (!session->awaited) {
		session->awaited = calloc(JC_MAX_FORWARDED_ANSWERS, sizeof(session->awaited[0]));
	}
	if (!session->awaited || session->awaited_count == JC_MAX_FORWARDED_ANSWERS) {
		json_decref(awaited->amend);
		return false;
	}
	session->awaited[session->awaited_count++] = *awaited;
	return true;
}

static bool is_tag(const json_t *field, const struct jc_request_tag *request)
{
	switch (request->kind) {
	case JC_REQUEST_TAG_INTEGER:
		return json_is_integer(field) && json_integer_value(field) == request->number;
	case JC_REQUEST_TAG_TEXT:
		return json_is_string(field) &&
		       strcmp(json_string_value(field), request->text) == 0;
	case JC_REQUEST_TAG_NONE:
		break;
	}
	return false;
}

bool jc_edge_session_answered(struct jc_edge_session *session, const json_t *request,
	const char *type, struct jc_awaited_answer *out_awaited)
{
	for (size_t i = 0; i < session->awaited_count; i++) {
		const struct jc_awaited_answer *awaited = &session->awaited[i];
		bool is_oldest = awaited->request.kind == JC_REQUEST_TAG_NONE &&
				 strcmp(awaited->type, type) == 0;

		if (request ? is_tag(request, &awaited->request) : is_oldest) {
			*out_awaited = *awaited;
			session->awaited_count--;
			memmove(&session->awaited[i], &session->awaited[i + 1],
				(session->awaited_count - i) * sizeof(session->awaited[0]));
			return true;
		}
	}
	return false;
}

bool jc_edge_session_knows(const struct jc_edge_session *session, const char *hash)
{
	for (size_t i = 0; i < session->skeleton_count; i++) {
		if (strcmp(session->skeletons[i], hash) == 0) {
			return true;
		}
	}
	return false;
}

void jc_edge_session_learn(struct jc_edge_session *session, const char *hash)
{
	if (!session->skeletons) {
		session->skeletons =
			calloc(JC_MAX_FORWARDED_SKELETONS, sizeof(session->skeletons[0]));
	}
	/* Beyond the limit it is sent again, which changes nothing. */
	if (session->skeletons && session->skeleton_count < JC_MAX_FORWARDED_SKELETONS) {
		snprintf(session->skeletons[session->skeleton_count++], JC_HASH_TEXT, "%s", hash);
	}
}
