/* Decisions of the origin of a relayed space beside its roster. All functions return NULL, or what
 * is wrong with the value. */
#ifndef JC_RELAYED_POLICY_H
#define JC_RELAYED_POLICY_H

#include <jansson.h>

#include "cluster/edge/relayed_space.h"

const char *jc_relayed_policy_take(struct jc_relayed_space *space, const json_t *value);

const char *jc_relayed_policy_take_sanctions(struct jc_relayed_space *space, const json_t *list);

/* Admission of guests (guest_message.h). */
const char *jc_relayed_policy_take_guests(struct jc_relayed_space *space, const json_t *message);

/* Persons have to leave. */
const char *jc_relayed_policy_take_removal(struct jc_relayed_space *space, const json_t *removal);

/* A message for every client that joins. An unknown key is ignored. */
void jc_relayed_policy_take_text(
	struct jc_relayed_space *space, const char *key, const json_t *value);

#endif
