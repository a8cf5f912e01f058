/* Reads the token and the certificate options. A token is not an argument, because all users of a
 * computer can list arguments. */
#include "net/credentials.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"

#define TOKEN_VARIABLE "JOINTCAST_TOKEN"
#define TOKEN_BYTES    16384

static int read_file(const char *path, char *token)
{
	FILE *file = fopen(path, "re");

	if (!file) {
		return jc_report(JC_EXIT_IO, path, "cannot be read: %s", strerror(errno));
	}
	size_t length = fread(token, 1, TOKEN_BYTES, file);

	fclose(file);
	while (length > 0 && isspace((unsigned char)token[length - 1])) {
		length--;
	}
	token[length < TOKEN_BYTES ? length : 0] = '\0';
	return length > 0 && length < TOKEN_BYTES && strlen(token) == length
		       ? JC_EXIT_DONE
		       : jc_report(JC_EXIT_INPUT, path, "does not contain a token");
}

int jc_credentials_read_token(const struct jc_credentials *credentials, char **out_token)
{
	const char *variable = getenv(TOKEN_VARIABLE);
	char *token;

	*out_token = NULL;
	if (!credentials->token_file && !variable) {
		return JC_EXIT_DONE;
	}
	token = credentials->token_file ? malloc(TOKEN_BYTES + 1) : strdup(variable);
	if (!token) {
		return jc_report(JC_EXIT_IO, "token", "out of memory");
	}
	int status =
		credentials->token_file ? read_file(credentials->token_file, token) : JC_EXIT_DONE;

	if (status != JC_EXIT_DONE) {
		jc_credentials_free_token(token);
		return status;
	}
	*out_token = token;
	return JC_EXIT_DONE;
}

void jc_credentials_free_token(char *token)
{
	if (token) {
		explicit_bzero(token, strlen(token));
		free(token);
	}
}
