/* A body that a client publishes: captures arrive over its connection (proto/PUBLISHING.md,
 * "Captures"). */
#ifndef JC_PUBLISHER_SOURCE_H
#define JC_PUBLISHER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/capture.h"
#include "source/source.h"

struct jc_publisher_options {
	enum jc_capture_kind kind;
	enum jc_profile profile; /* axis convention of body frames */
	float height;            /* of the person in body frames, metres; 0: unknown */
	bool smooth;
	size_t channel_count;
	const char *const *channels; /* names, borrowed during the creation */
	bool may_record;             /* consent to recording */
	bool may_record_raw;         /* consent to recording as body frames */
	bool may_rebroadcast;
	int64_t epoch_ns; /* CLOCK_MONOTONIC at server time 0 */
};

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_publisher_source_create(
	const struct jc_publisher_options *options, struct jc_source **out_source);

/* Takes a capture that arrived at now_ns. Returns like jc_capture_intake_put. */
int jc_publisher_source_put(
	struct jc_source *source, const uint8_t *bytes, size_t length, int64_t now_ns);

#endif
