/* One HTTP request of a command to a daemon, whose answer is JSON. */
#ifndef JC_CLI_DAEMON_REQUEST_H
#define JC_CLI_DAEMON_REQUEST_H

#include <jansson.h>

#include "command.h"
#include "net/credentials.h"
#include "net/endpoint.h"

/* The daemon, and how errors are reported. */
struct jc_daemon_request {
	const struct jc_command *command;
	const char *url;
	const struct jc_credentials *credentials;
	const char *about; /* the subject of a refusal */
};

/* Sends a request with the token of the credentials and parses the answer. Reports errors and
 * returns enum jc_exit. The caller frees both outputs, which start as NULL, whatever the result
 * is. */
int jc_daemon_request_send(const struct jc_daemon_request *to, struct jc_endpoint_request *request,
	char **out_answer, json_t **out_json);

#endif
