/* Codes rotations as Basis does (BasisVR/Basis, packet format 52, quality High), after its
 * BasisBoneRotationCompression and BasisAvatarDeltaCompression:
 *
 *   9 ball joints     smallest three: 2 bits of index, 3 x 12 bits over the range of the joint
 *   10 joints         13 bits of hinge and 12 of twist, R_a(hinge) R_b(twist); rotations that
 *                     such a joint cannot make are projected
 *   2 toes            7 bits of bend
 *   10 fingers        8 bits of curl, 6 of splay
 *
 * The body has 21 fields with 606 bits, the hands have 140 bits. The hips are sent separately.
 *
 * A keyframe contains all fields. A delta contains a mask of the fields that differ from the last
 * keyframe, then these fields: one bit for the form, and either the values themselves or, where
 * they are shorter, their differences from the keyframe as signed exponential Golomb codes. A
 * keyframe is sent every half second, and when a delta would not be shorter.
 *
 * Assumptions where the sources are not public or not exact: curl is the mean bend of the finger's
 * three joints and is applied to each, -60 to 120 degrees; splay rotates the first joint by up to
 * 30 degrees in both directions; a mask has bits for the fields of its section only (Basis: 37 bits
 * for everything). */
#include <math.h>
#include <string.h>

#include "bench/bench_bits.h"
#include "bench/bench_codec.h"
#include "jointcast/transform.h"

#define DEGREE       0.017453292519943295f
#define KEYFRAME_GAP 0.5 /* seconds */
#define BALL_BITS    12
#define BODY_JOINTS  21
#define FINGERS      10
#define VALUES       58 /* the most values of one frame of a section */

enum axis { X, Y, Z };

/* range_a of a ball joint is the largest value of a smaller component. */
struct joint {
	enum jc_bone bone;
	unsigned freedoms;
	enum axis a, b;
	float range_a, range_b; /* in both directions, radians */
};

static const struct joint joints[BODY_JOINTS] = {
	{ JC_BONE_SPINE, 3, X, X, (float)M_SQRT1_2, 0.0f },
	{ JC_BONE_CHEST, 3, X, X, (float)M_SQRT1_2, 0.0f },
	{ JC_BONE_UPPER_CHEST, 3, X, X, 0.5f, 0.0f },
	{ JC_BONE_NECK, 3, X, X, (float)M_SQRT1_2, 0.0f },
	{ JC_BONE_HEAD, 3, X, X, (float)M_SQRT1_2, 0.0f },
	{ JC_BONE_LEFT_UPPER_ARM, 3, X, X, (float)M_SQRT1_2, 0.0f },
	{ JC_BONE_RIGHT_UPPER_ARM, 3, X, X, (float)M_SQRT1_2, 0.0f },
	{ JC_BONE_LEFT_UPPER_LEG, 3, X, X, (float)M_SQRT1_2, 0.0f },
	{ JC_BONE_RIGHT_UPPER_LEG, 3, X, X, (float)M_SQRT1_2, 0.0f },
	{ JC_BONE_LEFT_LOWER_ARM, 2, Y, X, 160.0f * DEGREE, 100.0f * DEGREE },
	{ JC_BONE_RIGHT_LOWER_ARM, 2, Y, X, 160.0f * DEGREE, 100.0f * DEGREE },
	{ JC_BONE_LEFT_LOWER_LEG, 2, X, Y, 160.0f * DEGREE, 60.0f * DEGREE },
	{ JC_BONE_RIGHT_LOWER_LEG, 2, X, Y, 160.0f * DEGREE, 60.0f * DEGREE },
	{ JC_BONE_LEFT_SHOULDER, 2, Z, Y, 60.0f * DEGREE, 60.0f * DEGREE },
	{ JC_BONE_RIGHT_SHOULDER, 2, Z, Y, 60.0f * DEGREE, 60.0f * DEGREE },
	{ JC_BONE_LEFT_HAND, 2, Z, Y, 100.0f * DEGREE, 60.0f * DEGREE },
	{ JC_BONE_RIGHT_HAND, 2, Z, Y, 100.0f * DEGREE, 60.0f * DEGREE },
	{ JC_BONE_LEFT_FOOT, 2, X, Y, 80.0f * DEGREE, 60.0f * DEGREE },
	{ JC_BONE_RIGHT_FOOT, 2, X, Y, 80.0f * DEGREE, 60.0f * DEGREE },
	{ JC_BONE_LEFT_TOES, 1, X, X, 60.0f * DEGREE, 0.0f },
	{ JC_BONE_RIGHT_TOES, 1, X, X, 60.0f * DEGREE, 0.0f },
};

static const float curl_middle = 30.0f * DEGREE, curl_range = 90.0f * DEGREE;
static const float splay_range = 30.0f * DEGREE;

/* Widths of a field's values in bits. The first value of a ball joint is an index, so no
 * differences are taken of it. */
struct field {
	unsigned count;
	bool ball;
	uint8_t widths[4];
};

static const struct field field_ball = { 4, true, { 2, BALL_BITS, BALL_BITS, BALL_BITS } };
static const struct field field_hinge = { 2, false, { 13, 12 } };
static const struct field field_toes = { 1, false, { 7 } };
static const struct field field_finger = { 2, false, { 8, 6 } };

static unsigned field_count(const struct jc_bench_range *range)
{
	return range->section == JC_SECTION_BODY ? BODY_JOINTS : FINGERS;
}

static const struct field *field_at(const struct jc_bench_range *range, unsigned index)
{
	if (range->section != JC_SECTION_BODY) {
		return &field_finger;
	}
	return joints[index].freedoms == 3   ? &field_ball
	       : joints[index].freedoms == 2 ? &field_hinge
					     : &field_toes;
}

/* Clamps a number to -1 … 1 and scales it to an integer of that width. */
static uint32_t quantize(float value, unsigned width)
{
	float most = (float)((1u << width) - 1u);

	return (uint32_t)lrintf((fminf(fmaxf(value, -1.0f), 1.0f) * 0.5f + 0.5f) * most);
}

static float dequantize(uint32_t value, unsigned width)
{
	return (float)value / (float)((1u << width) - 1u) * 2.0f - 1.0f;
}

static void ball_to_values(struct jc_quat rotation, float range, uint32_t out_values[4])
{
	const float q[4] = { rotation.x, rotation.y, rotation.z, rotation.w };
	unsigned largest = 0, at = 1;

	for (unsigned i = 1; i < 4; i++) {
		largest = fabsf(q[i]) > fabsf(q[largest]) ? i : largest;
	}
	out_values[0] = largest;
	for (unsigned i = 0; i < 4; i++) {
		if (i != largest) {
			out_values[at++] =
				quantize((q[largest] < 0.0f ? -q[i] : q[i]) / range, BALL_BITS);
		}
	}
}

static struct jc_quat ball_from_values(const uint32_t values[4], float range)
{
	float q[4], left = 1.0f;

	for (unsigned i = 0, at = 1; i < 4; i++) {
		if (i != values[0]) {
			q[i] = dequantize(values[at++], BALL_BITS) * range;
			left -= q[i] * q[i];
		}
	}
	q[values[0]] = sqrtf(fmaxf(left, 0.0f));
	return jc_quat_normalize((struct jc_quat){ q[0], q[1], q[2], q[3] });
}

static struct jc_vec3 axis_vector(enum axis axis)
{
	return (struct jc_vec3){ axis == X, axis == Y, axis == Z };
}

/* The angle of the rotation about an axis that is nearest to q, at most half a turn. */
static float angle_about(struct jc_quat q, struct jc_vec3 axis)
{
	float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;

	return q.w < 0.0f ? 2.0f * atan2f(-along, -q.w) : 2.0f * atan2f(along, q.w);
}

static void joint_to_values(
	const struct joint *joint, struct jc_quat rotation, uint32_t out_values[4])
{
	struct jc_quat swing, twist;

	if (joint->freedoms == 3) {
		ball_to_values(rotation, joint->range_a, out_values);
		return;
	}
	if (joint->freedoms == 1) {
		out_values[0] =
			quantize(angle_about(rotation, axis_vector(joint->a)) / joint->range_a, 7);
		return;
	}
	jc_quat_swing_twist(rotation, axis_vector(joint->b), &swing, &twist);
	out_values[0] = quantize(angle_about(swing, axis_vector(joint->a)) / joint->range_a, 13);
	out_values[1] = quantize(angle_about(twist, axis_vector(joint->b)) / joint->range_b, 12);
}

static struct jc_quat joint_from_values(const struct joint *joint, const uint32_t values[4])
{
	struct jc_quat hinge, twist;

	if (joint->freedoms == 3) {
		return ball_from_values(values, joint->range_a);
	}
	hinge = jc_quat_from_axis_angle(axis_vector(joint->a),
		dequantize(values[0], joint->freedoms == 1 ? 7 : 13) * joint->range_a);
	if (joint->freedoms == 1) {
		return hinge;
	}
	twist = jc_quat_from_axis_angle(
		axis_vector(joint->b), dequantize(values[1], 12) * joint->range_b);
	return jc_quat_multiply(hinge, twist);
}

/* EXT_skeleton_humanoid: +X of a bone's reference rotation bends it. */
static struct jc_vec3 finger_axis(enum jc_bone bone, enum axis axis)
{
	return jc_quat_rotate(jc_bone_reference_rotation(bone), axis_vector(axis));
}

static enum jc_bone finger_bone(unsigned finger, unsigned joint)
{
	return (enum jc_bone)(JC_SECTION_HANDS_FIRST + 3 * finger + joint);
}

static void finger_to_values(
	unsigned finger, const struct jc_quat rotations[], uint32_t out_values[2])
{
	enum jc_bone first = finger_bone(finger, 0);
	struct jc_quat swing, twist;
	float curl = 0.0f;

	for (unsigned i = 0; i < 3; i++) {
		enum jc_bone bone = finger_bone(finger, i);

		curl += angle_about(rotations[bone], finger_axis(bone, X)) / 3.0f;
	}
	jc_quat_swing_twist(rotations[first], finger_axis(first, Z), &swing, &twist);
	out_values[0] = quantize((curl - curl_middle) / curl_range, 8);
	out_values[1] = quantize(angle_about(twist, finger_axis(first, Z)) / splay_range, 6);
}

static void finger_from_values(
	unsigned finger, const uint32_t values[2], struct jc_quat out_rotations[])
{
	float curl = dequantize(values[0], 8) * curl_range + curl_middle;
	enum jc_bone first = finger_bone(finger, 0);

	for (unsigned i = 0; i < 3; i++) {
		enum jc_bone bone = finger_bone(finger, i);

		out_rotations[bone] = jc_quat_from_axis_angle(finger_axis(bone, X), curl);
	}
	out_rotations[first] = jc_quat_multiply(
		out_rotations[first], jc_quat_from_axis_angle(finger_axis(first, Z),
					      dequantize(values[1], 6) * splay_range));
}

static void to_values(const struct jc_bench_range *range, const struct jc_quat rotations[],
	uint32_t out_values[VALUES])
{
	for (unsigned i = 0; i < field_count(range); i++) {
		if (range->section == JC_SECTION_BODY) {
			joint_to_values(&joints[i], rotations[joints[i].bone], out_values);
		} else {
			finger_to_values(i, rotations, out_values);
		}
		out_values += field_at(range, i)->count;
	}
}

static void from_values(
	const struct jc_bench_range *range, const uint32_t *values, struct jc_quat out_rotations[])
{
	for (unsigned i = 0; i < field_count(range); i++) {
		if (range->section == JC_SECTION_BODY) {
			out_rotations[joints[i].bone] = joint_from_values(&joints[i], values);
		} else {
			finger_from_values(i, values, out_rotations);
		}
		values += field_at(range, i)->count;
	}
}

static size_t keyframe_bytes(const struct jc_bench_range *range)
{
	size_t bits = 0;

	for (unsigned i = 0; i < field_count(range); i++) {
		const struct field *field = field_at(range, i);

		for (unsigned v = 0; v < field->count; v++) {
			bits += field->widths[v];
		}
	}
	return (bits + 7) / 8;
}

static void write_keyframe(
	const struct jc_bench_range *range, const uint32_t *values, struct jc_bench_bits *bits)
{
	for (unsigned i = 0; i < field_count(range); i++) {
		const struct field *field = field_at(range, i);

		for (unsigned v = 0; v < field->count; v++) {
			jc_bench_bits_write(bits, *values++, field->widths[v]);
		}
	}
}

static void read_keyframe(
	const struct jc_bench_range *range, struct jc_bench_bits *bits, uint32_t *out_values)
{
	for (unsigned i = 0; i < field_count(range); i++) {
		const struct field *field = field_at(range, i);

		for (unsigned v = 0; v < field->count; v++) {
			*out_values++ = jc_bench_bits_read(bits, field->widths[v]);
		}
	}
}

/* The difference modulo 2^width, as the number with the smallest magnitude. */
static int32_t difference(uint32_t value, uint32_t key, unsigned width)
{
	uint32_t way = (value - key) & ((1u << width) - 1u);

	return way >> (width - 1) ? (int32_t)way - (int32_t)(1u << width) : (int32_t)way;
}

static void write_field(const struct field *field, const uint32_t *values, const uint32_t *key,
	struct jc_bench_bits *bits)
{
	unsigned plain = 0, golomb = 0;

	for (unsigned v = 0; v < field->count; v++) {
		plain += field->widths[v];
		golomb += field->ball && v == 0 ? field->widths[v]
						: jc_bench_bits_golomb_width(difference(
							  values[v], key[v], field->widths[v]));
	}
	jc_bench_bits_write(bits, plain < golomb, 1);
	for (unsigned v = 0; v < field->count; v++) {
		if (plain < golomb || (field->ball && v == 0)) {
			jc_bench_bits_write(bits, values[v], field->widths[v]);
		} else {
			jc_bench_bits_write_golomb(
				bits, difference(values[v], key[v], field->widths[v]));
		}
	}
}

static void read_field(const struct field *field, const uint32_t *key, struct jc_bench_bits *bits,
	uint32_t *out_values)
{
	bool plain = jc_bench_bits_read(bits, 1);

	for (unsigned v = 0; v < field->count; v++) {
		unsigned width = field->widths[v];

		if (plain || (field->ball && v == 0)) {
			out_values[v] = jc_bench_bits_read(bits, width);
		} else {
			out_values[v] = (key[v] + (uint32_t)jc_bench_bits_read_golomb(bits)) &
					((1u << width) - 1u);
		}
	}
}

static void write_delta(const struct jc_bench_range *range, const uint32_t *values,
	const uint32_t *key, struct jc_bench_bits *bits)
{
	uint32_t mask = 0;
	unsigned count = field_count(range), at = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct field *field = field_at(range, i);

		mask |= (uint32_t)(memcmp(values + at, key + at, field->count * sizeof(*values)) !=
				   0)
			<< i;
		at += field->count;
	}
	jc_bench_bits_write(bits, mask, (count + 7) / 8 * 8);
	at = 0;
	for (unsigned i = 0; i < count; i++) {
		if (mask >> i & 1) {
			write_field(field_at(range, i), values + at, key + at, bits);
		}
		at += field_at(range, i)->count;
	}
}

static void read_delta(const struct jc_bench_range *range, const uint32_t *key,
	struct jc_bench_bits *bits, uint32_t *out_values)
{
	unsigned count = field_count(range), at = 0;
	uint32_t mask = jc_bench_bits_read(bits, (count + 7) / 8 * 8);

	for (unsigned i = 0; i < count; i++) {
		const struct field *field = field_at(range, i);

		if (mask >> i & 1) {
			read_field(field, key + at, bits, out_values + at);
		} else {
			memcpy(out_values + at, key + at, field->count * sizeof(*key));
		}
		at += field->count;
	}
}

struct state {
	double since; /* time since the last keyframe, seconds */
	bool started;
	uint32_t encoder_key[VALUES], decoder_key[VALUES];
};

static int keyframes_encode(const struct jc_bench_codec *codec, void *state, double hz,
	const struct jc_bench_range *range, const struct jc_bench_sample *sample,
	uint8_t *out_bytes, size_t capacity)
{
	struct jc_bench_bits bits = { .bytes = out_bytes, .length = capacity };
	struct state *self = state;

	(void)codec, (void)hz;
	to_values(range, sample->rotations, self->encoder_key);
	write_keyframe(range, self->encoder_key, &bits);
	return bits.at <= 8 * capacity ? (int)((bits.at + 7) / 8) : JC_ERROR_SPACE;
}

static int deltas_encode(const struct jc_bench_codec *codec, void *state, double hz,
	const struct jc_bench_range *range, const struct jc_bench_sample *sample,
	uint8_t *out_bytes, size_t capacity)
{
	struct jc_bench_bits bits = { .bytes = out_bytes, .length = capacity };
	struct state *self = state;
	uint32_t values[VALUES];

	self->since += 1.0 / hz;
	if (self->started && self->since < KEYFRAME_GAP - 1e-9) {
		to_values(range, sample->rotations, values);
		write_delta(range, values, self->encoder_key, &bits);
		if ((bits.at + 7) / 8 < keyframe_bytes(range)) {
			return (int)((bits.at + 7) / 8);
		}
	}
	self->started = true;
	self->since = 0.0;
	return keyframes_encode(codec, state, hz, range, sample, out_bytes, capacity);
}

/* A delta is always shorter than a keyframe, so the length distinguishes them. */
static int decode(const struct jc_bench_codec *codec, void *state,
	const struct jc_bench_range *range, const uint8_t *bytes, size_t length,
	struct jc_quat out_rotations[JC_BONE_COUNT])
{
	uint8_t copy[JC_BENCH_SECTION_BYTES];
	struct jc_bench_bits bits = { .bytes = copy, .length = length };
	struct state *self = state;
	uint32_t values[VALUES];

	(void)codec;
	memcpy(copy, bytes, length);
	if (length == keyframe_bytes(range)) {
		read_keyframe(range, &bits, self->decoder_key);
		memcpy(values, self->decoder_key, sizeof(values));
	} else {
		read_delta(range, self->decoder_key, &bits, values);
	}
	if (bits.at > 8 * length) {
		return JC_ERROR_TRUNCATED;
	}
	from_values(range, values, out_rotations);
	return (int)length;
}

#define HANDS_MASK (((UINT64_C(1) << JC_SECTION_HANDS_COUNT) - 1) << JC_SECTION_HANDS_FIRST)
#define BOTH(BONE) (UINT64_C(1) << JC_BONE_LEFT_##BONE | UINT64_C(1) << JC_BONE_RIGHT_##BONE)
#define HINGES                                                                                     \
	(BOTH(LOWER_ARM) | BOTH(LOWER_LEG) | BOTH(SHOULDER) | BOTH(HAND) | BOTH(FOOT) |            \
		BOTH(TOES) | HANDS_MASK)

const struct jc_bench_codec jc_bench_basis_keyframes = {
	.name = "basis v52 keyframe",
	.coding = 15,
	.precision = -1,
	.lacks = UINT64_C(1) << JC_BONE_HIPS,
	.hinges = HINGES,
	.state_size = sizeof(struct state),
	.encode = keyframes_encode,
	.decode = decode,
};

const struct jc_bench_codec jc_bench_basis_deltas = {
	.name = "basis v52 delta",
	.coding = 15,
	.precision = -1,
	.lacks = UINT64_C(1) << JC_BONE_HIPS,
	.hinges = HINGES,
	.state_size = sizeof(struct state),
	.encode = deltas_encode,
	.decode = decode,
};
