/* Encodes and decodes poses as captures: N of rotated bones and the hips translation. */
#include "capture_private.h"
#include "jointcast/transform.h"
#include "rotation.h"

static const struct jc_capture_place rest = { 0, 0, 0 };

int jc_pose_encode(const struct jc_capture *capture, const struct jc_pose *pose, uint8_t *out_bytes,
	size_t capacity)
{
	struct jc_bits_writer writer = jc_bits_writer_init(out_bytes, capacity);

	if (capture->is_rest) {
		return JC_ERROR_INVALID;
	}
	jc_capture_write_head(&writer, JC_CAPTURE_POSE, capture, NULL, pose->states, JC_BONE_COUNT);
	jc_capture_write_position(&writer, pose->hips_translation, rest);
	for (int bone = 0; bone < JC_BONE_COUNT && writer.wire.error == JC_OK; bone++) {
		uint64_t packed;

		if (pose->states[bone] == JC_ABSENT) {
			continue;
		}
		/* An invalid rotation counts as rotated and is rejected when it is encoded. */
		bool turned = jc_rotation_pack(pose->rotations[bone], JC_CAPTURE_ROTATION_BITS,
				      &packed) != JC_OK ||
			      packed != JC_ROTATION_REST(JC_CAPTURE_ROTATION_BITS);

		jc_bits_write(&writer, turned, 1);
		if (turned) {
			jc_capture_write_rotation(&writer, pose->rotations[bone]);
		}
	}
	return jc_capture_write_values(&writer, capture);
}

int jc_pose_decode(const uint8_t *bytes, size_t length, struct jc_capture *out_capture,
	struct jc_pose *out_pose)
{
	struct jc_bits_reader reader = jc_bits_reader_init(bytes, length);

	if (length > JC_CAPTURE_BYTES) {
		return JC_ERROR_LIMIT;
	}
	jc_capture_read_head(
		&reader, JC_CAPTURE_POSE, out_capture, NULL, out_pose->states, JC_BONE_COUNT);
	if (reader.wire.error == JC_OK && out_capture->is_rest) {
		return JC_ERROR_INVALID;
	}
	if (reader.wire.error != JC_OK) {
		return reader.wire.error;
	}
	jc_capture_read_position(&reader, rest, &out_pose->hips_translation);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		bool turned = out_pose->states[bone] != JC_ABSENT && jc_bits_read(&reader, 1) != 0;

		out_pose->rotations[bone] =
			turned ? jc_capture_read_rotation(&reader) : JC_QUAT_IDENTITY;
	}
	return jc_capture_read_values(&reader, length, out_capture);
}
