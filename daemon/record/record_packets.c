/* Copies encoded packets into a recording. A stream is copied only while its captures, its
 * start and its encoded ticks are all known. */
#include "record/record_packets.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/capture.h"
#include "source/capture_intake.h"

#define PACKETS 256u /* maximum in one message */
#define BYTES   (PACKETS * (2u * JC_BODY_STREAM_PACKET_BYTES + 16u))

/* The recording state of the body in a slot. */
struct seen {
	uint32_t body;
	bool is_recorded;
};

struct jc_record_packets {
	struct seen seen[JC_MAX_BODIES];
	size_t count;
	struct jc_recorded_packet list[PACKETS];
	uint8_t bytes[BYTES];
};

int jc_record_packets_create(struct jc_record_packets **out_packets)
{
	*out_packets = calloc(1, sizeof(**out_packets));
	return *out_packets ? JC_OK : JC_ERROR_MEMORY;
}

void jc_record_packets_destroy(struct jc_record_packets *packets)
{
	free(packets);
}

void jc_record_packets_invalidate(struct jc_record_packets *packets)
{
	for (size_t i = 0; i < JC_MAX_BODIES; i++) {
		packets->seen[i].is_recorded = false;
	}
}

/* Captures of this tick without T-poses. */
static size_t count_instants(const struct jc_capture_intake *intake)
{
	size_t count = 0;

	for (size_t i = 0; i < jc_capture_intake_count(intake); i++) {
		const uint8_t *bytes;
		size_t length;

		jc_capture_intake_capture(intake, i, &bytes, &length);
		count += length > 1 && !(bytes[1] & JC_CAPTURE_FLAG_REST);
	}
	return count;
}

/* Whether this tick's captures determine the pose of the body completely. */
static bool is_whole(const struct jc_capture_intake *intake)
{
	const struct jc_capture_form *form = jc_capture_form(intake);
	struct jc_source_status status = { .frames = 0 };
	size_t count = count_instants(intake);

	jc_capture_intake_report(intake, &status);
	return status.frames == count ||
	       (form->is_direct && form->smooth.min_cutoff == 0.0f && count > 0);
}

/* Whether the captures of the body are recorded unchanged. */
static bool is_recorded_unchanged(const struct jc_record_roster *roster, const struct jc_body *body)
{
	enum jc_recorded recorded = jc_record_roster_form(roster, body);

	return body->source->intake &&
	       (recorded == JC_RECORDED_RAW ||
		       (recorded == JC_RECORDED_ANONYMOUS && !body->source->tracked));
}

void jc_record_packets_begin(struct jc_record_packets *packets,
	const struct jc_record_roster *roster, struct jc_space *space)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct seen *seen = &packets->seen[body->slot];
		bool is_recorded = is_recorded_unchanged(roster, body);

		if (seen->body == body->id && (seen->is_recorded || !is_recorded)) {
			seen->is_recorded &= is_recorded;
			continue;
		}
		seen->body = body->id;
		seen->is_recorded = is_recorded && is_whole(body->source->intake);
		if (seen->is_recorded) {
			jc_space_restart_streams(space, body);
		}
	}
}

static struct jc_recorded_stream describe(
	const struct jc_body *body, const struct jc_body_stream *body_stream)
{
	return (struct jc_recorded_stream){
		.number = body_stream->number,
		.body = body->id,
		.skeleton = body_stream->asset->hash,
		.chains = body_stream->spec.chains,
		.model = body_stream->spec.model,
		.precision = body_stream->spec.precision,
		.rate = body_stream->spec.rate,
		.sections = body_stream->spec.sections,
		.virtuals = body_stream->virtual_indices,
		.virtual_count = body_stream->virtual_count,
		.finest = body_stream->spec.finest,
		.since = body_stream->since,
	};
}

/* Lists all streams if one of them began with this tick. */
static void put_streams(struct jc_record_packets *packets, const struct jc_space *space,
	uint32_t tick, int64_t time_us, struct jc_record_queue *queue)
{
	struct jc_record_entry head = {
		.topic = JC_TOPIC_STREAMS, .role = JC_RECORD_LAST, .time_us = time_us
	};
	struct jc_recorded_stream *streams;
	size_t count = 0;
	bool is_due = false;
	char *text;

	streams = calloc(jc_space_stream_count(space) + 1, sizeof(*streams));
	for (size_t i = 0; streams && i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		const struct jc_body_stream *body_stream = jc_space_streams(space, body);

		for (; body_stream && packets->seen[body->slot].is_recorded;
			body_stream = body_stream->next) {
			if (body_stream->encoded > 0) {
				streams[count++] = describe(body, body_stream);
				is_due |= body_stream->is_fresh && body_stream->since == tick;
			}
		}
	}
	if (is_due && jc_recording_format_streams(time_us, streams, count, &text) == JC_OK) {
		head.length = strlen(text);
		jc_record_queue_put(queue, &head, text);
		free(text);
	}
	free(streams);
}

static void flush(struct jc_record_packets *packets, uint32_t tick, int64_t time_us,
	struct jc_record_queue *queue)
{
	struct jc_record_entry head = {
		.topic = JC_TOPIC_PACKETS, .role = JC_RECORD_ONCE, .time_us = time_us
	};
	int length = jc_recording_format_packets(
		tick, packets->list, packets->count, packets->bytes, sizeof(packets->bytes));

	if (packets->count > 0 && length > 0) {
		head.length = (size_t)length;
		jc_record_queue_put(queue, &head, packets->bytes);
	}
	packets->count = 0;
}

void jc_record_packets_put(struct jc_record_packets *packets, const struct jc_space *space,
	uint32_t tick, int64_t time_us, struct jc_record_queue *queue)
{
	put_streams(packets, space, tick, time_us, queue);
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		const struct jc_body_stream *body_stream = jc_space_streams(space, body);

		for (; body_stream && packets->seen[body->slot].is_recorded;
			body_stream = body_stream->next) {
			if (!body_stream->is_fresh) {
				continue;
			}
			packets->list[packets->count++] = (struct jc_recorded_packet){
				.stream = body_stream->number,
				.rejoins = body_stream->wants_rejoin,
				.bytes = body_stream->common.bytes,
				.length = body_stream->common.length,
				.rejoin = body_stream->rejoin.bytes,
				.rejoin_length = body_stream->rejoin.length,
			};
			if (packets->count == PACKETS) {
				flush(packets, tick, time_us, queue);
			}
		}
	}
	flush(packets, tick, time_us, queue);
}
