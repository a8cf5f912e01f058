/* Reads and formats recorded packets and the list of their streams; replays are compared with them.
 */
#include <jansson.h>
#include <string.h>

#include "jointcast/recording_reader.h"
#include "jointcast_private/chain.h"
#include "jointcast_private/mcap_bytes.h"
#include "topics.h"

static json_t *pack_sections(unsigned sections)
{
	static const struct {
		enum jc_section section;
		const char *name;
	} names[] = {
		{ JC_SECTION_BODY, "body" },
		{ JC_SECTION_FACE, "face" },
		{ JC_SECTION_HANDS, "hands" },
		{ JC_SECTION_HIPS, "hips" },
		{ JC_SECTION_CHANNELS, "channels" },
		{ JC_SECTION_VIRTUALS, "virtual" },
	};
	json_t *array = json_array();

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (sections & JC_STREAM_SECTION(names[i].section)) {
			json_array_append_new(array, json_string(names[i].name));
		}
	}
	return array;
}

/* NULL for none. */
static json_t *pack_virtuals(const struct jc_recorded_stream *stream)
{
	json_t *array = stream->virtual_count > 0 ? json_array() : NULL;

	for (size_t i = 0; i < stream->virtual_count; i++) {
		json_array_append_new(array, json_integer(stream->virtuals[i]));
	}
	return array;
}

static int coding_of(const struct jc_recorded_stream *stream)
{
	return !stream->chains ? JC_CODING_SMALLEST_THREE
	       : stream->model ? JC_CODING_MODEL_CHAIN
			       : JC_CODING_CHAIN;
}

static json_t *pack_stream(const struct jc_recorded_stream *stream)
{
	bool is_limited = stream->finest != JC_PRECISION_FINE;
	json_t *object = json_pack("{sI sI ss si ss* so* sI}", "stream", (json_int_t)stream->number,
		"body", (json_int_t)stream->body, "skeleton", stream->skeleton, "coding",
		coding_of(stream), "finest", is_limited ? jc_precision_name(stream->finest) : NULL,
		"virtual", pack_virtuals(stream), "since", (json_int_t)stream->since);

	if (object && stream->chains &&
		(json_object_set_new(object, "precision",
			 json_string(jc_precision_name(stream->precision))) != 0 ||
			json_object_set_new(object, "rate", json_integer(stream->rate)) != 0 ||
			json_object_set_new(object, "sections", pack_sections(stream->sections)) !=
				0)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

int jc_recording_format_streams(
	int64_t time_us, const struct jc_recorded_stream *streams, size_t count, char **out_text)
{
	json_t *array = json_array();
	json_t *object;
	char *text;

	for (size_t i = 0; i < count; i++) {
		if (json_array_append_new(array, pack_stream(&streams[i])) != 0) {
			json_decref(array);
			return JC_ERROR_MEMORY;
		}
	}
	object = json_pack("{sI si si so}", "time", (json_int_t)time_us, "table", JC_CHAIN_TABLE,
		"modelTable", JC_MODEL_CHAIN_TABLE, "streams", array);
	text = object ? json_dumps(object, JSON_COMPACT) : NULL;
	json_decref(object);
	if (!text) {
		return JC_ERROR_MEMORY;
	}
	*out_text = text;
	return JC_OK;
}

static void put(uint8_t **at, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		*(*at)++ = (uint8_t)(value >> (8 * i));
	}
}

static void put_bytes(uint8_t **at, const uint8_t *bytes, size_t length)
{
	if (length > 0) {
		memcpy(*at, bytes, length);
		*at += length;
	}
}

int jc_recording_format_packets(uint32_t tick, const struct jc_recorded_packet *packets,
	size_t count, uint8_t *out_bytes, size_t capacity)
{
	uint8_t *at = out_bytes;
	size_t length = JC_PACKETS_HEAD_BYTES;

	for (size_t i = 0; i < count; i++) {
		if (packets[i].length > UINT16_MAX || packets[i].rejoin_length > UINT16_MAX) {
			return JC_ERROR_LIMIT;
		}
		length += JC_PACKETS_ITEM_BYTES + packets[i].length + packets[i].rejoin_length;
	}
	if (length > capacity) {
		return JC_ERROR_SPACE;
	}
	put(&at, JC_PACKETS_VERSION, 1);
	put(&at, tick, 4);
	for (size_t i = 0; i < count; i++) {
		const struct jc_recorded_packet *packet = &packets[i];

		put(&at, packet->stream, 4);
		put(&at, packet->rejoins ? JC_PACKETS_REJOINS : 0, 1);
		put(&at, packet->length, 2);
		put(&at, packet->rejoin_length, 2);
		put_bytes(&at, packet->bytes, packet->length);
		put_bytes(&at, packet->rejoin, packet->rejoin_length);
	}
	return (int)length;
}

bool jc_packets_begin(const void *bytes, size_t length, struct jc_packets *out_packets)
{
	struct jc_mcap_take take = jc_mcap_take_begin((struct jc_mcap_slice){ bytes, length });

	if (jc_mcap_take_number(&take, 1) != JC_PACKETS_VERSION) {
		return false;
	}
	out_packets->tick = (uint32_t)jc_mcap_take_number(&take, 4);
	out_packets->at = take.at;
	out_packets->end = take.end;
	return !take.failed;
}

bool jc_packets_next(struct jc_packets *packets, struct jc_recorded_packet *out_packet)
{
	struct jc_mcap_take take = { packets->at, packets->end, false };
	uint32_t stream = (uint32_t)jc_mcap_take_number(&take, 4);
	uint64_t flags = jc_mcap_take_number(&take, 1);
	uint64_t length = jc_mcap_take_number(&take, 2);
	uint64_t rejoin_length = jc_mcap_take_number(&take, 2);
	struct jc_mcap_slice bytes = jc_mcap_take_slice(&take, length);
	struct jc_mcap_slice rejoin = jc_mcap_take_slice(&take, rejoin_length);

	if (take.failed) {
		return false;
	}
	packets->at = take.at;
	*out_packet = (struct jc_recorded_packet){
		.stream = stream,
		.rejoins = flags & JC_PACKETS_REJOINS,
		.bytes = bytes.bytes,
		.length = bytes.length,
		.rejoin = rejoin.bytes,
		.rejoin_length = rejoin.length,
	};
	return true;
}
