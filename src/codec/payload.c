/* The sections of a packet: what one stream says of one figure at one instant.
 * PROTOCOL.md section 4, from "section" on. */
#include <math.h>

#include "jointcast/packet.h"
#include "jointcast/transform.h"
#include "rotation.h"
#include "wire.h"

#define MILLIMETRES 1000.0
#define TURN        6.283185307179586 /* radians */
#define TURN_STEPS  65536.0

/* Which bones a rotation section carries. */
struct range {
	enum jc_section section;
	unsigned first;
	unsigned count;
};

static const struct range ranges[] = {
	{ JC_SECTION_BODY, JC_SECTION_BODY_FIRST, JC_SECTION_BODY_COUNT },
	{ JC_SECTION_FACE, JC_SECTION_FACE_FIRST, JC_SECTION_FACE_COUNT },
	{ JC_SECTION_HANDS, JC_SECTION_HANDS_FIRST, JC_SECTION_HANDS_COUNT },
};

static size_t mask_bytes(const struct range *range)
{
	return (range->count + 7) / 8;
}

static void write_section_head(
	struct jc_wire_writer *writer, enum jc_section section, unsigned coding, size_t size)
{
	jc_wire_write_u8(writer, (uint8_t)((unsigned)section << 4 | coding));
	jc_wire_write_varint(writer, (uint32_t)size);
}

static void write_rotations(struct jc_wire_writer *writer, const struct range *range,
	uint64_t moved, const uint64_t packed[JC_BONE_COUNT])
{
	uint64_t mask = moved >> range->first & ((UINT64_C(1) << range->count) - 1);
	size_t bones = 0;

	for (unsigned i = 0; i < range->count; i++) {
		bones += mask >> i & 1;
	}
	if (bones == 0) {
		return;
	}
	write_section_head(writer, range->section, JC_CODING_SMALLEST_THREE,
		mask_bytes(range) + bones * JC_ROTATION_BYTES);
	jc_wire_write_bits(writer, mask, mask_bytes(range));
	for (unsigned i = 0; i < range->count; i++) {
		if (mask >> i & 1) {
			jc_wire_write_bits(writer, packed[range->first + i], JC_ROTATION_BYTES);
		}
	}
}

static bool within_limit(float value)
{
	return fabsf(value) <= JC_LIMIT_COORDINATE; /* false for NaN */
}

static bool position_within_limit(struct jc_vec3 position)
{
	return within_limit(position.x) && within_limit(position.y) && within_limit(position.z);
}

static int32_t to_millimetres(float metres)
{
	return (int32_t)lround(metres * MILLIMETRES);
}

static void write_position(struct jc_wire_writer *writer, struct jc_vec3 position)
{
	jc_wire_write_svarint(writer, to_millimetres(position.x));
	jc_wire_write_svarint(writer, to_millimetres(position.y));
	jc_wire_write_svarint(writer, to_millimetres(position.z));
}

static void write_hips(struct jc_wire_writer *writer, struct jc_vec3 translation)
{
	uint8_t bytes[3 * 5];
	struct jc_wire_writer content = jc_wire_writer_init(bytes, sizeof(bytes));

	if (to_millimetres(translation.x) == 0 && to_millimetres(translation.y) == 0 &&
		to_millimetres(translation.z) == 0) {
		return;
	}
	write_position(&content, translation);
	write_section_head(writer, JC_SECTION_HIPS, JC_CODING_MILLIMETRES, content.length);
	jc_wire_write_bytes(writer, bytes, content.length);
}

static void write_placement(struct jc_wire_writer *writer, const struct jc_placement *placement)
{
	uint8_t bytes[3 * 5 + 2];
	struct jc_wire_writer content = jc_wire_writer_init(bytes, sizeof(bytes));
	double turns = placement->yaw / TURN;

	write_position(&content, placement->position);
	/* The cast wraps a yaw that rounds up to a whole turn back to zero. */
	jc_wire_write_bits(&content, (uint16_t)lround((turns - floor(turns)) * TURN_STEPS), 2);
	write_section_head(writer, JC_SECTION_PLACEMENT, JC_CODING_MILLIMETRES, content.length);
	jc_wire_write_bytes(writer, bytes, content.length);
}

int jc_payload_encode(const struct jc_skeleton_pose *pose, const struct jc_placement *placement,
	uint8_t *out_bytes, size_t capacity)
{
	struct jc_wire_writer writer = jc_wire_writer_init(out_bytes, capacity);
	uint64_t packed[JC_BONE_COUNT];
	uint64_t moved = 0;

	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		int error = jc_rotation_pack(pose->rotations[bone], &packed[bone]);

		if (error != JC_OK) {
			return error;
		}
		moved |= (uint64_t)(packed[bone] != JC_ROTATION_REST) << bone;
	}
	if (!position_within_limit(pose->hips_translation)) {
		return JC_ERROR_INVALID;
	}
	if (placement &&
		(!position_within_limit(placement->position) || !within_limit(placement->yaw))) {
		return JC_ERROR_INVALID;
	}
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		write_rotations(&writer, &ranges[i], moved, packed);
	}
	write_hips(&writer, pose->hips_translation);
	if (placement) {
		write_placement(&writer, placement);
	}
	return jc_wire_written(&writer);
}

static int read_rotations(
	struct jc_wire_reader *reader, const struct range *range, struct jc_payload *payload)
{
	uint64_t mask = jc_wire_read_bits(reader, mask_bytes(range));

	if (mask >> range->count) {
		return JC_ERROR_INVALID;
	}
	for (unsigned i = 0; i < range->count; i++) {
		uint64_t packed;
		int error;

		if (!(mask >> i & 1)) {
			continue;
		}
		packed = jc_wire_read_bits(reader, JC_ROTATION_BYTES);
		if (reader->error != JC_OK) {
			return reader->error;
		}
		error = jc_rotation_unpack(packed, &payload->rotations[range->first + i]);
		if (error != JC_OK) {
			return error;
		}
	}
	payload->rotation_mask |= mask << range->first;
	return JC_OK;
}

static struct jc_vec3 read_position(struct jc_wire_reader *reader)
{
	struct jc_vec3 position;

	position.x = (float)(jc_wire_read_svarint(reader) / MILLIMETRES);
	position.y = (float)(jc_wire_read_svarint(reader) / MILLIMETRES);
	position.z = (float)(jc_wire_read_svarint(reader) / MILLIMETRES);
	return position;
}

/* Reads what a section holds, all of it, when it is one that we know. */
static int read_section(unsigned section, unsigned coding, struct jc_wire_reader *content,
	struct jc_payload *payload)
{
	int error = JC_OK;

	switch (section << 4 | coding) {
	case JC_SECTION_BODY << 4 | JC_CODING_SMALLEST_THREE:
	case JC_SECTION_FACE << 4 | JC_CODING_SMALLEST_THREE:
	case JC_SECTION_HANDS << 4 | JC_CODING_SMALLEST_THREE:
		error = read_rotations(content, &ranges[section - JC_SECTION_BODY], payload);
		break;
	case JC_SECTION_HIPS << 4 | JC_CODING_MILLIMETRES:
		payload->hips_translation = read_position(content);
		payload->has_hips = true;
		break;
	case JC_SECTION_PLACEMENT << 4 | JC_CODING_MILLIMETRES:
		payload->placement.position = read_position(content);
		payload->placement.yaw =
			(float)((double)jc_wire_read_bits(content, 2) * (TURN / TURN_STEPS));
		payload->has_placement = true;
		break;
	default:
		return JC_OK;
	}
	if (error == JC_OK) {
		error = content->error;
	}
	return error == JC_OK && jc_wire_left(content) > 0 ? JC_ERROR_INVALID : error;
}

int jc_payload_decode(const uint8_t *bytes, size_t length, struct jc_payload *out_payload)
{
	struct jc_wire_reader reader = jc_wire_reader_init(bytes, length);
	struct jc_payload payload = { .rotation_mask = 0 };
	unsigned seen = 0;

	if (length > JC_LIMIT_PACKET_BYTES) {
		return JC_ERROR_LIMIT;
	}
	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		payload.rotations[bone] = JC_QUAT_IDENTITY;
	}
	while (jc_wire_left(&reader) > 0) {
		uint8_t id = jc_wire_read_u8(&reader);
		uint32_t size = jc_wire_read_varint(&reader);
		const uint8_t *content = jc_wire_read_bytes(&reader, size);
		struct jc_wire_reader section;
		int error;

		if (reader.error != JC_OK) {
			return reader.error;
		}
		if (seen >> (id >> 4) & 1) {
			return JC_ERROR_INVALID;
		}
		seen |= 1u << (id >> 4);
		section = jc_wire_reader_init(content, size);
		error = read_section(id >> 4, id & 0x0f, &section, &payload);
		if (error != JC_OK) {
			return error;
		}
	}
	*out_payload = payload;
	return (int)length;
}
