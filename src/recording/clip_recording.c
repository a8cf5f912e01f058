/* Writes a clip as a recording of one body. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/recording.h"
#include "jointcast_private/mcap_bytes.h"

#define BODY    1u
#define SPACE   "lobby"
#define TICK_HZ 60u

struct clip_writer {
	const struct jc_clip *clip;
	struct jc_recording_writer *recording;
	struct jc_recorded_body body;
	const char *names[JC_LIMIT_MOTION_CHANNELS];
	struct jc_capture capture;
	uint8_t bytes[JC_CAPTURE_BYTES];
};

static int write_to_buffer(void *context, const void *bytes, size_t length)
{
	struct jc_mcap_buffer *buffer = context;

	jc_mcap_put_bytes(buffer, bytes, length);
	return buffer->error;
}

static int write_capture(struct clip_writer *writer, int length, uint32_t tick)
{
	struct jc_recorded_capture capture = { BODY, writer->bytes, (size_t)length };

	if (length < 0) {
		return length;
	}
	return jc_recording_write_captures(
		writer->recording, writer->capture.time_us, tick, &capture, 1);
}

static void read_channels(struct clip_writer *writer, double t)
{
	const struct jc_motion *motion = writer->clip->motion;
	struct jc_capture *capture = &writer->capture;

	capture->value_count = 0;
	for (size_t i = 0; i < writer->body.channel_count; i++) {
		float values[JC_MOTION_CHANNEL_VALUES];
		size_t count = jc_motion_channels(motion)[i].value_count;

		jc_motion_channel_values(motion, i, t, values);
		memcpy(capture->values + capture->value_count, values, count * sizeof(*values));
		capture->value_count += count;
	}
}

static int write_rest(struct clip_writer *writer)
{
	const struct jc_body_frame *rest = jc_motion_rest(writer->clip->motion);
	int error;

	if (writer->body.kind != JC_CAPTURE_BODY_FRAME || !rest) {
		return JC_OK;
	}
	writer->capture.is_rest = true;
	error = write_capture(writer,
		jc_body_frame_encode(&writer->capture, rest, writer->bytes, sizeof(writer->bytes)),
		0);
	writer->capture.is_rest = false;
	return error;
}

static int write_frame(struct clip_writer *writer, size_t index)
{
	const struct jc_clip *clip = writer->clip;
	double t = (double)index * clip->frame_seconds;
	struct jc_body_frame frame;
	struct jc_pose pose;
	int length;

	writer->capture.time_us = llround(t * 1e6);
	read_channels(writer, t);
	/* The pose callback shows progress, so it is called also for body frames. */
	clip->pose(clip->context, index, &pose);
	if (writer->body.kind == JC_CAPTURE_BODY_FRAME) {
		jc_motion_body_frame(clip->motion, t, &frame);
		length = jc_body_frame_encode(
			&writer->capture, &frame, writer->bytes, sizeof(writer->bytes));
	} else {
		length = jc_pose_encode(
			&writer->capture, &pose, writer->bytes, sizeof(writer->bytes));
	}
	return write_capture(writer, length, (uint32_t)index);
}

static int write_all(struct clip_writer *writer)
{
	const struct jc_clip *clip = writer->clip;
	int error = jc_recording_write_skeleton(writer->recording, 0, clip->skeleton);

	error = error ? error
		      : jc_recording_write_roster(writer->recording, 0, 0, &writer->body, 1);
	error = error ? error : write_rest(writer);
	for (size_t i = 0; i < clip->frame_count && !error; i++) {
		error = write_frame(writer, i);
	}
	return error ? error : jc_recording_end(writer->recording);
}

static void describe_body(struct clip_writer *writer)
{
	const struct jc_motion *motion = writer->clip->motion;
	const struct jc_motion_info *info = jc_motion_info(motion);

	writer->body = (struct jc_recorded_body){
		.id = BODY,
		.name = info->name[0] ? info->name : "body",
		.recorded = JC_RECORDED_RAW,
		.kind = info->kind == JC_MOTION_BODY_FRAMES ? JC_CAPTURE_BODY_FRAME
							    : JC_CAPTURE_POSE,
		.profile = jc_motion_profile(motion),
		.skeleton = jc_skeleton_hash(writer->clip->skeleton),
		.channel_count = jc_motion_channel_count(motion),
		.channels = writer->names,
	};
	for (size_t i = 0; i < writer->body.channel_count; i++) {
		writer->names[i] = jc_motion_channels(motion)[i].name;
	}
}

int jc_write_recording(const struct jc_clip *clip, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_recording_options options = {
		.library = "jointcast",
		.space = SPACE,
		.epoch = "0",
		.tick_hz = TICK_HZ,
		.scene = true,
	};
	struct jc_mcap_buffer buffer = { .maximum = JC_LIMIT_FILE_BYTES };
	struct jc_mcap_sink sink = { write_to_buffer, &buffer };
	struct clip_writer *writer = calloc(1, sizeof(*writer));
	int error;

	(void)lint; /* nothing is lost that other formats have */
	if (!writer) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	writer->clip = clip;
	describe_body(writer);
	error = jc_recording_create(&options, 0, &sink, &writer->recording);
	error = error ? error : write_all(writer);
	jc_recording_destroy(writer->recording);
	free(writer);
	if (error) {
		jc_mcap_buffer_finish(&buffer);
		return jc_diagnose(
			diagnostic, error, NULL, "cannot be recorded: %s", jc_error_name(error));
	}
	*out_file = (struct jc_written){ (char *)buffer.bytes, buffer.length };
	return JC_OK;
}
