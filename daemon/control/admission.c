/* A token is never logged, nor is anything that was in it but its subject. */
#include "control/admission.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "control/control.h"
#include "control/control_private.h"
#include "control/moderate.h"
#include "control/publish.h"
#include "control/quota.h"
#include "control/subscribe.h"
#include "net/auth_policy.h"
#include "net/connection.h"
#include "net/server_private.h"
#include "registry/registry.h"

static const struct jc_auth_policy *auth_policy_of(const struct jc_session *session)
{
	return session->server->options.auth_policy;
}

/* Tokens end by the clock on the wall. */
static int64_t wall_s(void)
{
	return (int64_t)time(NULL);
}

static void forbid(struct jc_session *session, const char *what, const char *type)
{
	jc_control_error(session, "not-allowed", what, type);
}

/* By its token, or by a gate that is open, which may have been closed since; NULL: it
 * has shown nothing. */
static const struct jc_grant *grant_of(const struct jc_session *session)
{
	if (session->grant) {
		return session->grant;
	}
	return jc_auth_policy_is_open(auth_policy_of(session)) ? &jc_grant_all : NULL;
}

/* Of a space that is there or would be opened. */
static const struct jc_permit *permit_of(
	const struct jc_session *session, enum jc_role role, const char *space)
{
	struct jc_spaces *spaces = session->server->options.spaces;
	struct jc_fanout *fanout = jc_spaces_find(spaces, space);

	return jc_space_policy_permit(fanout ? &fanout->policy : &spaces->policy.space, role);
}

bool jc_admission_may(
	const struct jc_session *session, enum jc_role role, const char *space, const char *body)
{
	const char *rewind_of = jc_spaces_rewind_of(session->server->options.spaces, space);
	const struct jc_permit *permit = permit_of(session, role, rewind_of ? rewind_of : space);
	const struct jc_grant *grant = grant_of(session);

	/* What was is only looked at, by who may look at what is. */
	if (rewind_of) {
		return role == JC_ROLE_WATCH && jc_admission_may(session, role, rewind_of, body);
	}
	if (!jc_permit_allows(permit, grant, space) || jc_moderate_ban(session, space)) {
		return false;
	}
	return !body || permit->anyone || jc_token_names_allow(&grant->bodies, body);
}

bool jc_admission_may_open(const struct jc_session *session, enum jc_role role, const char *space)
{
	return jc_permit_allows(
		       &session->server->options.spaces->policy.open, grant_of(session), space) &&
	       jc_admission_may(session, role, space, NULL);
}

void jc_admission_where(const struct jc_session *session, char out_where[JC_MAX_WHO])
{
	char host[JC_ADDRESS_TEXT];

	jc_address_network(&session->connection->peer.sa, host);
	snprintf(out_where, JC_MAX_WHO, "address %.63s", host);
}

void jc_admission_who(const struct jc_session *session, char out_who[JC_MAX_WHO])
{
	if (session->grant) {
		snprintf(out_who, JC_MAX_WHO, "subject %s", session->grant->subject);
	} else {
		jc_admission_where(session, out_who);
	}
}

/* Whether somebody may come in who has no token. */
static bool is_anyone_let_in(const struct jc_session *session)
{
	struct jc_spaces *spaces = session->server->options.spaces;

	for (size_t i = 0; i < spaces->count; i++) {
		for (size_t k = 0; k < JC_PERMITS; k++) {
			if (spaces->fanouts[i]->policy.permits[k].anyone) {
				return true;
			}
		}
	}
	return spaces->policy.open.anyone;
}

static void refuse(struct jc_session *session, const char *reason, const char *type)
{
	char message[80] = "a token has to be shown";

	if (strcmp(reason, "no-token") != 0) {
		snprintf(message, sizeof(message), "this token does not let you in: %s", reason);
	}
	jc_control_send(session, json_pack("{ss ss ss ss ss*}", "type", "error", "code", "refused",
					 "reason", reason, "message", message, "ref", type));
	jc_session_close(session, JC_CLOSE_POLICY, reason);
}

/* What began and is not allowed any more ends; type: of the message that is the reason,
 * NULL for none. */
static void withdraw(struct jc_session *session, const char *type)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		struct jc_view *view = session->views[i];

		if (view && view->fanout &&
			!jc_admission_may(session, JC_ROLE_WATCH,
				jc_space_options(view->fanout->space)->name, NULL)) {
			jc_view_leave(view);
			forbid(session, "a space was left that you may not watch any more", type);
		}
	}
	for (size_t i = 0; i < session->publications.count; i++) {
		struct jc_publication *publication = &session->publications.list[i];

		if (publication->space &&
			!jc_admission_may(session, JC_ROLE_PUBLISH,
				jc_space_options(publication->space)->name, publication->asked)) {
			jc_control_unpublished(session, publication);
		}
	}
}

bool jc_admission_show(struct jc_session *session, const json_t *token, const char *type)
{
	struct jc_grant grant;
	enum jc_refusal refusal;

	if (jc_auth_policy_is_open(auth_policy_of(session))) {
		return true;
	}
	if (!token && is_anyone_let_in(session)) {
		return true;
	}
	if (!json_is_string(token)) {
		refuse(session, "no-token", type);
		return false;
	}
	refusal = jc_auth_policy_admit(auth_policy_of(session), json_string_value(token),
		json_string_length(token), wall_s(), &grant);
	if (refusal != JC_REFUSAL_NONE) {
		refuse(session, jc_refusal_name(refusal), type);
		return false;
	}
	/* Else what is published under one name would go on under another. */
	if (session->grant && strcmp(session->grant->subject, grant.subject) != 0) {
		refuse(session, "another-subject", type);
		return false;
	}
	if (!session->grant && jc_quota_connections(session, grant.subject) >=
				       auth_policy_of(session)->config->connections_per_subject) {
		jc_control_error(session, "too-many", "too many connections of yours", type);
		jc_session_close(session, JC_CLOSE_POLICY, "too many connections");
		return false;
	}
	if (!session->grant) {
		session->grant = malloc(sizeof(*session->grant));
	}
	if (!session->grant) {
		refuse(session, "out-of-memory", type);
		return false;
	}
	*session->grant = grant;
	/* From now on it owns skeletons as the subject. */
	jc_registry_end_connection(session->server->options.registry, session->serial);
	withdraw(session, type);
	return true;
}

void jc_admission_on_token(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	const json_t *token = json_object_get(message, "token");

	(void)now_ns;
	if (!token) {
		jc_control_error(session, "bad-field", "token is a string", "token");
	} else if (jc_admission_show(session, token, "token") && session->grant) {
		jc_control_identify(session);
		jc_control_send(session, json_pack("{ss sI}", "type", "renewed", "expires",
						 (json_int_t)session->grant->expires_s));
	}
}

/* Whether its token, or what it may do without one, allows anything in a space. */
static bool is_permitted(const struct jc_session *session, struct jc_fanout *fanout)
{
	const char *name = jc_space_options(fanout->space)->name;

	for (unsigned role = 1; role < JC_ROLE_ALL; role <<= 1) {
		if (jc_permit_allows(jc_space_policy_permit(&fanout->policy, (enum jc_role)role),
			    grant_of(session), name)) {
			return true;
		}
	}
	return false;
}

bool jc_admission_shows(const struct jc_session *session, const char *space)
{
	struct jc_fanout *fanout = jc_spaces_find(session->server->options.spaces, space);

	return fanout && !fanout->rewind_of[0] && is_permitted(session, fanout) &&
	       !jc_moderate_ban(session, space);
}

bool jc_admission_knows(const struct jc_session *session, struct jc_fanout *fanout)
{
	char who[JC_MAX_WHO], where[JC_MAX_WHO];

	if (!fanout->rewind_of[0]) {
		return is_permitted(session, fanout);
	}
	jc_admission_who(session, who);
	jc_admission_where(session, where);
	return strcmp(fanout->opener, who) == 0 || strcmp(fanout->opener, where) == 0;
}

static const char *why_not(const struct jc_grant *grant, const char *space)
{
	if (!grant) {
		return "this needs a token";
	}
	return jc_token_names_allow(&grant->spaces, space) ? "you have not the role for this"
							   : "your token does not name this space";
}

bool jc_admission_allows(
	struct jc_session *session, enum jc_role role, const char *space, const char *type)
{
	const struct jc_sanction *ban = jc_moderate_ban(session, space);

	if (jc_admission_may(session, role, space, NULL)) {
		return true;
	}
	if (ban) {
		jc_control_error_until(
			session, "banned", "a moderator keeps you out of it", type, ban->until_s);
		return false;
	}
	forbid(session, why_not(grant_of(session), space), type);
	return false;
}

bool jc_admission_allows_body(
	struct jc_session *session, const char *space, const char *name, const char *type)
{
	if (jc_admission_may(session, JC_ROLE_PUBLISH, space, name)) {
		return true;
	}
	forbid(session, "your token does not name this body", type);
	return false;
}

void jc_admission_sweep(struct jc_session *session)
{
	const struct jc_grant *grant = session->grant;

	/* Keys may have changed since it came in. */
	if (!grant) {
		if (session->greeted && !jc_auth_policy_is_open(auth_policy_of(session)) &&
			!is_anyone_let_in(session)) {
			refuse(session, "no-token", NULL);
		} else {
			withdraw(session, NULL);
		}
		return;
	}
	const struct jc_key *key =
		jc_keyring_find(&auth_policy_of(session)->keyring, grant->key_id);

	if (!key || key->revoked) {
		refuse(session, jc_refusal_name(JC_REFUSAL_REVOKED), NULL);
	} else if (grant->expires_s + JC_TOKEN_SKEW < wall_s()) {
		refuse(session, jc_refusal_name(JC_REFUSAL_EXPIRED), NULL);
	} else {
		withdraw(session, NULL);
	}
}
