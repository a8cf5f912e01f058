/* Decodes bundles with the functions of jointcast/packet.h and jointcast/stream.h. */
#include "bundle_reader.h"

#include <stdlib.h>
#include <string.h>

void bundle_reader_finish(struct bundle_reader *reader)
{
	while (reader->count > 0) {
		free(reader->bodies[--reader->count]);
	}
}

void bundle_reader_forget(struct bundle_reader *reader, uint32_t body)
{
	for (size_t i = 0; i < reader->count; i++) {
		if (reader->bodies[i]->id == body) {
			free(reader->bodies[i]);
			reader->bodies[i] = reader->bodies[--reader->count];
			return;
		}
	}
}

/* Returns the body with that id, which is created if it is new; NULL if there are too many. */
static struct bundle_body *find(struct bundle_reader *reader, uint32_t id)
{
	for (size_t i = 0; i < reader->count; i++) {
		if (reader->bodies[i]->id == id) {
			return reader->bodies[i];
		}
	}
	struct bundle_body *body =
		reader->count < JC_LIMIT_BUNDLE_PACKETS ? calloc(1, sizeof(*body)) : NULL;

	if (body) {
		body->id = id;
		reader->bodies[reader->count++] = body;
	}
	return body;
}

static int take_packet(struct bundle_reader *reader, const struct jc_packet_head *head,
	const uint8_t *payload, size_t length)
{
	struct bundle_body *body = find(reader, head->body);
	struct jc_stream_frame frame;

	if (!body) {
		return JC_ERROR_LIMIT;
	}
	int used = jc_stream_decode(&body->decoder, head, payload, length);

	if (used == JC_ERROR_ABSENT) {
		reader->is_behind = true; /* an earlier packet is missing */
		return JC_OK;
	}
	if (used < 0) {
		return used;
	}
	jc_stream_frame(&body->decoder, &frame);
	reader->moved(reader->context, reader, head->body, &frame);
	return JC_OK;
}

int bundle_reader_take(struct bundle_reader *reader, const uint8_t *bytes, size_t length)
{
	int used = jc_bundle_read_head(
		bytes, length, reader->has_head ? &reader->head : NULL, &reader->head);

	if (used < 0) {
		return used;
	}
	reader->has_head = true;
	for (size_t at = (size_t)used; at < length; at += (size_t)used) {
		struct jc_packet_head head;
		const uint8_t *payload;
		size_t payload_length;
		int error;

		used = jc_bundle_read_packet(
			bytes + at, length - at, &head, &payload, &payload_length);
		error = used < 0 ? used : take_packet(reader, &head, payload, payload_length);
		if (error) {
			return error;
		}
	}
	return JC_OK;
}
