/* Orders are kept as sanctions, and bodies are made to be as those say, again and again:
 * so it does not matter who comes, leaves or is restarted in what order. */
#include "control/moderate.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "control/admission.h"
#include "control/control.h"
#include "control/control_private.h"
#include "control/moderation_answer.h"
#include "control/moderation_request.h"
#include "control/publish.h"
#include "moderation/moderation.h"
#include "net/server_private.h"

static struct jc_moderation *moderation_of(const struct jc_session *session)
{
	return session->server->options.moderation;
}

static const struct jc_sanction *find(const struct jc_session *session, const char *space,
	enum jc_sanction_kind kind, const char *body)
{
	const struct jc_sanctions *sanctions = jc_moderation_sanctions(moderation_of(session));
	const struct jc_sanction *found = NULL;
	char who[JC_MAX_WHO];

	if (sanctions->count == 0) {
		return NULL;
	}
	jc_admission_who(session, who);
	found = jc_sanctions_find(sanctions, space, kind, who);
	if (!found && session->grant) {
		jc_admission_where(session, who);
		found = jc_sanctions_find(sanctions, space, kind, who);
	}
	if (!found && body) {
		snprintf(who, sizeof(who), "body %s", body);
		found = jc_sanctions_find(sanctions, space, kind, who);
	}
	return found;
}

const struct jc_sanction *jc_moderate_ban(const struct jc_session *session, const char *space)
{
	return find(session, space, JC_SANCTION_BAN, NULL);
}

void jc_moderate_session(struct jc_session *session)
{
	for (size_t i = 0; i < session->publications.count; i++) {
		const struct jc_publication *publication = &session->publications.list[i];

		if (!publication->space) {
			continue;
		}
		const char *space = jc_space_options(publication->space)->name;
		const char *body = jc_publication_name(publication);

		jc_space_moderate(publication->space, publication->body,
			find(session, space, JC_SANCTION_HIDE, body) != NULL,
			find(session, space, JC_SANCTION_MUTE, body) != NULL);
	}
}

/* Those that the server itself brings can only be hidden. */
static void moderate_own(struct jc_server *server, struct jc_space *space)
{
	const struct jc_sanctions *sanctions = jc_moderation_sanctions(server->options.moderation);
	char who[JC_MAX_WHO];

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (body->source->party == 0) {
			snprintf(who, sizeof(who), "body %s", body->name);
			jc_space_moderate(space, body->id,
				jc_sanctions_find(sanctions, jc_space_options(space)->name,
					JC_SANCTION_HIDE, who) != NULL,
				false);
		}
	}
}

static void moderate_all(struct jc_server *server)
{
	for (struct jc_connection *c = server->connections; c; c = c->next) {
		if (c->session && !c->session->close_code) {
			jc_moderate_session(c->session);
		}
	}
	for (size_t i = 0; i < server->options.spaces->count; i++) {
		moderate_own(server, server->options.spaces->fanouts[i]->space);
	}
}

void jc_moderate_sweep(struct jc_server *server)
{
	struct jc_sanctions *sanctions = jc_moderation_sanctions(server->options.moderation);
	bool ended = jc_sanctions_expire(sanctions, (int64_t)time(NULL));

	if (ended) {
		jc_moderation_save(server->options.moderation);
	}
	if (ended || sanctions->count > 0) {
		moderate_all(server);
	}
}

/* It is in no such space any more. */
static void throw_out(struct jc_session *session, const struct jc_fanout *fanout)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (session->views[i] && session->views[i]->fanout == fanout) {
			jc_view_leave(session->views[i]);
		}
	}
	for (size_t i = 0; i < session->publications.count; i++) {
		struct jc_publication *publication = &session->publications.list[i];

		if (publication->space == fanout->space) {
			jc_control_unpublished(session, publication);
		}
	}
}

static bool is_in(const struct jc_session *session, const struct jc_fanout *fanout)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (session->views[i] && session->views[i]->fanout == fanout) {
			return true;
		}
	}
	for (size_t i = 0; i < session->publications.count; i++) {
		if (session->publications.list[i].space == fanout->space) {
			return true;
		}
	}
	return false;
}

void jc_moderate_throw_out(
	struct jc_session *session, const struct jc_fanout *fanout, const char *action)
{
	if (is_in(session, fanout)) {
		jc_control_send(
			session, json_pack("{ss ss ss}", "type", "moderated", "space",
					 jc_space_options(fanout->space)->name, "action", action));
		throw_out(session, fanout);
	}
}

static bool publishes(
	const struct jc_session *session, const struct jc_fanout *fanout, uint32_t body)
{
	for (size_t i = 0; i < session->publications.count; i++) {
		const struct jc_publication *publication = &session->publications.list[i];

		if (publication->space == fanout->space && publication->body == body) {
			return true;
		}
	}
	return false;
}

/* Whom an order is about, of those who are there. */
static bool concerns(const struct jc_moderation_request *request, const struct jc_session *session,
	const struct jc_fanout *fanout)
{
	char who[JC_MAX_WHO];

	if (!is_in(session, fanout)) {
		return false;
	}
	if (request->body && publishes(session, fanout, request->body->id)) {
		return true;
	}
	jc_admission_who(session, who);
	if (strcmp(who, request->who) == 0) {
		return true;
	}
	jc_admission_where(session, who);
	return strcmp(who, request->who) == 0;
}

/* Who publishes the body; NULL: the server itself. */
static struct jc_session *find_publisher(
	struct jc_server *server, const struct jc_fanout *fanout, const struct jc_body *body)
{
	for (struct jc_connection *c = server->connections; c; c = c->next) {
		if (c->session && publishes(c->session, fanout, body->id)) {
			return c->session;
		}
	}
	return NULL;
}

/* Whom it is about in the long run. NULL, or what stands against it. */
static const char *resolve(struct jc_session *session, const struct jc_fanout *fanout,
	struct jc_moderation_request *request)
{
	struct jc_session *publisher =
		request->body ? find_publisher(session->server, fanout, request->body) : NULL;
	/* At one address, without tokens, only their bodies tell people apart. */
	bool is_about_people =
		request->action == JC_MODERATION_BAN || request->action == JC_MODERATION_UNBAN;
	char own[JC_MAX_WHO], where[JC_MAX_WHO];

	if (request->body && !publisher && request->action != JC_MODERATION_REQUEST_HIDE &&
		request->action != JC_MODERATION_SHOW) {
		return "the server brings that body: it can only be hidden";
	}
	if (publisher && (publisher->grant || is_about_people)) {
		jc_admission_who(publisher, request->who);
	} else if (request->body) {
		snprintf(request->who, sizeof(request->who), "body %s", request->body->name);
	}
	if (request->action != JC_MODERATION_BAN && request->action != JC_MODERATION_KICK) {
		return NULL;
	}
	jc_admission_who(session, own);
	jc_admission_where(session, where);
	if (publisher == session || strcmp(own, request->who) == 0 ||
		strcmp(where, request->who) == 0) {
		return "that is yourself, or your own address";
	}
	return NULL;
}

/* Whoever administers the space is only for others who do. */
static bool outranks(const struct jc_moderation_request *request, struct jc_session *session,
	const struct jc_fanout *fanout)
{
	const char *space = jc_space_options(fanout->space)->name;

	if (jc_admission_may(session, JC_ROLE_ADMINISTER, space, NULL)) {
		return true;
	}
	for (struct jc_connection *c = session->server->connections; c; c = c->next) {
		if (c->session && concerns(request, c->session, fanout) &&
			jc_admission_may(c->session, JC_ROLE_ADMINISTER, space, NULL)) {
			return false;
		}
	}
	return true;
}

/* NULL, or what stands against it. */
static const char *keep(struct jc_session *session, const struct jc_moderation_request *request,
	const char *space, int64_t now_s)
{
	struct jc_moderation *moderation = moderation_of(session);
	struct jc_sanctions *sanctions = jc_moderation_sanctions(moderation);
	struct jc_sanction sanction = { .since_s = now_s, .until_s = request->until_s };

	if (request->action == JC_MODERATION_KICK) {
		return NULL;
	}
	sanction.kind = jc_moderation_request_sanction(request->action);
	if (jc_moderation_request_lifts(request->action)) {
		/* Saves even if none held: after a write that failed, the file may have it. */
		jc_sanctions_lift(sanctions, space, sanction.kind, request->who);
	} else {
		snprintf(sanction.space, sizeof(sanction.space), "%s", space);
		snprintf(sanction.who, sizeof(sanction.who), "%s", request->who);
		snprintf(sanction.reason, sizeof(sanction.reason), "%s", request->reason);
		jc_admission_who(session, sanction.by);
		if (jc_sanctions_put(sanctions, &sanction) != JC_OK) {
			return "too many sanctions";
		}
	}
	jc_moderation_save(moderation);
	return NULL;
}

/* Whoever it is about is told, and goes where it has to. Returns how many. */
static size_t carry_out(struct jc_session *session, const struct jc_moderation_request *request,
	struct jc_fanout *fanout)
{
	bool goes = request->action == JC_MODERATION_KICK || request->action == JC_MODERATION_BAN;
	size_t count = 0;

	for (struct jc_connection *c = session->server->connections; c; c = c->next) {
		if (!c->session || c->session->close_code ||
			!concerns(request, c->session, fanout)) {
			continue;
		}
		count++;
		jc_control_send(
			c->session, jc_moderation_request_pack_event(request, fanout->space));
		if (goes) {
			throw_out(c->session, fanout);
		}
	}
	return count;
}

/* The audit: who did what to whom, and why; never a token. */
static void log_request(const struct jc_session *session,
	const struct jc_moderation_request *request, const char *space, size_t concerned,
	int64_t now_s)
{
	char by[JC_MAX_WHO];
	char until[32] = "";

	jc_admission_who(session, by);
	if (request->until_s < INT64_MAX) {
		snprintf(
			until, sizeof(until), " for %lld s", (long long)(request->until_s - now_s));
	}
	jc_log_event(session->server->options.log, JC_LOG_INFO,
		&(struct jc_log_about){ .space = space,
			.body = request->body ? request->body->name : NULL,
			.state = jc_moderation_request_name(request->action),
			.is_audit = true },
		"moderation: '%s' in space '%s': %s '%s'%s, %zu there, reason '%s'", by, space,
		jc_moderation_request_name(request->action), request->who, until, concerned,
		request->reason);
}

static void give(
	struct jc_session *session, struct jc_moderation_request *request, struct jc_fanout *fanout)
{
	const char *space = jc_space_options(fanout->space)->name;
	int64_t now_s = (int64_t)time(NULL);
	const char *obstacle = resolve(session, fanout, request);

	if (obstacle) {
		jc_control_error(session, "unsupported", obstacle, "moderate");
		return;
	}
	if (!outranks(request, session, fanout)) {
		jc_control_error(session, "not-allowed",
			"that is somebody who administers the space", "moderate");
		return;
	}
	obstacle = keep(session, request, space, now_s);
	if (obstacle) {
		jc_control_error(session, "too-many", obstacle, "moderate");
		return;
	}
	/* Before the body that it names goes. */
	json_t *answer = jc_moderation_request_pack_answer(request, fanout->space);
	size_t concerned = carry_out(session, request, fanout);

	moderate_all(session->server);
	log_request(session, request, space, concerned, now_s);
	json_object_set_new(answer, "concerned", json_integer((json_int_t)concerned));
	if (request->action == JC_MODERATION_KICK) {
		jc_moderation_answer(session, answer);
	} else {
		jc_moderation_answer_saved(session, answer);
	}
}

static void list(struct jc_session *session, const char *space)
{
	const struct jc_sanction *first;
	size_t count =
		jc_sanctions_of(jc_moderation_sanctions(moderation_of(session)), space, &first);

	jc_moderation_answer(session, jc_moderation_request_pack_list(space, first, count));
}

void jc_control_moderate(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_control_named_space(session, message, "moderate");
	struct jc_moderation_request request;

	(void)now_ns;
	if (!fanout || !jc_admission_allows(session, JC_ROLE_MODERATE,
			       jc_space_options(fanout->space)->name, "moderate")) {
		return;
	}
	const char *wrong = jc_moderation_request_read(message, (int64_t)time(NULL), &request);

	if (wrong) {
		jc_control_error(session, "bad-field", wrong, "moderate");
		return;
	}
	if (request.action == JC_MODERATION_LIST) {
		list(session, jc_space_options(fanout->space)->name);
		return;
	}
	if (request.names_body) {
		request.body = jc_space_find(fanout->space, request.body_id);
		if (!request.body) {
			jc_control_error(session, "unknown-body", "no body of that id", "moderate");
			return;
		}
	}
	give(session, &request, fanout);
}
