/* Which outfits somebody knows already, a client or a recording. Small: most meet
 * few. */
#ifndef JC_OUTFIT_SET_H
#define JC_OUTFIT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "space/wardrobe.h"

/* All zeros: none. */
struct jc_outfit_set {
	uint32_t count, capacity;
	uint32_t *numbers; /* owned, ascending */
};

void jc_outfit_set_finish(struct jc_outfit_set *set);

/* Whether it was not known; from now on it is. Past JC_MAX_KNOWN_OUTFITS, and without
 * memory, the oldest are forgotten: they are new once more when they come again. */
bool jc_outfit_set_add(struct jc_outfit_set *set, const struct jc_outfit *outfit);

#endif
