/* The command-line tool: finds the command, runs it, and checks that standard output was
 * written. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "error_report.h"

static const struct jc_command *const commands[] = {
	&jc_command_inspect,
	&jc_command_retarget,
	&jc_command_convert,
	&jc_command_lint,
	&jc_command_measure,
	&jc_command_recover,
	&jc_command_forget,
	&jc_command_record,
	&jc_command_bench,
	&jc_command_status,
	&jc_command_play,
	&jc_command_watch,
	&jc_command_calibrate,
	&jc_command_register,
	&jc_command_token,
	&jc_command_invite,
};
static const size_t command_count = sizeof(commands) / sizeof(commands[0]);

static void print_help(void)
{
	fputs("usage: jointcast COMMAND [ARGUMENT]…\n"
	      "\n"
	      "Inspects and converts humanoid motions and skeletons, and publishes, watches and "
	      "records\n"
	      "bodies of a daemon.\n"
	      "\n"
	      "commands:\n",
		stdout);
	for (size_t i = 0; i < command_count; i++) {
		printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	}
	fputs("\n"
	      "options:\n"
	      "  -h, --help     print this text; 'jointcast COMMAND --help' describes a command\n"
	      "      --version  print the version\n"
	      "\n"
	      "exit status: 0 done, 1 an input cannot be used, 2 wrong use, 3 input or output "
	      "failed\n",
		stdout);
}

static int run(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
		print_help();
		return JC_EXIT_DONE;
	}
	if (strcmp(name, "--version") == 0) {
		puts("jointcast " JC_VERSION);
		return JC_EXIT_DONE;
	}
	if (!name[0]) {
		return jc_report(JC_EXIT_USAGE, "command line",
			"a command is missing; see 'jointcast --help'");
	}
	for (size_t i = 0; i < command_count; i++) {
		if (strcmp(name, commands[i]->name) == 0) {
			int status = commands[i]->run(argc - 1, argv + 1);

			return status == JC_OPTION_DONE ? JC_EXIT_DONE : status;
		}
	}
	return jc_report(JC_EXIT_USAGE, "command line", "unknown %s '%s'; see 'jointcast --help'",
		name[0] == '-' ? "option" : "command", name);
}

int main(int argc, char **argv)
{
	int status;
	int failed;

	/* A reader may close the pipe early. Writes then fail with EPIPE, and the work ends like
	 * after any other failed write, but without a message. */
	signal(SIGPIPE, SIG_IGN);
	errno = 0;
	status = run(argc, argv);
	failed = ferror(stdout);
	if (fclose(stdout) != 0 || failed) {
		if (errno != EPIPE) {
			jc_report(JC_EXIT_IO, "standard output", "%s",
				errno ? strerror(errno) : "cannot be written");
		}
		return status == JC_EXIT_DONE ? JC_EXIT_IO : status;
	}
	return status;
}
