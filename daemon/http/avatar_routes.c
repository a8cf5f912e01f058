/* An avatar reaches those who see a body that wears it, and nobody else: for all others its
 * hash is unknown. */
#include "http/avatar_routes.h"

#include <stdio.h>
#include <string.h>

#include "auth/auth_policy.h"
#include "avatars/avatars.h"
#include "base/address.h"
#include "base/sha256.h"
#include "http/bearer.h"
#include "http/response.h"
#include "moderation/moderation.h"
#include "net/connection.h"
#include "services.h"

#define PREFIX  "/avatars/"
#define UNKNOWN "no such avatar, or no body that you may watch wears it now"

/* The client of a request. */
struct visitor {
	bool has_grant; /* else it has shown no token */
	struct jc_grant grant;
	char network[JC_ADDRESS_TEXT]; /* its address, as sanctions name it */
};

/* Returns 200, or the status that refuses the request. A token is not needed where anyone may
 * watch. */
static int find_visitor(
	const struct jc_exchange *exchange, struct visitor *out_visitor, const char **out_reason)
{
	int status = jc_bearer_read(exchange, &out_visitor->grant, out_reason);

	jc_address_network(&exchange->connection->peer.sa, out_visitor->network);
	out_visitor->has_grant = status == 200;
	return exchange->request.authorization.bytes ? status : 200;
}

static bool may_watch(
	const struct jc_exchange *exchange, const struct visitor *visitor, struct jc_fanout *fanout)
{
	const struct jc_services *services = exchange->services;
	const struct jc_grant *grant = visitor->has_grant ? &visitor->grant : NULL;
	const char *space = jc_space_options(fanout->space)->name;
	bool has_subject = grant && !jc_auth_policy_is_open(services->auth_policy);

	return jc_permit_allows(
		       jc_space_policy_permit(&fanout->policy, JC_ROLE_WATCH), grant, space) &&
	       !jc_sanctions_find_person(jc_moderation_sanctions(services->moderation), space,
		       JC_SANCTION_BAN, has_subject ? grant->subject : NULL, visitor->network);
}

static bool is_worn(const struct jc_space *space, const char *hash)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (jc_body_is_shown(body) && strcmp(body->avatar.hash, hash) == 0) {
			return true;
		}
	}
	return false;
}

static bool may_fetch(
	const struct jc_exchange *exchange, const struct visitor *visitor, const char *hash)
{
	const struct jc_spaces *spaces = exchange->services->spaces;

	for (size_t i = 0; i < spaces->count; i++) {
		if (is_worn(spaces->fanouts[i]->space, hash) &&
			may_watch(exchange, visitor, spaces->fanouts[i])) {
			return true;
		}
	}
	return false;
}

/* The part of the path after "/avatars/"; only the form that the roster has is valid. */
static bool read_hash(struct jc_text target, char out_hash[JC_HASH_TEXT])
{
	const char *hash = target.bytes + strlen(PREFIX);
	size_t length = target.length - strlen(PREFIX);

	if (!jc_sha256_is_hex(hash, length)) {
		return false;
	}
	memcpy(out_hash, hash, length);
	out_hash[length] = '\0';
	return true;
}

int jc_avatar_admit(struct jc_exchange *exchange, const char **out_reason)
{
	struct visitor visitor;

	return find_visitor(exchange, &visitor, out_reason);
}

static void send_file(struct jc_exchange *exchange, const struct jc_avatar *avatar)
{
	int fd = jc_avatar_file_open(&avatar->file);
	char tag[JC_HASH_TEXT + 2];

	if (fd < 0) {
		jc_log_write(exchange->services->log, JC_LOG_WARNING,
			"avatar '%s' has changed since it was read: it is not served",
			avatar->file.path);
		jc_exchange_status(exchange, 404, UNKNOWN);
		return;
	}
	snprintf(tag, sizeof(tag), "\"%s\"", avatar->file.worn.hash);
	jc_exchange_open_file(exchange,
		&(struct jc_response_file){ .fd = fd,
			.length = avatar->file.worn.bytes,
			.type = avatar->file.is_binary ? "model/gltf-binary" : "model/gltf+json",
			.tag = tag,
			.headers = "Content-Disposition: attachment\r\n"
				   "Content-Security-Policy: sandbox; default-src 'none'\r\n" });
}

void jc_avatar_serve_one(struct jc_exchange *exchange)
{
	const struct jc_avatar *avatar = NULL;
	char hash[JC_HASH_TEXT];
	struct visitor visitor;
	const char *reason;
	int status = find_visitor(exchange, &visitor, &reason);

	if (status == 200 && read_hash(exchange->request.target, hash) &&
		may_fetch(exchange, &visitor, hash)) {
		avatar = jc_avatars_find(exchange->services->avatars, hash);
	}
	if (status != 200) {
		jc_exchange_status(exchange, status, reason);
	} else if (avatar) {
		send_file(exchange, avatar);
	} else {
		jc_exchange_status(exchange, 404, UNKNOWN);
	}
}
