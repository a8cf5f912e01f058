/* Opens and loses sessions of a client. The edge keeps only what it needs to publish bodies again.
 */
#include "cluster/session/forwarded_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/little_endian.h"
#include "cluster/session/session_link.h"
#include "control/reply.h"
#include "control/skeletons.h"
#include "jointcast/error.h"
#include "jointcast_private/json.h"
#include "net/session.h"
#include "space/relay/space_relay.h"
#include "space/spaces.h"

#define MOST_DELAY      20 /* sweeps */
#define UNLISTED_SWEEPS 6  /* then a session is lost */

/* In a capture message: kind and publication, kind and flags of the capture, then the time. */
#define TIME_AT    4
#define TIME_BYTES 6

const char *jc_forwarded_text_of(const json_t *message, const char *key)
{
	const char *text = json_string_value(json_object_get(message, key));

	return text ? text : "";
}

int jc_forwarded_number_of(const json_t *message)
{
	long long number;

	return jc_json_is_integer(json_object_get(message, "publication"), &number) &&
			       number >= 0 && number <= UINT8_MAX
		       ? (int)number
		       : -1;
}

struct jc_fanout *jc_forwarded_client_relays(
	const struct jc_forwarded_client *forwarded, const char *space)
{
	struct jc_fanout *fanout = jc_spaces_find(forwarded->client->services->spaces, space);

	return fanout && jc_space_is_relayed(fanout->space) ? fanout : NULL;
}

struct jc_kept_publication *jc_forwarded_client_kept(
	struct jc_forwarded_client *forwarded, int number)
{
	for (size_t i = 0; i < JC_MAX_PUBLICATIONS; i++) {
		struct jc_kept_publication *kept = &forwarded->publications[i];

		if (kept->state != JC_KEPT_NONE && kept->number == number) {
			return kept;
		}
	}
	return NULL;
}

struct jc_edge_session *jc_forwarded_client_session(
	const struct jc_forwarded_client *forwarded, const char *space)
{
	struct jc_edge_session *at = forwarded->sessions;

	while (at && strcmp(at->space, space) != 0) {
		at = at->next;
	}
	return at;
}

struct jc_forwarded_client *jc_forwarded_client_create(
	struct jc_session_link *link, struct jc_client *client, struct jc_forwarded_client **list)
{
	struct jc_forwarded_client *forwarded = calloc(1, sizeof(*forwarded));

	if (forwarded) {
		forwarded->link = link;
		forwarded->client = client;
		forwarded->delay = 1;
		forwarded->next = *list;
		forwarded->at = list;
		if (forwarded->next) {
			forwarded->next->at = &forwarded->next;
		}
		*list = forwarded;
	}
	return forwarded;
}

void jc_forwarded_client_destroy(struct jc_forwarded_client *forwarded)
{
	while (forwarded->sessions) {
		jc_edge_session_close(forwarded->sessions);
		jc_session_link_drop(forwarded->link, forwarded->sessions);
	}
	for (size_t i = 0; i < JC_MAX_PUBLICATIONS; i++) {
		jc_kept_publication_finish(&forwarded->publications[i]);
	}
	*forwarded->at = forwarded->next;
	if (forwarded->next) {
		forwarded->next->at = forwarded->at;
	}
	json_decref(forwarded->hello);
	free(forwarded);
}

/* The field `request` of a message of the edge itself. */
static void own_request(const struct jc_forwarded_client *forwarded, char letter, int number,
	char out_request[JC_REQUEST_TAG_BYTES + 1])
{
	snprintf(out_request, JC_REQUEST_TAG_BYTES + 1, "%s%c%d",
		jc_session_link_tag(forwarded->link), letter, number);
}

int jc_forwarded_client_say(struct jc_edge_session *session, json_t *message, char letter)
{
	char request[JC_REQUEST_TAG_BYTES + 1];
	char *text;
	int status = JC_ERROR_MEMORY;

	own_request(session->client, letter, 0, request);
	json_object_set_new(message, "request", json_string(request));
	text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	if (text) {
		status = letter == OWN_SKELETON
				 ? jc_edge_session_say_and_hold(session, text, strlen(text))
				 : jc_edge_session_say(session, text, strlen(text));
	}
	free(text);
	json_decref(message);
	return status;
}

void jc_forwarded_client_show(struct jc_forwarded_client *forwarded, const json_t *message)
{
	json_t *token = json_object_get(message, "token");
	struct jc_edge_session *next;

	if (!forwarded->hello) {
		forwarded->hello = json_pack("{ss sO* sO*}", "type", "hello", "client",
			json_object_get(message, "client"), "codings",
			json_object_get(message, "codings"));
	}
	if (!token) {
		return;
	}
	json_object_set(forwarded->hello, "token", token);
	for (struct jc_edge_session *at = forwarded->sessions; at; at = next) {
		next = at->next;
		if (jc_forwarded_client_say(at,
			    json_pack("{ss sO}", "type", "token", "token", token),
			    OWN_NOTE) != JC_OK) {
			jc_forwarded_client_lose(forwarded, at, "the origin cannot be reached");
		}
	}
}

struct jc_edge_session *jc_forwarded_client_reach(
	struct jc_forwarded_client *forwarded, const char *space)
{
	struct jc_edge_session *session = jc_forwarded_client_session(forwarded, space);

	jc_session_link_look_for(forwarded->link, space);
	if (session) {
		return session;
	}
	session = jc_session_link_open(forwarded->link, forwarded, space);
	if (session &&
		jc_forwarded_client_say(session, json_copy(forwarded->hello), OWN_HELLO) != JC_OK) {
		jc_forwarded_client_lose(forwarded, session, "the origin cannot be reached");
		session = NULL;
	}
	return session;
}

void jc_forwarded_client_tell_failed(struct jc_client *client, const struct jc_request_tag *request,
	const char *type, const char *reason)
{
	json_t *error = json_pack(
		"{ss ss ss ss}", "type", "error", "code", "failed", "message", reason, "ref", type);

	jc_reply_put_request(error, request);
	jc_reply_send(client, error);
}

void jc_forwarded_client_delay(struct jc_forwarded_client *forwarded, uint64_t random)
{
	unsigned delay = forwarded->delay;

	/* Not all clients at once. */
	forwarded->wait = delay + 1 + (unsigned)(random % (delay + 1));
	forwarded->delay = delay * 2 < MOST_DELAY ? delay * 2 : MOST_DELAY;
}

void jc_forwarded_client_lose(
	struct jc_forwarded_client *forwarded, struct jc_edge_session *session, const char *reason)
{
	struct jc_client *client = forwarded->client;

	for (size_t i = 0; i < JC_MAX_PUBLICATIONS; i++) {
		struct jc_kept_publication *kept = &forwarded->publications[i];

		if (strcmp(kept->space, session->space) != 0) {
			continue;
		}
		if (kept->state == JC_KEPT_ASKED) {
			jc_kept_publication_finish(kept);
		} else if (kept->state == JC_KEPT_OPEN || kept->state == JC_KEPT_LOST) {
			kept->state = JC_KEPT_LOST;
			kept->is_again = false;
		}
	}
	jc_forwarded_client_delay(forwarded, session->number);
	for (size_t i = 0; i < session->awaited_count; i++) {
		jc_forwarded_client_tell_failed(
			client, &session->awaited[i].request, session->awaited[i].type, reason);
	}
	jc_session_link_count_lost(forwarded->link);
	jc_session_link_drop(forwarded->link, session);
}

int jc_forwarded_client_send_skeleton(
	struct jc_forwarded_client *forwarded, struct jc_edge_session *session, const char *hash)
{
	const struct jc_skeleton_asset *asset =
		hash[0] ? jc_skeletons_find(forwarded->client, hash) : NULL;
	char name[JC_MAX_SKELETON_NAME];
	json_t *descriptor;

	if (!asset || asset->is_common || jc_edge_session_knows(session, hash)) {
		return JC_OK;
	}
	if (asset->descriptor_length > JC_MAX_MESSAGE_BYTES - 256) {
		return JC_ERROR_LIMIT;
	}
	descriptor =
		json_loadb(jc_skeleton_asset_descriptor(asset), asset->descriptor_length, 0, NULL);
	snprintf(name, sizeof(name), "edge %.32s", hash);
	int status = jc_forwarded_client_say(session,
		json_pack("{ss ss so}", "type", "skeleton", "name", name, "descriptor", descriptor),
		OWN_SKELETON);

	if (status == JC_OK) {
		jc_edge_session_learn(session, hash);
	}
	return status;
}

/* Translates the capture time into server time of the origin. */
static void translate(
	const struct jc_forwarded_client *forwarded, const struct jc_fanout *fanout, uint8_t *bytes)
{
	const struct jc_session_link_options *options = jc_session_link_options(forwarded->link);
	uint8_t time[8] = { 0 };

	memcpy(time, bytes + TIME_AT, TIME_BYTES);
	int64_t us = options->origin_us(options->context, fanout, (int64_t)jc_get_u64(time));

	jc_put_u64(time, us > 0 ? (uint64_t)us : 0);
	memcpy(bytes + TIME_AT, time, TIME_BYTES);
}

bool jc_forwarded_client_capture(
	struct jc_forwarded_client *forwarded, const uint8_t *bytes, size_t length)
{
	const struct jc_kept_publication *kept = jc_forwarded_client_kept(forwarded, bytes[1]);
	struct jc_edge_session *session =
		kept ? jc_forwarded_client_session(forwarded, kept->space) : NULL;
	const struct jc_fanout *fanout =
		kept ? jc_forwarded_client_relays(forwarded, kept->space) : NULL;
	uint8_t *copy;

	if (!kept || kept->state != JC_KEPT_OPEN || !session || !fanout) {
		return kept != NULL;
	}
	copy = malloc(length);
	if (copy) {
		memcpy(copy, bytes, length);
		if (length >= TIME_AT + TIME_BYTES) {
			translate(forwarded, fanout, copy);
		}
		jc_edge_session_send_capture(session, copy, length);
	}
	free(copy);
	return true;
}

/* Messages about an open one come from the origin, those about a lost one from here. A `publish`
 * without an answer keeps its own. */
void jc_forwarded_client_remove(struct jc_forwarded_client *forwarded, const char *space)
{
	for (size_t i = 0; i < JC_MAX_PUBLICATIONS; i++) {
		struct jc_kept_publication *kept = &forwarded->publications[i];
		bool is_lost = kept->state == JC_KEPT_LOST;

		if (strcmp(kept->space, space) != 0 || (kept->state != JC_KEPT_OPEN && !is_lost)) {
			continue;
		}
		if (is_lost) {
			jc_reply_send(forwarded->client, json_pack("{ss si}", "type", "unpublished",
								 "publication", kept->number));
		}
		jc_kept_publication_finish(kept);
	}
}

void jc_forwarded_client_refuse(struct jc_forwarded_client *forwarded,
	struct jc_edge_session *session, uint16_t code, const char *reason)
{
	struct jc_client *client = forwarded->client;

	jc_forwarded_client_lose(
		forwarded, session, reason[0] ? reason : "the origin has ended the session");
	if (code == JC_CLOSE_POLICY || code == JC_CLOSE_TOO_BIG) {
		jc_session_close(client->session, code, reason);
	}
}

/* Returns 0 or an error: then the session is lost. */
static int publish_again(struct jc_forwarded_client *forwarded, struct jc_edge_session *session,
	struct jc_kept_publication *kept)
{
	char request[JC_REQUEST_TAG_BYTES + 1];
	char *text;
	int status = jc_forwarded_client_send_skeleton(
		forwarded, session, jc_forwarded_text_of(kept->publish, "skeleton"));

	own_request(forwarded, OWN_PUBLISH, kept->number, request);
	text = status == JC_OK ? jc_kept_publication_write(kept, request) : NULL;
	if (!text) {
		return status == JC_OK ? JC_ERROR_MEMORY : status;
	}
	status = jc_edge_session_say(session, text, strlen(text));
	kept->is_again = true;
	kept->is_stale = false;
	free(text);
	return status;
}

/* The origin that answers ALIVE may not have got OPEN, or its CLOSE is lost. */
static void lose_unlisted(struct jc_forwarded_client *forwarded)
{
	struct jc_edge_session *next;

	for (struct jc_edge_session *at = forwarded->sessions; at; at = next) {
		next = at->next;
		if (++at->unlisted >= UNLISTED_SWEEPS) {
			jc_edge_session_close(at);
			jc_forwarded_client_lose(
				forwarded, at, "the origin of the space does not answer");
		}
	}
}

void jc_forwarded_client_sweep(struct jc_forwarded_client *forwarded)
{
	lose_unlisted(forwarded);
	if (forwarded->client->session->close_code ||
		(forwarded->wait > 0 && --forwarded->wait > 0)) {
		return;
	}
	for (size_t i = 0; i < JC_MAX_PUBLICATIONS; i++) {
		struct jc_kept_publication *kept = &forwarded->publications[i];

		if (kept->state != JC_KEPT_LOST || kept->is_again ||
			!jc_forwarded_client_relays(forwarded, kept->space) ||
			!jc_session_link_is_heard(forwarded->link, kept->space)) {
			continue;
		}
		struct jc_edge_session *session = jc_forwarded_client_reach(forwarded, kept->space);

		if (session && publish_again(forwarded, session, kept) != JC_OK) {
			jc_edge_session_close(session);
			jc_forwarded_client_lose(
				forwarded, session, "the origin cannot be reached");
		}
	}
}
