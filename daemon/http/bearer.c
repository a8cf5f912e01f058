/* A request has its token in a header: an address is logged by proxies. */
#include "http/bearer.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "auth/auth_policy.h"
#include "net/connection.h"
#include "net/server.h"
#include "services.h"

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
