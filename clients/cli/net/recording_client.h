/* Records a space as a subscriber receives it. */
#ifndef JC_CLI_RECORDING_CLIENT_H
#define JC_CLI_RECORDING_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

struct jc_credentials;

#define JC_RECORDING_CLIENT_PIPE "-"

struct jc_recording_client_options {
	const char *url, *space;
	/* The file, which has another name until it is complete; JC_RECORDING_CLIENT_PIPE: standard
	 * output. */
	const char *out;
	size_t ticks; /* in a message of the daemon: 1 or 2 */
	const struct jc_credentials *credentials;
	double reconnect_s; /* of link.h */
};

/* Records until Ctrl-C, or until the connection is lost and not made again; the file is complete in
 * both cases. While the connection is lost, the recording has no bodies. Reports errors and returns
 * enum jc_exit. */
int jc_recording_client_record(const struct jc_recording_client_options *options);

#endif
