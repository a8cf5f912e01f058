/* Fuzzes bundles: decoded bundles have unit rotations and finite lengths, and can be encoded and
 * framed again. The corpus contains the golden vectors of proto/golden as bytes. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "jointcast/packet.h"
#include "target.h"

static void check_payload(const struct jc_packet_head *head, const struct jc_payload *payload)
{
	struct jc_skeleton_pose pose = { .hips_translation = payload->hips_translation };
	uint8_t sections[JC_LIMIT_PACKET_BYTES], packet[JC_LIMIT_PACKET_BYTES];
	struct jc_packet_head again = *head, read;
	const uint8_t *found;
	size_t found_length;
	int size;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat q = payload->rotations[bone];
		float norm = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);

		assert(fabsf(norm - 1.0f) < 1e-6f);
		pose.rotations[bone] = q;
	}
	size = jc_payload_encode(&pose, payload->has_placement ? &payload->placement : NULL,
		sections, sizeof(sections));
	if (size < 0) {
		/* Lengths within 32 bits of millimetres may lie past our own limit. */
		assert(size == JC_ERROR_INVALID);
		return;
	}
	again.shape = JC_SHAPE_LIST;
	size = jc_bundle_append(&again, sections, (size_t)size, packet, sizeof(packet));
	assert(size > 0);
	assert(jc_bundle_read_packet(packet, (size_t)size, &read, &found, &found_length) == size);
	assert(read.body == head->body && read.capture_age_us == head->capture_age_us &&
		read.relay_age_us == head->relay_age_us && read.incarnation == head->incarnation);
}

static void check_bundle(const uint8_t *bytes, size_t length, struct jc_bundle_head *head)
{
	int status = jc_bundle_read_head(bytes, length, head, head);
	size_t at = status < 0 ? length : (size_t)status;

	while (at < length) {
		struct jc_packet_head packet;
		struct jc_payload payload;
		const uint8_t *found;
		size_t found_length;

		status = jc_bundle_read_packet(
			bytes + at, length - at, &packet, &found, &found_length);
		if (status < 0) {
			break;
		}
		assert(status > 0 && found + found_length == bytes + at + status);
		at += (size_t)status;
		status = jc_payload_decode(packet.shape, found, found_length, &payload);
		if (status >= 0) {
			assert((size_t)status == found_length);
			check_payload(&packet, &payload);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_bundle_head head = { 1, 299 };
	const uint8_t *bundles[2];
	size_t lengths[2];
	int count = jc_bundle_split(bytes, length, bundles, lengths);

	assert(count < 2 || (bundles[0] + lengths[0] == bundles[1] &&
				    bundles[1] + lengths[1] == bytes + length));
	for (int i = 0; i < count; i++) {
		check_bundle(bundles[i], lengths[i], &head);
	}
	return 0;
}
