/* Reads the configuration file with libconfuse, whose parser is made from the table. Each file is
 * parsed twice: alone, where each value is checked at its line, and together with the files before
 * it, whose values it replaces. Values are stored only after all files have been read. */
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

#include "base/file.h"
#include "config/config_value.h"
#include "config/nearest.h"

/* Maxima of the table. */
enum { MOST_SECTIONS = 20, MOST_KEYS = 20 };

#define MOST_BYTES (1u << 20) /* of a file */

/* libconfuse takes the end of the file for the end of all open sections. A key that exists only
 * outside of sections, appended to the file, is unknown where a section is still open, and not
 * found where a comment is. */
#define END_KEY "jointcast_end_of_file"

/* Where a value is stored while it is checked; all zeros between two checks. */
union scratch {
	struct jc_config config;
	struct jc_config_key key;
	struct jc_config_space space;
	struct jc_config_skeleton skeleton;
	struct jc_config_source source;
	struct jc_config_sink sink;
};

/* The file that is being read. libconfuse passes no context to its callbacks. */
struct reading {
	const char *path;
	struct jc_diagnostic first; /* later errors are consequences of the first */
	union scratch scratch;
};

static _Thread_local struct reading *reading;

/* Writes some errors of libconfuse in the terms of the configuration: names the open section
 * instead of END_KEY, and adds the most similar key to "no such option 'lissten'". */
static void rephrase(const cfg_t *section, char *text, size_t size)
{
	const char *names[MOST_KEYS];
	char unknown[64];
	size_t count = 0;

	if (sscanf(text, "found duplicate title '%63[^']'", unknown) == 1) {
		snprintf(text, size, "a section with the title '%s' exists twice in this file",
			unknown);
		return;
	}
	if (sscanf(text, "no such option '%63[^']'", unknown) != 1) {
		return;
	}
	if (strcmp(unknown, END_KEY) == 0) {
		const char *title = cfg_title((cfg_t *)section);

		snprintf(text, size, "section '%s'%s%s%s is not closed: a '}' is missing",
			section->name, title ? " with the title '" : "", title ? title : "",
			title ? "'" : "");
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
	char text[sizeof(reading->first.what)];
	char where[sizeof(reading->first.where)];

	if (reading->first.what[0]) {
		return;
	}
	vsnprintf(text, sizeof(text), format, arguments);
	rephrase(section, text, sizeof(text));
	snprintf(where, sizeof(where), "line %d of '%s'", section->line, reading->path);
	jc_diagnose(&reading->first, JC_ERROR_INVALID, where, "%s", text);
}

/* The last part of the path. */
static const char *name_of(const struct jc_config_section *section)
{
	const char *dot = strchr(section->path, '.');

	return dot ? dot + 1 : section->path;
}

static bool is_in(const struct jc_config_entry *entry, const char *section)
{
	return strcmp(name_of(jc_config_entry_section(entry)), section) == 0;
}

/* The entry of a key; libconfuse knows only the last part of a section's path. */
static const struct jc_config_entry *entry_of(const char *section, const char *key)
{
	const struct jc_config_entry *entry = jc_config_entries;

	while (!is_in(entry, section) || strcmp(jc_config_entry_key(entry), key) != 0) {
		entry++;
	}
	return entry;
}

/* Replaces what `base` has by the value of the file. */
static int take_value(const struct jc_config_entry *entry, cfg_opt_t *option, void *base,
	struct jc_diagnostic *diagnostic)
{
	unsigned count = cfg_opt_size(option);
	unsigned i = count > 0 && !jc_config_entry_is_list(entry) ? count - 1 : 0;
	int status = JC_OK;

	if (count > 0) {
		jc_config_value_finish(entry, base);
	}
	for (; status == JC_OK && i < count; i++) {
		status = jc_config_value_read(entry, cfg_opt_getnstr(option, i), base, diagnostic);
	}
	return status;
}

static int check_value(cfg_t *section, cfg_opt_t *option)
{
	const struct jc_config_entry *entry = entry_of(section->name, option->name);
	struct jc_diagnostic diagnostic = { 0 };
	int status = take_value(entry, option, &reading->scratch, &diagnostic);

	jc_config_value_finish(entry, &reading->scratch);
	memset(&reading->scratch, 0, sizeof(reading->scratch));
	if (status == JC_OK) {
		return 0;
	}
	cfg_error(section, "%s", diagnostic.what);
	return -1;
}

/* Reports a required key that a section lacks. */
static int check_keys(cfg_t *parent, cfg_t *section)
{
	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		const char *key = jc_config_entry_key(entry);
		const char *title = cfg_title(section);

		if (!entry->is_required || !is_in(entry, section->name) ||
			cfg_size(section, key) > 0) {
			continue;
		}
		cfg_error(parent, title ? "%s '%s' has no '%s'" : "%s%s has no '%s'", section->name,
			title ? title : "", key);
		return -1;
	}
	return 0;
}

static const struct jc_config_section *section_of(const char *name)
{
	const struct jc_config_section *section = jc_config_sections;

	while (strcmp(name_of(section), name) != 0) {
		section++;
	}
	return section;
}

/* Checks all sections of a name in one file. */
static int check_sections(cfg_t *parent, cfg_opt_t *option)
{
	const struct jc_config_section *section = section_of(option->name);
	struct jc_diagnostic diagnostic = { 0 };

	if (section->maximum == 0 && cfg_opt_size(option) > 1) {
		cfg_error(parent, "section '%s' exists twice in this file", option->name);
		return -1;
	}
	for (unsigned i = 0; i < cfg_opt_size(option); i++) {
		cfg_t *own = cfg_opt_getnsec(option, i);

		if (section->check_title &&
			section->check_title(cfg_title(own), &diagnostic) != JC_OK) {
			cfg_error(parent, "%s", diagnostic.what);
			return -1;
		}
		if (check_keys(parent, own) != 0) {
			return -1;
		}
	}
	return 0;
}

/* Adds an option to an array that ends with CFG_END(). */
static void add_option(cfg_opt_t *options, cfg_opt_t option)
{
	while (options->name) {
		options++;
	}
	options[0] = option;
}

static void add_keys(cfg_opt_t *options, const struct jc_config_section *section)
{
	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		const char *key = jc_config_entry_key(entry);

		if (jc_config_entry_section(entry) == section) {
			add_option(options,
				jc_config_entry_is_list(entry)
					? (cfg_opt_t)CFG_STR_LIST(key, NULL, CFGF_NODEFAULT)
					: (cfg_opt_t)CFG_STR(key, NULL, CFGF_NODEFAULT));
		}
	}
}

static void set_check(cfg_t *parser, const char *path, cfg_validate_callback_t check)
{
	char name[64];

	snprintf(name, sizeof(name), "%s", path);
	for (char *dot = name; (dot = strchr(dot, '.')); dot++) {
		*dot = '|';
	}
	cfg_set_validate_func(parser, name, check);
}

static void set_checks(cfg_t *parser)
{
	for (const struct jc_config_section *section = jc_config_sections; section->path;
		section++) {
		set_check(parser, section->path, check_sections);
	}
	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		set_check(parser, entry->path, check_value);
	}
}

/* is_single: for one file, with checks; else later files replace values of earlier ones. */
static cfg_t *make_parser(bool is_single)
{
	const cfg_flag_t titled = CFGF_TITLE | CFGF_MULTI | (is_single ? CFGF_NO_TITLE_DUPES : 0);
	const cfg_flag_t untitled = is_single ? CFGF_MULTI : CFGF_NONE; /* the check counts them */
	cfg_opt_t root[MOST_SECTIONS + 2] = { CFG_END() };
	cfg_opt_t options[MOST_SECTIONS][MOST_KEYS + 1] = { { CFG_END() } };
	const struct jc_config_section *all = jc_config_sections;

	for (size_t i = 0; all[i].path; i++) {
		const char *name = name_of(&all[i]);

		assert(i < MOST_SECTIONS);
		/* A section inside a section follows it. */
		add_option(name == all[i].path ? root : options[i - 1],
			(cfg_opt_t)CFG_SEC(
				name, options[i], all[i].maximum > 0 ? titled : untitled));
		add_keys(options[i], &all[i]);
	}
	if (is_single) {
		add_option(root, (cfg_opt_t)CFG_STR(END_KEY, NULL, CFGF_NODEFAULT));
	}

	cfg_t *parser = cfg_init(root, CFGF_NONE); /* copies the options */

	if (parser) {
		cfg_set_error_function(parser, on_error);
		if (is_single) {
			set_checks(parser);
		}
	}
	return parser;
}

/* Returns JC_OK, or an error with the diagnostic of the first error filled. */
static int parse_text(
	cfg_t *parser, const char *text, const char *path, struct jc_diagnostic *diagnostic)
{
	reading = calloc(1, sizeof(*reading));
	if (!reading) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	reading->path = path;
	int result = cfg_parse_buf(parser, text);
	struct jc_diagnostic first = reading->first;

	free(reading);
	reading = NULL;
	if (result == CFG_SUCCESS) {
		return JC_OK;
	}
	return first.what[0]
		       ? jc_diagnose(diagnostic, JC_ERROR_INVALID, first.where, "%s", first.what)
		       : jc_diagnose(diagnostic, JC_ERROR_INVALID, path, "cannot be read");
}

/* Checks a file by itself. */
static int check_text(const char *text, const char *path, struct jc_diagnostic *diagnostic)
{
	cfg_t *parser = make_parser(true);
	char *whole = NULL;
	int status;

	if (!parser || asprintf(&whole, "%s\n" END_KEY " = true\n", text) < 0) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	status = parse_text(parser, whole, path, diagnostic);
	if (status == JC_OK && cfg_size(parser, END_KEY) != 1) {
		status = jc_diagnose(
			diagnostic, JC_ERROR_INVALID, path, "the last comment is not closed");
	}
	free(whole);
out:
	if (parser) {
		cfg_free(parser);
	}
	return status;
}

static int parse_file(cfg_t *parser, const char *path, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	char *text;
	size_t length;

	if (access(path, R_OK) != 0) {
		return jc_diagnose(
			diagnostic, JC_ERROR_ABSENT, path, "cannot be read: %s", strerror(errno));
	}
	int status = jc_file_read(path, MOST_BYTES, &text, &length, &reason);

	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, path, "%s", reason.what);
	}
	status = strlen(text) == length
			 ? check_text(text, path, diagnostic)
			 : jc_diagnose(diagnostic, JC_ERROR_INVALID, path, "contains a zero byte");
	if (status == JC_OK) {
		status = parse_text(parser, text, path, diagnostic);
	}
	free(text);
	return status;
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

static bool has_skeleton(const struct jc_config *config, const char *name)
{
	for (size_t i = 0; i < config->skeleton_count; i++) {
		if (strcmp(config->skeletons[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

/* The file contains each skeleton that a source names. */
static int check_names(
	const struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	for (size_t i = 0; i < config->source_count; i++) {
		const struct jc_config_source *source = &config->sources[i];

		if (source->skeleton && !has_skeleton(config, source->skeleton)) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, path,
				"source '%s' uses skeleton '%s', which does not exist",
				source->name, source->skeleton);
		}
	}
	return JC_OK;
}

static int take_values(cfg_t *from, const struct jc_config_section *section, void *base,
	struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		if (status == JC_OK && jc_config_entry_section(entry) == section) {
			status = take_value(entry, cfg_getopt(from, jc_config_entry_key(entry)),
				base, diagnostic);
		}
	}
	return status;
}

static int take_section(cfg_t *parser, const struct jc_config_section *section,
	struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const char *name = name_of(section);
	cfg_t *parent = name == section->path ? parser : cfg_getsec(parser, (section - 1)->path);
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parent, name); i++) {
		cfg_t *own = cfg_getnsec(parent, name, i);
		void *base = config;

		if (section->maximum > 0) {
			status = jc_config_add_element(
				config, section, cfg_title(own), &base, diagnostic);
		}
		if (status == JC_OK) {
			status = take_values(own, section, base, diagnostic);
		}
	}
	return status;
}

/* Each value is valid, so the only errors are too many sections and no memory, without a
 * line. */
static int take_sections(
	cfg_t *parser, struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	int status = JC_OK;

	for (const struct jc_config_section *section = jc_config_sections;
		section->path && status == JC_OK; section++) {
		status = take_section(parser, section, config, &reason);
	}
	return status == JC_OK ? JC_OK : jc_diagnose(diagnostic, status, path, "%s", reason.what);
}

int jc_config_file_read(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic)
{
	cfg_t *parser = make_parser(false);

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
		status = check_names(config, path, diagnostic);
	}
	cfg_free(parser);
	return status;
}
