/* The last use of an uploaded avatar, and its end some days later. Times are Unix times. */
#ifndef JC_AVATAR_USE_H
#define JC_AVATAR_USE_H

#include <stdbool.h>
#include <stdint.h>

#include "avatars/avatars.h"

/* Notes a use. A time before the last use, of a clock that was set back, changes nothing. */
void jc_avatar_use_note(struct jc_avatar_claim *claim, int64_t wall_ns);

/* The end of an avatar without further use, s. */
int64_t jc_avatar_use_end(const struct jc_avatar_claim *claim, unsigned keep_days);

bool jc_avatar_use_has_ended(
	const struct jc_avatar_claim *claim, unsigned keep_days, int64_t wall_ns);

/* Writes the last use to the record if the record is more than `behind_ns` older. Waits for the
 * disk. */
void jc_avatar_use_save(const char *state, struct jc_avatar *avatar, int64_t behind_ns);

#endif
