/* Asks all processes of the cluster on NATS for their reports, and answers the others
 * (proto/CLUSTER.md, "Status"). */
#ifndef JC_STATUS_ROUND_H
#define JC_STATUS_ROUND_H

#include <uv.h>

#include "cluster/report/peers.h"
#include "cluster/report/process_report.h"
#include "services.h"

struct jc_nats_link;
struct jc_status_round;

/* All borrowed. */
struct jc_status_round_options {
	uv_loop_t *loop;
	struct jc_nats_link *link;
	struct jc_peers *peers;
	/* Fills in the report of this process. */
	void (*report)(void *context, struct jc_process_report *out_report);
	/* Called once a second. */
	void (*sample)(void *context);
	void *context;
};

/* Answers from now on. Returns 0 or a negative enum jc_error. */
int jc_status_round_create(
	const struct jc_status_round_options *options, struct jc_status_round **out_round);

/* Gathers answers for JC_STATUS_WAITS_MS and hands the status of the cluster over (services.h).
 * Calls during that time share the answers. Returns 0; JC_ERROR_LIMIT: too many wait; on_answer is
 * then not called. */
int jc_status_round_ask(struct jc_status_round *round, jc_on_text *on_answer, void *context);

/* Finishes, answers no more, and informs the other processes that this one ends. NULL is fine. */
void jc_status_round_leave(struct jc_status_round *round);

/* Leaves, and lets the loop end; called while the loop runs. NULL is fine. */
void jc_status_round_destroy(struct jc_status_round *round);

#endif
