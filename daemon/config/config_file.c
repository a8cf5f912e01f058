/* Every value is judged where it stands, so that an error has its line; only a
 * file without one is copied out. */
#include "config/config_file.h"

#include <confuse.h>
#include <errno.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/nearest.h"
#include "sink/sink_target.h"
#include "source/source_uri.h"

/* libconfuse has no context for its callbacks: where their errors go while a file
 * is being read. The first is kept, it is the one with the cause. */
struct complaint {
	const char *path;
	struct jc_diagnostic first;
};

static _Thread_local struct complaint *complaint;

/* "no such option 'lissten'" ends with the key that is nearest. */
static void suggest(const cfg_t *section, char *text, size_t size)
{
	const char *names[32];
	char unknown[64];
	size_t count = 0;

	if (sscanf(text, "no such option '%63[^']'", unknown) != 1) {
		return;
	}
	for (; section->opts[count].name && count < sizeof(names) / sizeof(names[0]); count++) {
		names[count] = section->opts[count].name;
	}
	const char *nearest = jc_nearest(unknown, names, count);

	if (nearest) {
		snprintf(text, size, "no such key: '%s'; is '%s' meant?", unknown, nearest);
	} else {
		snprintf(text, size, "no such key: '%s'", unknown);
	}
}

static void on_error(cfg_t *section, const char *format, va_list arguments)
{
	char text[sizeof(complaint->first.what)];
	char where[sizeof(complaint->first.where)];

	if (complaint->first.what[0]) {
		return;
	}
	vsnprintf(text, sizeof(text), format, arguments);
	suggest(section, text, sizeof(text));
	snprintf(where, sizeof(where), "line %d of '%s'", section->line, complaint->path);
	jc_diagnose(&complaint->first, JC_ERROR_INVALID, where, "%s", text);
}

/* A value that one of our parsers refuses is an error of the file. */
static int judge(cfg_t *section, int status, const struct jc_diagnostic *diagnostic)
{
	if (status == JC_OK) {
		return 0;
	}
	cfg_error(section, "%s", diagnostic->what);
	return -1;
}

static const char *last_value(cfg_opt_t *option)
{
	return cfg_opt_getnstr(option, cfg_opt_size(option) - 1);
}

static int judge_listen(cfg_t *section, cfg_opt_t *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct sockaddr_storage address;

	return judge(section, jc_config_parse_address(last_value(option), &address, &diagnostic),
		&diagnostic);
}

/* A scheme, a host and perhaps a port, as browsers send it (RFC 6454, 7). */
static int judge_origins(cfg_t *section, cfg_opt_t *option)
{
	const char *origin = last_value(option);
	const char *host = strncmp(origin, "https://", 8) == 0  ? origin + 8
			   : strncmp(origin, "http://", 7) == 0 ? origin + 7
								: "";

	if (*host && !strpbrk(host, "/ ?#@")) {
		return 0;
	}
	cfg_error(section, "an origin is https://HOST[:PORT], not '%s'", origin);
	return -1;
}

static int judge_hosts(cfg_t *section, cfg_opt_t *option)
{
	const char *host = last_value(option);

	if (*host && !strpbrk(host, "/ ?#@:*")) {
		return 0;
	}
	cfg_error(section, "a host is a name without a port, not '%s'", host);
	return -1;
}

static int judge_connections(cfg_t *section, cfg_opt_t *option)
{
	long count = cfg_opt_getnint(option, cfg_opt_size(option) - 1);

	if (count >= 1 && count <= (long)JC_MAX_CONNECTIONS) {
		return 0;
	}
	cfg_error(section, "%s is from 1 to %u, not %ld", option->name, JC_MAX_CONNECTIONS, count);
	return -1;
}

static int judge_algorithm(cfg_t *section, cfg_opt_t *option)
{
	const char *name = last_value(option);

	if (jc_key_algorithm_find(name) >= 0) {
		return 0;
	}
	cfg_error(section, "an algorithm is HS256, RS256 or ES256, not '%s'", name);
	return -1;
}

static int judge_uri(cfg_t *section, cfg_opt_t *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_source_uri uri;

	return judge(
		section, jc_source_uri_parse(last_value(option), &uri, &diagnostic), &diagnostic);
}

static int judge_target(cfg_t *section, cfg_opt_t *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sink_target target;

	return judge(section, jc_sink_target_parse(last_value(option), &target, &diagnostic),
		&diagnostic);
}

static int judge_space_name(cfg_t *section, const char *name)
{
	if (jc_source_space_name_is_valid(name)) {
		return 0;
	}
	cfg_error(section, "not a name for a space: '%s'", name);
	return -1;
}

static int judge_space(cfg_t *section, cfg_opt_t *option)
{
	return judge_space_name(section, last_value(option));
}

static cfg_t *last_section(cfg_opt_t *option)
{
	return cfg_opt_getnsec(option, cfg_opt_size(option) - 1);
}

static int judge_space_section(cfg_t *root, cfg_opt_t *option)
{
	return judge_space_name(root, cfg_title(last_section(option)));
}

/* A section that is nothing without one of its keys. */
static int judge_has(cfg_t *root, cfg_opt_t *option, const char *key)
{
	cfg_t *section = last_section(option);

	if (cfg_getstr(section, key)) {
		return 0;
	}
	cfg_error(root, "%s '%s' has no '%s'", option->name, cfg_title(section), key);
	return -1;
}

static int judge_source_section(cfg_t *root, cfg_opt_t *option)
{
	const char *title = cfg_title(last_section(option));

	if (!*title || strlen(title) >= JC_MAX_BODY_NAME) {
		cfg_error(root, "a name has 1 to %u bytes, not '%s'", JC_MAX_BODY_NAME - 1, title);
		return -1;
	}
	return judge_has(root, option, "uri");
}

static int judge_skeleton_section(cfg_t *root, cfg_opt_t *option)
{
	return judge_has(root, option, "file");
}

static int judge_key_section(cfg_t *section, cfg_opt_t *option)
{
	return judge_has(section, option, "algorithm") == 0 ? judge_has(section, option, "file")
							    : -1;
}

static int judge_sink_section(cfg_t *root, cfg_opt_t *option)
{
	return judge_has(root, option, "target");
}

static cfg_t *make_parser(void)
{
	cfg_opt_t server[] = { CFG_STR("listen", NULL, CFGF_NODEFAULT),
		CFG_STR("web", NULL, CFGF_NODEFAULT), CFG_STR("state", NULL, CFGF_NODEFAULT),
		CFG_STR_LIST("hosts", NULL, CFGF_NODEFAULT),
		CFG_STR_LIST("origins", NULL, CFGF_NODEFAULT), CFG_END() };
	cfg_opt_t key[] = { CFG_STR("algorithm", NULL, CFGF_NODEFAULT),
		CFG_STR("file", NULL, CFGF_NODEFAULT), CFG_BOOL("revoked", cfg_false, CFGF_NONE),
		CFG_END() };
	cfg_opt_t auth[] = { CFG_STR("audience", NULL, CFGF_NODEFAULT),
		CFG_SEC("key", key, CFGF_TITLE | CFGF_MULTI), CFG_END() };
	cfg_opt_t space[] = { CFG_END() };
	cfg_opt_t skeleton[] = { CFG_STR("file", NULL, CFGF_NODEFAULT), CFG_END() };
	cfg_opt_t source[] = { CFG_STR("uri", NULL, CFGF_NODEFAULT),
		CFG_STR("space", NULL, CFGF_NODEFAULT), CFG_STR("skeleton", NULL, CFGF_NODEFAULT),
		CFG_END() };
	cfg_opt_t sink[] = { CFG_STR("target", NULL, CFGF_NODEFAULT), CFG_END() };
	cfg_opt_t limits[] = { CFG_INT("connections", 0, CFGF_NODEFAULT),
		CFG_INT("connections_per_address", 0, CFGF_NODEFAULT), CFG_END() };
	cfg_opt_t root[] = { CFG_SEC("server", server, CFGF_NONE), CFG_SEC("auth", auth, CFGF_NONE),
		CFG_SEC("limits", limits, CFGF_NONE),
		CFG_SEC("space", space, CFGF_TITLE | CFGF_MULTI),
		CFG_SEC("skeleton", skeleton, CFGF_TITLE | CFGF_MULTI),
		CFG_SEC("source", source, CFGF_TITLE | CFGF_MULTI),
		CFG_SEC("vmc_out", sink, CFGF_TITLE | CFGF_MULTI), CFG_END() };
	cfg_t *parser = cfg_init(root, CFGF_NONE); /* copies them all */

	if (!parser) {
		return NULL;
	}
	cfg_set_error_function(parser, on_error);
	cfg_set_validate_func(parser, "server|listen", judge_listen);
	cfg_set_validate_func(parser, "server|hosts", judge_hosts);
	cfg_set_validate_func(parser, "server|origins", judge_origins);
	cfg_set_validate_func(parser, "limits|connections", judge_connections);
	cfg_set_validate_func(parser, "limits|connections_per_address", judge_connections);
	cfg_set_validate_func(parser, "auth|key", judge_key_section);
	cfg_set_validate_func(parser, "auth|key|algorithm", judge_algorithm);
	cfg_set_validate_func(parser, "space", judge_space_section);
	cfg_set_validate_func(parser, "skeleton", judge_skeleton_section);
	cfg_set_validate_func(parser, "source", judge_source_section);
	cfg_set_validate_func(parser, "source|uri", judge_uri);
	cfg_set_validate_func(parser, "source|space", judge_space);
	cfg_set_validate_func(parser, "vmc_out", judge_sink_section);
	cfg_set_validate_func(parser, "vmc_out|target", judge_target);
	return parser;
}

static int parse_file(cfg_t *parser, const char *path, struct jc_diagnostic *diagnostic)
{
	/* libconfuse does not say why it cannot open a file. */
	if (access(path, R_OK) != 0) {
		return jc_diagnose(
			diagnostic, JC_ERROR_ABSENT, path, "cannot be read: %s", strerror(errno));
	}
	struct complaint own = { .path = path };

	complaint = &own;
	int result = cfg_parse(parser, path);
	complaint = NULL;
	if (result == CFG_SUCCESS) {
		return JC_OK;
	}
	if (!own.first.what[0]) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, path, "cannot be read");
	}
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, own.first.where, "%s", own.first.what);
}

static int parse_drop_ins(cfg_t *parser, const char *path, struct jc_diagnostic *diagnostic)
{
	char pattern[PATH_MAX];
	glob_t found = { 0 };
	int status = JC_OK;

	if ((size_t)snprintf(pattern, sizeof(pattern), "%s.d/*.conf", path) >= sizeof(pattern)) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, path, "the path is too long");
	}
	if (glob(pattern, GLOB_NOESCAPE, NULL, &found) == 0) {
		for (size_t i = 0; status == JC_OK && i < found.gl_pathc; i++) {
			status = parse_file(parser, found.gl_pathv[i], diagnostic);
		}
	}
	globfree(&found);
	return status;
}

static int copy_sources(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "source"); i++) {
		cfg_t *section = cfg_getnsec(parser, "source", i);
		struct jc_config_source source = { .uri = cfg_getstr(section, "uri"),
			.name = (char *)cfg_title(section),
			.space = cfg_getstr(section, "space"),
			.skeleton = cfg_getstr(section, "skeleton") };

		status = jc_config_add_source(config, &source, diagnostic);
	}
	return status;
}

static int copy_lists(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "space"); i++) {
		status = jc_config_add_space(
			config, cfg_title(cfg_getnsec(parser, "space", i)), diagnostic);
	}
	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "skeleton"); i++) {
		cfg_t *section = cfg_getnsec(parser, "skeleton", i);

		status = jc_config_add_skeleton(
			config, cfg_title(section), cfg_getstr(section, "file"), diagnostic);
	}
	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "vmc_out"); i++) {
		status = jc_config_add_sink(config,
			cfg_getstr(cfg_getnsec(parser, "vmc_out", i), "target"), diagnostic);
	}
	return status == JC_OK ? copy_sources(parser, config, diagnostic) : status;
}

static int copy_texts(cfg_t *parser, const char *key, struct jc_config_texts *texts,
	struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, key); i++) {
		status = jc_config_add_text(texts, cfg_getnstr(parser, key, i), diagnostic);
	}
	return status;
}

static int copy_keys(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "auth|key"); i++) {
		cfg_t *section = cfg_getnsec(parser, "auth|key", i);
		struct jc_config_key key = { .id = (char *)cfg_title(section),
			.algorithm = (enum jc_key_algorithm)jc_key_algorithm_find(
				cfg_getstr(section, "algorithm")),
			.path = cfg_getstr(section, "file"),
			.revoked = cfg_getbool(section, "revoked") };

		status = jc_config_add_key(config, &key, diagnostic);
	}
	return status;
}

static void copy_limits(cfg_t *parser, struct jc_config *config)
{
	if (cfg_size(parser, "limits|connections") > 0) {
		config->connections = (unsigned)cfg_getint(parser, "limits|connections");
	}
	if (cfg_size(parser, "limits|connections_per_address") > 0) {
		config->connections_per_address =
			(unsigned)cfg_getint(parser, "limits|connections_per_address");
	}
}

/* What decides who may come in. */
static int copy_access(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const char *audience = cfg_getstr(parser, "auth|audience");
	int status = copy_texts(parser, "server|hosts", &config->hosts, diagnostic);

	if (status == JC_OK) {
		status = copy_texts(parser, "server|origins", &config->origins, diagnostic);
	}
	if (status == JC_OK && audience) {
		status = jc_config_set_audience(config, audience, diagnostic);
	}
	return status == JC_OK ? copy_keys(parser, config, diagnostic) : status;
}

/* Every skeleton that a source names is one that the file has. */
static int judge_names(
	const struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	const char *names[JC_MAX_SKELETONS];

	for (size_t i = 0; i < config->skeleton_count; i++) {
		names[i] = config->skeletons[i].name;
	}
	for (size_t i = 0; i < config->source_count; i++) {
		const struct jc_config_source *source = &config->sources[i];

		if (!source->skeleton ||
			jc_is_among(source->skeleton, names, config->skeleton_count)) {
			continue;
		}
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, path,
			"source '%s' wears skeleton '%s', which there is not", source->name,
			source->skeleton);
	}
	return JC_OK;
}

static int copy_out(
	cfg_t *parser, struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	const char *listen = cfg_getstr(parser, "server|listen");
	const char *web_root = cfg_getstr(parser, "server|web");
	const char *state = cfg_getstr(parser, "server|state");
	int status = copy_lists(parser, config, diagnostic);

	copy_limits(parser, config);
	if (status == JC_OK) {
		status = copy_access(parser, config, diagnostic);
	}
	if (status == JC_OK && listen) {
		status = jc_config_parse_address(listen, &config->listen, diagnostic);
	}
	if (status == JC_OK && state) {
		status = jc_config_set_state(config, state, diagnostic);
	}
	if (status == JC_OK && web_root) {
		status = jc_config_set_web_root(config, web_root, diagnostic);
	}
	return status == JC_OK ? judge_names(config, path, diagnostic) : status;
}

int jc_config_file_read(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	cfg_t *parser = make_parser();

	if (!parser) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	int status = parse_file(parser, path, diagnostic);

	if (status == JC_OK) {
		status = parse_drop_ins(parser, path, diagnostic);
	}
	if (status == JC_OK) {
		status = copy_out(parser, config, path, diagnostic);
	}
	cfg_free(parser);
	return status;
}
