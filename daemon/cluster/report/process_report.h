/* Report of a process of a cluster about itself, as all others read it (proto/CLUSTER.md,
 * "Status"). Holds no name of a person and no address of a client. Pure. */
#ifndef JC_PROCESS_REPORT_H
#define JC_PROCESS_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"

enum jc_process_role { JC_ROLE_ORIGIN, JC_ROLE_STANDBY, JC_ROLE_EDGE, JC_ROLE_COUNT };

/* "origin", "standby" or "edge". */
const char *jc_process_role_name(enum jc_process_role role);

/* Another process, which the reporting one has heard of. */
struct jc_heard_process {
	char name[JC_MAX_HOST_ID];
	double heard_s; /* since its last sign of life */
};

struct jc_process_report {
	char name[JC_MAX_HOST_ID];
	char incarnation[JC_MAX_INCARNATION];
	char version[JC_MAX_VERSION_TEXT]; /* printable ASCII */
	enum jc_process_role role;
	bool is_connected, is_draining; /* to NATS; clients are being moved, or it ends */
	double uptime_s;
	uint64_t reconnects;          /* connections to NATS after the first one */
	uint64_t spaces, clients;     /* served; open connections of clients */
	uint64_t messages_per_second; /* to clients and on NATS, over the last five seconds */
	uint64_t bytes_per_second;
	uint64_t views;   /* of an origin: exported; of an edge: wanted */
	uint64_t frames;  /* of an origin: published; of an edge: received */
	uint64_t late;    /* frames of an edge that missed their tick */
	uint64_t dropped; /* messages of NATS without room, and bundles left out for slow clients */
	uint64_t rejoins; /* of an origin: answered; of an edge: requested */
	bool has_added;   /* an edge that had frames: age that the hop adds, since its start */
	double added_p50_s, added_p99_s;
	size_t edge_count; /* of an origin: edges with interest, lately */
	struct jc_heard_process edges[JC_MAX_EDGES];
};

/* A new reference; NULL: out of memory. */
json_t *jc_process_report_pack(const struct jc_process_report *report);

/* Returns NULL, or what is wrong. */
const char *jc_process_report_read(const json_t *object, struct jc_process_report *out_report);

#endif
