/* A body that a client publishes: captures arrive over its connection (PROTOCOL.md, "Upward:
 * body frames and poses"). */
#ifndef JC_PUBLISHER_SOURCE_H
#define JC_PUBLISHER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/capture.h"
#include "source/source.h"

struct jc_publisher_options {
	enum jc_capture_kind kind;
	enum jc_profile profile; /* of body frames */
	float height;            /* of body frames: of the person, metres; 0: unknown */
	bool smooth;
	size_t channel_count;
	const char *const *channels; /* names, borrowed for the call that creates */
	bool may_record;             /* at all; */
	bool may_record_raw;         /* as body frames too */
	bool may_rebroadcast;
	int64_t epoch_ns; /* CLOCK_MONOTONIC at server time 0 */
};

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_publisher_source_create(
	const struct jc_publisher_options *options, struct jc_source **out_source);

/* Takes one capture as it came at now_ns, and returns what jc_capture_intake_put does. */
int jc_publisher_source_put(
	struct jc_source *source, const uint8_t *bytes, size_t length, int64_t now_ns);

#endif
