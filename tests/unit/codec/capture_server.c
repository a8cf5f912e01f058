/* Decodes and encodes captures on a pipe, for the test that compares C with JavaScript. Reads
 * records from stdin: a kind ('B', 'P'), a u16 length and a capture. Writes to stdout the status of
 * each, and for a valid capture its values and its encoding. All numbers are little-endian. Accepts
 * trusted input only. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "jointcast/capture.h"

static struct jc_capture capture;
static uint8_t bytes[UINT16_MAX];

static void take(void *out, size_t size)
{
	if (fread(out, 1, size, stdin) != size) {
		fputs("a command ends\n", stderr);
		exit(1);
	}
}

static void give(const void *data, size_t size)
{
	if (fwrite(data, 1, size, stdout) != size) {
		exit(1);
	}
}

static void give_again(int status)
{
	int32_t length = status;

	give(&length, sizeof(length));
	give(bytes, status > 0 ? (size_t)status : 0);
}

static void give_capture(void)
{
	double time = (double)capture.time_us;
	uint8_t flags[2] = { capture.cut, capture.is_rest };
	uint32_t count = (uint32_t)capture.value_count;

	give(&time, sizeof(time));
	give(flags, sizeof(flags));
	give(&count, sizeof(count));
	give(capture.values, count * sizeof(capture.values[0]));
}

static void answer_body_frame(size_t length)
{
	static struct jc_body_frame frame;
	int32_t status = jc_body_frame_decode(bytes, length, &capture, &frame);

	give(&status, sizeof(status));
	if (status < 0) {
		return;
	}
	give_capture();
	give(&frame.confidence, sizeof(frame.confidence));
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		give(&frame.joints[i].state, 1);
		give(&frame.joints[i].position, sizeof(frame.joints[i].position));
		give(&frame.joints[i].orientation, sizeof(frame.joints[i].orientation));
	}
	give_again(jc_body_frame_encode(&capture, &frame, bytes, sizeof(bytes)));
}

static void answer_pose(size_t length)
{
	static struct jc_pose pose;
	int32_t status = jc_pose_decode(bytes, length, &capture, &pose);

	give(&status, sizeof(status));
	if (status < 0) {
		return;
	}
	give_capture();
	give(&pose.hips_translation, sizeof(pose.hips_translation));
	give(pose.states, sizeof(pose.states));
	give(pose.rotations, sizeof(pose.rotations));
	give_again(jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)));
}

int main(void)
{
	int kind;

	while ((kind = getchar()) != EOF) {
		uint16_t length;

		take(&length, sizeof(length));
		take(bytes, length);
		if (kind == 'P') {
			answer_pose(length);
		} else {
			answer_body_frame(length);
		}
	}
	return 0;
}
