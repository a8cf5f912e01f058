/* A body as a roster of a recording tells it. */
#ifndef JC_SESSION_RECORDING_ROSTER_H
#define JC_SESSION_RECORDING_ROSTER_H

#include "jointcast/json.h"
#include "jointcast/recording.h"

/* What body points to belongs to the object, but for the array of channel names:
 * *out_channels is the caller's to free, NULL where there are none, also on
 * failure. */
int jc_recorded_body_parse(const struct json_t *object, const struct jc_json_place *place,
	struct jc_recorded_body *body, const char ***out_channels,
	struct jc_diagnostic *diagnostic);

#endif
