/* Decodes the binary messages that a subscriber receives: bundles of packets, one packet for each
 * body that moves. Packets build on earlier packets of their body, so that each body has a decoder.
 */
#ifndef EXAMPLE_BUNDLE_READER_H
#define EXAMPLE_BUNDLE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jointcast/jointcast.h>

struct bundle_body {
	uint32_t id;
	struct jc_stream_decoder decoder;
};

/* Starts as all zeros. */
struct bundle_reader {
	bool has_head;
	struct jc_bundle_head head; /* of the last bundle: id of the space, tick */
	bool is_behind;             /* a packet could not be decoded: request a keyframe */
	size_t count;
	struct bundle_body *bodies[JC_LIMIT_BUNDLE_PACKETS]; /* owned */
	/* Called for each body of a bundle that has moved. */
	void (*moved)(void *context, const struct bundle_reader *reader, uint32_t body,
		const struct jc_stream_frame *frame);
	void *context;
};

void bundle_reader_finish(struct bundle_reader *reader);

/* A body has left; its id may return for another body. */
void bundle_reader_forget(struct bundle_reader *reader, uint32_t body);

/* Decodes one message. Returns JC_OK or a negative enum jc_error; the connection should then be
 * closed. */
int bundle_reader_take(struct bundle_reader *reader, const uint8_t *bytes, size_t length);

#endif
