/* The parts of the daemon that HTTP routes and control messages work on. The app fills in one
 * and passes it to both. */
#ifndef JC_SERVICES_H
#define JC_SERVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct jc_cluster;
struct jc_histogram;
struct json_t;

/* Takes one figure for /metrics. name: without "jointcast_"; type: "counter" or "gauge"; help: a
 * sentence. */
typedef void jc_on_figure(
	void *context, const char *name, const char *type, const char *help, double value);

/* Takes a JSON text, which is stolen. NULL: out of memory. */
typedef void jc_on_text(void *context, char *text);

/* A redemption at an edge. Borrowed. */
struct jc_redemption {
	bool is_code;        /* else a link */
	const char *text;    /* the code, or the secret of the link */
	const char *address; /* of the guest (jc_address_network): for limits, it stays here */
};

/* Takes the answer to a redemption: 200 with a JSON text, which is stolen; or 410, 429 or 503 and
 * NULL. */
typedef void jc_on_redeemed(void *context, int status, char *text);

/* The file of an avatar, fetched from an origin. */
struct jc_fetched_file {
	int fd; /* stolen; -1 where the status is not 200 */
	uint64_t length;
	bool is_binary; /* .glb or .vrm, else .gltf */
};

/* Takes the file: status 200; or NULL with 404: the origin has none, or 503. */
typedef void jc_on_avatar(void *context, int status, const struct jc_fetched_file *file);

/* State of a daemon among several machines, for HTTP. */
struct jc_cluster_ops {
	/* "cluster" of /status, a new reference. NULL: out of memory. */
	struct json_t *(*status)(const struct jc_cluster *cluster);
	/* The status of all processes of the cluster (proto/CLUSTER.md), which arrives later.
	 * Returns 0, or JC_ERROR_LIMIT: too many wait; or JC_ERROR_ABSENT: not started. */
	int (*ask)(struct jc_cluster *cluster, jc_on_text *on_answer, void *context);
	/* At an edge: redeems an invitation at the origins. Returns 0; JC_ERROR_LIMIT: too many
	 * failures of the address; JC_ERROR_ABSENT: no origin can be reached; or JC_ERROR_MEMORY.
	 * Then on_redeemed is not called. */
	int (*redeem)(struct jc_cluster *cluster, const struct jc_redemption *redemption,
		jc_on_redeemed *on_redeemed, void *context);
	/* At an edge: the file of an avatar that a body of a relayed space wears, now or later.
	 * Returns 0; JC_ERROR_ABSENT: no origin serves the space; or JC_ERROR_LIMIT: too many wait.
	 * Then on_avatar is not called. */
	int (*avatar)(struct jc_cluster *cluster, const char *space, const char *hash,
		uint64_t bytes, jc_on_avatar *on_avatar, void *context);
	void (*measure)(const struct jc_cluster *cluster, jc_on_figure *on_figure, void *context);
	/* The age that NATS and this edge add to motion; NULL: not an edge. */
	const struct jc_histogram *(*added)(const struct jc_cluster *cluster);
	/* Whether this is an edge that may not know all spaces of the origins yet. */
	bool (*is_learning)(const struct jc_cluster *cluster);
	/* A line without its end for /readyz. Returns whether there is a problem. */
	bool (*problem)(const struct jc_cluster *cluster, char *out_line, size_t size);
};

/* All borrowed. */
struct jc_services {
	uv_loop_t *loop;
	const char *version;
	const struct jc_config *config; /* a reload changes it in place */
	const struct jc_auth_policy *auth_policy;
	const struct jc_log *log;
	struct jc_spaces *spaces;
	struct jc_registry *registry;
	struct jc_avatars *avatars;
	struct jc_avatar_store *avatar_store;
	struct jc_recordings *recordings;
	struct jc_replays *replays;
	struct jc_moderation *moderation;
	struct jc_invitations *invitations; /* NULL: there is no state directory */
	const char *state;                  /* directory that outlives a run; NULL: none */
	struct jc_cluster *cluster;         /* NULL: the daemon is alone */
	const struct jc_cluster_ops *cluster_ops;
	double started_s; /* Unix time of the start of the process */
};

#endif
