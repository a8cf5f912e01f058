/* Message `replaying`: the replays of a space, for those in it and as the answer to `replay`. */
#ifndef JC_REPLAY_REPORT_H
#define JC_REPLAY_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "auth/token.h"
#include "base/request_tag.h"
#include "jointcast/error.h"

struct jc_client;
struct jc_control;
struct jc_fanout;

/* The client that waits for a job of the pool. The job keeps no pointers to clients and spaces. */
struct jc_replay_asker {
	struct jc_control *control; /* borrowed: it outlives the loop */
	uint64_t client;            /* serial */
	uint32_t space;             /* id, because another space may take the name meanwhile */
	struct jc_request_tag request;
};

/* Answers an action, with more fields: stolen, NULL for none. */
void jc_replay_report_answer(
	struct jc_client *client, const struct jc_fanout *fanout, const char *action, json_t *more);

/* Before a job begins: the client will get its answer after it. */
struct jc_replay_asker jc_replay_report_asker(
	struct jc_client *client, const struct jc_fanout *fanout);

/* A job of the pool is done. True where its client and space still exist, the client still has
 * the role, and problem is NULL; else a client that still exists gets an error. */
bool jc_replay_report_resume(const struct jc_replay_asker *asker, enum jc_role role,
	const struct jc_diagnostic *problem, struct jc_client **out_client,
	struct jc_fanout **out_fanout);

/* Sends `replaying` to a client that has just joined, where the space has replays. */
void jc_replay_report_joined(struct jc_client *client, struct jc_fanout *fanout);

/* From now on the clients in a space get each change of its replays; or no longer. */
void jc_replay_report_follow(struct jc_control *control);
void jc_replay_report_unfollow(struct jc_control *control);

#endif
