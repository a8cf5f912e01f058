/* Keys come from files, so that none stands in a configuration or a process list. */
#include "net/gate.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static int load_key(
	struct jc_gate *gate, const struct jc_config_key *wanted, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	char *bytes = NULL;
	size_t length = 0;
	int status = jc_file_read(wanted->path, JC_KEY_BYTES, &bytes, &length, &reason);

	if (status == JC_OK) {
		status = jc_keyring_add(&gate->keyring, wanted->id, wanted->algorithm,
			(const uint8_t *)bytes, length, &reason);
	}
	if (status == JC_OK && wanted->revoked) {
		status = jc_keyring_revoke(&gate->keyring, wanted->id);
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

int jc_gate_init(
	struct jc_gate *gate, const struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	*gate = (struct jc_gate){ .config = config };
	for (size_t i = 0; i < config->key_count && status == JC_OK; i++) {
		status = load_key(gate, &config->keys[i], diagnostic);
	}
	if (status != JC_OK) {
		jc_gate_finish(gate);
	}
	return status;
}

void jc_gate_finish(struct jc_gate *gate)
{
	jc_keyring_finish(&gate->keyring);
}

bool jc_gate_is_open(const struct jc_gate *gate)
{
	return gate->keyring.count == 0;
}

void jc_gate_warn(const struct jc_gate *gate, const struct jc_log *log)
{
	if (jc_gate_is_open(gate) && gate->config->hosts.count > 0) {
		jc_log_write(log, JC_LOG_WARNING,
			"hosts are served without a key: whoever reaches them may do everything");
	}
}

enum jc_refusal jc_gate_admit(const struct jc_gate *gate, const char *token, size_t length,
	int64_t now_s, struct jc_grant *out_grant)
{
	return jc_token_read(
		&gate->keyring, gate->config->audience, token, length, now_s, out_grant);
}
