/* The interface of a command, and functions that read its part of the command line. */
#ifndef JC_CLI_COMMAND_H
#define JC_CLI_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

struct jc_command {
	const char *name;
	const char *summary; /* one line for `jointcast --help` */
	const char *help;    /* all of `jointcast NAME --help` */
	/* argv[0] is the name of the command. Returns enum jc_exit and reports every error except
	 * those of standard output, which main reports. */
	int (*run)(int argc, char **argv);
};

extern const struct jc_command jc_command_inspect;
extern const struct jc_command jc_command_retarget;
extern const struct jc_command jc_command_convert;
extern const struct jc_command jc_command_lint;
extern const struct jc_command jc_command_measure;
extern const struct jc_command jc_command_recover;
extern const struct jc_command jc_command_forget;
extern const struct jc_command jc_command_record;
extern const struct jc_command jc_command_bench;
extern const struct jc_command jc_command_status;
extern const struct jc_command jc_command_play;
extern const struct jc_command jc_command_watch;
extern const struct jc_command jc_command_calibrate;
extern const struct jc_command jc_command_register;
extern const struct jc_command jc_command_token;

/* Reads the next option with getopt_long. Returns '?' after reporting an option that is not
 * understood, JC_OPTION_DONE after printing the help for --help (h), and -1 after the last
 * option. */
#define JC_OPTION_DONE (-2)
int jc_command_option(
	const struct jc_command *command, int argc, char **argv, const struct option *options);

/* Reads all options and passes each to `take`, which returns enum jc_exit. Stops at the first
 * result that is not JC_EXIT_DONE and returns it; JC_OPTION_DONE after --help. */
int jc_command_read(const struct jc_command *command, int argc, char **argv,
	const struct option *options, int (*take)(int option, void *context), void *context);

/* Reports wrong use of the command, and points to its --help. Returns JC_EXIT_USAGE. */
int jc_command_misuse(const struct jc_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Parse a whole text as a finite number, as a count up to `maximum`, or as comma-separated finite
 * numbers, at least one; the caller frees *out_values. False for any other text. */
bool jc_command_parse_number(const char *text, double *out_value);
bool jc_command_parse_count(const char *text, size_t maximum, size_t *out_count);
bool jc_command_parse_list(const char *text, double **out_values, size_t *out_count);

/* Read optarg as the value of an option such as "--motion-index". They report a wrong value and
 * return enum jc_exit. */
int jc_command_read_index(const struct jc_command *command, const char *option, size_t *out_index);
int jc_command_read_number(const struct jc_command *command, const char *option, double least,
	double most, double *out_number);

#endif
