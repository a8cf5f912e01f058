/* Checks that need several values, and the warning about readable secrets. */
#include "config/config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/address.h"

int jc_config_check_plain(const struct sockaddr_storage *address, struct jc_diagnostic *diagnostic)
{
	char text[JC_ADDRESS_TEXT];

	if (jc_address_is_loopback((const struct sockaddr *)address)) {
		return JC_OK;
	}
	jc_address_format(address, text);
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
		"'%s' is not a loopback address: other addresses need TLS (--tls-listen) or a "
		"proxy with TLS (--proxy-listen), and keys",
		text);
}

int jc_config_check_tls(const struct jc_config *config, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic)
{
	char text[JC_ADDRESS_TEXT];

	jc_address_format(address, text);
	if (!jc_config_has_certificate(config)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"TLS on '%s' needs a certificate: --certificate and --key, or "
			"--dev-certificate",
			text);
	}
	return jc_config_check_proxy(config, address, diagnostic);
}

int jc_config_check_proxy(const struct jc_config *config, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic)
{
	char text[JC_ADDRESS_TEXT];

	if (jc_address_is_loopback((const struct sockaddr *)address) || config->key_count > 0) {
		return JC_OK;
	}
	jc_address_format(address, text);
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
		"'%s' is not a loopback address, and the configuration has no key for tokens: "
		"auth { key … } in jointcastd.conf(5)",
		text);
}

bool jc_config_has_certificate(const struct jc_config *config)
{
	return config->tls.development || config->tls.certificate;
}

bool jc_config_is_edge(const struct jc_config *config)
{
	return config->cluster.nats && strcmp(config->cluster.role, "edge") == 0;
}

static int check_cluster_files(
	const struct jc_config_cluster *cluster, struct jc_diagnostic *diagnostic)
{
	if (!cluster->certificate != !cluster->key) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			cluster->certificate ? "certificate '%s' for NATS has no key"
					     : "key '%s' for NATS has no certificate",
			cluster->certificate ? cluster->certificate : cluster->key);
	}
	if ((cluster->ca || cluster->certificate) && !strstr(cluster->nats, "tls://")) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' needs TLS: a URL of NATS with tls://",
			cluster->ca ? cluster->ca : cluster->certificate);
	}
	return JC_OK;
}

static int check_cluster(const struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const struct jc_config_cluster *cluster = &config->cluster;

	if (!cluster->nats && !cluster->role) {
		return JC_OK;
	}
#ifndef JC_HAVE_NATS
	return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
		"this jointcastd was built without NATS: leave out --edge, --nats-origin and "
		"section cluster, or build it again with libnats-dev");
#endif
	if (!cluster->nats || !cluster->role) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"section cluster needs both nats and role");
	}
	if (jc_config_is_edge(config) && config->source_count + config->prop_count +
							 config->records.count +
							 config->recorded_spaces.count >
						 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"an edge has no sources, props and recordings of its own: give them to an "
			"origin");
	}
	if (jc_config_is_edge(config) && cluster->is_standby) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "an edge is no standby of an origin");
	}
	if (cluster->secret && (jc_config_is_edge(config) || !config->state)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"secret '%s' is for an origin with a state directory: --state",
			cluster->secret);
	}
	return check_cluster_files(cluster, diagnostic);
}

int jc_config_check(const struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const struct jc_config_tls *tls = &config->tls;

	if (!tls->certificate != !tls->key) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			tls->certificate ? "certificate '%s' has no key"
					 : "key '%s' has no certificate",
			tls->certificate ? tls->certificate : tls->key);
	}
	if (tls->certificate && tls->development) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"certificate '%s' and a development certificate: only one is possible",
			tls->certificate);
	}
	if (tls->development && !config->state) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"a development certificate needs a state directory: --state");
	}
	if (config->avatars.upload && !config->state) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"uploads of avatars need a state directory: --state");
	}
	int status = check_cluster(config, diagnostic);

	if (status == JC_OK && tls->listen.ss_family != AF_UNSPEC) {
		status = jc_config_check_tls(config, &tls->listen, diagnostic);
	}

	return status != JC_OK || config->proxy.listen.ss_family == AF_UNSPEC
		       ? status
		       : jc_config_check_proxy(config, &config->proxy.listen, diagnostic);
}

static bool is_loopback(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_UNSPEC ||
	       jc_address_is_loopback((const struct sockaddr *)address);
}

void jc_config_offer_skeletons(struct jc_config *config)
{
	bool is_local = is_loopback(&config->listen) && is_loopback(&config->tls.listen) &&
			config->proxy.listen.ss_family == AF_UNSPEC && config->hosts.count == 0 &&
			!getenv("LISTEN_FDS");

	for (size_t i = 0; i < config->skeleton_count; i++) {
		struct jc_config_skeleton *skeleton = &config->skeletons[i];

		skeleton->serve = skeleton->name ? skeleton->serve : is_local;
	}
}

static void warn_of_secret(const char *path, const struct jc_log *log)
{
	struct stat status;

	/* A missing file is an error of the module that reads it. */
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
		return;
	}
	if (status.st_mode & (S_IROTH | S_IWOTH | S_IWGRP)) {
		jc_log_write(log, JC_LOG_WARNING,
			"'%s' is secret, and other users can %s it: chmod 600 '%s'", path,
			status.st_mode & S_IROTH ? "read" : "write", path);
	}
}

void jc_config_warn_of_secrets(const struct jc_config *config, const struct jc_log *log)
{
	for (size_t i = 0; i < config->key_count; i++) {
		if (config->keys[i].algorithm == JC_KEY_HS256) {
			warn_of_secret(config->keys[i].path, log);
		}
	}
	if (config->tls.key && !config->tls.development) {
		warn_of_secret(config->tls.key, log);
	}
	if (config->cluster.key) {
		warn_of_secret(config->cluster.key, log);
	}
	if (config->cluster.secret) {
		warn_of_secret(config->cluster.secret, log);
	}
	if (config->cluster.credentials) {
		warn_of_secret(config->cluster.credentials, log);
	}
}
