/* GET /metrics: counters and gauges of the daemon in Prometheus' text format 0.0.4. None of
 * them is about a single person. */
#ifndef JC_METRICS_H
#define JC_METRICS_H

#include <stdint.h>

struct jc_server;
struct jc_services;

/* The caller frees the text; NULL when there is no memory. */
char *jc_metrics_text(
	const struct jc_services *services, const struct jc_server *server, int64_t now_ns);

#endif
