/* Where a body is to stand, as messages have it. */
#ifndef JC_PLACEMENT_JSON_H
#define JC_PLACEMENT_JSON_H

#include <jansson.h>

#include "jointcast/packet.h"

struct jc_stand {
	struct jc_placement placement;
	float seat_height; /* metres; 0: it uses none */
};

/* An object with position, yaw and perhaps seat. NULL, or what is wrong with it. */
const char *jc_placement_json_read(const json_t *object, struct jc_stand *out_stand);

#endif
