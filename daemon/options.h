/* The command line. */
#ifndef JC_OPTIONS_H
#define JC_OPTIONS_H

#include <stddef.h>
#include <sys/socket.h>

#include "jointcast/error.h"
#include "maxima.h"

struct jc_skeleton_option {
	char *path; /* owned */
	size_t index;
};

struct jc_options {
	struct sockaddr_storage listen;
	const char *web_root; /* borrowed from the arguments, or the built-in one */
	size_t source_count;
	const char *sources[JC_MAX_SOURCES]; /* URIs, borrowed */
	size_t sink_count;
	const char *sinks[JC_MAX_SINKS]; /* targets of VMC, borrowed */
	size_t skeleton_count;
	struct jc_skeleton_option skeletons[JC_MAX_SKELETONS];
};

enum jc_options_result {
	JC_OPTIONS_RUN,
	JC_OPTIONS_HELP,
	JC_OPTIONS_VERSION,
	JC_OPTIONS_WRONG, /* the diagnostic says what */
};

enum jc_options_result jc_options_parse(int argc, char **argv, const char *web_root,
	struct jc_options *out_options, struct jc_diagnostic *diagnostic);
void jc_options_finish(struct jc_options *options);

/* ADDR:PORT or [ADDR6]:PORT, numbers only, loopback only: there is no
 * authentication yet. Returns 0 or JC_ERROR_INVALID. */
int jc_options_parse_address(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic);

/* FILE[#N]: what follows the last '#' is an index if it is a number. Returns 0
 * or JC_ERROR_MEMORY. */
int jc_options_parse_skeleton(const char *text, struct jc_skeleton_option *out_skeleton);

extern const char jc_options_help[];

#endif
