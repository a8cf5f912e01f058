/* Captures are worked on as they come; a tick copies what they left. */
#include "source/publisher_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/continuity.h"
#include "maxima.h"
#include "source/tracked_body.h"

/* Hips heights around the middle of a room that somebody moves in. */
#define REACH 1.0f

struct publisher_source {
	struct jc_source base;
	struct jc_publisher_options options;
	struct jc_tracked_body *body;    /* owned; of body frames */
	struct jc_continuity continuity; /* of poses, as is what follows */
	struct jc_one_euro smooth;
	uint64_t poses;
	uint64_t refused;
	int64_t time_ns; /* of the newest capture */
	bool has_begun;
	bool live;
	char *names[JC_LIMIT_STREAM_VALUES]; /* owned: of its channels */
	float values[JC_LIMIT_STREAM_VALUES];
	struct jc_capture capture; /* the last one */
};

/* Clocks are mapped, not equal, and pages like to tell of frames to come. */
static int64_t clamp_time(const struct publisher_source *source, int64_t time_us, int64_t now_ns)
{
	int64_t time_ns = source->options.epoch_ns + time_us * 1000;
	int64_t oldest_ns = now_ns - JC_MAX_CAPTURE_AGE_MS * INT64_C(1000000);

	return time_ns > now_ns ? now_ns : time_ns < oldest_ns ? oldest_ns : time_ns;
}

static void restart(struct publisher_source *source)
{
	if (source->body) {
		jc_tracked_body_restart(source->body);
	} else {
		source->smooth.has_begun = false;
		jc_continuity_restart(&source->continuity);
	}
}

/* False for one that is ignored. */
static bool begin(struct publisher_source *source, int64_t now_ns, int64_t *out_time_ns)
{
	int64_t time_ns = clamp_time(source, source->capture.time_us, now_ns);

	if (source->capture.cut) {
		restart(source);
	}
	if (source->has_begun && time_ns <= source->time_ns) {
		return false;
	}
	source->has_begun = true;
	source->time_ns = time_ns;
	*out_time_ns = time_ns;
	return true;
}

static bool has_right_values(const struct publisher_source *source)
{
	size_t count = source->capture.value_count;

	return count == 0 || count == source->options.value_count;
}

static void take_values(struct publisher_source *source)
{
	if (source->capture.value_count > 0) {
		memcpy(source->values, source->capture.values,
			source->base.channels.value_count * sizeof(source->values[0]));
	}
}

static int put_body_frame(
	struct publisher_source *source, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	struct jc_body_frame frame;
	int status = jc_body_frame_decode(bytes, length, &source->capture, &frame);

	if (status < 0) {
		return status;
	}
	if (!has_right_values(source)) {
		return JC_ERROR_INVALID;
	}
	if (source->capture.is_rest) {
		jc_tracked_body_set_profile(source->body, source->options.profile, &frame);
	} else if (begin(source, now_ns, &frame.time_ns)) {
		jc_tracked_body_put(source->body, &frame);
		take_values(source);
	}
	return JC_OK;
}

static int put_pose(
	struct publisher_source *source, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	struct jc_pose pose;
	int64_t time_ns;
	int status = jc_pose_decode(bytes, length, &source->capture, &pose);

	if (status < 0) {
		return status;
	}
	if (!has_right_values(source)) {
		return JC_ERROR_INVALID;
	}
	if (begin(source, now_ns, &time_ns)) {
		jc_one_euro_filter(&source->smooth, &pose, time_ns);
		jc_continuity_put(
			&source->continuity, &pose, jc_continuity_present(&pose), time_ns);
		take_values(source);
		source->poses++;
	}
	return JC_OK;
}

int jc_publisher_source_put(
	struct jc_source *base, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	struct publisher_source *source = (struct publisher_source *)base;
	int status = source->body ? put_body_frame(source, bytes, length, now_ns)
				  : put_pose(source, bytes, length, now_ns);

	source->refused += status < 0;
	return status;
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct publisher_source *source = (struct publisher_source *)base;

	if (source->body) {
		jc_tracked_body_sample(source->body, now_ns, out_sample);
	} else {
		struct jc_continuity_sample shown;

		jc_continuity_sample(&source->continuity, now_ns, &shown);
		*out_sample = (struct jc_source_sample){ .pose = shown.pose,
			.capture_ns = shown.time_ns,
			.cut = shown.cut,
			.live = shown.live,
			.held = shown.held };
	}
	memcpy(out_sample->values, source->values, sizeof(source->values));
	source->live = out_sample->live;
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct publisher_source *source = (const struct publisher_source *)base;

	*out_status = (struct jc_source_status){
		.kind = "publisher",
		.condition = source->live         ? JC_SOURCE_LIVE
			     : !source->has_begun ? JC_SOURCE_WAITING
						  : JC_SOURCE_STALE,
		.frames = source->poses,
		.refused = source->refused,
	};
	if (source->body) {
		jc_tracked_body_count(source->body, out_status);
		snprintf(out_status->detail, sizeof(out_status->detail), "body frames, profile %s",
			jc_profile_name(source->options.profile));
	} else {
		snprintf(out_status->detail, sizeof(out_status->detail), "poses");
	}
}

static void destroy(struct jc_source *base)
{
	struct publisher_source *source = (struct publisher_source *)base;

	for (size_t i = 0; i < source->base.channels.count; i++) {
		free(source->names[i]);
	}
	jc_tracked_body_destroy(source->body);
	free(source);
}

static const struct jc_source_ops publisher_source_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

/* What a stream cannot carry any more is left out. */
static int add_channels(struct publisher_source *source, const struct jc_publisher_options *options)
{
	for (size_t i = 0; i < options->channel_count; i++) {
		char *name = strdup(options->channels[i]);

		if (!name) {
			return JC_ERROR_MEMORY;
		}
		if (!jc_source_add_channel(&source->base, name, jc_channel_value_count(name))) {
			free(name);
			return JC_OK;
		}
		source->names[i] = name;
	}
	return JC_OK;
}

int jc_publisher_source_create(
	const struct jc_publisher_options *options, struct jc_source **out_source)
{
	struct publisher_source *source = calloc(1, sizeof(*source));
	struct jc_one_euro_options smooth = { 0 };

	if (!source) {
		return JC_ERROR_MEMORY;
	}
	if (options->smooth) {
		smooth = JC_ONE_EURO_DEFAULTS;
	}
	if (options->kind == JC_CAPTURE_BODY_FRAME) {
		struct jc_tracked_body_options body = {
			.profile = options->profile, .smooth = smooth, .height = options->height
		};

		if (jc_tracked_body_create(&body, &source->body) != JC_OK) {
			free(source);
			return JC_ERROR_MEMORY;
		}
	}
	source->base.ops = &publisher_source_ops;
	source->base.tracked = source->body;
	source->base.is_awaited = true;
	source->base.reach = REACH;
	source->base.is_unrecorded = !options->may_record;
	source->base.is_unrelayed = !options->may_rebroadcast;
	source->options = *options;
	source->options.channels = NULL;
	source->smooth.options = smooth;
	if (add_channels(source, options) != JC_OK) {
		destroy(&source->base);
		return JC_ERROR_MEMORY;
	}
	*out_source = &source->base;
	return JC_OK;
}
