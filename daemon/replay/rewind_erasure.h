/* Removes withdrawn bodies from the messages of a recording, in place. The messages have the
 * form that record/record_roster.h and record/record_captures.h write. */
#ifndef JC_REWIND_ERASURE_H
#define JC_REWIND_ERASURE_H

#include <stddef.h>
#include <stdint.h>

#include "replay/rewind_bodies.h"

/* Erases bodies from a roster, which needs no final NUL. Returns its new length. */
size_t jc_rewind_erasure_of_roster(
	char *text, size_t length, const struct jc_rewind_bodies *rewind_bodies);

/* Erases bodies from a message of captures. Returns its new length; 0: no capture remains. */
size_t jc_rewind_erasure_of_captures(
	uint8_t *bytes, size_t length, const struct jc_rewind_bodies *rewind_bodies);

#endif
