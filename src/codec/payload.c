/* Encodes and decodes the sections of a packet: one stream at one instant. proto/BUNDLES.md,
 * "Sections". */
#include <math.h>

#include "jointcast/packet.h"
#include "jointcast/transform.h"
#include "rotation.h"
#include "section.h"

#define MILLIMETRES 1000.0

/* Selects the bones of a rotation section. */
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
	jc_section_write_head(writer, range->section, JC_CODING_SMALLEST_THREE,
		mask_bytes(range) + bones * JC_ROTATION_BYTES);
	jc_wire_write_bits(writer, mask, mask_bytes(range));
	for (unsigned i = 0; i < range->count; i++) {
		if (mask >> i & 1) {
			jc_wire_write_bits(writer, packed[range->first + i], JC_ROTATION_BYTES);
		}
	}
}

/* Rounded as jc_section_write_position does. */
static bool is_displaced(struct jc_vec3 translation)
{
	return lround(translation.x * MILLIMETRES) || lround(translation.y * MILLIMETRES) ||
	       lround(translation.z * MILLIMETRES);
}

static void write_hips(struct jc_wire_writer *writer, struct jc_vec3 translation)
{
	uint8_t bytes[3 * 5];
	struct jc_wire_writer content = jc_wire_writer_init(bytes, sizeof(bytes));

	if (!is_displaced(translation)) {
		return;
	}
	jc_section_write_position(&content, translation);
	jc_section_write_head(writer, JC_SECTION_HIPS, JC_CODING_MILLIMETRES, content.length);
	jc_wire_write_bytes(writer, bytes, content.length);
}

static void write_placement(struct jc_wire_writer *writer, const struct jc_placement *placement)
{
	uint8_t bytes[3 * 5 + 2];
	struct jc_wire_writer content = jc_wire_writer_init(bytes, sizeof(bytes));

	jc_section_write_placement(&content, placement);
	jc_section_write_head(writer, JC_SECTION_PLACEMENT, JC_CODING_MILLIMETRES, content.length);
	jc_wire_write_bytes(writer, bytes, content.length);
}

int jc_payload_encode(const struct jc_skeleton_pose *pose, const struct jc_placement *placement,
	uint8_t *out_bytes, size_t capacity)
{
	struct jc_wire_writer writer = jc_wire_writer_init(out_bytes, capacity);
	uint64_t packed[JC_BONE_COUNT];
	uint64_t moved = 0;

	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		int error =
			jc_rotation_pack(pose->rotations[bone], JC_ROTATION_BITS, &packed[bone]);

		if (error != JC_OK) {
			return error;
		}
		moved |= (uint64_t)(packed[bone] != JC_ROTATION_REST(JC_ROTATION_BITS)) << bone;
	}
	if (!jc_section_position_is_valid(pose->hips_translation) ||
		(placement && !jc_section_placement_is_valid(placement))) {
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
		error = jc_rotation_unpack(
			packed, JC_ROTATION_BITS, &payload->rotations[range->first + i]);
		if (error != JC_OK) {
			return error;
		}
	}
	payload->rotation_mask |= mask << range->first;
	return JC_OK;
}

/* Reads all of a section if it is known. */
static int read_section(struct jc_section_view *view, struct jc_payload *payload)
{
	struct jc_wire_reader *content = &view->content;
	int error = JC_OK;

	switch (view->section << 4 | view->coding) {
	case JC_SECTION_BODY << 4 | JC_CODING_SMALLEST_THREE:
	case JC_SECTION_FACE << 4 | JC_CODING_SMALLEST_THREE:
	case JC_SECTION_HANDS << 4 | JC_CODING_SMALLEST_THREE:
		error = read_rotations(content, &ranges[view->section - JC_SECTION_BODY], payload);
		break;
	case JC_SECTION_HIPS << 4 | JC_CODING_MILLIMETRES:
		payload->hips_translation = jc_section_read_position(content);
		payload->has_hips = true;
		break;
	case JC_SECTION_PLACEMENT << 4 | JC_CODING_MILLIMETRES:
		payload->placement = jc_section_read_placement(content);
		payload->has_placement = true;
		break;
	case JC_SECTION_STATES << 4 | JC_CODING_MASKS:
		error = jc_section_read_states(content, payload->states);
		payload->has_states = true;
		break;
	default:
		return JC_OK;
	}
	if (error == JC_OK) {
		error = content->error;
	}
	return error == JC_OK && jc_wire_left(content) > 0 ? JC_ERROR_INVALID : error;
}

int jc_payload_decode(
	enum jc_shape shape, const uint8_t *bytes, size_t length, struct jc_payload *out_payload)
{
	struct jc_section_walk walk = jc_section_walk_init(shape, bytes, length);
	struct jc_payload payload = { .rotation_mask = 0 };
	struct jc_section_view view;
	int status;

	if (length > JC_LIMIT_PACKET_BYTES) {
		return JC_ERROR_LIMIT;
	}
	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		payload.rotations[bone] = JC_QUAT_IDENTITY;
	}
	while ((status = jc_section_next(&walk, &view)) > 0) {
		status = read_section(&view, &payload);
		if (status != JC_OK) {
			return status;
		}
	}
	if (status < 0) {
		return status;
	}
	*out_payload = payload;
	return (int)length;
}

size_t jc_payload_find(enum jc_shape shape, const uint8_t *bytes, size_t length,
	enum jc_section section, const uint8_t **out_bytes)
{
	struct jc_section_walk walk = jc_section_walk_init(shape, bytes, length);
	struct jc_section_view view;

	while (jc_section_next(&walk, &view) > 0) {
		if (view.section == section) {
			*out_bytes = view.content.at;
			return jc_wire_left(&view.content);
		}
	}
	return 0;
}
