/* Reads the part of the command line that follows the name of a command. */
#include "command.h"

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

/* Lists the short options of a table as getopt expects them: the entries whose value is a
 * character. The leading ':' lets getopt distinguish a missing value from an unknown option. */
static void list_short_options(const struct option *options, char *out_list, size_t capacity)
{
	size_t length = 1;

	strcpy(out_list, ":");
	for (; options->name && length + 3 < capacity; options++) {
		if (options->val < 128) {
			length += (size_t)snprintf(out_list + length, capacity - length, "%c%s",
				options->val, options->has_arg == required_argument ? ":" : "");
		}
	}
}

int jc_command_option(
	const struct jc_command *command, int argc, char **argv, const struct option *options)
{
	char list[32];
	int option;

	opterr = 0;
	list_short_options(options, list, sizeof(list));
	option = getopt_long(argc, argv, list, options, NULL);
	switch (option) {
	case 'h':
		fputs(command->help, stdout);
		return JC_OPTION_DONE;
	case ':':
		jc_command_misuse(command, "option '%s' needs a value", argv[optind - 1]);
		return '?';
	case '?':
		/* A known option here has a value although it takes none. */
		if (optopt && argv[optind - 1][1] == '-') {
			jc_command_misuse(command, "option '%s' takes no value", argv[optind - 1]);
		} else if (optopt) {
			jc_command_misuse(command, "unknown option '-%c'", optopt);
		} else {
			jc_command_misuse(command, "unknown option '%s'", argv[optind - 1]);
		}
		return '?';
	default:
		return option;
	}
}

int jc_command_read(const struct jc_command *command, int argc, char **argv,
	const struct option *options, int (*take)(int option, void *context), void *context)
{
	int option;

	while ((option = jc_command_option(command, argc, argv, options)) != -1) {
		int status = option == JC_OPTION_DONE ? JC_OPTION_DONE : take(option, context);

		if (status != JC_EXIT_DONE) {
			return status;
		}
	}
	return JC_EXIT_DONE;
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

int jc_command_read_index(const struct jc_command *command, const char *option, size_t *out_index)
{
	static const size_t index_maximum = 1u << 20;

	return jc_command_parse_count(optarg, index_maximum, out_index)
		       ? JC_EXIT_DONE
		       : jc_command_misuse(command, "%s '%.80s' is not an index", option, optarg);
}

int jc_command_read_number(const struct jc_command *command, const char *option, double least,
	double most, double *out_number)
{
	return jc_command_parse_number(optarg, out_number) && *out_number >= least &&
			       *out_number <= most
		       ? JC_EXIT_DONE
		       : jc_command_misuse(command, "%s '%.80s' is not a number from %g to %g",
				 option, optarg, least, most);
}
