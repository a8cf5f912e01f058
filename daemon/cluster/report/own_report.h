/* The report of this process, from its parts. */
#ifndef JC_OWN_REPORT_H
#define JC_OWN_REPORT_H

#include "cluster/report/process_report.h"
#include "cluster/report/rate.h"

struct jc_cluster_context;
struct jc_edge;
struct jc_origin;
struct jc_server;

struct jc_own_report {
	const struct jc_cluster_context *context; /* borrowed */
	enum jc_process_role role;
	const struct jc_server *server; /* borrowed, as the next two */
	const struct jc_origin *origin; /* NULL: an edge, or not started */
	const struct jc_edge *edge;     /* NULL: an origin, or not started */
	struct jc_rate messages, bytes; /* sent */
};

/* To be called once a second. */
void jc_own_report_sample(struct jc_own_report *own, int64_t now_ns);

void jc_own_report_fill(
	const struct jc_own_report *own, int64_t now_ns, struct jc_process_report *out_report);

#endif
