/* What coding 1 and chains share of a payload. */
#include "section.h"

#include <math.h>

#define MILLIMETRES 1000.0
#define TURN        6.283185307179586 /* radians */
#define TURN_STEPS  65536.0
#define MASK_BYTES  7 /* of all bones */

void jc_section_write_head(
	struct jc_wire_writer *writer, enum jc_section section, unsigned coding, size_t size)
{
	jc_wire_write_u8(writer, (uint8_t)((unsigned)section << 4 | coding));
	jc_wire_write_varint(writer, (uint32_t)size);
}

int jc_section_read(struct jc_wire_reader *reader, unsigned *seen, struct jc_section_view *out_view)
{
	uint8_t id = jc_wire_read_u8(reader);
	uint32_t size = jc_wire_read_varint(reader);
	const uint8_t *content = jc_wire_read_bytes(reader, size);

	if (reader->error != JC_OK) {
		return reader->error;
	}
	if (*seen >> (id >> 4) & 1) {
		return JC_ERROR_INVALID;
	}
	*seen |= 1u << (id >> 4);
	*out_view = (struct jc_section_view){
		.section = id >> 4,
		.coding = id & 0x0f,
		.content = jc_wire_reader_init(content, size),
	};
	return JC_OK;
}

static bool within_limit(float value)
{
	return fabsf(value) <= JC_LIMIT_COORDINATE; /* false for NaN */
}

bool jc_section_position_is_valid(struct jc_vec3 position)
{
	return within_limit(position.x) && within_limit(position.y) && within_limit(position.z);
}

void jc_section_write_position(struct jc_wire_writer *writer, struct jc_vec3 position)
{
	jc_wire_write_svarint(writer, (int32_t)lround(position.x * MILLIMETRES));
	jc_wire_write_svarint(writer, (int32_t)lround(position.y * MILLIMETRES));
	jc_wire_write_svarint(writer, (int32_t)lround(position.z * MILLIMETRES));
}

struct jc_vec3 jc_section_read_position(struct jc_wire_reader *reader)
{
	struct jc_vec3 position;

	position.x = (float)(jc_wire_read_svarint(reader) / MILLIMETRES);
	position.y = (float)(jc_wire_read_svarint(reader) / MILLIMETRES);
	position.z = (float)(jc_wire_read_svarint(reader) / MILLIMETRES);
	return position;
}

bool jc_section_placement_is_valid(const struct jc_placement *placement)
{
	return jc_section_position_is_valid(placement->position) && within_limit(placement->yaw);
}

void jc_section_write_placement(struct jc_wire_writer *writer, const struct jc_placement *placement)
{
	uint8_t bytes[3 * 5 + 2];
	struct jc_wire_writer content = jc_wire_writer_init(bytes, sizeof(bytes));
	double turns = placement->yaw / TURN;

	jc_section_write_position(&content, placement->position);
	/* The cast wraps a yaw that rounds up to a whole turn back to zero. */
	jc_wire_write_bits(&content, (uint16_t)lround((turns - floor(turns)) * TURN_STEPS), 2);
	jc_section_write_head(writer, JC_SECTION_PLACEMENT, JC_CODING_MILLIMETRES, content.length);
	jc_wire_write_bytes(writer, bytes, content.length);
}

struct jc_placement jc_section_read_placement(struct jc_wire_reader *reader)
{
	struct jc_placement placement;

	placement.position = jc_section_read_position(reader);
	placement.yaw = (float)((double)jc_wire_read_bits(reader, 2) * (TURN / TURN_STEPS));
	return placement;
}

void jc_section_write_states(struct jc_wire_writer *writer, uint64_t known, uint64_t estimated)
{
	jc_section_write_head(writer, JC_SECTION_STATES, JC_CODING_MASKS, 2 * MASK_BYTES);
	jc_wire_write_bits(writer, known, MASK_BYTES);
	jc_wire_write_bits(writer, estimated, MASK_BYTES);
}

int jc_section_read_states(struct jc_wire_reader *reader, uint8_t out_states[JC_BONE_COUNT])
{
	uint64_t known = jc_wire_read_bits(reader, MASK_BYTES);
	uint64_t estimated = jc_wire_read_bits(reader, MASK_BYTES);

	if (reader->error != JC_OK) {
		return reader->error;
	}
	if (known >> JC_BONE_COUNT || estimated & ~known) {
		return JC_ERROR_INVALID;
	}
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		int is_known = known >> bone & 1, is_estimated = estimated >> bone & 1;

		out_states[bone] = (uint8_t)(is_estimated ? JC_ESTIMATED
					     : is_known   ? JC_TRACKED
							  : JC_ABSENT);
	}
	return JC_OK;
}
