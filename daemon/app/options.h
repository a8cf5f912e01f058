/* The command line. */
#ifndef JC_OPTIONS_H
#define JC_OPTIONS_H

#include <stdbool.h>

#include "config/config.h"

/* Only parsed: nothing is opened or looked up yet. */
struct jc_options {
	int argc;
	char **argv;             /* borrowed */
	const char *config_path; /* borrowed from argv; NULL: no file */
	bool check;              /* only check the configuration */
	bool lists_remote;       /* with JC_OPTIONS_LIST_SENDERS: of other machines too */
};

enum jc_options_result {
	JC_OPTIONS_RUN,
	JC_OPTIONS_HELP,
	JC_OPTIONS_VERSION,
	JC_OPTIONS_LIST_SENDERS,
	JC_OPTIONS_WRONG, /* the diagnostic is filled */
};

enum jc_options_result jc_options_parse(
	int argc, char **argv, struct jc_options *out_options, struct jc_diagnostic *diagnostic);

/* Reads the whole configuration: defaults, file, drop-in files, environment and command line; of
 * these, the later ones win. Called again at a reload. Returns 0, or a negative enum jc_error
 * with the diagnostic filled; *out_config is then not set. */
int jc_options_configure(const struct jc_options *options, const char *web_root,
	struct jc_config *out_config, struct jc_diagnostic *diagnostic);

extern const char jc_options_help[];

#endif
