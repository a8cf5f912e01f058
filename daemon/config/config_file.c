/* Every value is judged where it stands, so that an error has its line; only of a
 * file without one do the sections take what is theirs. */
#include "config/config_file.h"

#include <assert.h>
#include <confuse.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/nearest.h"
#include "config/section.h"

/* libconfuse has no context for its callbacks: where their errors go while a file
 * is being read. The first is kept, it is the one with the cause. */
struct complaint {
	const char *path;
	struct jc_diagnostic first;
};

enum { MOST_SECTIONS = 31 };

static _Thread_local struct complaint *complaint;

/* "no such option 'lissten'" ends with the key that is nearest. */
static void suggest(const cfg_t *section, char *text, size_t size)
{
	const char *names[MOST_SECTIONS + 1];
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

static cfg_t *make_parser(void)
{
	cfg_opt_t root[MOST_SECTIONS + 1] = { 0 };
	size_t count = 0;

	for (; jc_sections[count]; count++) {
		assert(count < MOST_SECTIONS);
		root[count] = (cfg_opt_t)CFG_SEC(jc_sections[count]->name,
			(cfg_opt_t *)jc_sections[count]->keys, jc_sections[count]->flags);
	}
	root[count] = (cfg_opt_t)CFG_END();

	cfg_t *parser = cfg_init(root, CFGF_NONE); /* copies them all */

	if (!parser) {
		return NULL;
	}
	cfg_set_error_function(parser, on_error);
	for (size_t i = 0; i < count; i++) {
		const struct jc_section_judge *judge = jc_sections[i]->judges;

		for (; judge && judge->path; judge++) {
			cfg_set_validate_func(parser, judge->path, judge->judge);
		}
	}
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

/* No value is wrong by itself any more, so an error has no line: more of something than
 * there is room for. */
static int take_sections(
	cfg_t *parser, struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	int status = JC_OK;

	for (size_t i = 0; status == JC_OK && jc_sections[i]; i++) {
		status = jc_sections[i]->take(parser, config, &reason);
	}
	return status == JC_OK ? JC_OK : jc_diagnose(diagnostic, status, path, "%s", reason.what);
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
		status = take_sections(parser, config, path, diagnostic);
	}
	if (status == JC_OK) {
		status = judge_names(config, path, diagnostic);
	}
	cfg_free(parser);
	return status;
}
