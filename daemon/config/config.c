/* Copies in, copies out of the way. */
#include "config/config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "base/address.h"

static int no_memory(struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

static int too_many(struct jc_diagnostic *diagnostic, const char *what, size_t most)
{
	return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "more than %zu %s", most, what);
}

/* A copy of a text that may be NULL. False: out of memory. */
static bool copy(const char *text, char **out_copy)
{
	*out_copy = text ? strdup(text) : NULL;
	return !text || *out_copy;
}

int jc_config_init(struct jc_config *config, const char *web_root, struct jc_diagnostic *diagnostic)
{
	*config = (struct jc_config){ .connections = JC_CONFIG_CONNECTIONS,
		.connections_per_address = JC_CONFIG_CONNECTIONS_PER_ADDRESS,
		.connections_per_subject = JC_CONFIG_CONNECTIONS_PER_SUBJECT,
		.bodies_per_person = JC_CONFIG_BODIES_PER_PERSON,
		.control_percent = JC_CONFIG_CONTROL_PERCENT,
		.control_percent_per_address = JC_CONFIG_CONTROL_PERCENT_PER_ADDRESS,
		.control_percent_per_client = JC_CONFIG_CONTROL_PERCENT_PER_CLIENT,
		.rewind_bytes = JC_CONFIG_REWIND_BYTES,
		.recording = JC_RECORD_DEFAULTS };
	jc_spaces_policy_init(&config->policy);
	jc_address_parse("127.0.0.1:9871", &config->listen);
	int status = jc_config_set_web_root(config, web_root, diagnostic);

	return status == JC_OK ? jc_config_set_audience(config, "jointcast", diagnostic) : status;
}

static void finish_texts(struct jc_config_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++) {
		free(texts->texts[i]);
	}
}

static void finish_source(struct jc_config_source *source)
{
	free(source->uri);
	free(source->name);
	free(source->space);
	free(source->skeleton);
}

void jc_config_finish(struct jc_config *config)
{
	free(config->tls.certificate);
	free(config->tls.key);
	free(config->web_root);
	free(config->state);
	free(config->audience);
	finish_texts(&config->hosts);
	finish_texts(&config->origins);
	finish_texts(&config->recorded_spaces);
	for (size_t i = 0; i < config->key_count; i++) {
		free(config->keys[i].id);
		free(config->keys[i].path);
	}
	for (size_t i = 0; i < config->space_count; i++) {
		free(config->spaces[i]->name);
		free(config->spaces[i]);
	}
	for (size_t i = 0; i < config->skeleton_count; i++) {
		free(config->skeletons[i].name);
		free(config->skeletons[i].path);
	}
	for (size_t i = 0; i < config->source_count; i++) {
		finish_source(&config->sources[i]);
	}
	for (size_t i = 0; i < config->sink_count; i++) {
		free(config->sinks[i]);
	}
	for (size_t i = 0; i < config->record_count; i++) {
		free(config->records[i]);
	}
	*config = (struct jc_config){ 0 };
}

int jc_config_parse_address(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic)
{
	if (!jc_address_parse(text, out_address)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' is not an address: 127.0.0.1:9871 or [::1]:9871", text);
	}
	return JC_OK;
}

int jc_config_parse_loopback(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic)
{
	struct sockaddr_storage address;
	int status = jc_config_parse_address(text, &address, diagnostic);

	if (status == JC_OK) {
		status = jc_config_judge_plain(&address, diagnostic);
	}
	if (status == JC_OK) {
		*out_address = address;
	}
	return status;
}

int jc_config_judge_plain(const struct sockaddr_storage *address, struct jc_diagnostic *diagnostic)
{
	char text[JC_ADDRESS_TEXT];

	if (jc_address_is_loopback((const struct sockaddr *)address)) {
		return JC_OK;
	}
	jc_address_format(address, text);
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
		"'%s' is not a loopback address: others are listened on with TLS (--tls-listen) "
		"and keys, or for a proxy that speaks it (--proxy-listen)",
		text);
}

int jc_config_judge_tls(const struct jc_config *config, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic)
{
	char text[JC_ADDRESS_TEXT];

	jc_address_format(address, text);
	if (!jc_config_has_certificate(config)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' is to speak TLS, and there is no certificate: --certificate and "
			"--key, or --dev-certificate",
			text);
	}
	return jc_config_judge_proxy(config, address, diagnostic);
}

int jc_config_judge_proxy(const struct jc_config *config, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic)
{
	char text[JC_ADDRESS_TEXT];

	if (jc_address_is_loopback((const struct sockaddr *)address) || config->key_count > 0) {
		return JC_OK;
	}
	jc_address_format(address, text);
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
		"'%s' is not a loopback address, and there is no key that says who may "
		"come in: auth { key … } in jointcastd.conf(5)",
		text);
}

int jc_config_parse_admin(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic)
{
	struct sockaddr_storage address = { .ss_family = AF_UNIX };
	struct sockaddr_un *un = (struct sockaddr_un *)&address;

	if (strncmp(text, "unix:", 5) != 0) {
		return jc_config_parse_loopback(text, out_address, diagnostic);
	}
	if (text[5] != '/' || strlen(text + 5) >= sizeof(un->sun_path)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' is not an address: unix:/PATH of at most %zu bytes", text,
			sizeof(un->sun_path) - 1);
	}
	strcpy(un->sun_path, text + 5);
	*out_address = address;
	return JC_OK;
}

bool jc_config_has_certificate(const struct jc_config *config)
{
	return config->tls.development || config->tls.certificate;
}

int jc_config_judge(const struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const struct jc_config_tls *tls = &config->tls;

	if (!tls->certificate != !tls->key) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"a certificate and its key go together: '%s' is there alone",
			tls->certificate ? tls->certificate : tls->key);
	}
	if (tls->certificate && tls->development) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' and a certificate for development: one of the two", tls->certificate);
	}
	if (tls->development && !config->state) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"a certificate for development is kept in the state directory: --state");
	}
	int status = tls->listen.ss_family == AF_UNSPEC
			     ? JC_OK
			     : jc_config_judge_tls(config, &tls->listen, diagnostic);

	return status != JC_OK || config->proxy.listen.ss_family == AF_UNSPEC
		       ? status
		       : jc_config_judge_proxy(config, &config->proxy.listen, diagnostic);
}

static int set_text(char **text, const char *value, struct jc_diagnostic *diagnostic)
{
	char *own = strdup(value);

	if (!own) {
		return no_memory(diagnostic);
	}
	free(*text);
	*text = own;
	return JC_OK;
}

int jc_config_parse_connections(
	const char *text, unsigned *out_count, struct jc_diagnostic *diagnostic)
{
	char *end;
	unsigned long count = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;

	if (count == 0 || *end || count > JC_MAX_CONNECTIONS) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"connections are a number from 1 to %u, not '%s'", JC_MAX_CONNECTIONS,
			text);
	}
	*out_count = (unsigned)count;
	return JC_OK;
}

int jc_config_set_web_root(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	return set_text(&config->web_root, path, diagnostic);
}

int jc_config_set_certificate(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	return set_text(&config->tls.certificate, path, diagnostic);
}

int jc_config_set_key(struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	return set_text(&config->tls.key, path, diagnostic);
}

int jc_config_set_state(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	return set_text(&config->state, path, diagnostic);
}

int jc_config_set_audience(
	struct jc_config *config, const char *audience, struct jc_diagnostic *diagnostic)
{
	return set_text(&config->audience, audience, diagnostic);
}

int jc_config_add_text(
	struct jc_config_texts *texts, const char *text, struct jc_diagnostic *diagnostic)
{
	if (texts->count == JC_MAX_CONFIG_TEXTS) {
		return too_many(diagnostic, "names in a list", JC_MAX_CONFIG_TEXTS);
	}
	if (!copy(text, &texts->texts[texts->count])) {
		return no_memory(diagnostic);
	}
	texts->count++;
	return JC_OK;
}

int jc_config_add_key(
	struct jc_config *config, const struct jc_config_key *key, struct jc_diagnostic *diagnostic)
{
	struct jc_config_key own = { .algorithm = key->algorithm, .revoked = key->revoked };

	if (config->key_count == JC_MAX_CONFIG_KEYS) {
		return too_many(diagnostic, "keys", JC_MAX_CONFIG_KEYS);
	}
	if (!copy(key->id, &own.id) || !copy(key->path, &own.path)) {
		free(own.id);
		return no_memory(diagnostic);
	}
	config->keys[config->key_count++] = own;
	return JC_OK;
}

int jc_config_add_space(struct jc_config *config, const char *name,
	const struct jc_space_policy *policy, struct jc_diagnostic *diagnostic)
{
	if (config->space_count == JC_MAX_SPACES) {
		return too_many(diagnostic, "spaces", JC_MAX_SPACES);
	}
	struct jc_config_space *space = malloc(sizeof(*space));

	if (!space || !copy(name, &space->name)) {
		free(space);
		return no_memory(diagnostic);
	}
	space->policy = *policy;
	config->spaces[config->space_count++] = space;
	return JC_OK;
}

const struct jc_space_policy *jc_config_space_policy(
	const struct jc_config *config, const char *name)
{
	for (size_t i = 0; i < config->space_count; i++) {
		if (strcmp(config->spaces[i]->name, name) == 0) {
			return &config->spaces[i]->policy;
		}
	}
	return &config->policy.space;
}

size_t jc_config_cut_index(char *text)
{
	char *hash = strrchr(text, '#');
	size_t digits = hash ? strspn(hash + 1, "0123456789") : 0;

	if (digits == 0 || digits >= 7 || hash[1 + digits] != '\0') {
		return 0;
	}
	*hash = '\0';
	return (size_t)strtoul(hash + 1, NULL, 10);
}

int jc_config_add_skeleton(struct jc_config *config, const char *name, const char *text,
	struct jc_diagnostic *diagnostic)
{
	struct jc_config_skeleton skeleton = { 0 };

	if (config->skeleton_count == JC_MAX_SKELETONS) {
		return too_many(diagnostic, "skeletons", JC_MAX_SKELETONS);
	}
	if (!copy(name, &skeleton.name) || !copy(text, &skeleton.path)) {
		free(skeleton.name);
		return no_memory(diagnostic);
	}
	skeleton.index = jc_config_cut_index(skeleton.path);
	config->skeletons[config->skeleton_count++] = skeleton;
	return JC_OK;
}

int jc_config_add_source(struct jc_config *config, const struct jc_config_source *source,
	struct jc_diagnostic *diagnostic)
{
	struct jc_config_source own = { 0 };

	if (config->source_count == JC_MAX_SOURCES) {
		return too_many(diagnostic, "sources", JC_MAX_SOURCES);
	}
	if (!copy(source->uri, &own.uri) || !copy(source->name, &own.name) ||
		!copy(source->space, &own.space) || !copy(source->skeleton, &own.skeleton)) {
		finish_source(&own);
		return no_memory(diagnostic);
	}
	config->sources[config->source_count++] = own;
	return JC_OK;
}

int jc_config_add_sink(
	struct jc_config *config, const char *target, struct jc_diagnostic *diagnostic)
{
	if (config->sink_count == JC_MAX_SINKS) {
		return too_many(diagnostic, "times --vmc-out", JC_MAX_SINKS);
	}
	if (!copy(target, &config->sinks[config->sink_count])) {
		return no_memory(diagnostic);
	}
	config->sink_count++;
	return JC_OK;
}

int jc_config_add_record(
	struct jc_config *config, const char *target, struct jc_diagnostic *diagnostic)
{
	if (config->record_count == JC_MAX_RECORDERS) {
		return too_many(diagnostic, "times --record", JC_MAX_RECORDERS);
	}
	if (!copy(target, &config->records[config->record_count])) {
		return no_memory(diagnostic);
	}
	config->record_count++;
	return JC_OK;
}
