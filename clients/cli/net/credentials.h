/* Credentials of a connection: the certificates that the tool trusts, and the token that it
 * shows. */
#ifndef JC_CLI_CREDENTIALS_H
#define JC_CLI_CREDENTIALS_H

#include "command.h"

struct jc_credentials {
	const char *ca;         /* PEM file; NULL: the system's certificates */
	const char *token_file; /* NULL: the variable JOINTCAST_TOKEN, if it is set */
};

/* The options that fill it, for the table of a command whose struct has it as `member`. */
#define JC_OPTION_CA(type, member)         JC_OPTION("ca", TEXT, type, member.ca)
#define JC_OPTION_TOKEN_FILE(type, member) JC_OPTION("token-file", TEXT, type, member.token_file)

/* Reads the token. The caller frees *out_token with jc_credentials_free_token; NULL when there is
 * no token. Reports errors and returns enum jc_exit. */
int jc_credentials_read_token(const struct jc_credentials *credentials, char **out_token);
void jc_credentials_free_token(char *token); /* wipes the token first; NULL is fine */

#endif
