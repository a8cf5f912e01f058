/* HTTP responses: files below one root, and short texts. */
#ifndef JC_RESPONSE_H
#define JC_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "http/request.h"

/* A response under way: head and short body from memory, then a file. */
struct jc_response {
	unsigned methods;   /* that a 405 names; 0: JC_METHOD_GET */
	bool for_any_page;  /* of a status: a page of another origin may read it */
	bool is_personal;   /* depends on the client and its page: other caches do not keep it */
	char *foreign_page; /* owned: the origin of an admitted page of another origin, which may
			     * read it; NULL: none */
	char *bytes;        /* owned; NULL: no response yet */
	size_t length, sent;
	int file; /* owned descriptor or -1 */
	off_t offset, end;
};

void jc_response_init(struct jc_response *response);
void jc_response_finish(struct jc_response *response);

/* These compose it. They return 0 or JC_ERROR_MEMORY; body false leaves the body out
 * (HEAD). */

/* The file that the target names below a directory; root NULL: there is no file. A client that
 * accepts gzip gets FILE.gz in place of FILE if it stands beside FILE and is not older. Nothing
 * else is compressed: answers that depend on the client have no length that reveals their content.
 */
int jc_response_file(
	struct jc_response *response, const struct jc_request *request, const char *root);

/* A file that is open. */
struct jc_response_file {
	int fd; /* stolen */
	uint64_t length;
	const char *type;
	const char *tag;     /* ETag, with its quotes */
	const char *headers; /* further lines */
};

/* The file, or 304 where the request names its tag. */
int jc_response_open_file(struct jc_response *response, const struct jc_request *request,
	const struct jc_response_file *file);

/* Answers OPTIONS with the methods of the path, and the headers that a page of another origin may
 * add to its request (Fetch standard, CORS-preflight). */
int jc_response_options(struct jc_response *response);

/* Composes a response with a text of that media type. */
int jc_response_text(
	struct jc_response *response, int status, const char *type, const char *text, bool body);

/* A status with one line of text. */
int jc_response_status(struct jc_response *response, int status, const char *text, bool body);

/* The next bytes to send, in the response or read into `buffer`. Returns their number, 0
 * after the last, or -1 when the file became shorter than announced. */
ssize_t jc_response_next(
	struct jc_response *response, uint8_t *buffer, size_t capacity, const uint8_t **out_bytes);

#endif
