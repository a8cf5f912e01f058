/* The announcements of origins on NATS: which spaces they serve. proto/CLUSTER.md,
 * "Announcements". */
#ifndef JC_ORIGIN_MESSAGE_H
#define JC_ORIGIN_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"

/* A space that an origin serves. */
struct jc_origin_claim {
	char space[JC_MAX_SPACE_NAME];
	uint64_t epoch;
	uint64_t revision; /* of its roster */
};

struct jc_origin_message {
	char origin[JC_MAX_HOST_ID];
	char incarnation[JC_MAX_INCARNATION]; /* hex digits, random for each process */
	bool is_leaving;
	size_t count;
	struct jc_origin_claim claims[JC_MAX_SPACES];
};

/* NULL without memory. */
json_t *jc_origin_message_pack(const struct jc_origin_message *message);

/* Reads a message; unknown fields are ignored. Returns NULL, or what is wrong. */
const char *jc_origin_message_read(
	const char *bytes, size_t length, struct jc_origin_message *out_message);

/* Whether the first of two origins that claim one space serves it: the one with the higher epoch;
 * of equal epochs, the one whose name comes first in the order of bytes. */
bool jc_origin_wins(
	uint64_t epoch, const char *origin, uint64_t other_epoch, const char *other_origin);

/* The epoch of a default lobby that opened at this time (microseconds since 1970): below all epochs
 * of other spaces, and the higher the earlier it opened. */
uint64_t jc_origin_default_epoch(uint64_t opened_us);

/* An epoch is 1 to 16 hex digits, as in rosters. */
bool jc_origin_read_epoch(const json_t *value, uint64_t *out_epoch);

#endif
