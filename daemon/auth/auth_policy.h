/* The auth policy in use: the keys that verify tokens, and whether tokens are required. */
#ifndef JC_AUTH_POLICY_H
#define JC_AUTH_POLICY_H

#include <stdbool.h>

#include "auth/keyring.h"
#include "auth/token.h"
#include "base/log.h"
#include "config/config.h"
#include "jointcast/error.h"

/* The table of invitations, which is above this folder. */
struct jc_auth_invitations_ops {
	/* Whether the token of a guest is accepted. keyring: with the keys of the creators. */
	bool (*accept)(
		void *context, const struct jc_keyring *keyring, const struct jc_grant *grant);
	/* At an edge, which has no own key for guests: the keyring for tokens of an invitation,
	 * NULL: it is unknown, or has ended. The function is NULL at other daemons. */
	const struct jc_keyring *(*keyring)(void *context, const char *id);
};

struct jc_auth_policy {
	const struct jc_config *config; /* borrowed: hosts, origins, audience */
	struct jc_keyring keyring;
	const struct jc_auth_invitations_ops *invitations; /* NULL: there are none */
	void *context;                                     /* of invitations, borrowed */
};

/* Reads the keys of the configuration. Returns 0, or a negative enum jc_error with the diagnostic
 * filled; then there is nothing to finish. */
int jc_auth_policy_init(struct jc_auth_policy *auth_policy, const struct jc_config *config,
	struct jc_diagnostic *diagnostic);
void jc_auth_policy_finish(struct jc_auth_policy *auth_policy);

/* True: there are no keys, and every client may do everything. The daemon then listens on
 * loopback only. */
bool jc_auth_policy_is_open(const struct jc_auth_policy *auth_policy);

/* Whether guests may be invited: there are keys, and a table of invitations with the daemon's own
 * key. */
bool jc_auth_policy_invites(const struct jc_auth_policy *auth_policy);

/* Logs a warning if a proxy serves other machines although every client may do everything. */
void jc_auth_policy_warn(const struct jc_auth_policy *auth_policy, const struct jc_log *log);

/* Checks a token at Unix time now_s. */
enum jc_refusal jc_auth_policy_admit(const struct jc_auth_policy *auth_policy, const char *token,
	size_t length, int64_t now_s, struct jc_grant *out_grant);

/* Checks again, later, what a token granted: it expires, and keys and invitations are revoked. */
enum jc_refusal jc_auth_policy_recheck(
	const struct jc_auth_policy *auth_policy, const struct jc_grant *grant, int64_t now_s);

#endif
