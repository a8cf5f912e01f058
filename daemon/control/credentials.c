/* Checks tokens when they are shown and while they are in use. Nothing of a token is logged
 * except its subject. */
#include "control/credentials.h"
#include "control/messages.h"
#include "forwarder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "auth/auth_policy.h"
#include "auth/token.h"
#include "config/config.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/join.h"
#include "control/publish.h"
#include "control/reply.h"
#include "control/subscribe.h"
#include "net/server.h"
#include "net/session.h"
#include "registry/registry.h"
#include "space/spaces.h"

/* Tokens expire by wall-clock time. */
static int64_t wall_s(void)
{
	return (int64_t)time(NULL);
}

/* Whether any space admits clients without a token. */
static bool is_anyone_let_in(const struct jc_client *client)
{
	struct jc_spaces *spaces = client->services->spaces;

	for (size_t i = 0; i < spaces->count; i++) {
		for (size_t k = 0; k < JC_PERMITS; k++) {
			if (spaces->fanouts[i]->policy.permits[k].anyone) {
				return true;
			}
		}
	}
	return spaces->policy.open.anyone;
}

static void refuse(struct jc_client *client, const char *reason, const char *type)
{
	char message[80] = "a token is required";

	if (strcmp(reason, "no-token") != 0) {
		snprintf(message, sizeof(message), "invalid token: %s", reason);
	}
	jc_reply_answer(client, json_pack("{ss ss ss ss ss*}", "type", "error", "code", "refused",
					"reason", reason, "message", message, "ref", type));
	jc_session_close(client->session, JC_CLOSE_POLICY, reason);
}

/* Ends views and publications that are no longer permitted, and updates the precision
 * and the props of the other views. type: of the message that caused it, or NULL. */
static void withdraw(struct jc_client *client, const char *type)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		struct jc_view *view = client->views[i];

		if (!view || !view->fanout) {
			continue;
		}
		if (jc_admission_may(client, JC_ROLE_WATCH,
			    jc_space_options(view->fanout->space)->name, NULL)) {
			jc_subscribe_limit(client, view);
			jc_join_send_props(client, view);
			continue;
		}
		jc_view_leave(view);
		jc_reply_error(client, "not-allowed",
			"you may no longer watch a space, and have left it", type);
	}
	for (size_t i = 0; i < client->publications.count; i++) {
		struct jc_publication *publication = &client->publications.list[i];

		if (publication->space && !jc_admission_may(client, JC_ROLE_PUBLISH,
						  jc_space_options(publication->space)->name,
						  publication->requested_name)) {
			jc_publish_end(client, publication);
		}
	}
}

/* Other connections that have shown a token of the subject. */
static size_t count_connections(const struct jc_client *client, const char *subject)
{
	size_t count = 0;

	for (const struct jc_client *at = client->control->clients; at; at = at->next) {
		count += !at->session->close_code && at != client && at->grant &&
			 strcmp(at->grant->subject, subject) == 0;
	}
	return count;
}

/* Whether this is an edge that may not know all invitations yet. */
static bool is_learning(const struct jc_services *services)
{
	return services->cluster && services->cluster_ops->is_learning(services->cluster);
}

bool jc_credentials_show(struct jc_client *client, const json_t *token, const char *type)
{
	struct jc_grant grant;
	enum jc_refusal refusal;

	if (jc_auth_policy_is_open(client->services->auth_policy)) {
		if (token &&
			(!json_is_string(token) || json_string_length(token) > JC_TOKEN_BYTES)) {
			jc_reply_error(client, "bad-field",
				"token must be text of at most 4096 bytes", type);
			return false;
		}
		return true;
	}
	if (!token && is_anyone_let_in(client)) {
		return true;
	}
	if (!json_is_string(token)) {
		refuse(client, "no-token", type);
		return false;
	}
	refusal = jc_auth_policy_admit(client->services->auth_policy, json_string_value(token),
		json_string_length(token), wall_s(), &grant);
	if (refusal == JC_REFUSAL_REVOKED && is_learning(client->services)) {
		jc_session_close(client->session, JC_CLOSE_TRY_AGAIN, "no such invitation yet");
		return false;
	}
	if (refusal != JC_REFUSAL_NONE) {
		client->session->server->traffic.refused_tokens++;
		refuse(client, jc_refusal_name(refusal), type);
		return false;
	}
	/* Else bodies published by one subject would continue as those of another. */
	if (client->grant && strcmp(client->grant->subject, grant.subject) != 0) {
		refuse(client, "another-subject", type);
		return false;
	}
	if (!client->grant && count_connections(client, grant.subject) >=
				      client->services->config->connections_per_subject) {
		jc_reply_error(client, "too-many", "too many connections with your token", type);
		jc_session_close(client->session, JC_CLOSE_POLICY, "too many connections");
		return false;
	}
	if (!client->grant) {
		client->grant = malloc(sizeof(*client->grant));
	}
	if (!client->grant) {
		refuse(client, "out-of-memory", type);
		return false;
	}
	*client->grant = grant;
	/* Skeletons registered without a token end: from now on the subject owns them. The errors
	 * of this are not the answer to the message. */
	struct jc_request_tag request = jc_reply_defer(client);

	jc_registry_end_connection(client->services->registry, client->session->serial);
	withdraw(client, type);
	jc_reply_resume(client, &request);
	return true;
}

void jc_control_token(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	const json_t *token = json_object_get(message, "token");

	(void)now_ns;
	if (!token) {
		jc_reply_error(client, "bad-field", "token must be text", "token");
	} else if (jc_credentials_show(client, token, "token")) {
		const struct jc_grant *grant = client->grant; /* NULL: the server has no keys */

		jc_client_identify(client);
		if (client->control->forwarder) {
			client->control->forwarder->ops->shown(
				client->control->forwarder, client, message);
		}
		jc_reply_answer(
			client, json_pack("{ss so*}", "type", "renewed", "expires",
					grant ? json_integer((json_int_t)grant->expires_s) : NULL));
	}
}

void jc_credentials_sweep(struct jc_client *client)
{
	const struct jc_grant *grant = client->grant;

	if (jc_admission_is_local_page(client) &&
		!jc_auth_policy_is_open(client->services->auth_policy)) {
		jc_session_close(client->session, JC_CLOSE_POLICY, "origin");
		return;
	}
	/* Keys may have changed since the token was shown. */
	if (!grant) {
		if (client->greeted && !jc_auth_policy_is_open(client->services->auth_policy) &&
			!is_anyone_let_in(client)) {
			refuse(client, "no-token", NULL);
		} else {
			withdraw(client, NULL);
		}
		return;
	}
	enum jc_refusal refusal =
		jc_auth_policy_recheck(client->services->auth_policy, grant, wall_s());

	if (refusal != JC_REFUSAL_NONE) {
		refuse(client, jc_refusal_name(refusal), NULL);
	} else {
		withdraw(client, NULL);
	}
}
