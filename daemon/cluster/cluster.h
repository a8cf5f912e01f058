/* Role of the daemon among several machines: origin, edge, or alone. Creates, starts and
 * stops the link to NATS and the part for the role. */
#ifndef JC_CLUSTER_H
#define JC_CLUSTER_H

#include "cluster/nats_link.h"
#include "jointcast/error.h"
#include "maxima.h"

struct jc_auth_invitations_ops;
struct jc_cluster;
struct jc_cluster_ops;
struct jc_config;
struct jc_control;
struct jc_peers;
struct jc_server;
struct jc_services;
struct jc_session_host;

/* Services that the parts of the cluster use. Borrowed; they outlive these parts. */
struct jc_cluster_context {
	struct jc_nats_link *link;
	const struct jc_services *services;
	struct jc_control *control; /* jc_control_ops take it, also for sessions without a socket */
	struct jc_peers *peers;     /* the other processes */
	struct jc_session_host *sessions;     /* of clients of edges; NULL: this is no origin */
	char name[JC_MAX_HOST_ID];            /* of this host */
	char incarnation[JC_MAX_INCARNATION]; /* hex digits: of this run of the process */
};

/* Checks section cluster of the configuration and the files that it names, without connecting.
 * Returns 0 or a negative enum jc_error with the diagnostic filled. */
int jc_cluster_check(const struct jc_config *config, struct jc_diagnostic *diagnostic);

/* Without a section cluster, *out_cluster is NULL, which all other functions accept. services and
 * control are borrowed. Returns 0 or a negative enum jc_error with the diagnostic filled. */
int jc_cluster_create(const struct jc_services *services, struct jc_control *control,
	struct jc_cluster **out_cluster, struct jc_diagnostic *diagnostic);

/* For HTTP (services.h). */
extern const struct jc_cluster_ops jc_cluster_ops;

/* For the auth policy of an edge (auth/auth_policy.h); its context is the cluster. */
extern const struct jc_auth_invitations_ops jc_cluster_guest_ops;

/* Begins to connect, and serves as soon as NATS answers. server is borrowed: sessions of an edge's
 * clients are among its own. Returns as jc_cluster_create does. */
int jc_cluster_start(
	struct jc_cluster *cluster, struct jc_server *server, struct jc_diagnostic *diagnostic);

/* The daemon is about to stop: an origin gives up its spaces, an edge keeps its clients moving
 * until they are gone. */
void jc_cluster_leave(struct jc_cluster *cluster);

/* Ends everything on NATS, and lets the loop end. Called once after the start, while the loop runs,
 * when no client is left. */
void jc_cluster_stop(struct jc_cluster *cluster);

/* After the loop has ended. */
void jc_cluster_destroy(struct jc_cluster *cluster);

#endif
