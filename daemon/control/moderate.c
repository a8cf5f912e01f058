/* Message `moderate`. A moderation request is stored as a sanction; all sanctions are
 * applied to all bodies repeatedly, so that the order of joins, leaves and restarts does
 * not matter. */
#include "control/moderate.h"
#include "control/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/moderation_request.h"
#include "control/named_space.h"
#include "control/publish.h"
#include "control/reply.h"
#include "forwarder.h"
#include "moderation/moderation.h"
#include "net/session.h"
#include "space/spaces.h"

static struct jc_moderation *moderation_of(const struct jc_client *client)
{
	return client->services->moderation;
}

static void moderate_avatar(
	const struct jc_control *control, struct jc_space *space, const struct jc_body *body)
{
	const struct jc_sanctions *sanctions =
		jc_moderation_sanctions(control->services->moderation);

	jc_space_bare(space, body->first_id,
		body->avatar.hash[0] && jc_sanctions_is_blocked(sanctions,
						jc_space_options(space)->name, body->avatar.hash));
}

void jc_moderate_client(struct jc_client *client)
{
	for (size_t i = 0; i < client->publications.count; i++) {
		const struct jc_publication *publication = &client->publications.list[i];

		if (!publication->space) {
			continue;
		}
		const char *space = jc_space_options(publication->space)->name;
		const char *body = jc_publication_name(publication);

		jc_space_moderate(publication->space, publication->body,
			jc_admission_sanction(client, space, JC_SANCTION_HIDE, body) != NULL,
			jc_admission_sanction(client, space, JC_SANCTION_MUTE, body) != NULL);
		moderate_avatar(client->control, publication->space,
			jc_space_find(publication->space, publication->body));
	}
}

/* A body of the server's own sources can only be hidden, and its avatar blocked. */
static void moderate_own(
	struct jc_control *control, struct jc_space *space, const struct jc_body *body)
{
	const struct jc_sanctions *sanctions =
		jc_moderation_sanctions(control->services->moderation);
	char who[JC_MAX_WHO];

	if (body->source->party == 0) {
		snprintf(who, sizeof(who), "body %s", body->name);
		jc_space_moderate(space, body->first_id,
			jc_sanctions_find(sanctions, jc_space_options(space)->name,
				JC_SANCTION_HIDE, who) != NULL,
			false);
		moderate_avatar(control, space, body);
	}
}

/* Waiting bodies too: they are hidden before they appear. */
static void moderate_space(struct jc_control *control, struct jc_space *space)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		moderate_own(control, space, jc_space_body(space, i));
	}
	for (size_t i = 0; i < jc_space_waiting_count(space); i++) {
		moderate_own(control, space, jc_space_waiting(space, i));
	}
}

static void moderate_all(struct jc_control *control)
{
	for (struct jc_client *at = control->clients; at; at = at->next) {
		if (!at->session->close_code) {
			jc_moderate_client(at);
		}
	}
	for (size_t i = 0; i < control->services->spaces->count; i++) {
		moderate_space(control, control->services->spaces->fanouts[i]->space);
	}
}

void jc_moderate_sweep(struct jc_control *control)
{
	struct jc_moderation *moderation = control->services->moderation;
	const struct jc_sanctions *sanctions = jc_moderation_sanctions(moderation);

	if (jc_sanction_history_expire(jc_moderation_history(moderation), (int64_t)time(NULL))) {
		jc_moderation_save(moderation);
	}
	/* Another host may have lifted the last one. */
	if (sanctions->count > 0 || sanctions->revision != control->moderated_revision) {
		control->moderated_revision = sanctions->revision;
		moderate_all(control);
	}
}

void jc_moderate_end(struct jc_client *client, const struct jc_fanout *fanout)
{
	struct jc_forwarder *forwarder = client->control->forwarder;

	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (client->views[i] && client->views[i]->fanout == fanout) {
			jc_view_leave(client->views[i]);
		}
	}
	for (size_t i = 0; i < client->publications.count; i++) {
		struct jc_publication *publication = &client->publications.list[i];

		if (publication->space == fanout->space) {
			jc_publish_end(client, publication);
		}
	}
	if (forwarder) {
		forwarder->ops->removed(forwarder, client, jc_space_options(fanout->space)->name);
	}
}

static bool is_in(const struct jc_client *client, const struct jc_fanout *fanout)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (client->views[i] && client->views[i]->fanout == fanout) {
			return true;
		}
	}
	for (size_t i = 0; i < client->publications.count; i++) {
		if (client->publications.list[i].space == fanout->space) {
			return true;
		}
	}
	return false;
}

/* Whether an identity is that of the client. */
static bool is_person(const struct jc_client *client, const char *identity)
{
	char who[JC_MAX_WHO];

	jc_admission_who(client, who);
	if (strcmp(who, identity) == 0) {
		return true;
	}
	jc_admission_where(client, who);
	return strcmp(who, identity) == 0;
}

void jc_moderate_throw_out(
	struct jc_client *client, const struct jc_fanout *fanout, const char *action)
{
	if (is_in(client, fanout)) {
		jc_reply_send(
			client, json_pack("{ss ss ss}", "type", "moderated", "space",
					jc_space_options(fanout->space)->name, "action", action));
		jc_moderate_end(client, fanout);
	}
}

void jc_moderate_remove(struct jc_control *control, const struct jc_fanout *fanout, const char *who,
	const char *text, bool spares_administrators)
{
	const char *space = jc_space_options(fanout->space)->name;

	for (struct jc_client *at = control->clients; at; at = at->next) {
		if (at->session->close_code || !is_in(at, fanout) || !is_person(at, who) ||
			(spares_administrators &&
				jc_admission_may(at, JC_ROLE_ADMINISTER, space, NULL))) {
			continue;
		}
		jc_session_send(at->session, text, strlen(text));
		jc_moderate_end(at, fanout);
	}
}

static bool publishes(const struct jc_client *client, const struct jc_fanout *fanout, uint32_t body)
{
	for (size_t i = 0; i < client->publications.count; i++) {
		const struct jc_publication *publication = &client->publications.list[i];

		if (publication->space == fanout->space && publication->body == body) {
			return true;
		}
	}
	return false;
}

/* Whether the client publishes a body with the avatar in the space. */
static bool wears(const struct jc_client *client, const struct jc_fanout *fanout, const char *who)
{
	for (size_t i = 0; i < client->publications.count; i++) {
		const struct jc_publication *publication = &client->publications.list[i];
		const struct jc_body *body =
			publication->space == fanout->space
				? jc_space_find(fanout->space, publication->body)
				: NULL;

		if (body && strcmp(body->avatar.hash, who + strlen("avatar ")) == 0) {
			return true;
		}
	}
	return false;
}

/* Whether a moderation request targets a client in the space. */
static bool concerns(const struct jc_moderation_request *request, const struct jc_client *client,
	const struct jc_fanout *fanout)
{
	if (!is_in(client, fanout)) {
		return false;
	}
	if (jc_moderation_request_is_about_avatar(request->action)) {
		return wears(client, fanout, request->who);
	}
	if (request->body && publishes(client, fanout, request->body->id)) {
		return true;
	}
	return is_person(client, request->who);
}

/* The client that publishes the body; NULL: a source of the server. */
static struct jc_client *find_publisher(
	struct jc_control *control, const struct jc_fanout *fanout, const struct jc_body *body)
{
	for (struct jc_client *at = control->clients; at; at = at->next) {
		if (publishes(at, fanout, body->id)) {
			return at;
		}
	}
	return NULL;
}

static const char *resolve_avatar(struct jc_moderation_request *request)
{
	if (request->body && !request->body->avatar.hash[0]) {
		return "the body wears no avatar";
	}
	if (request->body) {
		snprintf(request->who, sizeof(request->who), "avatar %s",
			request->body->avatar.hash);
	}
	return NULL;
}

/* Sets the identity that the sanction names. NULL, or the reason to refuse. */
static const char *resolve(struct jc_client *client, const struct jc_fanout *fanout,
	struct jc_moderation_request *request)
{
	struct jc_client *publisher =
		request->body ? find_publisher(client->control, fanout, request->body) : NULL;
	/* Without tokens, people at one address differ only by their bodies. */
	bool is_about_people =
		request->action == JC_MODERATION_BAN || request->action == JC_MODERATION_UNBAN;
	char own[JC_MAX_WHO], where[JC_MAX_WHO];

	if (jc_moderation_request_is_about_avatar(request->action)) {
		return resolve_avatar(request);
	}
	if (request->body && !publisher && request->action != JC_MODERATION_REQUEST_HIDE &&
		request->action != JC_MODERATION_SHOW) {
		return "the body comes from a source of the server: it can only be hidden";
	}
	if (publisher && (publisher->grant || is_about_people)) {
		jc_admission_who(publisher, request->who);
	} else if (request->body) {
		snprintf(request->who, sizeof(request->who), "body %s", request->body->name);
	}
	if (request->action != JC_MODERATION_BAN && request->action != JC_MODERATION_KICK) {
		return NULL;
	}
	jc_admission_who(client, own);
	jc_admission_where(client, where);
	if (publisher == client || strcmp(own, request->who) == 0 ||
		strcmp(where, request->who) == 0) {
		return "the target is yourself or your own address";
	}
	return NULL;
}

/* Only administrators of the space may moderate its administrators. */
static bool outranks(const struct jc_moderation_request *request, struct jc_client *client,
	const struct jc_fanout *fanout)
{
	const char *space = jc_space_options(fanout->space)->name;

	if (jc_admission_may(client, JC_ROLE_ADMINISTER, space, NULL)) {
		return true;
	}
	for (struct jc_client *at = client->control->clients; at; at = at->next) {
		if (concerns(request, at, fanout) &&
			jc_admission_may(at, JC_ROLE_ADMINISTER, space, NULL)) {
			return false;
		}
	}
	return true;
}

/* Stores the sanction. NULL, or the reason to refuse. */
static const char *keep(struct jc_client *client, const struct jc_moderation_request *request,
	const char *space, int64_t now_s)
{
	struct jc_moderation *moderation = moderation_of(client);
	struct jc_sanction_history *history = jc_moderation_history(moderation);
	struct jc_sanction sanction = { .since_s = now_s, .until_s = request->until_s };

	if (request->action == JC_MODERATION_KICK) {
		return NULL;
	}
	sanction.kind = jc_moderation_request_sanction(request->action);
	if (jc_moderation_request_lifts(request->action)) {
		/* Saves even without such a sanction: after a failed write the file may
		 * still have it. */
		jc_sanction_history_lift(history, space, sanction.kind, request->who, now_s);
	} else {
		snprintf(sanction.space, sizeof(sanction.space), "%s", space);
		snprintf(sanction.who, sizeof(sanction.who), "%s", request->who);
		snprintf(sanction.reason, sizeof(sanction.reason), "%s", request->reason);
		jc_admission_who(client, sanction.by);
		if (jc_sanction_history_put(history, &sanction) != JC_OK) {
			return "too many sanctions";
		}
	}
	jc_moderation_save(moderation);
	return NULL;
}

/* Notifies the targeted clients, and removes them for `kick` and `ban`. Returns their
 * number. */
static size_t carry_out(struct jc_client *client, const struct jc_moderation_request *request,
	struct jc_fanout *fanout)
{
	bool goes = request->action == JC_MODERATION_KICK || request->action == JC_MODERATION_BAN;
	size_t count = 0;

	for (struct jc_client *at = client->control->clients; at; at = at->next) {
		if (at->session->close_code || !concerns(request, at, fanout)) {
			continue;
		}
		count++;
		jc_reply_send(at, jc_moderation_request_pack_event(request, fanout->space));
		if (goes) {
			jc_moderate_end(at, fanout);
		}
	}
	return count;
}

/* Removes the targeted persons from the space at the edges too. */
static void report(struct jc_client *client, const struct jc_moderation_request *request,
	const struct jc_fanout *fanout)
{
	struct jc_moderation_observer *observer = client->control->observer;
	bool goes = request->action == JC_MODERATION_KICK || request->action == JC_MODERATION_BAN;
	json_t *event =
		observer && goes ? jc_moderation_request_pack_event(request, fanout->space) : NULL;
	char *text = event ? json_dumps(event, JSON_COMPACT) : NULL;

	if (text) {
		observer->removed(observer, fanout, request->who, text,
			!jc_admission_may(client, JC_ROLE_ADMINISTER,
				jc_space_options(fanout->space)->name, NULL));
	}
	free(text);
	json_decref(event);
}

/* Writes the audit log: moderator, action, target and reason, but no token and no address. */
static void log_request(const struct jc_client *client, const struct jc_moderation_request *request,
	const char *space, size_t concerned, int64_t now_s)
{
	char by[JC_MAX_WHO];
	char until[32] = "";

	jc_admission_who(client, by);
	if (request->until_s < INT64_MAX) {
		snprintf(
			until, sizeof(until), " for %lld s", (long long)(request->until_s - now_s));
	}
	jc_log_event(client->services->log, JC_LOG_INFO,
		&(struct jc_log_about){ .space = space,
			.body = request->body ? request->body->name : NULL,
			.state = jc_moderation_request_name(request->action),
			.is_audit = true },
		"moderation: '%s' in space '%s': %s '%s'%s, %zu there, reason '%s'",
		jc_admission_log_name(by), space, jc_moderation_request_name(request->action),
		jc_admission_log_name(request->who), until, concerned, request->reason);
}

static void give(
	struct jc_client *client, struct jc_moderation_request *request, struct jc_fanout *fanout)
{
	const char *space = jc_space_options(fanout->space)->name;
	int64_t now_s = (int64_t)time(NULL);
	const char *obstacle = resolve(client, fanout, request);

	if (obstacle) {
		jc_reply_error(client, "unsupported", obstacle, "moderate");
		return;
	}
	if (!outranks(request, client, fanout)) {
		jc_reply_error(
			client, "not-allowed", "the target administers the space", "moderate");
		return;
	}
	obstacle = keep(client, request, space, now_s);
	if (obstacle) {
		jc_reply_error(client, "too-many", obstacle, "moderate");
		return;
	}
	/* Composed before the named body is removed. */
	json_t *answer = jc_moderation_request_pack_answer(request, fanout->space);
	report(client, request, fanout);
	size_t concerned = carry_out(client, request, fanout);

	moderate_all(client->control);
	log_request(client, request, space, concerned, now_s);
	json_object_set_new(answer, "concerned", json_integer((json_int_t)concerned));
	if (request->action == JC_MODERATION_KICK) {
		jc_reply_moderated(client, answer);
	} else {
		jc_reply_moderated_saved(client, answer);
	}
}

static void list(struct jc_client *client, const char *space)
{
	const struct jc_sanction *first;
	size_t count =
		jc_sanctions_of(jc_moderation_sanctions(moderation_of(client)), space, &first);

	jc_reply_moderated(client, jc_moderation_request_pack_list(space, first, count));
}

void jc_control_moderate(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, "moderate");
	struct jc_fields fields = jc_fields_of(message);
	struct jc_moderation_request request;

	(void)now_ns;
	if (!fanout || !jc_admission_allows(client, JC_ROLE_MODERATE,
			       jc_space_options(fanout->space)->name, "moderate")) {
		return;
	}
	jc_moderation_request_read(&fields, (int64_t)time(NULL), &request);
	if (jc_fields_refuse(&fields, client, "moderate")) {
		return;
	}
	if (request.action == JC_MODERATION_LIST) {
		list(client, jc_space_options(fanout->space)->name);
		return;
	}
	if (request.names_body) {
		request.body = jc_space_find(fanout->space, request.body_id);
		if (!request.body) {
			jc_reply_error(client, "unknown-body", "no body of that id", "moderate");
			return;
		}
	}
	give(client, &request, fanout);
}
