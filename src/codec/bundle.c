/* Encodes and decodes bundles and packet heads, which relays read and forward without decoding
 * motion. proto/BUNDLES.md, "Bundle head" and "Packet head". */
#include <string.h>

#include "jointcast/packet.h"
#include "wire.h"

#define KIND_BUNDLE_V1 0x11
#define KIND_PAIR_V1   0x31
#define SHORT_HEAD     0x80
#define SHORT_MASK     0x7fu

/* The first byte of a packet; the low four bits are its sequence. */
#define SHAPE_SHIFT   4
#define SHAPE_MASK    3
#define FLAG_LAST     0x40
#define FLAG_EXTENDED 0x80

/* The second, where it is extended. */
#define FLAG_CUT          0x01
#define FLAG_RELAY        0x02
#define FLAG_AGE          0x04
#define FLAG_COMPLETE     0x08
#define INCARNATION_SHIFT 5
#define INCARNATION_MAX   7

#define AGE_UNIT_US 100
#define RELAY_MAX   (UINT32_MAX / AGE_UNIT_US) /* what reads back within 32 bits */
#define AGE_MAX     (INT32_MAX / AGE_UNIT_US)

/* age, relay */
#define TIMES_MAX (5 + 5)

int jc_bundle_begin(const struct jc_bundle_head *head, uint8_t *out_bytes, size_t capacity)
{
	struct jc_wire_writer writer = jc_wire_writer_init(out_bytes, capacity);

	jc_wire_write_u8(&writer, KIND_BUNDLE_V1);
	jc_wire_write_varint(&writer, head->space);
	jc_wire_write_varint(&writer, head->tick);
	return jc_wire_written(&writer);
}

uint8_t jc_bundle_short_head(uint32_t tick)
{
	return (uint8_t)(SHORT_HEAD | (tick & SHORT_MASK));
}

static uint32_t to_relay(uint32_t us)
{
	uint32_t relay = us / AGE_UNIT_US + (us % AGE_UNIT_US >= AGE_UNIT_US / 2);

	return relay > RELAY_MAX ? RELAY_MAX : relay;
}

/* To the nearest unit, halves away from zero. */
static int32_t to_age(int32_t us)
{
	int32_t rest = us % AGE_UNIT_US;
	int32_t age = us / AGE_UNIT_US + (rest >= AGE_UNIT_US / 2) - (rest <= -AGE_UNIT_US / 2);

	return age > AGE_MAX ? AGE_MAX : age < -AGE_MAX ? -AGE_MAX : age;
}

int jc_bundle_append(const struct jc_packet_head *head, const uint8_t *payload,
	size_t payload_length, uint8_t *out_bytes, size_t capacity)
{
	struct jc_wire_writer writer = jc_wire_writer_init(out_bytes, capacity);
	uint8_t bytes[TIMES_MAX];
	struct jc_wire_writer times = jc_wire_writer_init(bytes, sizeof(bytes));
	uint32_t relay = to_relay(head->relay_age_us);
	int32_t age = to_age(head->capture_age_us);
	unsigned more = (unsigned)head->incarnation << INCARNATION_SHIFT |
			(head->needs_state ? 0 : FLAG_COMPLETE) | (age ? FLAG_AGE : 0) |
			(relay ? FLAG_RELAY : 0) | (head->cut ? FLAG_CUT : 0);

	if (head->incarnation > INCARNATION_MAX || head->sequence > JC_SEQUENCE_MASK) {
		return JC_ERROR_INVALID;
	}
	if (age) {
		jc_wire_write_svarint(&times, age);
	}
	if (relay) {
		jc_wire_write_varint(&times, relay);
	}
	if (payload_length > JC_LIMIT_PACKET_BYTES - times.length) {
		return JC_ERROR_LIMIT;
	}
	jc_wire_write_u8(&writer,
		(uint8_t)((more ? FLAG_EXTENDED : 0) |
			  ((unsigned)head->shape & SHAPE_MASK) << SHAPE_SHIFT | head->sequence));
	if (more) {
		jc_wire_write_u8(&writer, (uint8_t)more);
	}
	jc_wire_write_varint(&writer, head->body);
	jc_wire_write_varint(&writer, (uint32_t)(times.length + payload_length));
	jc_wire_write_bytes(&writer, bytes, times.length);
	jc_wire_write_bytes(&writer, payload, payload_length);
	return jc_wire_written(&writer);
}

uint8_t *jc_bundle_finish(uint8_t *packet, uint8_t *end)
{
	uint8_t *id = packet + (*packet & FLAG_EXTENDED ? 2 : 1);
	struct jc_wire_reader reader = jc_wire_reader_init(id, (size_t)(end - id));
	uint8_t *size;
	size_t left;

	jc_wire_read_varint(&reader);
	size = end - jc_wire_left(&reader);
	jc_wire_read_varint(&reader);
	left = jc_wire_left(&reader);
	*packet |= FLAG_LAST;
	memmove(size, end - left, left);
	return size + left;
}

/* The first tick after the previous one with these low bits. */
static uint32_t next_tick(uint32_t before, uint8_t byte)
{
	return before + 1 + ((byte - before - 1) & SHORT_MASK);
}

int jc_bundle_read_head(const uint8_t *bytes, size_t length, const struct jc_bundle_head *before,
	struct jc_bundle_head *out_head)
{
	struct jc_wire_reader reader = jc_wire_reader_init(bytes, length);
	struct jc_bundle_head head;
	uint8_t kind = jc_wire_read_u8(&reader);

	if (length > JC_LIMIT_BUNDLE_BYTES) {
		return JC_ERROR_LIMIT;
	}
	if (kind & SHORT_HEAD) {
		if (!before) {
			return JC_ERROR_INVALID;
		}
		head.space = before->space;
		head.tick = next_tick(before->tick, kind);
	} else {
		if (reader.error == JC_OK && kind != KIND_BUNDLE_V1) {
			return JC_ERROR_UNSUPPORTED;
		}
		head.space = jc_wire_read_varint(&reader);
		head.tick = jc_wire_read_varint(&reader);
	}
	if (reader.error != JC_OK) {
		return reader.error;
	}
	*out_head = head;
	return (int)(length - jc_wire_left(&reader));
}

static void refuse(struct jc_wire_reader *reader, bool refused)
{
	if (refused && reader->error == JC_OK) {
		reader->error = JC_ERROR_LIMIT;
	}
}

static int32_t read_age_us(struct jc_wire_reader *reader)
{
	int32_t age = jc_wire_read_svarint(reader);

	refuse(reader, age > AGE_MAX || age < -AGE_MAX);
	return reader->error == JC_OK ? age * AGE_UNIT_US : 0;
}

static uint32_t read_relay_us(struct jc_wire_reader *reader)
{
	uint32_t relay = jc_wire_read_varint(reader);

	refuse(reader, relay > RELAY_MAX);
	return relay * AGE_UNIT_US;
}

/* Without shape bits a packet is a list, or with state a mask. */
static enum jc_shape read_shape(uint8_t flags, bool needs_state)
{
	enum jc_shape shape = (enum jc_shape)(flags >> SHAPE_SHIFT & SHAPE_MASK);

	return shape == JC_SHAPE_LIST && needs_state ? JC_SHAPE_MASK : shape;
}

int jc_bundle_read_packet(const uint8_t *bytes, size_t length, struct jc_packet_head *out_head,
	const uint8_t **out_payload, size_t *out_length)
{
	struct jc_wire_reader reader = jc_wire_reader_init(bytes, length);
	struct jc_wire_reader body;
	struct jc_packet_head head;
	uint8_t flags = jc_wire_read_u8(&reader);
	uint8_t more = flags & FLAG_EXTENDED ? jc_wire_read_u8(&reader) : 0;
	const uint8_t *content;
	size_t size;

	head.body = jc_wire_read_varint(&reader);
	size = flags & FLAG_LAST ? jc_wire_left(&reader) : jc_wire_read_varint(&reader);
	refuse(&reader, size > JC_LIMIT_PACKET_BYTES);
	if (reader.error == JC_ERROR_LIMIT) {
		return JC_ERROR_LIMIT;
	}
	content = jc_wire_read_bytes(&reader, size);
	if (reader.error != JC_OK) {
		return reader.error;
	}
	body = jc_wire_reader_init(content, size);
	head.sequence = flags & JC_SEQUENCE_MASK;
	head.incarnation = more >> INCARNATION_SHIFT;
	head.cut = more & FLAG_CUT;
	head.needs_state = !(more & FLAG_COMPLETE);
	head.shape = read_shape(flags, head.needs_state);
	head.capture_age_us = more & FLAG_AGE ? read_age_us(&body) : 0;
	head.relay_age_us = more & FLAG_RELAY ? read_relay_us(&body) : 0;
	if (body.error != JC_OK) {
		return body.error;
	}
	*out_head = head;
	*out_payload = body.at;
	*out_length = jc_wire_left(&body);
	return (int)(length - jc_wire_left(&reader));
}

int jc_bundle_pair(size_t first_length, uint8_t *out_bytes, size_t capacity)
{
	struct jc_wire_writer writer = jc_wire_writer_init(out_bytes, capacity);

	jc_wire_write_u8(&writer, KIND_PAIR_V1);
	jc_wire_write_varint(&writer, (uint32_t)first_length);
	return jc_wire_written(&writer);
}

int jc_bundle_split(
	const uint8_t *bytes, size_t length, const uint8_t *out_bundles[2], size_t out_lengths[2])
{
	struct jc_wire_reader reader = jc_wire_reader_init(bytes, length);
	const uint8_t *first;
	size_t size;

	if (length == 0 || jc_wire_read_u8(&reader) != KIND_PAIR_V1) {
		out_bundles[0] = bytes;
		out_lengths[0] = length;
		return 1;
	}
	size = jc_wire_read_varint(&reader);
	refuse(&reader, size > JC_LIMIT_BUNDLE_BYTES);
	first = jc_wire_read_bytes(&reader, size);
	refuse(&reader, jc_wire_left(&reader) > JC_LIMIT_BUNDLE_BYTES);
	if (reader.error != JC_OK) {
		return reader.error;
	}
	out_bundles[0] = first;
	out_lengths[0] = size;
	out_bundles[1] = reader.at;
	out_lengths[1] = jc_wire_left(&reader);
	return 2;
}
