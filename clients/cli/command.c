/* What all commands share in reading their part of the command line. */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
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

/* The short options of a table, as getopt wants them: those whose value is a
 * character. The leading ':' tells a missing value from an unknown option. */
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
		/* A known option here means a value where none is taken. */
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
