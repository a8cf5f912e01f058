/* The commands of the tool. Each lives in a file of its own and reads its own
 * part of the command line. */
#ifndef JC_CLI_COMMAND_H
#define JC_CLI_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

struct jc_command {
	const char *name;
	const char *summary; /* one line for `jointcast --help` */
	const char *help;    /* all of `jointcast NAME --help` */
	/* argv[0] is the command's name. Returns enum jc_exit after saying what
	 * went wrong; what is wrong with standard output main finds out. */
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

/* getopt_long that says in one line, with a hint, what it did not understand:
 * '?' then stands for "already reported". Every command has --help (h), which
 * is answered here; -2 then means that nothing is left to do. */
#define JC_OPTION_DONE (-2)
int jc_command_option(
	const struct jc_command *command, int argc, char **argv, const struct option *options);

/* All options, one after the other, each given to take, which returns enum
 * jc_exit. Ends with the first that is not done, JC_OPTION_DONE among them. */
int jc_command_read(const struct jc_command *command, int argc, char **argv,
	const struct option *options, int (*take)(int option, void *context), void *context);

/* A wrong number of arguments, or another misuse, with the same hint. */
int jc_command_misuse(const struct jc_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Parse a whole text as a finite number, as a count up to `maximum`, or as comma-separated finite
 * numbers, at least one; *out_values is then the caller's to free. False for any other text. */
bool jc_command_parse_number(const char *text, double *out_value);
bool jc_command_parse_count(const char *text, size_t maximum, size_t *out_count);
bool jc_command_parse_list(const char *text, double **out_values, size_t *out_count);

/* Read optarg, the value of an option such as "--motion-index". They report a wrong value and
 * return enum jc_exit. */
int jc_command_read_index(const struct jc_command *command, const char *option, size_t *out_index);
int jc_command_read_number(const struct jc_command *command, const char *option, double least,
	double most, double *out_number);

#endif
