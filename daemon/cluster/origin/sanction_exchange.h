/* JSON of the sanctions of a space that two hosts exchange, so that both have the later change of
 * each. proto/CLUSTER.md, "Sanctions of two hosts". */
#ifndef JC_SANCTION_EXCHANGE_H
#define JC_SANCTION_EXCHANGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "moderation/sanction_history.h"

/* Takes the changes of `sanctions` and `ended` of another host that are later than the own ones;
 * `ended` may be absent. out_later: an object with these members, the own changes that the other
 * host lacks, for the caller to release; NULL: none. Returns whether any own one has changed; an
 * invalid message changes nothing. */
bool jc_sanction_exchange_take(struct jc_sanction_history *history, const char *space,
	const json_t *message, int64_t now_s, json_t **out_later);

#endif
