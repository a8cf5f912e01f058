/* The state and the counts of the link, as operators see them. */
#ifndef JC_LINK_REPORT_H
#define JC_LINK_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "services.h"

struct jc_nats_link;

/* "nats" of /status, a new reference. NULL: out of memory. */
struct json_t *jc_link_report_json(struct jc_nats_link *link);

void jc_link_report_measure(struct jc_nats_link *link, jc_on_figure *on_figure, void *context);

/* A line for /readyz. Returns whether there is a problem. */
bool jc_link_report_problem(struct jc_nats_link *link, char *out_line, size_t size);

#endif
