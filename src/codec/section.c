/* Section heads and stateless sections, for coding 1 and for chains. */
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

/* The coding that a section has in a stream with state. */
static unsigned stream_coding(enum jc_section section, unsigned chains)
{
	return section == JC_SECTION_PLACEMENT || section == JC_SECTION_STATES ||
			       section == JC_SECTION_PACE
		       ? 1
		       : chains;
}

void jc_section_set_init(struct jc_section_set *set, unsigned coding)
{
	set->coding = coding;
	set->contents = jc_wire_writer_init(set->bytes, sizeof(set->bytes));
	set->present = 0;
}

struct jc_wire_writer *jc_section_set_open(struct jc_section_set *set, enum jc_section section)
{
	set->present |= 1u << section;
	set->from[section] = set->contents.length;
	return &set->contents;
}

void jc_section_set_close(struct jc_section_set *set, enum jc_section section)
{
	set->to[section] = set->contents.length;
	if (set->to[section] == set->from[section]) {
		set->present &= ~(1u << section);
	}
}

void jc_section_set_add(
	struct jc_section_set *set, enum jc_section section, const uint8_t *bytes, size_t length)
{
	jc_wire_write_bytes(jc_section_set_open(set, section), bytes, length);
	jc_section_set_close(set, section);
}

void jc_section_set_add_placement(struct jc_section_set *set, const struct jc_placement *placement)
{
	jc_section_write_placement(jc_section_set_open(set, JC_SECTION_PLACEMENT), placement);
	jc_section_set_close(set, JC_SECTION_PLACEMENT);
}

void jc_section_set_add_states(struct jc_section_set *set, uint64_t known, uint64_t estimated)
{
	jc_section_write_states(jc_section_set_open(set, JC_SECTION_STATES), known, estimated);
	jc_section_set_close(set, JC_SECTION_STATES);
}

static size_t size_of(const struct jc_section_set *set, enum jc_section section)
{
	return set->to[section] - set->from[section];
}

static void write_content(
	const struct jc_section_set *set, enum jc_section section, struct jc_wire_writer *writer)
{
	jc_wire_write_bytes(writer, set->bytes + set->from[section], size_of(set, section));
}

int jc_section_set_write_list(const struct jc_section_set *set, uint8_t *out_bytes, size_t capacity)
{
	struct jc_wire_writer writer = jc_wire_writer_init(out_bytes, capacity);

	for (unsigned left = set->present; left; left &= left - 1) {
		enum jc_section section = (enum jc_section)__builtin_ctz(left);

		jc_section_write_head(&writer, section, stream_coding(section, set->coding),
			size_of(set, section));
		write_content(set, section, &writer);
	}
	return set->contents.error != JC_OK ? set->contents.error : jc_wire_written(&writer);
}

/* Which sections a shape names, bit = enum jc_section. */
static const unsigned named[] = {
	[JC_SHAPE_LIST] = 0,
	[JC_SHAPE_BODY] = 1u << JC_SECTION_BODY,
	[JC_SHAPE_HIP_BODY] = 1u << JC_SECTION_HIPS | 1u << JC_SECTION_BODY,
	[JC_SHAPE_HIPS_BODY] = 1u << JC_SECTION_HIPS | 1u << JC_SECTION_BODY,
	[JC_SHAPE_MASK] = 0,
};

/* Of those left in a packet. The hips come before the body, whose section is the
 * longest: the last one has no size. */
static enum jc_section first_of(unsigned sections, enum jc_shape shape)
{
	if (shape != JC_SHAPE_MASK && sections >> JC_SECTION_HIPS & 1) {
		return JC_SECTION_HIPS;
	}
	return (enum jc_section)__builtin_ctz(sections);
}

static enum jc_shape shape_for(const struct jc_section_set *set)
{
	if (set->present == named[JC_SHAPE_BODY]) {
		return JC_SHAPE_BODY;
	}
	if (set->present != named[JC_SHAPE_HIPS_BODY]) {
		return JC_SHAPE_MASK;
	}
	return size_of(set, JC_SECTION_HIPS) == 1 ? JC_SHAPE_HIP_BODY : JC_SHAPE_HIPS_BODY;
}

int jc_section_set_write(const struct jc_section_set *set, uint8_t *out_bytes, size_t capacity,
	enum jc_shape *out_shape)
{
	struct jc_wire_writer writer = jc_wire_writer_init(out_bytes, capacity);
	unsigned left = set->present;
	enum jc_shape shape = shape_for(set);

	if (shape == JC_SHAPE_MASK && left) {
		jc_wire_write_u8(&writer, (uint8_t)(left >> JC_SECTION_BODY));
	}
	while (left) {
		enum jc_section section = first_of(left, shape);

		left &= ~(1u << section);
		if (left && shape != JC_SHAPE_HIP_BODY) {
			jc_wire_write_varint(&writer, (uint32_t)size_of(set, section));
		}
		write_content(set, section, &writer);
	}
	*out_shape = shape;
	return set->contents.error != JC_OK ? set->contents.error : jc_wire_written(&writer);
}

struct jc_section_walk jc_section_walk_init(
	enum jc_shape shape, const uint8_t *bytes, size_t length)
{
	struct jc_section_walk walk = {
		.reader = jc_wire_reader_init(bytes, length),
		.shape = shape,
		.left = named[shape],
	};

	if (shape == JC_SHAPE_MASK && length > 0) {
		walk.left = (unsigned)jc_wire_read_u8(&walk.reader) << JC_SECTION_BODY;
		walk.shape = walk.left ? JC_SHAPE_MASK : JC_SHAPE_LIST;
	}
	return walk;
}

int jc_section_next(struct jc_section_walk *walk, struct jc_section_view *out_view)
{
	struct jc_wire_reader *reader = &walk->reader;
	struct jc_section_view view;
	size_t size;

	if (reader->error != JC_OK) {
		return reader->error;
	}
	if (walk->shape == JC_SHAPE_LIST) {
		if (jc_wire_left(reader) == 0) {
			return 0;
		}
		uint8_t id = jc_wire_read_u8(reader);

		view.section = id >> 4;
		view.coding = id & 0x0f;
		size = jc_wire_read_varint(reader);
	} else {
		if (!walk->left) {
			return jc_wire_left(reader) > 0 ? JC_ERROR_INVALID : 0;
		}
		view.section = first_of(walk->left, walk->shape);
		view.coding = stream_coding((enum jc_section)view.section, JC_CODING_OF_STREAM);
		walk->left &= ~(1u << view.section);
		size = !walk->left                        ? jc_wire_left(reader)
		       : walk->shape == JC_SHAPE_HIP_BODY ? 1
							  : jc_wire_read_varint(reader);
	}

	const uint8_t *content = jc_wire_read_bytes(reader, size);

	if (reader->error != JC_OK) {
		return reader->error;
	}
	if (walk->seen >> view.section & 1) {
		return JC_ERROR_INVALID;
	}
	walk->seen |= 1u << view.section;
	view.content = jc_wire_reader_init(content, size);
	*out_view = view;
	return 1;
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
	double turns = placement->yaw / TURN;

	jc_section_write_position(writer, placement->position);
	/* The cast wraps a yaw that rounds up to a whole turn back to zero. */
	jc_wire_write_bits(writer, (uint16_t)lround((turns - floor(turns)) * TURN_STEPS), 2);
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
