/* The token that a client shows in `hello` and `token`. */
#ifndef JC_CREDENTIALS_H
#define JC_CREDENTIALS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct jc_client;

/* A token as a message of that type brought it, NULL where it brought none. What it
 * does not allow any more ends. False after the error was answered and the connection
 * began to close. */
bool jc_credentials_show(struct jc_client *client, const json_t *token, const char *type);

/* Closes the connection once its token has ended, or the key that signed it is no
 * longer believed; ends what the configuration does not allow any more. */
void jc_credentials_sweep(struct jc_client *client);

#endif
