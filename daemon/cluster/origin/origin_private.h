/* The origin, for origin.c and origin_report.c alone. */
#ifndef JC_ORIGIN_PRIVATE_H
#define JC_ORIGIN_PRIVATE_H

#include <uv.h>

#include "cluster/origin/exported_space.h"
#include "cluster/origin/nats_outlet.h"
#include "cluster/origin/succession.h"
#include "cluster/parts.h"
#include "cluster/rivals.h"
#include "forwarder.h"

struct jc_cluster_context;
struct jc_peers;
struct jc_services;

/* A space of the daemon: exported, or served by another origin. */
struct jc_served_space {
	struct jc_exported_space *exported;    /* owned; NULL: another origin serves the space */
	struct jc_nats_subscription *requests; /* owned, as above */
	uint32_t id;
	char winner[JC_MAX_HOST_ID]; /* the other origin; "": none */
};

struct jc_origin {
	struct jc_moderation_observer observer;
	const struct jc_cluster_context *context;
	const struct jc_services *services;
	struct jc_nats_link *link;
	struct jc_peers *peers;
	bool is_standby, has_left;
	uv_timer_t timer;
	struct jc_nats_outlet outlet;
	struct jc_export source;
	struct jc_succession succession;            /* of a standby */
	struct jc_nats_subscription *announcements; /* owned */
	struct jc_parts parts;                      /* of announcements */
	struct jc_origin_message message;           /* scratch */
	struct jc_rivals rivals;
	size_t count;
	struct jc_served_space served[JC_MAX_SPACES];
	size_t seen_count; /* spaces of the daemon, when their list was last compared; */
	uint32_t seen_id;  /* and the id of the newest one */
	int64_t heard_ns;  /* the own announcement, last; */
	int64_t hears_ns;  /* without a gap since then */
	int64_t announces_ns;
	uint64_t frames, rejoins, refused; /* of exports that have ended */
};

#endif
