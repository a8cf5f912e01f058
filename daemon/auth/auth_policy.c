/* Reads keys from files, so that no key appears in a configuration or a process list. */
#include "auth/auth_policy.h"

#include <openssl/crypto.h>
#include <stdlib.h>

#include "base/file.h"

static int load_key(struct jc_auth_policy *auth_policy, const struct jc_config_key *wanted,
	struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	char *bytes = NULL;
	size_t length = 0;
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

void jc_auth_policy_warn(const struct jc_auth_policy *auth_policy, const struct jc_log *log)
{
	if (jc_auth_policy_is_open(auth_policy) && auth_policy->config->hosts.count > 0) {
		jc_log_write(log, JC_LOG_WARNING,
			"hosts are served without a key: every client that reaches them may do "
			"everything");
	}
}

enum jc_refusal jc_auth_policy_admit(const struct jc_auth_policy *auth_policy, const char *token,
	size_t length, int64_t now_s, struct jc_grant *out_grant)
{
	return jc_token_read(&auth_policy->keyring, auth_policy->config->audience, token, length,
		now_s, out_grant);
}
