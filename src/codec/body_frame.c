/* Encodes and decodes body frames. Each position is stored as the short vector from a joint above,
 * in whole steps, so that rounding errors do not accumulate. */
#include "capture_private.h"
#include "jointcast/transform.h"

/* The nearest present joint above, which is coded earlier, or JC_JOINT_NONE. */
static enum jc_joint anchor_of(const uint8_t states[JC_JOINT_COUNT], enum jc_joint joint)
{
	enum jc_joint above = jc_joint_parent(joint);

	while (above != JC_JOINT_NONE && (above > joint || states[above] == JC_ABSENT)) {
		above = jc_joint_parent(above);
	}
	return above;
}

static struct jc_capture_place place_of(
	const struct jc_capture_place places[JC_JOINT_COUNT], enum jc_joint joint)
{
	return joint == JC_JOINT_NONE ? (struct jc_capture_place){ 0, 0, 0 } : places[joint];
}

int jc_body_frame_encode(const struct jc_capture *capture, const struct jc_body_frame *frame,
	uint8_t *out_bytes, size_t capacity)
{
	struct jc_bits_writer writer = jc_bits_writer_init(out_bytes, capacity);
	struct jc_capture_place places[JC_JOINT_COUNT];
	uint8_t states[JC_JOINT_COUNT];

	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		states[i] = frame->joints[i].state;
	}
	jc_capture_write_head(&writer, JC_CAPTURE_BODY_FRAME, capture, &frame->confidence, states,
		JC_JOINT_COUNT);
	for (int i = 0; i < JC_JOINT_COUNT && writer.wire.error == JC_OK; i++) {
		const struct jc_body_joint *joint = &frame->joints[i];

		if (states[i] != JC_ABSENT) {
			places[i] = jc_capture_write_position(&writer, joint->position,
				place_of(places, anchor_of(states, (enum jc_joint)i)));
			jc_capture_write_rotation(&writer, joint->orientation);
		}
	}
	return jc_capture_write_values(&writer, capture);
}

int jc_body_frame_decode(const uint8_t *bytes, size_t length, struct jc_capture *out_capture,
	struct jc_body_frame *out_frame)
{
	struct jc_bits_reader reader = jc_bits_reader_init(bytes, length);
	struct jc_capture_place places[JC_JOINT_COUNT];
	uint8_t states[JC_JOINT_COUNT];

	if (length > JC_CAPTURE_BYTES) {
		return JC_ERROR_LIMIT;
	}
	jc_capture_read_head(&reader, JC_CAPTURE_BODY_FRAME, out_capture, &out_frame->confidence,
		states, JC_JOINT_COUNT);
	if (reader.wire.error != JC_OK) {
		return reader.wire.error;
	}
	out_frame->time_ns = out_capture->time_us * 1000;
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		struct jc_body_joint joint = { .orientation = JC_QUAT_IDENTITY,
			.state = states[i] };

		if (states[i] != JC_ABSENT) {
			places[i] = jc_capture_read_position(&reader,
				place_of(places, anchor_of(states, (enum jc_joint)i)),
				&joint.position);
			joint.orientation = jc_capture_read_rotation(&reader);
		}
		out_frame->joints[i] = joint;
	}
	return jc_capture_read_values(&reader, length, out_capture);
}
