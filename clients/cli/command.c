/* Reads the part of the command line that follows the name of a command. */
#include "command.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"

int jc_command_misuse(const struct jc_command *command, const char *format, ...)
{
	char what[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	return jc_report(
		JC_EXIT_USAGE, command->name, "%s; see 'jointcast %s --help'", what, command->name);
}

/* Reads a number that ends at the character `end` or at the NUL. strtod alone accepts forms that
 * are probably typing mistakes. */
static bool parse_prefix(const char *text, char end, double *out_value, const char **out_rest)
{
	char *rest;
	double value;

	/* Refuses leading blanks, "nan", "inf" and hexadecimal. */
	if (!isdigit((unsigned char)text[0]) && !strchr("+-.", text[0])) {
		return false;
	}
	if (strspn(text, "+-.0123456789eE") < strcspn(text, (const char[]){ end, '\0' })) {
		return false;
	}
	value = strtod(text, &rest);
	if (rest == text || !isfinite(value) || (*rest && *rest != end)) {
		return false;
	}
	*out_value = value;
	*out_rest = rest;
	return true;
}

bool jc_command_parse_number(const char *text, double *out_value)
{
	const char *rest;

	return parse_prefix(text, '\0', out_value, &rest);
}

bool jc_command_parse_count(const char *text, size_t maximum, size_t *out_count)
{
	unsigned long long value;
	char *rest;

	if (!isdigit((unsigned char)text[0])) {
		return false;
	}
	errno = 0;
	value = strtoull(text, &rest, 10);
	if (errno || *rest || value > maximum) {
		return false;
	}
	*out_count = (size_t)value;
	return true;
}

bool jc_command_parse_list(const char *text, double **out_values, size_t *out_count)
{
	size_t capacity = 1;
	size_t count = 0;
	double *values;

	for (const char *c = text; *c; c++) {
		capacity += *c == ',';
	}
	values = calloc(capacity, sizeof(*values));
	if (!values) {
		return false;
	}
	for (;;) {
		if (!parse_prefix(text, ',', &values[count], &text)) {
			free(values);
			return false;
		}
		count++;
		if (!*text) {
			break;
		}
		text++;
	}
	*out_values = values;
	*out_count = count;
	return true;
}

static int misread_number(const struct jc_command *command, const struct jc_option *option)
{
	return jc_command_misuse(command, "--%s '%.80s' is not a number from %.10g to %.10g",
		option->name, optarg, option->least, option->most);
}

static int read_number(
	const struct jc_command *command, const struct jc_option *option, double *out_value)
{
	double value;
	bool is_number = jc_command_parse_number(optarg, &value) && value <= option->most;

	if (option->kind == JC_OPTION_RATE && (!is_number || value <= 0.0)) {
		return jc_command_misuse(command,
			"--%s '%.80s' is not a number above 0 and up to %g", option->name, optarg,
			option->most);
	}
	if (!is_number || value < option->least) {
		return misread_number(command, option);
	}
	*out_value = value;
	return JC_EXIT_DONE;
}

static int read_value(const struct jc_command *command, const struct jc_option *option, void *field)
{
	static const size_t index_maximum = 1u << 20;
	double value = 0.0;
	size_t count;
	int status;

	switch (option->kind) {
	case JC_OPTION_FLAG:
		*(bool *)field = true;
		return JC_EXIT_DONE;
	case JC_OPTION_TEXT:
		*(const char **)field = optarg;
		return JC_EXIT_DONE;
	case JC_OPTION_INDEX:
		return jc_command_parse_count(optarg, index_maximum, field)
			       ? JC_EXIT_DONE
			       : jc_command_misuse(command, "--%s '%.80s' is not an index",
					 option->name, optarg);
	case JC_OPTION_COUNT:
		if (!jc_command_parse_count(optarg, (size_t)option->most, &count) ||
			count < (size_t)option->least) {
			return misread_number(command, option);
		}
		*(size_t *)field = count;
		return JC_EXIT_DONE;
	case JC_OPTION_NUMBER:
	case JC_OPTION_RATE:
		return read_number(command, option, field);
	case JC_OPTION_FLOAT:
		status = read_number(command, option, &value);
		*(float *)field = (float)value;
		return status;
	default:
		return option->read(command, option->name, field);
	}
}

#define OPTIONS_MOST 32
#define LONG_VALUE   256 /* of the first option for getopt_long, above all letters */

/* The options as getopt expects them. The leading ':' of the letters lets getopt distinguish a
 * missing value from an unknown option. Returns the number of options without --help. */
static int list_options(const struct jc_option *options, struct option out_long[OPTIONS_MOST],
	char out_letters[2 * OPTIONS_MOST])
{
	char *letter = stpcpy(out_letters, ":h");
	int count = 0;

	for (; options[count].name; count++) {
		bool has_value = options[count].kind != JC_OPTION_FLAG &&
				 options[count].kind != JC_OPTION_ACTION;

		assert(count + 2 < OPTIONS_MOST);
		out_long[count] = (struct option){ options[count].name,
			has_value ? required_argument : no_argument, NULL, LONG_VALUE + count };
		if (options[count].letter) {
			*letter++ = options[count].letter;
			letter = stpcpy(letter, has_value ? ":" : "");
		}
	}
	out_long[count] = (struct option){ "help", no_argument, NULL, 'h' };
	out_long[count + 1] = (struct option){ 0 };
	return count;
}

static int misread(const struct jc_command *command, int option, const char *argument)
{
	if (option == ':') {
		return jc_command_misuse(command, "option '%s' needs a value", argument);
	}
	/* A known option here has a value although it takes none. */
	if (optopt && argument[1] == '-') {
		return jc_command_misuse(command, "option '%s' takes no value", argument);
	}
	return optopt ? jc_command_misuse(command, "unknown option '-%c'", optopt)
		      : jc_command_misuse(command, "unknown option '%s'", argument);
}

int jc_command_read(const struct jc_command *command, int argc, char **argv,
	const struct jc_option *options, void *out_options)
{
	struct option long_options[OPTIONS_MOST];
	char letters[2 * OPTIONS_MOST];
	int count = list_options(options, long_options, letters);
	int status = JC_EXIT_DONE;
	int option;

	opterr = 0;
	while (status == JC_EXIT_DONE &&
		(option = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
		int i = option - LONG_VALUE;

		for (int k = 0; k < count && i < 0; k++) {
			i = options[k].letter == option ? k : i;
		}
		if (i >= 0) {
			status = read_value(
				command, &options[i], (char *)out_options + options[i].offset);
		} else if (option == 'h') {
			fputs(command->help, stdout);
			status = JC_OPTION_DONE;
		} else {
			status = misread(command, option, argv[optind - 1]);
		}
	}
	return status;
}

bool jc_command_parse_time(const char *text, long long most, long long *out_seconds)
{
	static const struct {
		const char *unit;
		long long seconds;
	} units[] = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 } };
	char *end;

	errno = 0;
	long long number = strtoll(text, &end, 10);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (end != text && strcmp(end, units[i].unit) == 0 && errno == 0 && number > 0 &&
			number <= most / units[i].seconds) {
			*out_seconds = number * units[i].seconds;
			return true;
		}
	}
	return false;
}
