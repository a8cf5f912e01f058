/* A daemon that is told to record for itself, to stop, or to note something down. */
#ifndef JC_CLI_RECORD_REQUEST_H
#define JC_CLI_RECORD_REQUEST_H

#include <stdbool.h>

struct jc_access;

struct jc_record_request {
	const char *action; /* "start", "stop", "marker" or "state", as PROTOCOL.md has it */
	const char *name;   /* of files, for a start; NULL: the space's */
	const char *label;  /* of a marker */
	bool raw;           /* for a start: body frames too */
};

/* Gives the order and prints how the recording does then. Returns enum jc_exit. */
int jc_record_request(const char *url, const struct jc_access *access, const char *space,
	const struct jc_record_request *request);

#endif
