/* Messages go to the origin unchanged; the edge answers in place of an origin that is lost. */
#include "cluster/session/forwarded_text.h"

#include <stdio.h>
#include <string.h>

#include "cluster/session/forwarded_client.h"
#include "cluster/session/session_link.h"
#include "control/client.h"
#include "control/reply.h"
#include "jointcast/error.h"
#include "jointcast_private/json.h"

/* Which messages concern an origin: those that name a relayed space, and those that name a
 * publication in one. */
static const struct {
	const char *type;
	bool names_publication;
} forwarded_types[] = {
	{ "publish", false },
	{ "place", false },
	{ "stage", false },
	{ "calibrate", false },
	{ "record", false },
	{ "replay", false },
	{ "moderate", false },
	{ "administer", false },
	{ "unpublish", true },
	{ "consent", true },
	{ "amend", true },
};

static struct jc_kept_publication *find_free(struct jc_forwarded_client *forwarded)
{
	for (size_t i = 0; i < JC_MAX_PUBLICATIONS; i++) {
		if (forwarded->publications[i].state == JC_KEPT_NONE) {
			return &forwarded->publications[i];
		}
	}
	return NULL;
}

static void tell_failed_now(struct jc_client *client, const char *type, const char *reason)
{
	struct jc_request_tag request = jc_reply_defer(client);

	jc_forwarded_client_tell_failed(client, &request, type, reason);
}

/* Sends a message of the client unchanged; its answer comes from the origin. publication: of
 * `publish` and `amend`, else -1. */
static void forward(struct jc_forwarded_client *forwarded, struct jc_edge_session *session,
	const char *type, int publication, json_t *amend, const char *text, size_t length)
{
	struct jc_client *client = forwarded->client;
	struct jc_awaited_answer awaited = {
		.request = client->request, .publication = publication, .amend = json_incref(amend)
	};

	snprintf(awaited.type, sizeof(awaited.type), "%s", type);
	if ((awaited.request.kind != JC_REQUEST_TAG_NONE || publication >= 0) &&
		!jc_edge_session_await(session, &awaited)) {
		if (publication >= 0 && !amend) {
			jc_kept_publication_finish(
				jc_forwarded_client_kept(forwarded, publication));
		}
		jc_reply_error(client, "too-many", "too many messages wait for answers", type);
		return;
	}
	jc_reply_defer(client);
	if (jc_edge_session_say(session, text, length) != JC_OK) {
		jc_edge_session_close(session);
		jc_forwarded_client_lose(forwarded, session, "the origin cannot be reached");
	}
}

static void forward_publish(struct jc_forwarded_client *forwarded, struct jc_edge_session *session,
	const json_t *message, const char *text, size_t length)
{
	struct jc_client *client = forwarded->client;
	struct jc_kept_publication *kept = find_free(forwarded);
	int number = jc_forwarded_number_of(message);

	if (number < 0) {
		/* It is refused there. */
		forward(forwarded, session, "publish", -1, NULL, text, length);
		return;
	}
	if (!kept ||
		jc_kept_publication_init(kept, session->space, (uint8_t)number, message) != JC_OK) {
		jc_reply_error(client, "too-many", "too many publications", "publish");
		return;
	}
	switch (jc_forwarded_client_send_skeleton(
		forwarded, session, jc_forwarded_text_of(message, "skeleton"))) {
	case JC_OK:
		forward(forwarded, session, "publish", number, NULL, text, length);
		return;
	case JC_ERROR_LIMIT:
		jc_kept_publication_finish(kept);
		jc_reply_error(client, "unsupported",
			"the skeleton is too large for an edge: register it at the origin",
			"publish");
		return;
	default:
		jc_kept_publication_finish(kept);
		tell_failed_now(client, "publish", "the origin cannot be reached");
		jc_forwarded_client_lose(forwarded, session, "the origin cannot be reached");
	}
}

static bool is_taken(struct jc_forwarded_client *forwarded, int number)
{
	return jc_forwarded_client_kept(forwarded, number) ||
	       jc_publications_find(&forwarded->client->publications, number);
}

/* The body of that id that this client publishes in the space; NULL: none. */
static struct jc_kept_publication *find_body(
	struct jc_forwarded_client *forwarded, const json_t *message)
{
	const char *space = jc_forwarded_text_of(message, "space");
	long long body;

	if (!jc_json_is_integer(json_object_get(message, "body"), &body)) {
		return NULL;
	}
	for (size_t i = 0; i < JC_MAX_PUBLICATIONS; i++) {
		struct jc_kept_publication *kept = &forwarded->publications[i];

		if ((kept->state == JC_KEPT_OPEN || kept->state == JC_KEPT_LOST) &&
			kept->body == body && strcmp(kept->space, space) == 0) {
			return kept;
		}
	}
	return NULL;
}

static bool text_about_space(struct jc_forwarded_client *forwarded, const char *type,
	const json_t *message, const char *text, size_t length)
{
	struct jc_client *client = forwarded->client;
	const char *space = jc_forwarded_text_of(message, "space");
	bool publishes = strcmp(type, "publish") == 0;
	struct jc_kept_publication *placed =
		strcmp(type, "place") == 0 ? find_body(forwarded, message) : NULL;
	struct jc_edge_session *session;

	if (publishes && is_taken(forwarded, jc_forwarded_number_of(message))) {
		jc_reply_error(client, "bad-field", "the publication is in use", type);
		return true;
	}
	if (!jc_forwarded_client_relays(forwarded, space) && !placed) {
		return false;
	}
	if (placed) {
		jc_kept_publication_place(placed, message);
	}
	if (placed && placed->state == JC_KEPT_LOST) {
		placed->is_stale = placed->is_again;
		return true;
	}
	session = jc_forwarded_client_reach(forwarded, space);
	if (!session) {
		tell_failed_now(client, type, "the origin of the space cannot be reached");
	} else if (publishes) {
		forward_publish(forwarded, session, message, text, length);
	} else {
		forward(forwarded, session, type, -1, NULL, text, length);
	}
	return true;
}

/* Answers in place of a lost origin. */
static void answer_lost(struct jc_client *client, struct jc_kept_publication *kept,
	const char *type, const json_t *message)
{
	const json_t *record = json_object_get(kept->publish, "mayRecord");

	kept->is_stale = kept->is_again;
	if (strcmp(type, "consent") == 0) {
		jc_reply_answer(client,
			json_pack("{ss si sO* sb}", "type", "consented", "publication",
				kept->number, "mayRecord", record ? record : json_false(),
				"mayRebroadcast",
				json_is_true(json_object_get(kept->publish, "mayRebroadcast"))));
	} else if (strcmp(type, "amend") == 0) {
		jc_kept_publication_amend(kept, message);
		jc_reply_answer(client,
			json_pack("{ss si}", "type", "amended", "publication", kept->number));
	} else {
		jc_reply_answer(client,
			json_pack("{ss si}", "type", "unpublished", "publication", kept->number));
		jc_kept_publication_finish(kept);
	}
}

static bool text_about_publication(struct jc_forwarded_client *forwarded, const char *type,
	const json_t *message, const char *text, size_t length)
{
	struct jc_kept_publication *kept =
		jc_forwarded_client_kept(forwarded, jc_forwarded_number_of(message));
	struct jc_edge_session *session;

	if (!kept) {
		return false;
	}
	if (strcmp(type, "consent") == 0) {
		jc_kept_publication_consent(kept, message);
	}
	session = kept->state == JC_KEPT_LOST ? NULL
					      : jc_forwarded_client_session(forwarded, kept->space);
	if (session) {
		bool amends = strcmp(type, "amend") == 0;

		jc_session_link_look_for(forwarded->link, kept->space);
		forward(forwarded, session, type, amends ? kept->number : -1,
			amends ? (json_t *)message : NULL, text, length);
	} else {
		answer_lost(forwarded->client, kept, type, message);
	}
	return true;
}

bool jc_forwarded_text_take(struct jc_forwarded_client *forwarded, const json_t *message,
	const char *text, size_t length)
{
	const char *type = jc_forwarded_text_of(message, "type");

	for (size_t i = 0; i < sizeof(forwarded_types) / sizeof(forwarded_types[0]); i++) {
		if (strcmp(forwarded_types[i].type, type) == 0) {
			return forwarded_types[i].names_publication
				       ? text_about_publication(
						 forwarded, type, message, text, length)
				       : text_about_space(forwarded, type, message, text, length);
		}
	}
	return false;
}
