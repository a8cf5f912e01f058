/* Records a space as a subscriber receives it. */
#ifndef JC_CLI_RECORDING_CLIENT_H
#define JC_CLI_RECORDING_CLIENT_H

struct jc_credentials;

struct jc_recording_client_options {
	const char *url, *space;
	const char *out; /* the file, which has another name until it is complete */
	const struct jc_credentials *credentials;
};

/* Records until Ctrl-C or until the daemon ends; the file is complete in both cases. Reports errors
 * and returns enum jc_exit. */
int jc_recording_client_record(const struct jc_recording_client_options *options);

#endif
