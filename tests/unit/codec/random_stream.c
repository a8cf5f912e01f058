/* Makes packets of random motion. */
#include "random_stream.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"

void random_stream_init(struct random_stream *walk, enum jc_precision precision, unsigned sections,
	size_t values, size_t virtuals, uint32_t seed)
{
	memset(walk, 0, sizeof(*walk));
	walk->random = seed;
	walk->rejoins = 0.1;
	mover_init(&walk->mover, seed);
	jc_stream_init(&walk->stream, precision, sections,
		seed % 4 ? UINT64_MAX : UINT64_C(0x2aaaaaaaaaaaaaaa));
	jc_stream_carry(&walk->stream, values, virtuals);
	jc_stream_pace(&walk->stream, (uint8_t)(1 + seed % 3));
	walk->frame.value_count = values;
	walk->frame.virtual_count = virtuals;
	for (size_t i = 0; i < JC_LIMIT_STREAM_VIRTUALS; i++) {
		walk->frame.virtual_rotations[i] = JC_QUAT_IDENTITY;
	}
}

static float clamped(float value, float most)
{
	return value > most ? most : value < -most ? -most : value;
}

static void move_point(struct jc_vec3 *point, float most, uint32_t *random)
{
	point->x = clamped(point->x + most * 0.01f * (float)next_real(random), most);
	point->y = clamped(point->y + most * 0.01f * (float)next_real(random), most);
	point->z = clamped(point->z + most * 0.01f * (float)next_real(random), most);
}

static void move(struct random_stream *walk)
{
	struct jc_stream_frame *frame = &walk->frame;
	uint32_t *random = &walk->random;

	mover_step(&walk->mover);
	memcpy(frame->rotations, walk->mover.rotations, sizeof(frame->rotations));
	if (happens(random, 0.1)) {
		frame->states[next_bits(random) % JC_BONE_COUNT] = (uint8_t)(next_bits(random) % 3);
	}
	if (happens(random, 0.1)) {
		frame->has_placement = true;
		move_point(&frame->placement.position, 5000.0f, random);
		frame->placement.yaw = 4.0f * (float)next_real(random);
	}
	move_point(&frame->hips_translation, 3.0f, random);
	for (size_t i = 0; i < frame->value_count; i++) {
		frame->values[i] =
			clamped(frame->values[i] + 0.1f * (float)next_real(random), 1.0f);
	}
	for (size_t i = 0; i < frame->virtual_count; i++) {
		frame->virtual_rotations[i] = walk->mover.rotations[i];
		move_point(&frame->virtual_positions[i], 10.0f, random);
	}
}

void random_stream_step(struct random_stream *walk, struct jc_stream_packet *out_packet)
{
	do {
		bool rejoin = happens(&walk->random, walk->rejoins);

		move(walk);
		if (jc_stream_encode(&walk->stream, &walk->frame, false, rejoin, out_packet) !=
			JC_OK) {
			abort();
		}
	} while (!out_packet->is_sent);
}

struct jc_packet_head random_stream_head(const struct jc_stream_packet *packet, bool rejoin)
{
	return (struct jc_packet_head){ .incarnation = 5,
		.sequence = packet->sequence,
		.needs_state = packet->needs_state && !rejoin,
		.shape = rejoin ? JC_SHAPE_LIST : packet->shape };
}
