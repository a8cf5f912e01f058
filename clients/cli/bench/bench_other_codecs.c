/* Codecs without state: each frame is encoded independently. */
#include <math.h>
#include <string.h>

#include "bench/bench_codec.h"
#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "jointcast_private/osc.h"

const struct jc_bench_range jc_bench_body = { JC_SECTION_BODY, JC_SECTION_BODY_FIRST,
	JC_SECTION_BODY_COUNT };
const struct jc_bench_range jc_bench_face = { JC_SECTION_FACE, JC_SECTION_FACE_FIRST,
	JC_SECTION_FACE_COUNT };
const struct jc_bench_range jc_bench_hands = { JC_SECTION_HANDS, JC_SECTION_HANDS_FIRST,
	JC_SECTION_HANDS_COUNT };

static int raw_encode(const struct jc_bench_codec *codec, void *state, double hz,
	const struct jc_bench_range *range, const struct jc_bench_sample *sample,
	uint8_t *out_bytes, size_t capacity)
{
	size_t size = range->count * sizeof(struct jc_quat);

	(void)codec, (void)state, (void)hz;
	if (size > capacity) {
		return JC_ERROR_SPACE;
	}
	memcpy(out_bytes, &sample->rotations[range->first], size);
	return (int)size;
}

static int raw_decode(const struct jc_bench_codec *codec, void *state,
	const struct jc_bench_range *range, const uint8_t *bytes, size_t length,
	struct jc_quat out_rotations[JC_BONE_COUNT])
{
	(void)codec, (void)state;
	if (length != range->count * sizeof(struct jc_quat)) {
		return JC_ERROR_TRUNCATED;
	}
	memcpy(&out_rotations[range->first], bytes, length);
	return (int)length;
}

const struct jc_bench_codec jc_bench_raw = {
	.name = "raw float32",
	.coding = 15,
	.precision = -1,
	.encode = raw_encode,
	.decode = raw_decode,
};

/* One bit per joint marks rotations that differ from the rest; each of these takes six bytes. One
 * bit per joint marks translations, which do not occur here. The six bytes: the quaternion is
 * negated so that its largest component is negative; the other three components take 15 bits each
 * over +-1 / sqrt(2), truncated and not rounded; the index of the largest component is in the spare
 * bits of the first two. */
#define OVERTE_STEPS 32767
#define OVERTE_BYTES 6

static void overte_pack(struct jc_quat rotation, uint8_t out_bytes[OVERTE_BYTES])
{
	const float q[4] = { rotation.x, rotation.y, rotation.z, rotation.w };
	const float most = (float)M_SQRT1_2;
	unsigned largest = 0, at = 0;
	uint16_t parts[3];

	for (unsigned i = 1; i < 4; i++) {
		largest = fabsf(q[i]) > fabsf(q[largest]) ? i : largest;
	}
	for (unsigned i = 0; i < 4; i++) {
		float value = q[largest] > 0.0f ? -q[i] : q[i];

		if (i != largest) {
			value = fminf(fmaxf((value + most) / (2.0f * most), 0.0f), 1.0f);
			parts[at++] = (uint16_t)(value * OVERTE_STEPS);
		}
	}
	parts[0] = (uint16_t)(parts[0] | (largest & 1) << 15);
	parts[1] = (uint16_t)(parts[1] | (largest & 2) << 14);
	for (unsigned i = 0; i < 3; i++) {
		out_bytes[2 * i] = (uint8_t)(parts[i] >> 8);
		out_bytes[2 * i + 1] = (uint8_t)parts[i];
	}
}

static struct jc_quat overte_unpack(const uint8_t bytes[OVERTE_BYTES])
{
	const float most = (float)M_SQRT1_2;
	unsigned largest = (unsigned)(bytes[0] >> 7 | bytes[2] >> 7 << 1);
	float q[4], left = 1.0f;

	for (unsigned i = 0, at = 0; i < 4; i++) {
		if (i != largest) {
			unsigned part = (unsigned)(bytes[2 * at] & 0x7f) << 8 | bytes[2 * at + 1];

			q[i] = (float)part / OVERTE_STEPS * 2.0f * most - most;
			left -= q[i] * q[i];
			at++;
		}
	}
	q[largest] = -sqrtf(fmaxf(left, 0.0f));
	return jc_quat_normalize((struct jc_quat){ q[0], q[1], q[2], q[3] });
}

static bool at_rest(struct jc_quat q)
{
	return q.x == 0.0f && q.y == 0.0f && q.z == 0.0f;
}

static int overte_encode(const struct jc_bench_codec *codec, void *state, double hz,
	const struct jc_bench_range *range, const struct jc_bench_sample *sample,
	uint8_t *out_bytes, size_t capacity)
{
	size_t mask = (range->count + 7) / 8;
	size_t at = mask;

	(void)codec, (void)state, (void)hz;
	if (2 * mask + range->count * OVERTE_BYTES > capacity) {
		return JC_ERROR_SPACE;
	}
	memset(out_bytes, 0, mask);
	for (unsigned i = 0; i < range->count; i++) {
		struct jc_quat rotation = sample->rotations[range->first + i];

		if (!at_rest(rotation)) {
			out_bytes[i / 8] = (uint8_t)(out_bytes[i / 8] | 1u << i % 8);
			overte_pack(rotation, out_bytes + at);
			at += OVERTE_BYTES;
		}
	}
	memset(out_bytes + at, 0, mask);
	return (int)(at + mask);
}

static int overte_decode(const struct jc_bench_codec *codec, void *state,
	const struct jc_bench_range *range, const uint8_t *bytes, size_t length,
	struct jc_quat out_rotations[JC_BONE_COUNT])
{
	size_t mask = (range->count + 7) / 8;
	size_t at = mask;

	(void)codec, (void)state;
	for (unsigned i = 0; i < range->count; i++) {
		out_rotations[range->first + i] = JC_QUAT_IDENTITY;
		if (bytes[i / 8] >> i % 8 & 1) {
			out_rotations[range->first + i] = overte_unpack(bytes + at);
			at += OVERTE_BYTES;
		}
	}
	return at + mask == length ? (int)length : JC_ERROR_TRUNCATED;
}

const struct jc_bench_codec jc_bench_overte = {
	.name = "overte",
	.coding = 15,
	.precision = -1,
	.encode = overte_encode,
	.decode = overte_decode,
};

static struct jc_osc_message vmc_message(enum jc_bone bone, const struct jc_bench_sample *sample)
{
	enum jc_bone parent = jc_bone_parent(bone);
	struct jc_vec3 offset = jc_bone_rest_position(bone);
	struct jc_quat q = jc_vmc_mirror_rotation(sample->rotations[bone]);
	struct jc_osc_message message = { .address = "/VMC/Ext/Bone/Pos", .argument_count = 8 };

	offset = parent == JC_BONE_NONE ? jc_vec3_add(offset, sample->hips)
					: jc_vec3_subtract(offset, jc_bone_rest_position(parent));
	offset = jc_vmc_mirror_point(offset);
	const float numbers[7] = { offset.x, offset.y, offset.z, q.x, q.y, q.z, q.w };

	message.arguments[0] = (struct jc_osc_argument){ .type = 's', .s = jc_vmc_bone_name(bone) };
	for (unsigned i = 0; i < 7; i++) {
		message.arguments[1 + i] = (struct jc_osc_argument){ .type = 'f', .f = numbers[i] };
	}
	return message;
}

static int vmc_encode(const struct jc_bench_codec *codec, void *state, double hz,
	const struct jc_bench_range *range, const struct jc_bench_sample *sample,
	uint8_t *out_bytes, size_t capacity)
{
	int written = jc_osc_bundle_begin(out_bytes, capacity);

	(void)codec, (void)state, (void)hz;
	for (unsigned i = 0; i < range->count && written > 0; i++) {
		struct jc_osc_message message =
			vmc_message((enum jc_bone)(range->first + i), sample);
		int more = jc_osc_bundle_append(
			&message, out_bytes + written, capacity - (size_t)written);

		written = more < 0 ? more : written + more;
	}
	return written;
}

static void take_bone(void *context, const struct jc_osc_message *message)
{
	struct jc_quat *rotations = context;
	const struct jc_osc_argument *a = message->arguments;
	enum jc_bone bone = jc_vmc_bone_find(a[0].s);

	if (bone != JC_BONE_NONE) {
		rotations[bone] =
			jc_vmc_mirror_rotation((struct jc_quat){ a[4].f, a[5].f, a[6].f, a[7].f });
	}
}

static int vmc_decode(const struct jc_bench_codec *codec, void *state,
	const struct jc_bench_range *range, const uint8_t *bytes, size_t length,
	struct jc_quat out_rotations[JC_BONE_COUNT])
{
	int error = jc_osc_read(bytes, length, take_bone, out_rotations, NULL);

	(void)codec, (void)state, (void)range;
	return error ? error : (int)length;
}

const struct jc_bench_codec jc_bench_vmc = {
	.name = "vmc",
	.precision = -1,
	.datagrams = true,
	.encode = vmc_encode,
	.decode = vmc_decode,
};

/* The section that jc_payload_encode makes of these bones. The caller writes its head. */
static int smallest_encode(const struct jc_bench_codec *codec, void *state, double hz,
	const struct jc_bench_range *range, const struct jc_bench_sample *sample,
	uint8_t *out_bytes, size_t capacity)
{
	struct jc_skeleton_pose pose = { .hips_translation = { 0.0f, 0.0f, 0.0f } };
	uint8_t bytes[JC_LIMIT_PACKET_BYTES];
	int written;

	(void)codec, (void)state, (void)hz;
	for (unsigned i = 0; i < JC_BONE_COUNT; i++) {
		pose.rotations[i] =
			i - range->first < range->count ? sample->rotations[i] : JC_QUAT_IDENTITY;
	}
	written = jc_payload_encode(&pose, NULL, bytes, sizeof(bytes));
	if (written <= 0) {
		return written;
	}
	written -= bytes[1] & 0x80 ? 3 : 2;
	if ((size_t)written > capacity) {
		return JC_ERROR_SPACE;
	}
	memcpy(out_bytes, bytes + (bytes[1] & 0x80 ? 3 : 2), (size_t)written);
	return written;
}

static int smallest_decode(const struct jc_bench_codec *codec, void *state,
	const struct jc_bench_range *range, const uint8_t *bytes, size_t length,
	struct jc_quat out_rotations[JC_BONE_COUNT])
{
	uint8_t packet[JC_LIMIT_PACKET_BYTES] = { (uint8_t)(range->section << 4 | codec->coding) };
	struct jc_payload payload;
	size_t head = 1;
	int error;

	(void)state;
	if (length > 0) {
		packet[head++] = (uint8_t)(length < 0x80 ? length : 0x80 | (length & 0x7f));
		if (length >= 0x80) {
			packet[head++] = (uint8_t)(length >> 7);
		}
		memcpy(packet + head, bytes, length);
	}
	error = jc_payload_decode(JC_SHAPE_LIST, packet, length > 0 ? head + length : 0, &payload);
	if (error < 0) {
		return error;
	}
	memcpy(&out_rotations[range->first], &payload.rotations[range->first],
		range->count * sizeof(struct jc_quat));
	return (int)length;
}

const struct jc_bench_codec jc_bench_smallest_three = {
	.name = "jointcast smallest three",
	.coding = JC_CODING_SMALLEST_THREE,
	.precision = -1,
	.encode = smallest_encode,
	.decode = smallest_decode,
};
