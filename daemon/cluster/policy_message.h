/* Policy and sanctions of a space as JSON, from its origin to edges: proto/CLUSTER.md, "State". */
#ifndef JC_POLICY_MESSAGE_H
#define JC_POLICY_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>

#include "moderation/sanctions.h"
#include "space/space_policy.h"

/* is_closed: the space closes, and everybody has to leave it. NULL without memory. */
json_t *jc_policy_message_pack(const struct jc_space_policy *policy, bool is_closed);

/* Reads all fields. Returns NULL, or what is wrong. */
const char *jc_policy_message_read(
	const json_t *object, struct jc_space_policy *out_policy, bool *out_is_closed);

/* The sanctions of a space, as a list. NULL without memory. */
json_t *jc_policy_message_pack_sanctions(const struct jc_sanctions *sanctions, const char *space);

/* Replaces the sanctions of the space by those of such a list. Returns NULL, or what is wrong:
 * nothing has changed then, unless it is memory or the most sanctions. */
const char *jc_policy_message_read_sanctions(
	const json_t *list, const char *space, struct jc_sanctions *sanctions);

#endif
