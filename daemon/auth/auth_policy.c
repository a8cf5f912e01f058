/* Reads keys from files, so that no key appears in a configuration or a process list. */
#include "auth/auth_policy.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static int load_key(struct jc_auth_policy *auth_policy, const struct jc_config_key *wanted,
	struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	char *bytes = NULL;
	size_t length = 0;

	if (strcmp(wanted->id, JC_KEY_INVITE) == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, wanted->path,
			"the name '%s' is that of the daemon's own key: give this key another",
			wanted->id);
	}
	int status = jc_file_read(wanted->path, JC_KEY_BYTES, &bytes, &length, &reason);

	if (status == JC_OK) {
		status = jc_keyring_add(&auth_policy->keyring, wanted->id, wanted->algorithm,
			(const uint8_t *)bytes, length, &reason);
	}
	if (status == JC_OK && wanted->revoked) {
		status = jc_keyring_revoke(&auth_policy->keyring, wanted->id);
	}
	if (bytes) {
		OPENSSL_cleanse(bytes, length);
		free(bytes);
	}
	if (status != JC_OK) {
		jc_diagnose(
			diagnostic, status, wanted->path, "key '%s': %s", wanted->id, reason.what);
	}
	return status;
}

int jc_auth_policy_init(struct jc_auth_policy *auth_policy, const struct jc_config *config,
	struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	*auth_policy = (struct jc_auth_policy){ .config = config };
	for (size_t i = 0; i < config->key_count && status == JC_OK; i++) {
		status = load_key(auth_policy, &config->keys[i], diagnostic);
	}
	if (status != JC_OK) {
		jc_auth_policy_finish(auth_policy);
	}
	return status;
}

void jc_auth_policy_finish(struct jc_auth_policy *auth_policy)
{
	jc_keyring_finish(&auth_policy->keyring);
}

bool jc_auth_policy_is_open(const struct jc_auth_policy *auth_policy)
{
	return auth_policy->keyring.count == 0;
}

bool jc_auth_policy_invites(const struct jc_auth_policy *auth_policy)
{
	return jc_keyring_find(&auth_policy->keyring, JC_KEY_INVITE) != NULL;
}

void jc_auth_policy_warn(const struct jc_auth_policy *auth_policy, const struct jc_log *log)
{
	if (jc_auth_policy_is_open(auth_policy) && auth_policy->config->hosts.count > 0) {
		jc_log_write(log, JC_LOG_WARNING,
			"hosts are served without a key: every client that reaches them may do "
			"everything");
	}
}

/* Whether the grant is no guest's, or its invitation still holds. */
static bool is_invited(const struct jc_auth_policy *auth_policy, const struct jc_grant *grant)
{
	const struct jc_auth_invitations_ops *ops = auth_policy->invitations;

	return !grant->invitation[0] ||
	       (ops && ops->accept(auth_policy->context, &auth_policy->keyring, grant));
}

/* Whether invitations are those of other daemons: this is an edge. */
static bool is_edge(const struct jc_auth_policy *auth_policy)
{
	return auth_policy->invitations && auth_policy->invitations->keyring;
}

/* The keys for a token; NULL: its invitation has ended. */
static const struct jc_keyring *find_keyring(
	const struct jc_auth_policy *auth_policy, const char *token, size_t length)
{
	char id[JC_INVITATION_ID];

	return is_edge(auth_policy) && jc_token_invitation(token, length, id)
		       ? auth_policy->invitations->keyring(auth_policy->context, id)
		       : &auth_policy->keyring;
}

enum jc_refusal jc_auth_policy_admit(const struct jc_auth_policy *auth_policy, const char *token,
	size_t length, int64_t now_s, struct jc_grant *out_grant)
{
	const struct jc_keyring *keyring = find_keyring(auth_policy, token, length);
	struct jc_grant grant;
	enum jc_refusal refusal = keyring ? jc_token_read(keyring, auth_policy->config->audience,
						    token, length, now_s, &grant)
					  : JC_REFUSAL_REVOKED;

	if (refusal == JC_REFUSAL_NONE && !is_invited(auth_policy, &grant)) {
		refusal = JC_REFUSAL_REVOKED;
	}
	if (refusal == JC_REFUSAL_NONE) {
		*out_grant = grant;
	}
	return refusal;
}

enum jc_refusal jc_auth_policy_recheck(
	const struct jc_auth_policy *auth_policy, const struct jc_grant *grant, int64_t now_s)
{
	bool has_own_key = !grant->invitation[0] || !is_edge(auth_policy);
	const struct jc_key *key = jc_keyring_find(&auth_policy->keyring, grant->key_id);

	if ((has_own_key && (!key || key->revoked)) || !is_invited(auth_policy, grant)) {
		return JC_REFUSAL_REVOKED;
	}
	return grant->expires_s + JC_TOKEN_SKEW < now_s ? JC_REFUSAL_EXPIRED : JC_REFUSAL_NONE;
}
