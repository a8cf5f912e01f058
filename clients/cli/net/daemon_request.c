/* A refusal is one line of text; its status shows whether the input or the daemon is the cause. */
#include "net/daemon_request.h"

#include <string.h>

#include "error_report.h"
#include "jointcast_private/json.h"

int jc_daemon_request_send(const struct jc_daemon_request *to, struct jc_endpoint_request *request,
	char **out_answer, json_t **out_json)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_endpoint endpoint;
	char *token = NULL;
	size_t length = 0;
	int code = 0;

	if (!jc_endpoint_parse(to->url, &endpoint)) {
		return jc_command_misuse(
			to->command, "takes at most one URL, such as " JC_ENDPOINT_DEFAULT);
	}
	int result = jc_credentials_read_token(to->credentials, &token);

	if (result != JC_EXIT_DONE) {
		return result;
	}
	request->token = token;
	int error = jc_endpoint_ask(
		&endpoint, to->credentials->ca, request, &code, out_answer, &length, &diagnostic);

	jc_credentials_free_token(token);
	if (error != JC_OK) {
		return jc_report(JC_EXIT_IO, to->url, "%s", diagnostic.what);
	}
	if (code / 100 != 2) {
		(*out_answer)[strcspn(*out_answer, "\n")] = '\0';
		return jc_report(code / 100 == 4 || code == 507 ? JC_EXIT_INPUT : JC_EXIT_IO,
			to->about, "refused: %s", *out_answer);
	}
	error = jc_json_parse(*out_answer, length, out_json, &diagnostic);
	return error == JC_OK ? JC_EXIT_DONE : jc_report_diagnostic(error, to->url, &diagnostic);
}
