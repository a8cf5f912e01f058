/* A request has its token in a header: an address is logged by proxies. */
#include "http/bearer.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "auth/auth_policy.h"
#include "base/address.h"
#include "moderation/moderation.h"
#include "net/connection.h"
#include "net/server.h"
#include "services.h"
#include "space/spaces.h"

#define SCHEME "Bearer "

int jc_bearer_read(
	const struct jc_exchange *exchange, struct jc_grant *out_grant, const char **out_reason)
{
	const struct jc_auth_policy *auth_policy = exchange->services->auth_policy;
	struct jc_text header = exchange->request.authorization;
	size_t length = strlen(SCHEME);

	if (jc_auth_policy_is_open(auth_policy)) {
		*out_grant = jc_grant_all;
		return 200;
	}
	if (header.length < length || strncasecmp(header.bytes, SCHEME, length) != 0) {
		*out_reason = "no-token";
		return 401;
	}
	enum jc_refusal refusal = jc_auth_policy_admit(auth_policy, header.bytes + length,
		header.length - length, (int64_t)time(NULL), out_grant);

	if (refusal != JC_REFUSAL_NONE) {
		exchange->connection->server->traffic.refused_tokens++;
		*out_reason = jc_refusal_name(refusal);
		return 401;
	}
	return 200;
}

static const struct jc_space_policy *policy_of(
	const struct jc_exchange *exchange, const char *space)
{
	struct jc_spaces *spaces = exchange->services->spaces;
	const struct jc_fanout *fanout = jc_spaces_find(spaces, space);

	return fanout ? &fanout->policy : &spaces->policy.space;
}

static bool is_banned(
	const struct jc_exchange *exchange, const struct jc_grant *grant, const char *space)
{
	char network[JC_ADDRESS_TEXT];

	jc_address_network(&exchange->connection->peer.sa, network);
	return jc_sanctions_find_person(jc_moderation_sanctions(exchange->services->moderation),
		       space, JC_SANCTION_BAN, grant && grant->subject[0] ? grant->subject : NULL,
		       network) != NULL;
}

static const struct jc_permit *permit_of(
	const struct jc_exchange *exchange, enum jc_role role, const char *space)
{
	struct jc_spaces *spaces = exchange->services->spaces;
	struct jc_fanout *fanout = jc_spaces_find(spaces, space);

	return jc_space_policy_permit(fanout ? &fanout->policy : &spaces->policy.space, role);
}

bool jc_bearer_may(const struct jc_exchange *exchange, const struct jc_grant *grant,
	enum jc_role role, const char *space)
{
	/* An edge without keys grants nothing in place of an origin with keys. */
	if (policy_of(exchange, space)->needs_token &&
		jc_auth_policy_is_open(exchange->services->auth_policy)) {
		grant = NULL;
	}
	return !jc_spaces_rewind_of(exchange->services->spaces, space) &&
	       jc_permit_allows(permit_of(exchange, role, space), grant, space) &&
	       !is_banned(exchange, grant, space);
}

bool jc_bearer_may_publish_any(
	const struct jc_exchange *exchange, const struct jc_grant *grant, const char *space)
{
	return jc_bearer_may(exchange, grant, JC_ROLE_PUBLISH, space) &&
	       (grant->bodies.all || permit_of(exchange, JC_ROLE_PUBLISH, space)->anyone);
}

bool jc_bearer_knows(
	const struct jc_exchange *exchange, const struct jc_grant *grant, const char *space)
{
	const struct jc_fanout *fanout = jc_spaces_find(exchange->services->spaces, space);
	bool is_known = false;

	for (unsigned role = 1; role < JC_ROLE_ALL && fanout && !fanout->rewind_of[0]; role <<= 1) {
		is_known |= jc_permit_allows(
			permit_of(exchange, (enum jc_role)role, space), grant, space);
	}
	return is_known;
}
