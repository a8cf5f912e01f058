/* Reads the rosters of an origin for a relayed space. Every field is checked: an origin may be of
 * another version, and others may publish on its subjects by mistake. */
#ifndef JC_RELAYED_ROSTER_H
#define JC_RELAYED_ROSTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "space/relay/space_relay.h"

/* The entry of a body. The texts are borrowed from the entry. */
struct jc_roster_body {
	struct jc_relayed_body body; /* without asset, channels and entry */
	const char *hash;            /* of its skeleton */
	const char *channels[JC_LIMIT_STREAM_VALUES];
};

/* Returns NULL, or what is wrong. */
const char *jc_relayed_roster_read(const json_t *entry, struct jc_roster_body *out_body);

/* Checks a roster message: a complete one has the list `bodies`. Returns NULL, or what is wrong. */
const char *jc_relayed_roster_check(
	const json_t *message, const char *space, bool is_complete, uint64_t *out_revision);

/* The text of an entry as origins write it, which the caller frees; NULL without memory. */
char *jc_relayed_roster_text(const json_t *value);

#endif
