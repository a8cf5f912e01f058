/* A token is never logged, nor is anything that was in it but its subject. */
#include "net/admission.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "net/control.h"
#include "net/control_private.h"
#include "net/gate.h"
#include "net/publish_control.h"
#include "net/server_private.h"

static const struct jc_gate *gate_of(const struct jc_session *session)
{
	return session->server->options.gate;
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

/* Without a token while the gate is open; it may have been closed since. */
bool jc_admission_may(
	const struct jc_session *session, enum jc_role role, const char *space, const char *body)
{
	const struct jc_grant *grant = session->grant;

	if (!grant) {
		return jc_gate_is_open(gate_of(session));
	}
	return grant->roles & (unsigned)role && jc_token_names_allow(&grant->spaces, space) &&
	       (!body || jc_token_names_allow(&grant->bodies, body));
}

static void refuse(struct jc_session *session, const char *reason, const char *type)
{
	jc_control_send(session,
		json_pack("{ss ss ss ss ss*}", "type", "error", "code", "refused", "reason", reason,
			"message", "this token does not let you in", "ref", type));
	jc_session_close(session, JC_CLOSE_POLICY, reason);
}

/* What began under another token and is not allowed by this one ends. */
static void withdraw(struct jc_session *session)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		struct jc_view *view = &session->views[i];

		if (view->fanout && !jc_admission_may(session, JC_ROLE_WATCH,
					    jc_space_options(view->fanout->space)->name, NULL)) {
			jc_view_leave(view);
			forbid(session, "a space was left that your new token does not allow",
				"token");
		}
	}
	for (size_t i = 0; i < JC_MAX_PUBLICATIONS; i++) {
		struct jc_publication *publication = &session->publications.list[i];

		if (publication->space && !jc_admission_may(session, JC_ROLE_PUBLISH,
						  jc_space_options(publication->space)->name,
						  jc_publication_name(publication))) {
			jc_control_unpublished(session, publication);
		}
	}
}

bool jc_admission_show(struct jc_session *session, const json_t *token, const char *type)
{
	struct jc_grant grant;
	enum jc_refusal refusal;

	if (jc_gate_is_open(gate_of(session))) {
		return true;
	}
	if (!json_is_string(token)) {
		refuse(session, "no-token", type);
		return false;
	}
	refusal = jc_gate_admit(gate_of(session), json_string_value(token),
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
	if (!session->grant) {
		session->grant = malloc(sizeof(*session->grant));
	}
	if (!session->grant) {
		refuse(session, "out-of-memory", type);
		return false;
	}
	*session->grant = grant;
	withdraw(session);
	return true;
}

void jc_admission_on_token(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	(void)now_ns;
	if (jc_admission_show(session, json_object_get(message, "token"), "token") &&
		session->grant) {
		jc_control_send(session, json_pack("{ss sI}", "type", "renewed", "expires",
						 (json_int_t)session->grant->expires_s));
	}
}

bool jc_admission_shows(const struct jc_session *session, const char *space)
{
	return session->grant ? jc_token_names_allow(&session->grant->spaces, space)
			      : jc_gate_is_open(gate_of(session));
}

bool jc_admission_allows(
	struct jc_session *session, enum jc_role role, const char *space, const char *type)
{
	if (session->grant && !(session->grant->roles & (unsigned)role)) {
		forbid(session, "your token has not the role for this", type);
		return false;
	}
	if (!jc_admission_shows(session, space)) {
		forbid(session, "your token does not name this space", type);
		return false;
	}
	return true;
}

bool jc_admission_allows_body(struct jc_session *session, const char *name, const char *type)
{
	if (session->grant ? jc_token_names_allow(&session->grant->bodies, name)
			   : jc_gate_is_open(gate_of(session))) {
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
		if (session->greeted && !jc_gate_is_open(gate_of(session))) {
			refuse(session, "no-token", NULL);
		}
		return;
	}
	const struct jc_key *key = jc_keyring_find(&gate_of(session)->keyring, grant->key_id);

	if (!key || key->revoked) {
		refuse(session, jc_refusal_name(JC_REFUSAL_REVOKED), NULL);
	} else if (grant->expires_s + JC_TOKEN_SKEW < wall_s()) {
		refuse(session, jc_refusal_name(JC_REFUSAL_EXPIRED), NULL);
	}
}
