/* The sanctions in force and those that have ended. With both, hosts of a cluster find the later of
 * two changes, which counts. proto/CLUSTER.md, "Sanctions of two hosts". */
#ifndef JC_SANCTION_HISTORY_H
#define JC_SANCTION_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "moderation/sanctions.h"

/* All zeros: empty, and without those that have ended. No sanction is in both lists. */
struct jc_sanction_history {
	struct jc_sanctions in_force;
	/* Their `until_s` has passed, or is 0 for a lifted one, whose `since_s` is the time of the
	 * lifting. Without `by` and `reason`. Both lists together keep the maxima of one: in a full
	 * space, the ones that changed first make way. */
	struct jc_sanctions ended;
	bool keeps_ended;
};

void jc_sanction_history_finish(struct jc_sanction_history *history);

/* Copies both lists into one empty list, in no order. Returns 0 or JC_ERROR_MEMORY. */
int jc_sanction_history_copy(
	const struct jc_sanction_history *history, struct jc_sanctions *out_copy);

/* Adds a sanction of this host, as jc_sanctions_put. It is at least a second later than the change
 * that it replaces, also where the clock of another host was ahead. */
int jc_sanction_history_put(
	struct jc_sanction_history *history, const struct jc_sanction *sanction);

/* Ends a sanction of this host. One that is not in force here may be in force at another host: it
 * ends there too. */
void jc_sanction_history_lift(struct jc_sanction_history *history, const char *space,
	enum jc_sanction_kind kind, const char *who, int64_t now_s);

/* Ends sanctions whose time is over, and forgets those that ended JC_MAX_ENDED_SANCTION_SECONDS
 * ago. False: no sanction has ended. */
bool jc_sanction_history_expire(struct jc_sanction_history *history, int64_t now_s);

/* Whether a change, in force or ended, is later than the own one of that space, kind and person:
 * it began later, or at the same time and ends later. */
bool jc_sanction_history_is_older(
	const struct jc_sanction_history *history, const struct jc_sanction *change);

/* Takes a change of another host if it is later than the own one and there is room. Returns whether
 * anything has changed. */
bool jc_sanction_history_merge(
	struct jc_sanction_history *history, const struct jc_sanction *change, int64_t now_s);

#endif
