/* Fuzzes sequences of OSC packets: two bytes of length, then the packet. Writing a packet that
 * was read gives the same bytes, and a VMC receiver gives finite values and rotations. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "jointcast_private/osc.h"
#include "jointcast_private/osc_trackers.h"
#include "target.h"

/* The arguments that were read, through the writer and the reader again. */
static void check_same(void *context, const struct jc_osc_message *message)
{
	const struct jc_osc_message *first = context;

	assert(strcmp(message->address, first->address) == 0);
	assert(message->argument_count == first->argument_count);
	for (size_t i = 0; i < message->argument_count; i++) {
		const struct jc_osc_argument *a = &message->arguments[i];
		const struct jc_osc_argument *b = &first->arguments[i];

		assert(a->type == b->type);
		if (a->type == 's')
			assert(strcmp(a->s, b->s) == 0);
		else if (a->type == 'i' || a->type == 'f')
			assert(a->i == b->i); /* the same bits */
		else if (a->type == 'd')
			assert(memcmp(&a->d, &b->d, sizeof(a->d)) == 0);
	}
}

static void check_message(void *context, const struct jc_osc_message *message)
{
	static uint8_t bytes[70000];
	size_t *count = context;
	int length = jc_osc_write(message, bytes, sizeof(bytes));

	assert(length > 0);
	assert(jc_osc_read(bytes, (size_t)length, check_same, (void *)message, NULL) == JC_OK);
	++*count;
}

static void check_frame(const struct jc_vmc_frame *frame)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat q = frame->pose.rotations[bone];
		float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

		assert(fabsf(square - 1.0f) < 1e-5f);
		assert(frame->pose.states[bone] <= JC_TRACKED);
	}
	assert(jc_vec3_is_finite(frame->pose.hips_translation));
	assert(isfinite(frame->hips_height) && frame->hips_height > 0.0f);
}

static void check_rest(const struct jc_vmc_receiver *receiver)
{
	const struct jc_vmc_channel *channels = jc_vmc_receiver_channels(receiver);
	const struct jc_vmc_device *devices = jc_vmc_receiver_devices(receiver);

	for (size_t i = 0; i < jc_vmc_receiver_channel_count(receiver); i++) {
		assert(strlen(channels[i].name) < JC_LIMIT_VMC_NAME_BYTES);
		assert(channels[i].value >= 0.0f && channels[i].value <= 1.0f);
	}
	for (size_t i = 0; i < jc_vmc_receiver_device_count(receiver); i++) {
		assert(strlen(devices[i].serial) < JC_LIMIT_VMC_NAME_BYTES);
		assert(jc_vec3_is_finite(devices[i].position));
		assert(jc_quat_is_finite(devices[i].rotation));
	}
}

static void check_trackers(
	struct jc_osc_tracker_receiver *receiver, size_t messages, int64_t now_ns)
{
	const struct jc_osc_tracker_frame *frame = jc_osc_tracker_receiver_frame(receiver, now_ns);

	assert(receiver->counts.messages == messages);
	assert(receiver->unused.count <= JC_LIMIT_OSC_NAMES);
	for (int i = 0; frame && i < JC_OSC_TRACKER_COUNT; i++) {
		assert(jc_vec3_is_finite(frame->trackers[i].position));
		assert(jc_quat_is_finite(frame->trackers[i].rotation));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jc_vmc_receiver *receiver;
	struct jc_osc_tracker_receiver trackers = { .now_ns = 0 };
	size_t messages = 0;
	int64_t now_ns = 0;

	if (jc_vmc_receiver_create(NULL, &receiver) != JC_OK)
		return 0;
	while (size >= 2) {
		size_t length = (size_t)(data[0] << 8 | data[1]);
		struct jc_diagnostic diagnostic = { 0 };

		data += 2;
		size -= 2;
		length = length < size ? length : size;
		/* Copies the packet so that a read past its end is detected. */
		uint8_t *packet = malloc(length + 1);

		if (!packet)
			break;
		memcpy(packet, data, length);
		now_ns += 1500000;
		int status = jc_osc_read(packet, length, check_message, &messages, &diagnostic);

		assert((status == JC_OK) == (diagnostic.what[0] == '\0'));
		assert(jc_vmc_receiver_take(receiver, packet, length, now_ns, NULL) == status);
		assert(jc_osc_tracker_receiver_take(&trackers, packet, length, now_ns, NULL) ==
			status);
		free(packet);
		data += length;
		size -= length;
	}
	assert(jc_vmc_receiver_counts(receiver)->messages == messages);
	check_trackers(&trackers, messages, now_ns + 10000000);
	const struct jc_vmc_frame *frame = jc_vmc_receiver_frame(receiver, now_ns + 10000000);

	if (frame)
		check_frame(frame);
	check_rest(receiver);
	jc_vmc_receiver_destroy(receiver);
	return 0;
}
