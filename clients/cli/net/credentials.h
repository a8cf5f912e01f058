/* Credentials of a connection: the certificates that the tool trusts, and the token that it
 * shows. */
#ifndef JC_CLI_CREDENTIALS_H
#define JC_CLI_CREDENTIALS_H

#include <getopt.h>
#include <stdbool.h>

struct jc_credentials {
	const char *ca;         /* PEM file; NULL: the system's certificates */
	const char *token_file; /* NULL: the variable JOINTCAST_TOKEN, if it is set */
};

enum {
	JC_CREDENTIALS_CA = 512,
	JC_CREDENTIALS_TOKEN_FILE,
};

#define JC_CREDENTIALS_OPTION_CA                                                                   \
	{                                                                                          \
		"ca", required_argument, NULL, JC_CREDENTIALS_CA                                   \
	}
#define JC_CREDENTIALS_OPTION_TOKEN_FILE                                                           \
	{                                                                                          \
		"token-file", required_argument, NULL, JC_CREDENTIALS_TOKEN_FILE                   \
	}

/* Reads optarg if the option is one of these two; false for other options. */
bool jc_credentials_read_option(struct jc_credentials *credentials, int option);

/* Reads the token. The caller frees *out_token with jc_credentials_free_token; NULL when there is
 * no token. Reports errors and returns enum jc_exit. */
int jc_credentials_read_token(const struct jc_credentials *credentials, char **out_token);
void jc_credentials_free_token(char *token); /* wipes the token first; NULL is fine */

#endif
