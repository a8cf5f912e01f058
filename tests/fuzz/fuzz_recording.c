/* Fuzzes recordings: every body that is read is finite, and its times increase. An input without
 * the magic of MCAP is the content of a message of captures and of one of packets: reading and
 * writing either gives the same bytes. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/recording.h"
#include "jointcast/recording_reader.h"
#include "jointcast/transform.h"
#include "target.h"

#define BODIES 8
#define PAGES  8
#define ITEMS  64 /* of one message */

static void check_frame(const struct jc_motion *motion, double t)
{
	struct jc_body_frame frame;
	struct jc_pose pose;

	if (jc_motion_info(motion)->kind == JC_MOTION_POSES) {
		jc_motion_pose(motion, t, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			assert(jc_quat_is_finite(pose.rotations[b]));
		}
		assert(jc_vec3_is_finite(pose.hips_translation));
	} else {
		jc_motion_body_frame(motion, t, &frame);
		for (int j = 0; j < JC_JOINT_COUNT; j++) {
			assert(jc_quat_is_finite(frame.joints[j].orientation));
			assert(jc_vec3_is_finite(frame.joints[j].position));
		}
	}
	for (size_t i = 0; i < jc_motion_channel_count(motion); i++) {
		float values[JC_MOTION_CHANNEL_VALUES];

		jc_motion_channel_values(motion, i, t, values);
		assert(isfinite(values[0]));
	}
}

/* Pages follow each other, and so do the messages in each. */
static void check_pages(const struct jc_recording *recording)
{
	size_t count = jc_recording_page_count(recording);

	for (size_t i = 0; i < count && i < PAGES; i++) {
		int64_t from = jc_recording_page_from(recording, i);
		struct jc_recording_page *page;

		assert(jc_recording_page_at(recording, from) >= i);
		if (jc_recording_read_page(recording, i, &page) != JC_OK) {
			return;
		}
		for (size_t j = 0; j < page->message_count; j++) {
			const struct jc_recorded_message *message = &page->messages[j];
			struct jc_recorded_capture capture;
			struct jc_captures captures;

			assert(message->time_us >= from);
			from = message->time_us;
			if (jc_captures_begin(message->bytes, message->length, &captures)) {
				while (jc_captures_next(&captures, &capture)) {
					assert(capture.bytes + capture.length <= captures.end);
				}
			}
		}
		jc_recording_page_destroy(page);
	}
}

struct rewind_buffer {
	uint8_t *bytes; /* owned */
	size_t length;
};

static int keep(void *context, const void *bytes, size_t length)
{
	struct rewind_buffer *rewind_buffer = context;
	uint8_t *grown = realloc(rewind_buffer->bytes, rewind_buffer->length + length);

	assert(grown != NULL);
	memcpy(grown + rewind_buffer->length, bytes, length);
	rewind_buffer->bytes = grown;
	rewind_buffer->length += length;
	return JC_OK;
}

/* A forgotten body is in no roster of the remaining recording. */
static void check_forgotten(const struct jc_mcap_input *input, const char *name)
{
	struct rewind_buffer rewind_buffer = { NULL, 0 };
	struct jc_mcap_sink sink = { keep, &rewind_buffer };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_forgotten forgotten;

	if (jc_recording_forget(input, name, "fuzz", &sink, &forgotten, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
	} else {
		struct jc_mcap_slice slice = { rewind_buffer.bytes, rewind_buffer.length };
		struct jc_mcap_input again = jc_mcap_input_memory(&slice);
		struct jc_recording *recording;

		assert(forgotten.bodies > 0);
		assert(jc_recording_open(&again, &recording, &diagnostic) == JC_OK);
		for (size_t i = 0; i < jc_recording_roster_count(recording); i++) {
			const struct jc_recorded_roster *roster = jc_recording_roster(recording, i);

			for (size_t k = 0; k < roster->body_count; k++) {
				assert(strcmp(roster->bodies[k].name, name) != 0);
			}
		}
		jc_recording_close(recording);
	}
	free(rewind_buffer.bytes);
}

/* A scene is added to every recording without damage; added again, it replaces itself. */
static void check_scene(const struct jc_mcap_input *input, const struct jc_recording *recording)
{
	struct rewind_buffer once = { NULL, 0 }, twice = { NULL, 0 };
	struct jc_mcap_sink sink = { keep, &once }, again = { keep, &twice };
	struct jc_diagnostic diagnostic = { 0 };

	if (jc_recording_add_scene(input, "fuzz", &sink, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
	} else {
		struct jc_mcap_slice slice = { once.bytes, once.length };
		struct jc_mcap_input copy = jc_mcap_input_memory(&slice);
		struct jc_recording *opened;

		assert(jc_recording_open(&copy, &opened, &diagnostic) == JC_OK);
		assert(jc_recording_body_count(opened) == jc_recording_body_count(recording));
		jc_recording_close(opened);
		assert(jc_recording_add_scene(&copy, "fuzz", &again, &diagnostic) == JC_OK);
		assert(once.length == twice.length);
		assert(memcmp(once.bytes, twice.bytes, once.length) == 0);
	}
	free(once.bytes);
	free(twice.bytes);
}

static void check_captures(const uint8_t *bytes, size_t length)
{
	static struct jc_recorded_capture list[ITEMS];
	struct jc_captures captures;
	size_t count = 0;
	uint8_t *again = malloc(length + 1);

	assert(again != NULL);
	if (jc_captures_begin(bytes, length, &captures)) {
		while (count < ITEMS && jc_captures_next(&captures, &list[count])) {
			count++;
		}
		int written =
			jc_recording_format_captures(captures.tick, list, count, again, length);

		/* Too long a capture is left to its reader. */
		assert(written == JC_ERROR_LIMIT || written == captures.at - bytes);
		assert(written < 0 || memcmp(again, bytes, (size_t)written) == 0);
	}
	free(again);
}

/* A text for each stream that has a packet. */
static void check_streams(const struct jc_recorded_packet *packets, size_t count)
{
	static struct jc_recorded_stream streams[ITEMS];
	char *text = NULL;

	for (size_t i = 0; i < count; i++) {
		streams[i] = (struct jc_recorded_stream){ .number = packets[i].stream,
			.body = (uint32_t)i,
			.skeleton = "humanoid",
			.chains = packets[i].rejoins,
			.rate = 1,
			.sections = (unsigned)packets[i].length };
	}
	assert(jc_recording_format_streams(0, streams, count, &text) == JC_OK);
	assert(text[0] == '{');
	free(text);
}

/* Flags that are not known yet are not kept. */
static void check_packets(const uint8_t *bytes, size_t length)
{
	static struct jc_recorded_packet list[ITEMS];
	struct jc_packets packets;
	size_t count = 0;
	uint8_t *again = malloc(length + 1);

	assert(again != NULL);
	if (jc_packets_begin(bytes, length, &packets)) {
		while (count < ITEMS && jc_packets_next(&packets, &list[count])) {
			count++;
		}
		assert(jc_recording_format_packets(packets.tick, list, count, again, length) ==
			packets.at - bytes);
		check_streams(list, count);
	}
	free(again);
}

/* All at once and by the way of every motion file: the same bodies. */
static void check_bodies(const struct jc_recording *recording, const uint8_t *bytes, size_t length)
{
	static struct jc_recorded_motion motions[BODIES];
	size_t count = jc_recording_body_count(recording);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion;

	count = count < BODIES ? count : BODIES;
	if (jc_recording_read_bodies(recording, count, motions, &diagnostic) == JC_OK) {
		for (size_t i = 0; i < count; i++) {
			assert(!motions[i].error == (motions[i].motion != NULL));
			assert(!motions[i].error || motions[i].fault.what[0]);
			jc_motion_destroy(motions[i].motion);
		}
	}
	if (jc_recording_read_motion(bytes, length, 0, NULL, &motion, NULL, &diagnostic) == JC_OK) {
		assert(count > 0);
		jc_motion_destroy(motion);
	}
}

static void check_texts(const struct jc_recording *recording)
{
	struct jc_diagnostic diagnostic = { 0 };

	for (size_t i = 0; i < jc_recording_event_count(recording); i++) {
		assert(jc_recording_event(recording, i)->event != NULL);
		assert(jc_recording_event(recording, i)->text != NULL);
	}
	for (size_t i = 0; i < jc_recording_body_count(recording) && i < BODIES; i++) {
		const char *hash = jc_recording_body(recording, i)->skeleton;
		struct jc_skeleton *skeleton;

		if (jc_recording_read_skeleton(recording, hash, &skeleton, &diagnostic) == JC_OK) {
			jc_skeleton_destroy(skeleton);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_mcap_slice slice = { bytes, length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_recording *recording;

	if (!jc_mcap_is(bytes, length)) {
		check_captures(bytes, length);
		check_packets(bytes, length);
	}
	if (jc_recording_open(&input, &recording, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
		return 0;
	}
	check_texts(recording);
	check_bodies(recording, bytes, length);
	for (size_t i = 0; i < jc_recording_body_count(recording) && i < BODIES; i++) {
		struct jc_motion *motion;

		if (jc_recording_read_body(recording, i, &motion, NULL, &diagnostic) != JC_OK) {
			assert(diagnostic.what[0] != '\0');
			continue;
		}
		assert(jc_motion_info(motion)->duration >= 0.0);
		assert(jc_motion_info(motion)->frame_count > 0);
		for (int k = 0; k <= 3; k++) {
			check_frame(motion, jc_motion_info(motion)->duration * k / 3.0);
		}
		jc_motion_destroy(motion);
	}
	check_pages(recording);
	check_scene(&input, recording);
	if (jc_recording_body_count(recording) > 0) {
		check_forgotten(&input, jc_recording_body(recording, 0)->name);
	}
	jc_recording_close(recording);
	return 0;
}
