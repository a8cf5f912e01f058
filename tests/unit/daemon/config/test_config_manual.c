/* Tests the table of configuration keys: its defaults, the reload, and the section of
 * jointcastd.conf(5) that is made from it. `test_config_manual --write` writes that section into
 * the page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_value.h"
#include "unit_test.h"

#define BEGIN ".\\\" Generated from daemon/config/config_table.c by test_config_manual --write.\n"
#define END   ".\\\" End of the generated part.\n"

enum { MOST_BYTES = 1 << 16, COLUMNS = 90 };

/* One word in roff; *x* is bold, also over several words. */
static void format_word(const char *word, size_t length, bool *is_bold, char *out)
{
	for (size_t i = 0; i < length; i++) {
		if (word[i] == '*') {
			*is_bold = !*is_bold;
			out += sprintf(out, "\\f%c", *is_bold ? 'B' : 'R');
		} else if (word[i] == '"') {
			out += sprintf(out, "\\(dq");
		} else if (word[i] == '-' &&
			   (*is_bold || i == 0 || word[i - 1] == '-' || word[i + 1] == '-')) {
			out += sprintf(out, "\\-");
		} else {
			out += sprintf(out, "%c", word[i]);
		}
	}
	*out = '\0';
}

/* Each sentence begins a line. */
static void write_text(FILE *page, const char *text)
{
	bool is_bold = false;
	size_t column = 0;

	while (*text) {
		size_t length = strcspn(text, " ");
		char word[256];

		format_word(text, length, &is_bold, word);
		if (column > 0 && column + 1 + strlen(word) > COLUMNS) {
			fputc('\n', page);
			column = 0;
		}
		column += (size_t)fprintf(page, column > 0 ? " %s" : "%s", word);
		if (length > 0 && text[length - 1] == '.') {
			fputc('\n', page);
			column = 0;
		}
		text += length + (text[length] == ' ');
	}
	if (column > 0) {
		fputc('\n', page);
	}
}

static void write_range(FILE *page, const struct jc_config_entry *entry)
{
	if (entry->type == JC_CONFIG_NUMBER) {
		fprintf(page, "From %ld to %ld%s%s.\n", entry->minimum, entry->maximum,
			entry->unit ? " " : "", entry->unit ? entry->unit : "");
	} else if (entry->unit) {
		fprintf(page, "In %s.\n", entry->unit);
	}
}

static void write_reload(FILE *page, const struct jc_config_entry *entry)
{
	if (entry->reload == JC_CONFIG_AT_START) {
		fputs("Needs a restart.\n", page);
	} else if (entry->reload == JC_CONFIG_LOWER_RELOAD) {
		fputs("A higher value needs a restart.\n", page);
	}
}

static void write_entry(FILE *page, const struct jc_config_entry *entry)
{
	const char *quote = entry->type == JC_CONFIG_PERMIT ? "\\(dq" : "";

	if (entry->initial) {
		fprintf(page, ".TP\n.BR %s \" (%s%s%s)\"\n", jc_config_entry_key(entry), quote,
			entry->initial, quote);
	} else {
		fprintf(page, ".TP\n.B%s %s%s\n", entry->is_required ? "R" : "",
			jc_config_entry_key(entry), entry->is_required ? " \" (required)\"" : "");
	}
	write_text(page, entry->help);
	write_range(page, entry);
	write_reload(page, entry);
	for (size_t i = 0; i < 2 && entry->variables[i]; i++) {
		fprintf(page, i == 0 ? "Variables: \\fB%s\\fR" : ", \\fB%s\\fR",
			entry->variables[i]);
	}
	fputs(entry->variables[0] ? ".\n" : "", page);
}

static void write_section(FILE *page, const struct jc_config_section *section)
{
	const char *dot = strchr(section->path, '.');

	fprintf(page, ".SS %s%s\n", dot ? dot + 1 : section->path,
		section->maximum > 0 ? " \\(dqTITLE\\(dq" : "");
	write_text(page, section->help);
	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		if (jc_config_entry_section(entry) == section && entry->help) {
			write_entry(page, entry);
		}
	}
}

static char *make_text(void)
{
	char *text;
	size_t length;
	FILE *page = open_memstream(&text, &length);

	assert_non_null(page);
	for (const struct jc_config_section *section = jc_config_sections; section->path;
		section++) {
		write_section(page, section);
	}
	assert_int_equal(fclose(page), 0);
	return text;
}

/* The whole page, with the generated part as it should be in *out_wanted. */
static char *read_page(char **out_wanted)
{
	char *page = calloc(1, MOST_BYTES);
	char *text = make_text();
	FILE *file = fopen(JC_PAGE, "r");

	assert_non_null(page);
	assert_non_null(file);
	assert_true(fread(page, 1, MOST_BYTES - 1, file) < MOST_BYTES - 1);
	fclose(file);

	const char *begin = strstr(page, BEGIN);
	const char *end = strstr(page, END);

	assert_non_null(begin);
	assert_non_null(end);
	begin += strlen(BEGIN);
	assert_true(asprintf(out_wanted, "%.*s%s%s", (int)(begin - page), page, text, end) > 0);
	free(text);
	return page;
}

static void manual_describes_the_table(void **)
{
	char *wanted;
	char *page = read_page(&wanted);

	if (strcmp(page, wanted) != 0) {
		fail_msg(
			"jointcastd.conf.5 differs from the table: run test_config_manual --write");
	}
	free(wanted);
	free(page);
}

static void write_page(void)
{
	char *wanted;
	char *page = read_page(&wanted);
	FILE *file = fopen(JC_PAGE, "w");

	assert_non_null(file);
	assert_true(fputs(wanted, file) >= 0);
	assert_int_equal(fclose(file), 0);
	free(wanted);
	free(page);
}

static void defaults_agree_with_the_modules(void **)
{
	const struct jc_record_settings settings = JC_RECORD_DEFAULTS;
	struct jc_config *config = calloc(1, sizeof(*config));
	struct jc_config *other = calloc(1, sizeof(*other));
	struct jc_diagnostic diagnostic = { 0 };

	assert_non_null(config);
	assert_non_null(other);
	assert_int_equal(jc_config_init(config, "/web", &diagnostic), JC_OK);
	other->recording = settings;
	jc_spaces_policy_init(&other->policy);
	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		if (strncmp(entry->path, "spaces.", 7) == 0 || entry->type == JC_CONFIG_RECORDING) {
			if (!jc_config_value_equals(entry, config, other)) {
				fail_msg("default of %s", entry->path);
			}
		}
	}
	jc_config_finish(config);
	free(config);
	free(other);
}

struct restarts {
	size_t count;
	const char *paths[16];
};

static void on_restart(void *context, const char *path)
{
	struct restarts *restarts = context;

	assert_true(restarts->count < 16);
	restarts->paths[restarts->count++] = path;
}

static void reload_names_keys_that_need_a_restart(void **)
{
	static const char *const changes[][2] = { { "server.listen", "127.0.0.1:1" },
		{ "server.web", "/other" }, { "limits.connections", "2000" },
		{ "limits.control_percent", "50" }, { "spaces.hz", "90" },
		{ "recording.keep_days", "3" } };
	struct jc_config *config = calloc(1, sizeof(*config));
	struct jc_config *next = calloc(1, sizeof(*next));
	struct jc_diagnostic diagnostic = { 0 };
	struct restarts restarts = { 0 };

	assert_int_equal(jc_config_init(config, "/web", &diagnostic), JC_OK);
	assert_int_equal(jc_config_init(next, "/web", &diagnostic), JC_OK);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		assert_int_equal(
			jc_config_set(next, changes[i][0], changes[i][1], &diagnostic), JC_OK);
	}
	assert_int_equal(jc_config_add(next, "vmc_out.target", "x", &diagnostic), JC_OK);
	assert_int_equal(jc_config_add(next, "source.uri", "demo:walk", &diagnostic), JC_OK);
	jc_config_take_over(config, next, on_restart, &restarts);
	assert_int_equal(restarts.count, 4);
	assert_string_equal(restarts.paths[0], "server.listen");
	assert_string_equal(restarts.paths[1], "limits.connections");
	assert_string_equal(restarts.paths[2], "recording.keep_days");
	assert_string_equal(restarts.paths[3], "vmc_out");
	assert_string_equal(config->web_root, "/other");
	assert_int_equal(config->connections, 1024);
	assert_int_equal(config->control_percent, 50);
	assert_int_equal(config->policy.space.hz, 90);
	assert_int_equal(config->source_count, 1);
	assert_int_equal(config->sink_count, 0);

	/* A lower number of connections takes effect at a reload. */
	assert_int_equal(jc_config_set(next, "limits.connections", "10", &diagnostic), JC_OK);
	jc_config_take_over(config, next, on_restart, &restarts);
	assert_int_equal(config->connections, 10);
	jc_config_finish(config);
	jc_config_finish(next);
	free(config);
	free(next);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(manual_describes_the_table),
		cmocka_unit_test(defaults_agree_with_the_modules),
		cmocka_unit_test(reload_names_keys_that_need_a_restart),
	};

	if (argc == 2 && strcmp(argv[1], "--write") == 0) {
		write_page();
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
