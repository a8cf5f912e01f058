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
	 * those of standard output, which main reports. JC_OPTION_DONE counts as JC_EXIT_DONE. */
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
extern const struct jc_command jc_command_invite;

enum jc_option_kind {
	JC_OPTION_FLAG,   /* takes no value; its field is a bool, set to true */
	JC_OPTION_ACTION, /* takes no value; calls `read` */
	JC_OPTION_TEXT,   /* const char *, borrowed from the command line */
	JC_OPTION_INDEX,  /* size_t, at most 2^20 */
	JC_OPTION_COUNT,  /* size_t, from least to most */
	JC_OPTION_NUMBER, /* double, from least to most */
	JC_OPTION_FLOAT,  /* float, from least to most */
	JC_OPTION_RATE,   /* double, above 0 and at most `most` */
	JC_OPTION_OTHER,  /* calls `read`, which reads optarg */
};

/* An option of a command. A table of options ends with an empty entry; --help (-h) is added. */
struct jc_option {
	const char *name; /* without "--" */
	enum jc_option_kind kind;
	size_t offset; /* of its field in the struct of the command's options */
	double least, most;
	/* Reports a wrong value; returns enum jc_exit. */
	int (*read)(const struct jc_command *command, const char *name, void *field);
	char letter; /* of its short form, or 0 */
};

/* An entry whose value goes to the field `member` of the struct `type`; more fields may follow. */
#define JC_OPTION(option, kind_name, type, member, ...)                                            \
	{                                                                                          \
		.name = (option), .kind = JC_OPTION_##kind_name, .offset = offsetof(type, member), \
		__VA_ARGS__                                                                        \
	}

/* Reads all options into the struct that `out_options` points to. Reports the first error and
 * returns enum jc_exit; JC_OPTION_DONE after printing the help for --help. */
#define JC_OPTION_DONE (-2)
int jc_command_read(const struct jc_command *command, int argc, char **argv,
	const struct jc_option *options, void *out_options);

/* Reports wrong use of the command, and points to its --help. Returns JC_EXIT_USAGE. */
int jc_command_misuse(const struct jc_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Parse a whole text as a finite number, as a count up to `maximum`, or as comma-separated finite
 * numbers, at least one; the caller frees *out_values. False for any other text. */
bool jc_command_parse_number(const char *text, double *out_value);
bool jc_command_parse_count(const char *text, size_t maximum, size_t *out_count);
bool jc_command_parse_list(const char *text, double **out_values, size_t *out_count);

/* Parses a time of one second to `most`: seconds, or a number with s, m, h or d. False for any
 * other text. */
bool jc_command_parse_time(const char *text, long long most, long long *out_seconds);

#endif
