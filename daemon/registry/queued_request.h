/* A request of a client to the registry, and its result. */
#ifndef JC_QUEUED_REQUEST_H
#define JC_QUEUED_REQUEST_H

#include "base/job.h"
#include "base/request_queue.h"
#include "registry/registry.h"

struct jc_queued_request {
	struct jc_queued queued;
	struct jc_registry *registry;
	struct jc_job job;               /* its step in the pool */
	jc_registry_reported *on_result; /* NULL: the client is gone */
	void *context;
	struct jc_owner owner;
	char name[JC_MAX_SKELETON_NAME];
	char *bytes; /* owned; NULL: an end is wished for */
	size_t length, index;
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

/* Frees the request; an asset that is in no table, too. */
void jc_queued_request_destroy(struct jc_queued_request *request);

#endif
