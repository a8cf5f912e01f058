/* Answers go to the client unchanged, except those to messages of the edge itself. */
#include "cluster/session/forwarded_answer.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/session/forwarded_client.h"
#include "cluster/session/session_link.h"
#include "control/moderate.h"
#include "control/reply.h"
#include "jointcast/error.h"
#include "net/session.h"

/* Its letter and number; 0: a message of the client. */
static char read_own(
	const struct jc_forwarded_client *forwarded, const json_t *message, int *number)
{
	const char *tag = jc_session_link_tag(forwarded->link);
	const char *request = jc_forwarded_text_of(message, "request");
	size_t length = strlen(tag);

	if (strncmp(request, tag, length) != 0 || !request[length]) {
		return '\0';
	}
	*number = atoi(request + length + 1);
	return request[length];
}

/* The publication ends against the will of the client. */
static void give_up(
	struct jc_forwarded_client *forwarded, struct jc_kept_publication *kept, const char *reason)
{
	jc_reply_send(forwarded->client, json_pack("{ss si ss}", "type", "unpublished",
						 "publication", kept->number, "reason", reason));
	jc_kept_publication_finish(kept);
}

/* Whether a refused `publish` is tried again. */
static bool is_passing(const char *code)
{
	static const char *const codes[] = { "unknown-space", "no-hello", "failed", "too-many" };

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (strcmp(codes[i], code) == 0) {
			return true;
		}
	}
	return false;
}

/* The answer to a `publish` of the edge itself. Returns 0 or an error: then the session is lost. */
static int published_again(struct jc_forwarded_client *forwarded, struct jc_edge_session *session,
	int number, const json_t *message)
{
	struct jc_kept_publication *kept = jc_forwarded_client_kept(forwarded, number);
	bool is_open = strcmp(jc_forwarded_text_of(message, "type"), "published") == 0;
	bool is_wanted = kept && kept->state == JC_KEPT_LOST && kept->is_again &&
			 strcmp(kept->space, session->space) == 0;

	if (is_wanted) {
		kept->is_again = false;
	}
	if (is_open && (!is_wanted || kept->is_stale)) {
		/* The client has changed or removed the body meanwhile. */
		return jc_forwarded_client_say(session,
			json_pack("{ss si}", "type", "unpublish", "publication", number), OWN_NOTE);
	}
	if (is_open) {
		kept->state = JC_KEPT_OPEN;
		kept->body = (uint32_t)json_integer_value(json_object_get(message, "body"));
		forwarded->delay = 1;
		jc_session_link_count_again(forwarded->link);
		jc_reply_send(
			forwarded->client, json_pack("{ss si sI}", "type", "amended", "publication",
						   number, "body", (json_int_t)kept->body));
	} else if (is_wanted && is_passing(jc_forwarded_text_of(message, "code"))) {
		jc_forwarded_client_delay(forwarded, session->number);
	} else if (is_wanted) {
		give_up(forwarded, kept, jc_forwarded_text_of(message, "message"));
	}
	return JC_OK;
}

/* An answer to a message of the edge itself. Returns as above. */
static int take_own(struct jc_forwarded_client *forwarded, struct jc_edge_session *session,
	char letter, int number, const json_t *message)
{
	if (letter == OWN_SKELETON) {
		return jc_edge_session_release(session);
	}
	return letter == OWN_PUBLISH ? published_again(forwarded, session, number, message) : JC_OK;
}

/* Applies an answer to the client at this edge. awaited: the message that it answers, or NULL. */
static void follow(struct jc_forwarded_client *forwarded, const struct jc_awaited_answer *awaited,
	const json_t *message)
{
	const char *type = jc_forwarded_text_of(message, "type");
	struct jc_kept_publication *kept =
		jc_forwarded_client_kept(forwarded, jc_forwarded_number_of(message));

	if (strcmp(type, "error") == 0 && awaited && !awaited->amend && awaited->publication >= 0) {
		kept = jc_forwarded_client_kept(forwarded, awaited->publication);
		if (kept && kept->state == JC_KEPT_ASKED) {
			jc_kept_publication_finish(kept);
		}
	} else if (!kept) {
		return;
	} else if (strcmp(type, "published") == 0 && kept->state == JC_KEPT_ASKED) {
		kept->state = JC_KEPT_OPEN;
		kept->body = (uint32_t)json_integer_value(json_object_get(message, "body"));
		forwarded->delay = 1;
	} else if (strcmp(type, "unpublished") == 0 && kept->state != JC_KEPT_ASKED) {
		/* Before the answer to a `publish` it is about an earlier body of that number. */
		jc_kept_publication_finish(kept);
	} else if (strcmp(type, "amended") == 0) {
		if (awaited && awaited->amend) {
			jc_kept_publication_amend(kept, awaited->amend);
		}
		kept->body = (uint32_t)json_integer_value(json_object_get(message, "body"));
	}
}

/* Takes the message that an answer answers off the list of the session. */
static bool find_awaited(struct jc_edge_session *session, const json_t *message,
	struct jc_awaited_answer *out_awaited)
{
	const char *type = jc_forwarded_text_of(message, "type");
	const char *about = strcmp(type, "published") == 0 ? "publish"
			    : strcmp(type, "amended") == 0 ? "amend"
			    : strcmp(type, "error") == 0   ? jc_forwarded_text_of(message, "ref")
							   : "";

	return jc_edge_session_answered(
		session, json_object_get(message, "request"), about, out_awaited);
}

/* A moderator has removed this client from the space. */
static bool is_removal(const json_t *message)
{
	const char *action = jc_forwarded_text_of(message, "action");

	return strcmp(jc_forwarded_text_of(message, "type"), "moderated") == 0 &&
	       !json_object_get(message, "concerned") &&
	       (strcmp(action, "kick") == 0 || strcmp(action, "ban") == 0 ||
		       strcmp(action, "close") == 0);
}

static void pass_on(struct jc_forwarded_client *forwarded, struct jc_edge_session *session,
	const json_t *message, const char *text, size_t length)
{
	struct jc_client *client = forwarded->client;
	struct jc_awaited_answer awaited = { .amend = NULL };

	if (strcmp(jc_forwarded_text_of(message, "type"), "going_away") == 0) {
		return; /* of the session, not of the client's connection */
	}
	bool is_awaited = find_awaited(session, message, &awaited);

	follow(forwarded, is_awaited ? &awaited : NULL, message);
	json_decref(awaited.amend);
	jc_session_send(client->session, text, length);
	if (is_removal(message)) {
		const struct jc_fanout *fanout =
			jc_forwarded_client_relays(forwarded, session->space);

		if (fanout) {
			jc_moderate_end(client, fanout);
		}
	}
}

void jc_forwarded_answer_take(struct jc_forwarded_client *forwarded,
	struct jc_edge_session *session, const char *text, size_t length)
{
	json_t *message = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
	int number = 0, status = JC_OK;
	char letter = read_own(forwarded, message, &number);

	if (!json_is_object(message)) {
		status = JC_ERROR_INVALID;
	} else if (letter) {
		status = take_own(forwarded, session, letter, number, message);
	} else {
		pass_on(forwarded, session, message, text, length);
	}
	json_decref(message);
	if (status != JC_OK) {
		jc_edge_session_close(session);
		jc_forwarded_client_lose(forwarded, session, "a message is lost");
	}
}
