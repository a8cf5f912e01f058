/* Follows the sequences of streams: a packet that presupposes a lost one is never forwarded. The
 * first packet after a gap needs no state: from the decoder, or else from the origin. */
#include "cluster/edge/relayed_view.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"

#define LAST_FLAG 0x40 /* of the first byte of a packet: proto/BUNDLES.md, "Packet head" */
/* More frames than sequences: the sequence alone does not show that packets are missing. */
#define FRAMES_MOST (JC_SEQUENCE_MASK)

int jc_relayed_view_create(const struct jc_stream_spec *spec, struct jc_relayed_view **out_view)
{
	struct jc_relayed_view *view = calloc(1, sizeof(*view));

	if (view) {
		view->frame = malloc(JC_LIMIT_BUNDLE_BYTES);
		view->rejoin = malloc(JC_LIMIT_BUNDLE_BYTES);
	}
	if (!view || !view->frame || !view->rejoin) {
		jc_relayed_view_destroy(view);
		return JC_ERROR_MEMORY;
	}
	view->spec = *spec;
	*out_view = view;
	return JC_OK;
}

void jc_relayed_view_destroy(struct jc_relayed_view *view)
{
	if (!view) {
		return;
	}
	for (size_t i = 0; i < view->count; i++) {
		free(view->streams[i]);
	}
	free(view->frame);
	free(view->rejoin);
	free(view);
}

struct jc_relayed_stream *jc_relayed_view_find(const struct jc_relayed_view *view, uint32_t body)
{
	for (size_t i = 0; i < view->count; i++) {
		if (view->streams[i]->body == body) {
			return view->streams[i];
		}
	}
	return NULL;
}

/* NULL without memory, or with too many bodies: those that left are pruned with the roster. */
static struct jc_relayed_stream *find_or_add(struct jc_relayed_view *view, uint32_t body)
{
	struct jc_relayed_stream *stream = jc_relayed_view_find(view, body);

	if (!stream && view->count < sizeof(view->streams) / sizeof(view->streams[0])) {
		/* A stream of coding 1 has no state. */
		stream = calloc(1, view->spec.chains ? sizeof(*stream)
						     : offsetof(struct jc_relayed_stream, decoder));
		if (stream) {
			stream->body = body;
			view->streams[view->count++] = stream;
		}
	}
	return stream;
}

void jc_relayed_view_prune(struct jc_relayed_view *view,
	bool (*lists)(const void *context, uint32_t body), const void *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < view->count; i++) {
		if (lists(context, view->streams[i]->body)) {
			view->streams[kept++] = view->streams[i];
		} else {
			free(view->streams[i]);
		}
	}
	view->count = kept;
}

static void lose(struct jc_relayed_view *view, struct jc_relayed_stream *stream)
{
	view->gaps += stream->is_current;
	stream->is_current = false;
	stream->is_behind = stream->missed_cut = true;
	stream->decoder.started = false;
}

/* Whether the packet continues the newest one. */
static bool follows(const struct jc_relayed_stream *stream, const struct jc_packet_head *head)
{
	return stream->is_current && head->incarnation == stream->newest.incarnation &&
	       head->sequence == ((stream->newest.sequence + 1) & JC_SEQUENCE_MASK);
}

/* Updates the state of a stream of coding 2 with a packet. */
static void decode(struct jc_relayed_view *view, struct jc_relayed_stream *stream,
	const struct jc_packet_head *head, const uint8_t *payload, size_t length)
{
	if (head->needs_state && !follows(stream, head)) {
		lose(view, stream);
		return;
	}
	if (head->needs_state && stream->is_opaque) {
		return;
	}
	int status = jc_stream_decode(&stream->decoder, head, payload, length);

	stream->is_opaque = status == JC_ERROR_UNSUPPORTED || stream->decoder.is_partial;
	stream->is_current = status >= 0 || status == JC_ERROR_UNSUPPORTED;
	if (!stream->is_current) {
		view->damaged++;
		lose(view, stream);
	}
}

static void note(struct jc_relayed_stream *stream, const struct jc_packet_head *head, uint32_t tick)
{
	stream->newest = *head;
	stream->newest_tick = tick;
	stream->has_newest = true;
}

/* Whether a rejoin answer of this tick contains the packet. */
static bool is_known(const struct jc_relayed_view *view, const struct jc_relayed_stream *stream,
	const struct jc_packet_head *head)
{
	return stream->is_current && stream->ready_from == view->tick &&
	       stream->newest_tick == view->tick && stream->newest.sequence == head->sequence &&
	       stream->newest.incarnation == head->incarnation;
}

/* Takes the packet of a frame. */
static void take(struct jc_relayed_view *view, const struct jc_packet_head *head,
	const uint8_t *packet, size_t used, const uint8_t *payload, size_t length)
{
	struct jc_relayed_stream *stream = find_or_add(view, head->body);

	if (!stream || stream->length > 0) {
		view->damaged++; /* a body stands at most once in a frame */
		return;
	}
	if (stream->is_current && view->tick < stream->ready_from) {
		/* Part of the state of a rejoin answer, but the followers lack it. */
		stream->is_behind = true;
		stream->missed_cut |= head->cut;
		return;
	}
	stream->length = used;
	stream->packet = packet;
	stream->payload = payload;
	stream->payload_length = length;
	stream->is_taken = false;
	if (!view->spec.chains) {
		stream->is_current = true;
	} else if (!is_known(view, stream, head)) {
		decode(view, stream, head, payload, length);
	}
	note(stream, head, view->tick);
}

/* Calls back with each whole packet. */
static void walk(struct jc_relayed_view *view, const uint8_t *packets, size_t length,
	void (*take_one)(struct jc_relayed_view *view, const struct jc_packet_head *head,
		const uint8_t *packet, size_t used, const uint8_t *payload, size_t size))
{
	size_t count = 0;

	for (size_t at = 0; at < length; count++) {
		struct jc_packet_head head;
		const uint8_t *payload;
		size_t size;
		int used = jc_bundle_read_packet(packets + at, length - at, &head, &payload, &size);

		/* A size has two bytes at most, which the last packet of a message lacks. */
		if (used <= 0 || count == JC_LIMIT_BUNDLE_PACKETS ||
			(size_t)used + 2 > JC_BODY_STREAM_PACKET_BYTES) {
			view->damaged++;
			return;
		}
		take_one(view, &head, packets + at, (size_t)used, payload, size);
		at += (size_t)used;
	}
}

/* The packets that nobody was given are missed by those who follow. */
void jc_relayed_view_settle(struct jc_relayed_view *view)
{
	for (size_t i = 0; i < view->count; i++) {
		struct jc_relayed_stream *stream = view->streams[i];

		if (stream->length > 0 && !stream->is_taken) {
			stream->is_behind = true;
			stream->missed_cut |= stream->newest.cut;
		}
		stream->length = 0;
	}
	view->is_live = false;
}

void jc_relayed_view_apply(struct jc_relayed_view *view, uint32_t tick, const uint8_t *packets,
	size_t length, bool is_late)
{
	jc_relayed_view_settle(view);
	for (size_t i = 0; i < view->count && view->has_tick && view->spec.chains; i++) {
		if ((tick - view->tick) / view->spec.rate > FRAMES_MOST &&
			view->streams[i]->ready_from <= view->tick) {
			lose(view, view->streams[i]);
		}
	}
	if (length > JC_LIMIT_BUNDLE_BYTES) {
		view->damaged++;
		length = 0;
	}
	memcpy(view->frame, packets, length);
	view->frame_length = length;
	view->tick = tick;
	view->has_tick = true;
	walk(view, view->frame, length, take);
	if (is_late) {
		jc_relayed_view_settle(view);
	} else {
		view->is_live = true;
	}
}

/* Whether the state of the packet is at most as old as the newest packet of the stream. */
static bool is_useful(const struct jc_relayed_view *view, const struct jc_relayed_stream *stream,
	const struct jc_packet_head *head)
{
	if (head->needs_state || (stream->is_current && !stream->is_opaque)) {
		return false;
	}
	return !stream->has_newest || stream->newest_tick < view->rejoin_tick ||
	       (stream->newest_tick == view->rejoin_tick &&
		       stream->newest.incarnation == head->incarnation &&
		       stream->newest.sequence == head->sequence);
}

static void take_state(struct jc_relayed_view *view, const struct jc_packet_head *head,
	const uint8_t *packet, size_t used, const uint8_t *payload, size_t length)
{
	struct jc_relayed_stream *stream = find_or_add(view, head->body);

	(void)packet;
	(void)used;
	if (!stream || !is_useful(view, stream, head)) {
		return;
	}
	stream->is_behind |= !stream->is_current;
	decode(view, stream, head, payload, length);
	note(stream, head, view->rejoin_tick);
	stream->ready_from = view->rejoin_tick;
}

void jc_relayed_view_take_rejoin(
	struct jc_relayed_view *view, uint32_t tick, const uint8_t *packets, size_t length)
{
	if (length > JC_LIMIT_BUNDLE_BYTES || !view->spec.chains) {
		view->damaged++;
		return;
	}
	memcpy(view->rejoin, packets, length);
	view->rejoin_length = length;
	view->rejoin_tick = tick;
	view->has_rejoin = true;
	walk(view, view->rejoin, length, take_state);
}

static bool put(struct jc_body_stream_packet *packet, const struct jc_packet_head *head,
	const uint8_t *payload, size_t length)
{
	int size = jc_bundle_append(head, payload, length, packet->bytes, sizeof(packet->bytes));

	packet->length = size > 0 ? (uint16_t)size : 0;
	packet->cut = head->cut;
	packet->needs_state = head->needs_state;
	return size > 0;
}

/* The packet as it came. The last one of a frame has no size. */
static void copy(
	struct jc_relayed_stream *stream, uint32_t relay_us, struct jc_body_stream_packet *packet)
{
	struct jc_packet_head head = stream->newest;

	if (relay_us > 0 || stream->packet[0] & LAST_FLAG) {
		head.relay_age_us += relay_us;
		stream->is_taken = put(packet, &head, stream->payload, stream->payload_length);
		return;
	}
	memcpy(packet->bytes, stream->packet, stream->length);
	packet->length = (uint16_t)stream->length;
	packet->cut = head.cut;
	packet->needs_state = head.needs_state;
	stream->is_taken = true;
}

/* A packet of the rejoin answer for this tick. */
struct answer {
	uint32_t body;
	struct jc_packet_head head;
	const uint8_t *payload;
	size_t length;
};

static bool find_answer(const struct jc_relayed_view *view, struct answer *answer)
{
	for (size_t at = 0; at < view->rejoin_length;) {
		int used = jc_bundle_read_packet(view->rejoin + at, view->rejoin_length - at,
			&answer->head, &answer->payload, &answer->length);

		if (used <= 0) {
			return false;
		}
		if (answer->head.body == answer->body && !answer->head.needs_state) {
			return true;
		}
		at += (size_t)used;
	}
	return false;
}

/* A packet with the state after the newest one, that needs none. */
static bool make_rejoin(struct jc_relayed_view *view, const struct jc_relayed_stream *stream,
	uint32_t relay_us, struct jc_body_stream_packet *out_packet)
{
	struct jc_packet_head head = stream->newest;
	struct answer answer = { .body = stream->body };
	uint8_t payload[JC_STREAM_BYTES];
	bool is_whole = stream->length > 0 && !stream->newest.needs_state;
	int length = is_whole
			     ? JC_ERROR_ABSENT
			     : jc_stream_decoder_rejoin(&stream->decoder, payload, sizeof(payload));

	head.needs_state = false;
	head.shape = JC_SHAPE_LIST;
	head.relay_age_us += relay_us;
	head.cut = stream->length > 0 && head.cut;
	if (is_whole) {
		return put(out_packet, &head, stream->payload, stream->payload_length);
	}
	if (length > 0 && !stream->is_opaque) {
		return put(out_packet, &head, payload, (size_t)length);
	}
	if (view->has_rejoin && find_answer(view, &answer) &&
		answer.head.sequence == head.sequence &&
		answer.head.incarnation == head.incarnation &&
		view->rejoin_tick == stream->newest_tick) {
		return put(out_packet, &head, answer.payload, answer.length);
	}
	return false;
}

void jc_relayed_view_begin(struct jc_relayed_view *view, uint32_t body)
{
	struct jc_relayed_stream *stream = jc_relayed_view_find(view, body);

	if (stream && view->spec.chains) {
		stream->is_behind = true;
	}
}

/* The followers continue with the rejoin packet. */
static void restart_with(struct jc_relayed_stream *stream,
	const struct jc_body_stream_packet *rejoin, struct jc_body_stream_packet *out_common)
{
	struct jc_packet_head head;
	const uint8_t *payload;
	size_t length;

	*out_common = *rejoin;
	if (stream->missed_cut && jc_bundle_read_packet(rejoin->bytes, rejoin->length, &head,
					  &payload, &length) > 0) {
		head.cut = true;
		put(out_common, &head, payload, length);
	}
	stream->is_behind = stream->missed_cut = false;
	stream->is_taken = true;
}

void jc_relayed_view_packets(struct jc_relayed_view *view, uint32_t body, bool wants_rejoin,
	uint32_t relay_us, struct jc_body_stream_packet *out_common,
	struct jc_body_stream_packet *out_rejoin)
{
	struct jc_relayed_stream *stream = jc_relayed_view_find(view, body);
	bool has_state = view->spec.chains;

	if (!stream || !stream->is_current) {
		view->wants_rejoin |= has_state;
		return;
	}
	if (has_state && (wants_rejoin || stream->is_behind)) {
		view->wants_rejoin |= !make_rejoin(view, stream, relay_us, out_rejoin);
	}
	if (stream->length > 0 && !(has_state && stream->is_behind)) {
		copy(stream, relay_us, out_common);
	} else if (out_rejoin->length > 0 && stream->is_behind) {
		restart_with(stream, out_rejoin, out_common);
	}
}
