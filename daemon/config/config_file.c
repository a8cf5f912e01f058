/* Reads the configuration file with libconfuse: its parser is made from the table, each value
 * is checked where it stands, so that an error has its line, and values are stored only after
 * the whole file has been read. */
#include "config/config_file.h"

#include <confuse.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config_value.h"
#include "config/nearest.h"

/* Maxima of the table. */
enum { MOST_SECTIONS = 15, MOST_KEYS = 15 };

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

/* Adds the most similar key to "no such option 'lissten'". */
static void suggest(const cfg_t *section, char *text, size_t size)
{
	const char *names[MOST_KEYS];
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
	char text[sizeof(reading->first.what)];
	char where[sizeof(reading->first.where)];

	if (reading->first.what[0]) {
		return;
	}
	vsnprintf(text, sizeof(text), format, arguments);
	suggest(section, text, sizeof(text));
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

/* Checks all sections of a name: a section that replaces an earlier one is not the last. */
static int check_sections(cfg_t *parent, cfg_opt_t *option)
{
	const struct jc_config_section *section = section_of(option->name);
	struct jc_diagnostic diagnostic = { 0 };

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

static cfg_t *make_parser(void)
{
	cfg_opt_t root[MOST_SECTIONS + 1] = { CFG_END() };
	cfg_opt_t options[MOST_SECTIONS][MOST_KEYS + 1] = { { CFG_END() } };
	const struct jc_config_section *all = jc_config_sections;

	for (size_t i = 0; all[i].path; i++) {
		const char *name = name_of(&all[i]);
		cfg_flag_t flags = all[i].maximum > 0 ? CFGF_TITLE | CFGF_MULTI : CFGF_NONE;

		/* A section inside a section follows it. */
		add_option(name == all[i].path ? root : options[i - 1],
			(cfg_opt_t)CFG_SEC(name, options[i], flags));
		add_keys(options[i], &all[i]);
	}

	cfg_t *parser = cfg_init(root, CFGF_NONE); /* copies the options */

	if (!parser) {
		return NULL;
	}
	cfg_set_error_function(parser, on_error);
	for (; all->path; all++) {
		set_check(parser, all->path, check_sections);
	}
	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		set_check(parser, entry->path, check_value);
	}
	return parser;
}

static int parse_file(cfg_t *parser, const char *path, struct jc_diagnostic *diagnostic)
{
	/* libconfuse does not report why it cannot open a file. */
	if (access(path, R_OK) != 0) {
		return jc_diagnose(
			diagnostic, JC_ERROR_ABSENT, path, "cannot be read: %s", strerror(errno));
	}
	reading = calloc(1, sizeof(*reading));
	if (!reading) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	reading->path = path;
	int result = cfg_parse(parser, path);
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
		status = check_names(config, path, diagnostic);
	}
	cfg_free(parser);
	return status;
}
