/* Reads the TLS certificate of the configuration, at the start and at a reload. */
#include "app/identity.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tls/dev_certificate.h"

#define SOON (14 * INT64_C(86400))

static int find_paths(const struct jc_config *config, struct jc_identity *identity,
	struct jc_diagnostic *diagnostic)
{
	struct jc_dev_names names;

	if (!config->tls.development) {
		snprintf(identity->certificate_path, sizeof(identity->certificate_path), "%s",
			config->tls.certificate);
		snprintf(identity->key_path, sizeof(identity->key_path), "%s", config->tls.key);
		return JC_OK;
	}
	snprintf(identity->certificate_path, sizeof(identity->certificate_path), "%s/%s",
		config->state, JC_DEV_CERTIFICATE_FILE);
	snprintf(identity->key_path, sizeof(identity->key_path), "%s/%s", config->state,
		JC_DEV_KEY_FILE);
	jc_dev_names_find(&names);
	return jc_dev_certificate_make(config->state, &names, diagnostic);
}

int jc_identity_read(const struct jc_config *config, struct jc_identity *out_identity,
	struct jc_diagnostic *diagnostic)
{
	*out_identity = (struct jc_identity){ 0 };
	if (!jc_config_has_certificate(config)) {
		return JC_OK;
	}
	int status = find_paths(config, out_identity, diagnostic);

	return status == JC_OK
		       ? jc_certificate_read(out_identity->certificate_path, out_identity->key_path,
				 &out_identity->certificate, diagnostic)
		       : status;
}

int jc_identity_check(const struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	struct jc_identity identity;

	if (config->tls.development) {
		int status = jc_file_check_folder(config->state, diagnostic);

		return status != JC_OK || access(config->state, W_OK | X_OK) == 0 || errno == ENOENT
			       ? status
			       : jc_diagnose(diagnostic, JC_ERROR_INVALID, config->state,
					 "the certificate cannot be written: %s", strerror(errno));
	}
	int status = jc_identity_read(config, &identity, diagnostic);

	jc_identity_finish(&identity);
	return status;
}

void jc_identity_finish(struct jc_identity *identity)
{
	jc_certificate_destroy(identity->certificate);
	identity->certificate = NULL;
}

void jc_identity_log(const struct jc_identity *identity, const struct jc_log *log)
{
	char fingerprint[JC_FINGERPRINT_TEXT];

	if (!identity->certificate) {
		return;
	}
	int64_t left = jc_certificate_seconds_left(identity->certificate);

	jc_certificate_fingerprint(identity->certificate, fingerprint);
	jc_log_write(log, JC_LOG_INFO, "the certificate is '%s', SHA-256 %s",
		identity->certificate_path, fingerprint);
	if (left < SOON) {
		jc_log_write(log, JC_LOG_WARNING,
			left < 0 ? "the certificate has expired"
				 : "the certificate expires within %d days",
			(int)(left / 86400) + 1);
	}
}
