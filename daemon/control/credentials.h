/* The token that a client shows in `hello` and `token`. */
#ifndef JC_CREDENTIALS_H
#define JC_CREDENTIALS_H

#include <jansson.h>
#include <stdbool.h>

struct jc_client;

/* Takes the token of a message of that type; NULL: the message has none. Ends activities
 * that the token does not permit. False: the client got an error; if the server has keys, the
 * connection is closing. */
bool jc_credentials_show(struct jc_client *client, const json_t *token, const char *type);

/* Closes the connection when its token has expired or its key is revoked; ends activities
 * that the configuration no longer permits. */
void jc_credentials_sweep(struct jc_client *client);

#endif
