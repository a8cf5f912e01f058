/* Encodes and decodes captures. Stored values are integers; decoding is one division in single
 * precision, so that C and JavaScript give equal bits. */
#include "capture_private.h"

#include <math.h>

#include "rotation.h"

#define FLAG_CUT       0x01
#define FLAG_ALL_KNOWN 0x04
#define FLAG_ESTIMATES 0x08
#define FLAGS          0x0f

#define FLAGS_AT         1
#define TIME_AT          2
#define TIME_BYTES       6
#define COUNT_BYTES      2
#define CONFIDENCE_STEPS 255.0

#define PLACE_STEPS 10000.0 /* a metre, or a hips height */
#define PLACE_MAX   ((int64_t)(JC_LIMIT_JOINT_DISTANCE * PLACE_STEPS))
#define WIDTH_BITS  5
#define WIDTH_MAX   26 /* of the way from one end to the other */

#define VALUE_STEPS 16384.0
#define VALUE_BITS  16

static void fail_writing(struct jc_bits_writer *writer, int error)
{
	if (writer->wire.error == JC_OK) {
		writer->wire.error = error;
	}
}

static void fail_reading(struct jc_bits_reader *reader, int error)
{
	if (reader->wire.error == JC_OK) {
		reader->wire.error = error;
	}
}

static void write_mask(
	struct jc_wire_writer *wire, const uint8_t *states, unsigned item_count, bool estimated)
{
	for (unsigned first = 0; first < item_count; first += 8) {
		uint8_t mask = 0;

		for (unsigned i = first; i < item_count && i < first + 8; i++) {
			bool set = estimated ? states[i] == JC_ESTIMATED : states[i] != JC_ABSENT;

			mask |= (uint8_t)(set << (i - first));
		}
		jc_wire_write_u8(wire, mask);
	}
}

void jc_capture_write_head(struct jc_bits_writer *writer, enum jc_capture_kind kind,
	const struct jc_capture *capture, const float *confidence, const uint8_t *states,
	unsigned item_count)
{
	struct jc_wire_writer *wire = &writer->wire;
	unsigned flags = FLAG_ALL_KNOWN | (capture->cut ? FLAG_CUT : 0u) |
			 (capture->is_rest ? JC_CAPTURE_FLAG_REST : 0u);

	for (unsigned i = 0; i < item_count; i++) {
		flags &= states[i] == JC_ABSENT ? ~(unsigned)FLAG_ALL_KNOWN : ~0u;
		flags |= states[i] == JC_ESTIMATED ? FLAG_ESTIMATES : 0u;
	}
	if (capture->time_us < 0 || capture->time_us > JC_CAPTURE_TIME_MAX) {
		fail_writing(writer, JC_ERROR_INVALID);
		return;
	}
	jc_wire_write_u8(wire, (uint8_t)kind);
	jc_wire_write_u8(wire, (uint8_t)flags);
	jc_wire_write_bits(wire, (uint64_t)capture->time_us, TIME_BYTES);
	if (confidence && !(*confidence >= 0.0f && *confidence <= 1.0f)) {
		fail_writing(writer, JC_ERROR_INVALID);
		return;
	}
	if (confidence) {
		jc_wire_write_u8(wire, (uint8_t)lround(*confidence * CONFIDENCE_STEPS));
	}
	if (!(flags & FLAG_ALL_KNOWN)) {
		write_mask(wire, states, item_count, false);
	}
	if (flags & FLAG_ESTIMATES) {
		write_mask(wire, states, item_count, true);
	}
	if (capture->value_count > JC_LIMIT_CAPTURE_VALUES) {
		fail_writing(writer, JC_ERROR_LIMIT);
	}
	jc_wire_write_bits(wire, capture->value_count, COUNT_BYTES);
}

/* Sets the state of each item in the mask. The item must be known already, unless the mask is the
 * one of known items. */
static void read_mask(
	struct jc_bits_reader *reader, uint8_t *states, unsigned item_count, enum jc_state state)
{
	unsigned mask = 0;

	for (unsigned i = 0; i < (item_count + 7) / 8 * 8; i++, mask >>= 1) {
		mask = i % 8 == 0 ? jc_wire_read_u8(&reader->wire) : mask;
		if (!(mask & 1)) {
			continue;
		}
		if (i >= item_count || (state == JC_ESTIMATED && states[i] == JC_ABSENT)) {
			fail_reading(reader, JC_ERROR_INVALID);
			return;
		}
		states[i] = (uint8_t)state;
	}
}

void jc_capture_read_head(struct jc_bits_reader *reader, enum jc_capture_kind kind,
	struct jc_capture *out_capture, float *out_confidence, uint8_t *out_states,
	unsigned item_count)
{
	struct jc_wire_reader *wire = &reader->wire;
	uint8_t first = jc_wire_read_u8(wire);

	if (wire->error == JC_OK && first != kind) {
		fail_reading(reader, JC_ERROR_UNSUPPORTED);
	}
	uint8_t flags = jc_wire_read_u8(wire);

	if (flags & ~FLAGS) {
		fail_reading(reader, JC_ERROR_INVALID);
	}
	out_capture->cut = flags & FLAG_CUT;
	out_capture->is_rest = flags & JC_CAPTURE_FLAG_REST;
	out_capture->time_us = (int64_t)jc_wire_read_bits(wire, TIME_BYTES);
	if (out_confidence) {
		*out_confidence = (float)(jc_wire_read_u8(wire) / CONFIDENCE_STEPS);
	}
	for (unsigned i = 0; i < item_count; i++) {
		out_states[i] = flags & FLAG_ALL_KNOWN ? JC_TRACKED : JC_ABSENT;
	}
	if (!(flags & FLAG_ALL_KNOWN)) {
		read_mask(reader, out_states, item_count, JC_TRACKED);
	}
	if (flags & FLAG_ESTIMATES) {
		read_mask(reader, out_states, item_count, JC_ESTIMATED);
	}
	out_capture->value_count = jc_wire_read_bits(wire, COUNT_BYTES);
	if (out_capture->value_count > JC_LIMIT_CAPTURE_VALUES) {
		fail_reading(reader, JC_ERROR_LIMIT);
		out_capture->value_count = 0;
	}
}

static int32_t quantise(struct jc_bits_writer *writer, float coordinate)
{
	if (!(fabsf(coordinate) <= JC_LIMIT_JOINT_DISTANCE)) {
		fail_writing(writer, JC_ERROR_INVALID);
		return 0;
	}
	return (int32_t)lround(coordinate * PLACE_STEPS);
}

/* Bits that a number takes with its sign, none for zero. */
static unsigned width_of(int32_t number)
{
	uint32_t magnitude = (uint32_t)(number < 0 ? ~number : number);

	return number == 0 ? 0 : 33 - (magnitude ? (unsigned)__builtin_clz(magnitude) : 32);
}

struct jc_capture_place jc_capture_write_position(
	struct jc_bits_writer *writer, struct jc_vec3 position, struct jc_capture_place from)
{
	struct jc_capture_place place = { quantise(writer, position.x),
		quantise(writer, position.y), quantise(writer, position.z) };
	const int32_t way[3] = { place.x - from.x, place.y - from.y, place.z - from.z };
	unsigned width = 0;

	for (int i = 0; i < 3; i++) {
		width = width_of(way[i]) > width ? width_of(way[i]) : width;
	}
	jc_bits_write(writer, width, WIDTH_BITS);
	for (int i = 0; i < 3; i++) {
		jc_bits_write(writer, (uint32_t)way[i] & ((UINT32_C(1) << width) - 1), width);
	}
	return place;
}

static int32_t read_way(struct jc_bits_reader *reader, unsigned width, int32_t from)
{
	int64_t bits = (int64_t)jc_bits_read(reader, width);
	bool negative = width > 0 && bits >> (width - 1);
	int64_t sum = from + bits - (negative ? INT64_C(1) << width : 0);

	if (sum < -PLACE_MAX || sum > PLACE_MAX) {
		fail_reading(reader, JC_ERROR_INVALID);
		return 0;
	}
	return (int32_t)sum;
}

struct jc_capture_place jc_capture_read_position(
	struct jc_bits_reader *reader, struct jc_capture_place from, struct jc_vec3 *out_position)
{
	unsigned width = (unsigned)jc_bits_read(reader, WIDTH_BITS);
	struct jc_capture_place place;

	if (width > WIDTH_MAX) {
		fail_reading(reader, JC_ERROR_INVALID);
		width = 0;
	}
	place.x = read_way(reader, width, from.x);
	place.y = read_way(reader, width, from.y);
	place.z = read_way(reader, width, from.z);
	*out_position = (struct jc_vec3){ (float)(place.x / PLACE_STEPS),
		(float)(place.y / PLACE_STEPS), (float)(place.z / PLACE_STEPS) };
	return place;
}

void jc_capture_write_rotation(struct jc_bits_writer *writer, struct jc_quat rotation)
{
	uint64_t packed;
	int error = jc_rotation_pack(rotation, JC_CAPTURE_ROTATION_BITS, &packed);

	if (error != JC_OK) {
		fail_writing(writer, error);
		return;
	}
	jc_bits_write(writer, packed, 3 * JC_CAPTURE_ROTATION_BITS + 2);
}

struct jc_quat jc_capture_read_rotation(struct jc_bits_reader *reader)
{
	uint64_t packed = jc_bits_read(reader, 3 * JC_CAPTURE_ROTATION_BITS + 2);
	struct jc_quat rotation = { 0.0f, 0.0f, 0.0f, 1.0f };

	if (reader->wire.error == JC_OK) {
		int error = jc_rotation_unpack(packed, JC_CAPTURE_ROTATION_BITS, &rotation);

		if (error != JC_OK) {
			fail_reading(reader, error);
		}
	}
	return rotation;
}

int jc_capture_write_values(struct jc_bits_writer *writer, const struct jc_capture *capture)
{
	for (size_t i = 0; i < capture->value_count && writer->wire.error == JC_OK; i++) {
		double steps = capture->values[i] * VALUE_STEPS;

		if (!isfinite(steps)) {
			fail_writing(writer, JC_ERROR_INVALID);
			break;
		}
		uint16_t stored = (uint16_t)lround(fmin(fmax(steps, INT16_MIN), INT16_MAX));

		jc_bits_write(writer, stored != 0, 1);
		if (stored != 0) {
			jc_bits_write(writer, stored, VALUE_BITS);
		}
	}
	jc_bits_flush(writer);
	return jc_wire_written(&writer->wire);
}

int jc_capture_read_values(struct jc_bits_reader *reader, size_t length, struct jc_capture *capture)
{
	for (size_t i = 0; i < capture->value_count; i++) {
		bool is_zero = jc_bits_read(reader, 1) == 0;
		int stored = is_zero ? 0 : (int)jc_bits_read(reader, VALUE_BITS);

		stored -= stored > INT16_MAX ? 1 << VALUE_BITS : 0;
		capture->values[i] = (float)(stored / VALUE_STEPS);
	}
	int error = jc_bits_end(reader);

	if (error == JC_OK && jc_wire_left(&reader->wire) > 0) {
		error = JC_ERROR_INVALID;
	}
	return error == JC_OK ? (int)length : error;
}

void jc_capture_stamp(uint8_t *bytes, int64_t time_us, bool cut)
{
	bytes[FLAGS_AT] = (uint8_t)((bytes[FLAGS_AT] & ~FLAG_CUT) | (cut ? FLAG_CUT : 0));
	for (unsigned i = 0; i < TIME_BYTES; i++) {
		bytes[TIME_AT + i] = (uint8_t)(time_us >> (8 * i));
	}
}
