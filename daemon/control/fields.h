/* Where a body is to stand, as messages have it. */
#ifndef JC_FIELDS_H
#define JC_FIELDS_H

#include <jansson.h>
#include <stdbool.h>

#include "jointcast/packet.h"

struct jc_stand {
	struct jc_placement placement;
	float seat_height; /* metres; 0: it uses none */
};

/* An object with position, yaw and perhaps seat. NULL, or what is wrong with it. */
const char *jc_fields_stand(const json_t *object, struct jc_stand *out_stand);

/* A number of the message from `least` to `most`; unchanged where there is none. False where
 * it is something else. */
bool jc_fields_number(
	const json_t *message, const char *key, double least, double most, double *number);

#endif
