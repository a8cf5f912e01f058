/* The bodies of a snapshot whose consent was withdrawn after the copy was made. Follows the
 * space of the snapshot, with or without a rewind buffer, until the space or the rewind ends. */
#ifndef JC_WITHDRAWALS_H
#define JC_WITHDRAWALS_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/rewind_bodies.h"
#include "space/space.h"

struct jc_withdrawals;

/* Follows the bodies of a copy; the list is copied. The space is borrowed while it exists.
 * Returns 0 or JC_ERROR_MEMORY. */
int jc_withdrawals_create(struct jc_space *space, const struct jc_rewind_bodies *rewind_bodies,
	struct jc_withdrawals **out_withdrawals);

/* Not inside a tick of the space. NULL is fine. */
void jc_withdrawals_destroy(struct jc_withdrawals *withdrawals);

/* Whether consent for the body with this recorded id was withdrawn. Later consent concerns only
 * new motion. */
bool jc_withdrawals_has(const struct jc_withdrawals *withdrawals, uint32_t id);

#endif
