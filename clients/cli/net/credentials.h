/* How a command gets in: whose certificates it believes, and which token it shows. The
 * options for it are the same wherever they are taken. */
#ifndef JC_CLI_CREDENTIALS_H
#define JC_CLI_CREDENTIALS_H

#include <getopt.h>
#include <stdbool.h>

struct jc_credentials {
	const char *ca;         /* PEM file; NULL: what the system believes */
	const char *token_file; /* NULL: JOINTCAST_TOKEN, if that is set */
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

/* Takes one of those from optarg; false when it is another's. */
bool jc_credentials_read_option(struct jc_credentials *access, int option);

/* The token: *out_token is the caller's to wipe and free, NULL where there is none.
 * Returns enum jc_exit after saying what failed. */
int jc_credentials_read_token(const struct jc_credentials *access, char **out_token);
void jc_credentials_free_token(char *token); /* NULL is fine */

#endif
