/* Requests that wait for an answer. Private to nats_link. */
#ifndef JC_NATS_REQUESTS_H
#define JC_NATS_REQUESTS_H

#include "cluster/nats_message.h"
#include "cluster/parts.h"
#include "maxima.h"

struct jc_nats_request {
	jc_nats_handler *handler;
	void *context;
	int64_t deadline_ns;
	char subject[JC_MAX_NATS_SUBJECT];
	/* The rest is for nats_requests.c. */
	uint64_t id; /* the place in the lower bits */
	struct jc_parts parts;
};

struct jc_nats_requests {
	char prefix[JC_MAX_REPLY_SUBJECT - 16]; /* of the subjects of answers: random */
	struct jc_nats_request *places[JC_MAX_NATS_REQUESTS];
	size_t count;
	uint64_t serial;
};

/* name: of this host. Also makes the pattern of the subjects of all answers. Returns 0, or
 * JC_ERROR_UNSUPPORTED if the system has no random bytes. */
int jc_nats_requests_init(
	struct jc_nats_requests *requests, const char *name, char out_pattern[JC_MAX_NATS_SUBJECT]);
void jc_nats_requests_finish(struct jc_nats_requests *requests);

/* Copies a request. Returns 0, JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_nats_requests_add(struct jc_nats_requests *requests, const struct jc_nats_request *wanted,
	struct jc_nats_request **out_request);
void jc_nats_requests_reply_subject(const struct jc_nats_requests *requests,
	const struct jc_nats_request *request, char out_subject[JC_MAX_NATS_SUBJECT]);
void jc_nats_requests_remove(struct jc_nats_requests *requests, struct jc_nats_request *request);
void jc_nats_requests_forget(struct jc_nats_requests *requests, const void *context);

/* Passes an answer, or the whole one with its last part, to its handler, and removes the request.
 * Where the server says that nobody receives the request, the handler gets NULL, and out_unheard
 * the subject of the request; else out_unheard is "". */
void jc_nats_requests_answer(struct jc_nats_requests *requests,
	const struct jc_nats_message *message, char out_unheard[JC_MAX_NATS_SUBJECT]);

/* Calls the handlers of requests past their deadline with NULL, and removes them. */
void jc_nats_requests_expire(struct jc_nats_requests *requests, int64_t now_ns);

#endif
