/* Fuzzes what suits and phones send: a datagram of mocopi or of a face, and poses of sequences of
 * mocopi packets (two bytes of length, then the packet). Results are finite and within their
 * ranges. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../target.h"
#include "jointcast/transform.h"
#include "jointcast_private/apps/face_text.h"
#include "jointcast_private/apps/mocopi_receiver.h"

static void check_value(void *context, const char *name, float value)
{
	size_t *count = context;

	assert(name[0] && strlen(name) < JC_FACE_TEXT_NAME);
	assert(value >= 0.0f && value <= 1.0f);
	++*count;
}

static void check_face(const uint8_t *data, size_t size)
{
	struct jc_face_text text;
	size_t count = 0;
	char *copy = malloc(size + 1); /* so that a read past the end is found */

	if (!copy)
		return;
	memcpy(copy, data, size);
	int status = jc_face_text_read(copy, size, check_value, &count, &text, NULL);

	assert(status == JC_OK || count == 0);
	assert(count <= JC_FACE_TEXT_ITEMS);
	if (status == JC_OK) {
		assert(jc_vec3_is_finite(text.head.degrees));
		assert(jc_vec3_is_finite(text.left_eye.degrees));
		assert(jc_vec3_is_finite(text.right_eye.degrees));
	}
	free(copy);
}

static void check_pose(const struct jc_pose *pose)
{
	assert(jc_vec3_is_finite(pose->hips_translation));
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat q = pose->rotations[bone];
		float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

		assert(fabsf(square - 1.0f) < 1e-4f);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jc_mocopi_receiver *receiver;

	check_face(data, size);
	if (jc_mocopi_receiver_create(&receiver) != JC_OK)
		return 0;
	while (size >= 2) {
		size_t length = (size_t)(data[0] << 8 | data[1]);
		struct jc_diagnostic diagnostic = { 0 };
		struct jc_mocopi_result result = { .has_pose = false };

		data += 2;
		size -= 2;
		length = length < size ? length : size;
		uint8_t *packet = malloc(length + 1);

		if (!packet)
			break;
		memcpy(packet, data, length);
		int status =
			jc_mocopi_receiver_take(receiver, packet, length, &result, &diagnostic);

		assert((status == JC_OK) == (diagnostic.what[0] == '\0'));
		assert(status == JC_OK || !result.has_pose);
		if (result.has_pose)
			check_pose(&result.pose);
		free(packet);
		data += length;
		size -= length;
	}
	jc_mocopi_receiver_destroy(receiver);
	return 0;
}
