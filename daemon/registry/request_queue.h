/* The requests of clients that wait for the registry, in the order of their arrival. */
#ifndef JC_REQUEST_QUEUE_H
#define JC_REQUEST_QUEUE_H

#include "base/job.h"
#include "registry/registry.h"

struct jc_queued_request {
	struct jc_queued_request *next; /* in its queue */
	struct jc_registry *registry;
	struct jc_job job;               /* its step in the pool */
	jc_registry_reported *on_result; /* NULL: the client is gone */
	void *context;
	struct jc_owner owner;
	char name[JC_MAX_SKELETON_NAME];
	char *bytes; /* owned; NULL: an end is wished for */
	size_t length, index, cost;
	struct jc_request_tag request; /* of the client */
	/* The result. */
	enum jc_registry_outcome outcome;
	int status;    /* of the last step in the pool */
	bool is_ended; /* the connection that owns it no longer registers */
	bool is_in_table;
	struct jc_skeleton_asset *asset; /* owned until it is kept */
	struct jc_lint *lint;            /* owned */
	struct jc_diagnostic diagnostic;
	size_t removed_count;
	struct jc_registration *removed; /* owned: copies of what was given up, for their names */
};

struct jc_request_queue {
	struct jc_queued_request *first, **end; /* owned; the first is being processed */
	size_t cost;                            /* of all */
};

void jc_request_queue_init(struct jc_request_queue *queue);

/* Whether a request of that cost (jc_skeleton_upload_cost) may wait, too. */
bool jc_request_queue_has_room(const struct jc_request_queue *queue, size_t cost);

/* Adds a request, which the queue owns from then on, as the last. */
void jc_request_queue_add(struct jc_request_queue *queue, struct jc_queued_request *request);

/* Removes the first request and destroys it. */
void jc_request_queue_shift(struct jc_request_queue *queue);

/* Removes the requests of a connection that are not being processed, 0: those of all
 * clients. Returns them as a list, which the caller owns. */
struct jc_queued_request *jc_request_queue_take(
	struct jc_request_queue *queue, uint64_t connection);

void jc_queued_request_destroy(struct jc_queued_request *request);

#endif
