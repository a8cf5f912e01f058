/* How the daemon does, for operators and their tools: never a pose, a token or an
 * address. */
#ifndef JC_STATUS_JSON_H
#define JC_STATUS_JSON_H

#include <stdint.h>

struct jc_server;

/* All of it as one JSON object (jointcastd(8)); the caller's to free, NULL when there is
 * no memory. */
char *jc_status_json(const struct jc_server *server, int64_t now_ns);

/* What can be counted or measured, in Prometheus' text format 0.0.4, nothing of it
 * by person; likewise. */
char *jc_status_metrics(const struct jc_server *server, int64_t now_ns);

#endif
