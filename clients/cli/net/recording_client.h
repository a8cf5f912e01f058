/* What a subscriber sees of a daemon's space, written as a recording. */
#ifndef JC_CLI_RECORDING_CLIENT_H
#define JC_CLI_RECORDING_CLIENT_H

struct jc_credentials;

struct jc_recording_client_options {
	const char *url, *space;
	const char *out; /* the file, which has another name until it is ended */
	const struct jc_credentials *access;
};

/* Until Ctrl-C, or the daemon goes away: the file is whole either way. Returns enum
 * jc_exit after saying what failed. */
int jc_recording_client_record(const struct jc_recording_client_options *options);

#endif
