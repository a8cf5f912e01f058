/* Skeletons that clients register while the daemon runs. Each upload is read, checked and
 * prepared on the thread pool, checked against the quotas, written to the disk and entered; then
 * the answer is sent. Requests are processed one at a time, in the order of arrival. */
#ifndef JC_REGISTRY_H
#define JC_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#include "base/log.h"
#include "base/request_tag.h"
#include "jointcast/lint.h"
#include "registry/registrations.h"
#include "space/skeleton_table.h"

struct jc_registry;

struct jc_registry_options {
	const char *state; /* directory of the skeletons of subjects; NULL: none is stored */
	struct jc_skeleton_table *skeleton_table;
	const struct jc_log *log;
	uv_loop_t *loop;
	struct jc_quotas quotas;
};

/* A request of a client. Owner and name are copied. Skeletons of connections are not stored. */
struct jc_registry_request {
	const struct jc_owner *owner;
	const char *name;
	char *bytes; /* stolen; NULL: remove the registration */
	size_t length;
	size_t index;                  /* of the humanoid in the file */
	struct jc_request_tag request; /* copied to the answer */
};

enum jc_registry_outcome {
	JC_REGISTRY_NEW,      /* a new name */
	JC_REGISTRY_CHANGED,  /* replaced another skeleton */
	JC_REGISTRY_SAME,     /* was registered already */
	JC_REGISTRY_ENDED,    /* removed */
	JC_REGISTRY_UNKNOWN,  /* was not registered */
	JC_REGISTRY_UNUSABLE, /* the bytes contain no usable skeleton */
	JC_REGISTRY_FULL,     /* the quota is reached, and all skeletons are in use */
	JC_REGISTRY_FAILED,   /* memory or disk */
};

/* The result of a request, valid during the call of on_result. */
struct jc_registry_answer {
	enum jc_registry_outcome outcome;
	const char *name;
	const struct jc_skeleton_asset *asset;  /* of the first three outcomes, else NULL */
	bool is_stored;                         /* on disk */
	struct jc_lint *lint;                   /* of the uploaded skeleton, else NULL */
	const struct jc_diagnostic *diagnostic; /* of the last three */
	struct jc_request_tag request;
};

typedef void jc_registry_reported(void *context, const struct jc_registry_answer *answer);

/* Loads the stored skeletons and waits for the disk. Everything in the options is borrowed.
 * Returns 0 or JC_ERROR_MEMORY. */
int jc_registry_create(
	const struct jc_registry_options *options, struct jc_registry **out_registry);

/* Ends waiting requests with an error; the one in progress ends on the loop. */
void jc_registry_stop(struct jc_registry *registry);

/* After the loop has ended; NULL is fine. */
void jc_registry_destroy(struct jc_registry *registry);

/* Whether a request of that cost (jc_skeleton_upload_cost) may wait, too. */
bool jc_registry_has_room(const struct jc_registry *registry, size_t cost);

/* `on_result` is called from the loop, once, never before this returns. Returns 0,
 * JC_ERROR_LIMIT when too much waits already, or JC_ERROR_MEMORY; then the bytes are
 * still the caller's. */
int jc_registry_ask(struct jc_registry *registry, const struct jc_registry_request *job,
	jc_registry_reported *on_result, void *context);

/* Removes the skeletons that a connection owns; its registrations in progress fail. Bodies that
 * use a skeleton keep it. */
void jc_registry_end_connection(struct jc_registry *registry, uint64_t connection);

/* A connection ends: as jc_registry_end_connection, and `on_result` is no longer called with
 * that context. Requests of subjects are still completed. */
void jc_registry_forget(struct jc_registry *registry, const void *context, uint64_t connection);

/* A skeleton of an owner, by its hash; borrowed, NULL: not found. */
struct jc_skeleton_asset *jc_registry_find(
	const struct jc_registry *registry, const struct jc_owner *owner, const char *hash);

/* All registered skeletons. */
const struct jc_registrations *jc_registry_registrations(const struct jc_registry *registry);

/* 1 to 63 bytes without control characters. */
bool jc_registry_is_name(const char *name);

#endif
