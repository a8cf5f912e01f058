/* HTTP as far as a viewer needs it: files below one root, a health check, one
 * request a connection. */
#ifndef JC_HTTP_H
#define JC_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "net/request.h"

/* A response under way: head and short body from memory, then a file. */
struct jc_response {
	char *bytes; /* owned; NULL where there is no response */
	size_t length, sent;
	int file; /* owned descriptor or -1 */
	off_t offset, end;
};

void jc_response_init(struct jc_response *response);
void jc_response_finish(struct jc_response *response);

/* The answer to a request that was judged fit (200). root is a directory or
 * NULL. Returns 0 or JC_ERROR_MEMORY. */
int jc_response_serve(
	struct jc_response *response, const struct jc_request *request, const char *root);

/* 200 with a text of that type; body false leaves it out (HEAD). */
int jc_response_text(struct jc_response *response, const char *type, const char *text, bool body);

/* A status with one line of text; body false leaves the text out (HEAD). */
int jc_response_status(struct jc_response *response, int status, const char *text, bool body);

/* Sends what the socket takes. Returns 1 when all is sent, 0 when there is
 * more, -1 when the connection is lost. */
int jc_response_send(struct jc_response *response, int fd);

#endif
