/* Bundles and packet heads: what a space and a hop add around payloads, in
 * clear, so that both can be read and forwarded without decoding any motion.
 * PROTOCOL.md section 4, down to "section". */
#include "jointcast/packet.h"
#include "wire.h"

#define KIND_BUNDLE_V1 0x11

#define FLAG_CUT          0x01
#define FLAG_RELAY        0x02
#define FLAG_STATE        0x04
#define INCARNATION_SHIFT 5
#define INCARNATION_MAX   7

#define AGE_UNIT_US 100
#define AGE_MAX     (UINT32_MAX / AGE_UNIT_US) /* what reads back within 32 bits */

/* id, flags, sequence, age, relay */
#define HEAD_MAX (5 + 1 + 1 + 5 + 5)

int jc_bundle_begin(const struct jc_bundle_head *head, uint8_t *out_bytes, size_t capacity)
{
	struct jc_wire_writer writer = jc_wire_writer_init(out_bytes, capacity);

	jc_wire_write_u8(&writer, KIND_BUNDLE_V1);
	jc_wire_write_varint(&writer, head->space);
	jc_wire_write_varint(&writer, head->tick);
	jc_wire_write_svarint(&writer, head->offset_us);
	return jc_wire_written(&writer);
}

static uint32_t to_age(uint32_t us)
{
	uint32_t age = us / AGE_UNIT_US + (us % AGE_UNIT_US >= AGE_UNIT_US / 2);

	return age > AGE_MAX ? AGE_MAX : age;
}

int jc_bundle_append(const struct jc_packet_head *head, const uint8_t *payload,
	size_t payload_length, uint8_t *out_bytes, size_t capacity)
{
	struct jc_wire_writer writer = jc_wire_writer_init(out_bytes, capacity);
	uint8_t bytes[HEAD_MAX];
	struct jc_wire_writer body = jc_wire_writer_init(bytes, sizeof(bytes));
	uint32_t relay = to_age(head->relay_age_us);
	unsigned flags = (unsigned)head->incarnation << INCARNATION_SHIFT |
			 (head->needs_state ? FLAG_STATE : 0) | (relay ? FLAG_RELAY : 0) |
			 (head->cut ? FLAG_CUT : 0);

	if (head->incarnation > INCARNATION_MAX) {
		return JC_ERROR_INVALID;
	}
	jc_wire_write_varint(&body, head->body);
	jc_wire_write_u8(&body, (uint8_t)flags);
	jc_wire_write_u8(&body, head->sequence);
	jc_wire_write_varint(&body, to_age(head->capture_age_us));
	if (relay) {
		jc_wire_write_varint(&body, relay);
	}
	if (payload_length > JC_LIMIT_PACKET_BYTES - body.length) {
		return JC_ERROR_LIMIT;
	}
	jc_wire_write_varint(&writer, (uint32_t)(body.length + payload_length));
	jc_wire_write_bytes(&writer, bytes, body.length);
	jc_wire_write_bytes(&writer, payload, payload_length);
	return jc_wire_written(&writer);
}

int jc_bundle_read_head(const uint8_t *bytes, size_t length, struct jc_bundle_head *out_head)
{
	struct jc_wire_reader reader = jc_wire_reader_init(bytes, length);
	struct jc_bundle_head head;
	uint8_t kind = jc_wire_read_u8(&reader);

	if (length > JC_LIMIT_BUNDLE_BYTES) {
		return JC_ERROR_LIMIT;
	}
	if (reader.error == JC_OK && kind != KIND_BUNDLE_V1) {
		return JC_ERROR_UNSUPPORTED;
	}
	head.space = jc_wire_read_varint(&reader);
	head.tick = jc_wire_read_varint(&reader);
	head.offset_us = jc_wire_read_svarint(&reader);
	if (reader.error != JC_OK) {
		return reader.error;
	}
	*out_head = head;
	return (int)(length - jc_wire_left(&reader));
}

static uint32_t read_age_us(struct jc_wire_reader *reader)
{
	uint32_t age = jc_wire_read_varint(reader);

	if (age > AGE_MAX && reader->error == JC_OK) {
		reader->error = JC_ERROR_LIMIT;
	}
	return age * AGE_UNIT_US;
}

int jc_bundle_read_packet(const uint8_t *bytes, size_t length, struct jc_packet_head *out_head,
	const uint8_t **out_payload, size_t *out_length)
{
	struct jc_wire_reader reader = jc_wire_reader_init(bytes, length);
	struct jc_wire_reader body;
	struct jc_packet_head head;
	uint32_t size = jc_wire_read_varint(&reader);
	const uint8_t *content;
	uint8_t flags;

	if (size > JC_LIMIT_PACKET_BYTES) {
		return JC_ERROR_LIMIT;
	}
	content = jc_wire_read_bytes(&reader, size);
	if (reader.error != JC_OK) {
		return reader.error;
	}
	body = jc_wire_reader_init(content, size);
	head.body = jc_wire_read_varint(&body);
	flags = jc_wire_read_u8(&body);
	head.incarnation = flags >> INCARNATION_SHIFT;
	head.cut = flags & FLAG_CUT;
	head.needs_state = flags & FLAG_STATE;
	head.sequence = jc_wire_read_u8(&body);
	head.capture_age_us = read_age_us(&body);
	head.relay_age_us = flags & FLAG_RELAY ? read_age_us(&body) : 0;
	if (body.error != JC_OK) {
		return body.error;
	}
	*out_head = head;
	*out_payload = body.at;
	*out_length = jc_wire_left(&body);
	return (int)(length - jc_wire_left(&reader));
}
