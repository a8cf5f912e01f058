/* Who may come in, as the daemon was told: which names it goes by, which pages may
 * connect, whose tokens are believed. */
#ifndef JC_AUTH_POLICY_H
#define JC_AUTH_POLICY_H

#include <stdbool.h>

#include "auth/keyring.h"
#include "auth/token.h"
#include "base/log.h"
#include "config/config.h"
#include "jointcast/error.h"

struct jc_auth_policy {
	const struct jc_config *config; /* borrowed: hosts, origins, audience */
	struct jc_keyring keyring;
};

/* Reads the keys that the configuration names. Returns 0, or a negative enum
 * jc_error with the diagnostic filled; there is then nothing to finish. */
int jc_auth_policy_init(struct jc_auth_policy *auth_policy, const struct jc_config *config,
	struct jc_diagnostic *diagnostic);
void jc_auth_policy_finish(struct jc_auth_policy *auth_policy);

/* Without keys whoever reaches the daemon may do everything: it only listens on
 * loopback then. */
bool jc_auth_policy_is_open(const struct jc_auth_policy *auth_policy);

/* Warns when others are served, through a proxy, and all of them may do everything. */
void jc_auth_policy_warn(const struct jc_auth_policy *auth_policy, const struct jc_log *log);

/* Judges a token now. */
enum jc_refusal jc_auth_policy_admit(const struct jc_auth_policy *auth_policy, const char *token,
	size_t length, int64_t now_s, struct jc_grant *out_grant);

#endif
