/* A change is answered after it is on the disk: an invitation exists, a use is spent and a
 * revocation holds also after a crash. */
#include "http/invitation_routes.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "auth/auth_policy.h"
#include "base/address.h"
#include "base/clock.h"
#include "config/config.h"
#include "http/bearer.h"
#include "http/forwarded.h"
#include "http/target.h"
#include "invitation/guest_token.h"
#include "invitation/invitations.h"
#include "jointcast_private/text.h"
#include "net/connection.h"
#include "net/server.h"
#include "services.h"

#define ONE  "/invitations/"
#define GONE "this invitation is not valid, or no longer"

/* An answer that waits for the disk. */
struct answer {
	struct jc_state_wait wait;
	struct jc_exchange *exchange;
	struct jc_invitations *invitations; /* borrowed */
	char id[JC_INVITATION_ID];
	int status;
	char *text; /* owned */
	/* Takes back the change that could not be stored; NULL: it stays. */
	void (*take_back)(struct jc_invitations *invitations, const char *id);
};

static struct jc_invitations *invitations_of(const struct jc_exchange *exchange)
{
	return exchange->services->invitations;
}

static const struct jc_key *key_of(const struct jc_exchange *exchange)
{
	return jc_keyring_find(&exchange->services->auth_policy->keyring, JC_KEY_INVITE);
}

static int64_t wall_s(void)
{
	return (int64_t)time(NULL);
}

static void on_stored(struct jc_state_wait *wait, bool is_stored)
{
	struct answer *answer = (struct answer *)wait;
	struct jc_exchange *exchange = answer->exchange;

	if (is_stored) {
		jc_exchange_answer(exchange, answer->status, "application/json", answer->text);
		answer->text = NULL;
	} else {
		if (answer->take_back) {
			answer->take_back(answer->invitations, answer->id);
		}
		jc_exchange_status(exchange, 503, "the disk does not take the change");
	}
	jc_guest_token_free(answer->text);
	free(answer);
}

/* Answers with the text, which it steals, as soon as the change is on the disk. */
static void answer_text_when_stored(struct jc_exchange *exchange, int status, char *text,
	const char *id, void (*take_back)(struct jc_invitations *invitations, const char *id))
{
	struct jc_invitations *invitations = invitations_of(exchange);
	struct answer *answer = calloc(1, sizeof(*answer));

	if (!answer || !text) {
		free(answer);
		jc_guest_token_free(text);
		if (take_back) {
			take_back(invitations, id);
		}
		jc_exchange_status(exchange, 503, "out of memory");
		return;
	}
	*answer = (struct answer){ .wait.done = on_stored,
		.exchange = exchange,
		.invitations = invitations,
		.status = status,
		.text = text,
		.take_back = take_back };
	strcpy(answer->id, id);
	jc_invitations_await(invitations, &answer->wait);
}

/* The same with an object, which it steals. */
static void answer_when_stored(struct jc_exchange *exchange, int status, json_t *object,
	const char *id, void (*take_back)(struct jc_invitations *invitations, const char *id))
{
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	answer_text_when_stored(exchange, status, text, id, take_back);
}

static void refuse_body(struct jc_exchange *exchange, const struct jc_diagnostic *diagnostic)
{
	char reason[sizeof(diagnostic->what) + sizeof(diagnostic->where) + 2];

	snprintf(reason, sizeof(reason), "%s%s%s", diagnostic->where,
		diagnostic->where[0] ? ": " : "", diagnostic->what);
	jc_utf8_repair(reason);
	jc_exchange_status(exchange, 400, reason);
}

int jc_invitation_admit(struct jc_exchange *exchange, const char **out_reason)
{
	struct jc_grant grant;

	if (!jc_auth_policy_invites(exchange->services->auth_policy)) {
		*out_reason = "no such path: invitations need keys and a state directory";
		return 404;
	}
	return jc_bearer_read(exchange, &grant, out_reason);
}

/* Whether the client may make, list and revoke the invitations of a space. A guest may not, also
 * where its role may moderate: what it made would hold after its own invitation is revoked. */
static bool may_invite(
	const struct jc_exchange *exchange, const struct jc_grant *grant, const char *space)
{
	return !grant->invitation[0] &&
	       (jc_bearer_may(exchange, grant, JC_ROLE_MODERATE, space) ||
		       jc_bearer_may(exchange, grant, JC_ROLE_ADMINISTER, space));
}

/* Whether the client has what it wants to give. */
static bool may_give(const struct jc_exchange *exchange, const struct jc_grant *grant,
	const struct jc_invitation_request *request)
{
	return jc_bearer_may(exchange, grant, JC_ROLE_WATCH, request->space) &&
	       (request->role != JC_ROLE_PUBLISH ||
		       jc_bearer_may_publish_any(exchange, grant, request->space));
}

static json_t *pack_made(
	const struct jc_invitation *made, const struct jc_invitation_secret *secret)
{
	bool is_code = secret->code[0];

	return json_pack("{ss ss* ss* so* ss ss sI si}", "id", made->id, "invitation",
		is_code ? NULL : secret->secret, "code", is_code ? secret->code : NULL,
		"codeSeconds", is_code ? json_integer(JC_PAIRING_SECONDS) : NULL, "space",
		made->space, "role", made->role == JC_ROLE_PUBLISH ? "publish" : "watch", "expires",
		(json_int_t)made->expires_s, "uses", (int)made->uses);
}

static void make(struct jc_exchange *exchange, const struct jc_invitation_request *request,
	const struct jc_grant *grant)
{
	const struct jc_inviter inviter = {
		.grant = grant, .now_s = wall_s(), .now_ns = jc_clock_now_ns()
	};
	struct jc_invitation_secret secret;
	struct jc_invitation made;
	int status =
		jc_invitations_make(invitations_of(exchange), request, &inviter, &made, &secret);

	if (status == JC_OK) {
		answer_when_stored(
			exchange, 201, pack_made(&made, &secret), made.id, jc_invitations_forget);
		jc_secret_wipe(&secret, sizeof(secret));
	} else if (status == JC_ERROR_LIMIT) {
		jc_exchange_status(exchange, 429,
			request->pair ? "too many invitations or pairing codes"
				      : "too many invitations");
	} else {
		jc_exchange_status(exchange, 503, "out of memory or of random bytes");
	}
}

static void serve_make(struct jc_exchange *exchange, const struct jc_grant *grant)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_invitation_request request;

	if (jc_invitation_request_parse(
		    exchange->body, exchange->body_length, &request, &diagnostic) != JC_OK) {
		refuse_body(exchange, &diagnostic);
	} else if (!jc_bearer_knows(exchange, grant, request.space)) {
		jc_exchange_status(exchange, 404, "there is no such space");
	} else if (!may_invite(exchange, grant, request.space)) {
		jc_exchange_status(exchange, 403, "your token does not have the role for this");
	} else if (!may_give(exchange, grant, &request)) {
		jc_exchange_status(
			exchange, 403, "your token does not have what the invitation would give");
	} else {
		make(exchange, &request, grant);
	}
}

static json_t *pack_entry(const struct jc_invitation *one)
{
	return json_pack("{ss ss ss ss sI si si ss sb}", "id", one->id, "space", one->space, "role",
		one->role == JC_ROLE_PUBLISH ? "publish" : "watch", "note", one->note, "expires",
		(json_int_t)one->expires_s, "uses", (int)one->uses, "used", (int)one->used, "by",
		one->by, "revoked", (int)one->is_revoked);
}

/* Reads ?space=NAME. Nothing else may stand there. */
static bool read_space(struct jc_text target, char out_space[JC_MAX_SPACE_NAME])
{
	struct jc_text options = jc_target_options(target);
	struct jc_text key, value;

	out_space[0] = '\0';
	return !options.bytes ||
	       (jc_target_next(&options, &key, &value) && jc_text_is(key, "space") &&
		       jc_target_value(value, out_space, JC_MAX_SPACE_NAME) && out_space[0] &&
		       options.length == 0);
}

static void serve_list(struct jc_exchange *exchange, const struct jc_grant *grant)
{
	const struct jc_invitation_list *list =
		jc_invitations_list(invitations_of(exchange), wall_s());
	char space[JC_MAX_SPACE_NAME];
	json_t *entries = json_array();

	if (!read_space(exchange->request.target, space)) {
		json_decref(entries);
		jc_exchange_status(exchange, 400, "nothing but ?space=NAME may follow the path");
		return;
	}
	for (size_t i = 0; i < list->count; i++) {
		const struct jc_invitation *one = &list->list[i];

		if ((!space[0] || strcmp(space, one->space) == 0) &&
			may_invite(exchange, grant, one->space)) {
			json_array_append_new(entries, pack_entry(one));
		}
	}
	json_t *object = json_pack("{so}", "invitations", entries);
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	jc_exchange_answer(exchange, 200, "application/json", text);
}

/* The token may have expired while the body was received. */
static bool read_grant(struct jc_exchange *exchange, struct jc_grant *out_grant)
{
	const char *reason = NULL;
	int status = key_of(exchange) ? jc_bearer_read(exchange, out_grant, &reason)
				      : jc_invitation_admit(exchange, &reason);

	if (status != 200) {
		jc_exchange_status(exchange, status, reason);
	}
	return status == 200;
}

void jc_invitation_serve(struct jc_exchange *exchange)
{
	struct jc_grant grant;

	if (!read_grant(exchange, &grant)) {
		return;
	}
	if (jc_request_method(&exchange->request) == JC_METHOD_POST) {
		serve_make(exchange, &grant);
	} else {
		serve_list(exchange, &grant);
	}
}

void jc_invitation_serve_one(struct jc_exchange *exchange)
{
	struct jc_invitations *invitations = invitations_of(exchange);
	struct jc_text target = exchange->request.target;
	struct jc_grant grant;
	char id[JC_INVITATION_ID];

	if (!read_grant(exchange, &grant)) {
		return;
	}
	snprintf(id, sizeof(id), "%.*s", (int)(target.length - strlen(ONE)),
		target.bytes + strlen(ONE));

	const struct jc_invitation *found =
		jc_invitation_list_find(jc_invitations_list(invitations, wall_s()), id);

	if (!found || target.length - strlen(ONE) != strlen(id) ||
		!may_invite(exchange, &grant, found->space)) {
		jc_exchange_status(exchange, 404, "there is no such invitation");
		return;
	}
	jc_invitations_revoke(invitations, id);
	answer_when_stored(exchange, 200, json_pack("{ss sb}", "id", id, "revoked", 1), id, NULL);
}

int jc_invitation_admit_redemption(struct jc_exchange *exchange, const char **out_reason)
{
	const struct jc_services *services = exchange->services;
	bool has_invitations = jc_config_is_edge(services->config)
				       ? !jc_auth_policy_is_open(services->auth_policy)
				       : jc_auth_policy_invites(services->auth_policy);

	if (!has_invitations) {
		*out_reason = "no such path: invitations need keys and a state directory";
		return 404;
	}
	if (!jc_forwarded_is_private(exchange->connection, &exchange->request)) {
		*out_reason = "invitations are redeemed over TLS";
		return 403;
	}
	return 200;
}

/* Answers with the token of a guest. */
static void welcome(struct jc_exchange *exchange, const struct jc_invitation *invitation)
{
	struct jc_invitations *invitations = invitations_of(exchange);

	answer_text_when_stored(exchange, 200,
		jc_invitations_welcome(
			invitations, invitation, exchange->services->config->audience, wall_s()),
		invitation->id, jc_invitations_return_use);
}

/* Answers with the status that refuses a redemption. */
static void refuse_redemption(struct jc_exchange *exchange, int status)
{
	if (exchange->connection) {
		exchange->connection->server->traffic.refused_redemptions++;
	}
	jc_exchange_status(exchange, status,
		status == 429   ? "too many failed attempts: try again later"
		: status == 410 ? GONE
				: "the server of the invitation does not answer: try again later");
}

/* An origin has answered. */
static void on_redeemed(void *context, int status, char *text)
{
	if (status == 200) {
		jc_exchange_answer(context, 200, "application/json", text);
	} else {
		refuse_redemption(context, status);
	}
}

/* Redeems at an edge: the origins of its spaces have the invitations. */
static void redeem_elsewhere(struct jc_exchange *exchange,
	const struct jc_redemption_request *request, const char *address)
{
	const struct jc_services *services = exchange->services;
	const struct jc_redemption redemption = {
		.is_code = request->is_code, .text = request->text, .address = address
	};
	int status = services->cluster ? services->cluster_ops->redeem(services->cluster,
						 &redemption, on_redeemed, exchange)
				       : JC_ERROR_ABSENT;

	if (status != JC_OK) {
		refuse_redemption(exchange, status == JC_ERROR_LIMIT ? 429 : 503);
	}
}

/* Redeems an invitation of this daemon. */
static void redeem_here(struct jc_exchange *exchange, const struct jc_redemption_request *request,
	const char *address)
{
	struct jc_invitation invitation;
	const struct jc_guest guest = { .source.address = address,
		.keyring = &exchange->services->auth_policy->keyring,
		.now_s = wall_s(),
		.now_ns = jc_clock_now_ns() };
	/* A reload may have removed the keys while the body was received. */
	int status = key_of(exchange) ? jc_invitations_redeem(invitations_of(exchange), request,
						&guest, &invitation)
				      : JC_ERROR_ABSENT;

	if (status == JC_OK) {
		welcome(exchange, &invitation);
	} else {
		refuse_redemption(exchange, status == JC_ERROR_LIMIT ? 429 : 410);
	}
}

void jc_invitation_serve_redemption(struct jc_exchange *exchange)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_redemption_request request;
	char address[JC_ADDRESS_TEXT];
	int status = jc_redemption_request_parse(
		exchange->body, exchange->body_length, &request, &diagnostic);

	if (exchange->body) {
		jc_secret_wipe(exchange->body, exchange->body_length);
	}
	if (status != JC_OK) {
		refuse_body(exchange, &diagnostic);
		return;
	}
	jc_address_network(&exchange->connection->peer.sa, address);
	if (jc_config_is_edge(exchange->services->config)) {
		redeem_elsewhere(exchange, &request, address);
	} else {
		redeem_here(exchange, &request, address);
	}
	jc_secret_wipe(&request, sizeof(request));
}
