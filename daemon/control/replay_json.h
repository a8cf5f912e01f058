/* Replays as control messages tell of them. */
#ifndef JC_REPLAY_JSON_H
#define JC_REPLAY_JSON_H

#include <jansson.h>

#include "replay/replay.h"
#include "space/spaces.h"

/* Message `replaying`: all replays of a space. with_markers: what was said in them too.
 * NULL without memory. */
json_t *jc_replay_json_pack(const struct jc_replays *replays, const struct jc_space *space,
	const struct jc_clock *clock, bool with_markers);

/* Whether there is any. */
bool jc_replay_json_has(const struct jc_replays *replays, const struct jc_space *space);

/* What `open` asks for beside the file, as it would be without that; what is borrowed is
 * the message's, but names, which are put there. NULL, or what is wrong with it. */
const char *jc_replay_json_read(const json_t *message, struct jc_body_names *out_names,
	struct jc_replay_options *out_options);

/* A number of the message from `least` to `most`; as it was where there is none. False
 * where it is something else. */
bool jc_replay_json_number(
	const json_t *message, const char *key, double least, double most, double *number);

#endif
