/* Parts that captures of body frames and poses share: head, states, positions, rotations and
 * channel values. proto/PUBLISHING.md, "Captures". The first error stays in the wire under the
 * bits; nothing is read or written after it. */
#ifndef JC_CODEC_CAPTURE_PRIVATE_H
#define JC_CODEC_CAPTURE_PRIVATE_H

#include "bits.h"
#include "jointcast/capture.h"

/* Unit: a tenth of a millimetre, or a ten-thousandth of the hips height. */
struct jc_capture_place {
	int32_t x, y, z;
};

/* The head. confidence is NULL where the kind has none; states are those of its
 * item_count joints or bones. */
void jc_capture_write_head(struct jc_bits_writer *writer, enum jc_capture_kind kind,
	const struct jc_capture *capture, const float *confidence, const uint8_t *states,
	unsigned item_count);
void jc_capture_read_head(struct jc_bits_reader *reader, enum jc_capture_kind kind,
	struct jc_capture *out_capture, float *out_confidence, uint8_t *out_states,
	unsigned item_count);

/* A position as the offset from another position. */
struct jc_capture_place jc_capture_write_position(
	struct jc_bits_writer *writer, struct jc_vec3 position, struct jc_capture_place from);
struct jc_capture_place jc_capture_read_position(
	struct jc_bits_reader *reader, struct jc_capture_place from, struct jc_vec3 *out_position);

#define JC_CAPTURE_ROTATION_BITS 16 /* of a component */

void jc_capture_write_rotation(struct jc_bits_writer *writer, struct jc_quat rotation);
struct jc_quat jc_capture_read_rotation(struct jc_bits_reader *reader);

/* The tail. Both return the length of the whole or the first error. */
int jc_capture_write_values(struct jc_bits_writer *writer, const struct jc_capture *capture);
int jc_capture_read_values(
	struct jc_bits_reader *reader, size_t length, struct jc_capture *capture);

#endif
