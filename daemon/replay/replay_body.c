/* The source of a replayed body: a capture intake that runs on the time of the recording. */
#include "replay/replay_body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/capture_intake.h"
#include "source/tracked_body.h"

#define MOST_AGE_NS 1e15 /* maximum age of a capture: twelve days */

struct replay_body {
	struct jc_source base;
	struct jc_capture_intake *intake; /* owned */
	struct jc_replay_position position;
	int64_t passed_us; /* server time of the last tick of the recording */
	bool is_cut;       /* a jump since the last sample */
	char hash[80];     /* of the recorded skeleton */
};

static struct jc_capture_form form_of(const struct jc_recorded_body *body)
{
	return (struct jc_capture_form){
		.kind = body->kind,
		.is_direct = body->is_direct,
		.profile = body->profile,
		.height = body->height,
		.smooth = body->smooth,
	};
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct replay_body *body = (struct replay_body *)base;
	const struct jc_replay_position *position = &body->position;

	jc_capture_intake_sample(body->intake, position->position_ns, out_sample);

	double age_ns = (double)(position->position_ns - out_sample->capture_ns) / position->speed;

	/* A capture time may differ from its message time by years. */
	out_sample->capture_ns = now_ns - (int64_t)fmin(fmax(age_ns, -MOST_AGE_NS), MOST_AGE_NS);
	out_sample->cut |= body->is_cut;
	out_sample->live &= !position->has_ended;
	body->is_cut = false;
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct replay_body *body = (const struct replay_body *)base;

	*out_status = (struct jc_source_status){
		.kind = "replay",
		.condition = body->position.has_ended                    ? JC_SOURCE_STALE
			     : jc_capture_intake_has_begun(body->intake) ? JC_SOURCE_LIVE
									 : JC_SOURCE_WAITING,
	};
	jc_capture_intake_report(body->intake, out_status);
	snprintf(out_status->detail, sizeof(out_status->detail), "%s, x%g",
		jc_capture_form(body->intake)->kind == JC_CAPTURE_POSE ? "poses" : "body frames",
		body->position.speed);
}

static void destroy(struct jc_source *base)
{
	struct replay_body *body = (struct replay_body *)base;

	jc_capture_intake_destroy(body->intake);
	free(body);
}

static const struct jc_source_ops replay_body_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

/* Adds the channels that an intake does not have yet, in their order. */
static int add_channels(struct jc_capture_intake *intake, struct jc_source *source,
	const char *const *names, size_t count)
{
	for (size_t i = jc_capture_form(intake)->channel_count; i < count; i++) {
		if (jc_capture_intake_add_channel(intake, source, names[i]) == JC_ERROR_MEMORY) {
			return JC_ERROR_MEMORY;
		}
	}
	return JC_OK;
}

/* Applies the recorded calibration from the next frame on. */
static void calibrate(struct replay_body *body, const struct jc_recorded_body *recorded)
{
	struct jc_tracked_body *tracked = jc_capture_intake_tracked(body->intake);
	struct jc_calibration_record record = { .has_current = recorded->calibration };
	const struct jc_calibration *applied = tracked ? jc_tracked_body_applied(tracked) : NULL;
	struct jc_source_sample passed;

	if (!tracked || (recorded->calibration && jc_calibration_unpack(recorded->calibration, NULL,
							  &record.current, NULL) != JC_OK)) {
		return;
	}
	if (record.has_current != (applied != NULL) ||
		(applied && memcmp(applied, &record.current, sizeof(*applied)) != 0)) {
		/* Takes effect after the next sample. */
		jc_tracked_body_calibrate(tracked, &record);
		jc_capture_intake_sample(body->intake, body->passed_us * 1000, &passed);
		body->is_cut |= passed.cut;
	}
}

int jc_replay_body_create(const struct jc_recorded_body *recorded, struct jc_source **out_source)
{
	struct jc_capture_form form = form_of(recorded);
	struct replay_body *body = calloc(1, sizeof(*body));

	if (!body) {
		return JC_ERROR_MEMORY;
	}
	body->base.ops = &replay_body_ops;
	body->base.is_awaited = true;
	body->position.speed = 1.0;
	if (jc_capture_intake_create(&form, 0, &body->intake) != JC_OK ||
		add_channels(body->intake, &body->base, recorded->channels,
			recorded->channel_count) != JC_OK) {
		destroy(&body->base);
		return JC_ERROR_MEMORY;
	}
	calibrate(body, recorded);
	snprintf(body->hash, sizeof(body->hash), "%s", recorded->skeleton);
	*out_source = &body->base;
	return JC_OK;
}

static bool has_channels(
	const struct jc_capture_form *form, const struct jc_recorded_body *recorded)
{
	if (form->channel_count > recorded->channel_count) {
		return false;
	}
	for (size_t i = 0; i < form->channel_count; i++) {
		if (strcmp(form->channels[i], recorded->channels[i]) != 0) {
			return false;
		}
	}
	return true;
}

bool jc_replay_body_change(struct jc_source *base, const struct jc_recorded_body *recorded)
{
	struct replay_body *body = (struct replay_body *)base;
	const struct jc_capture_form *form = jc_capture_form(body->intake);
	struct jc_capture_form wanted = form_of(recorded);

	if (form->kind != wanted.kind || form->is_direct != wanted.is_direct ||
		form->height != wanted.height ||
		form->smooth.min_cutoff != wanted.smooth.min_cutoff ||
		form->smooth.beta != wanted.smooth.beta || !has_channels(form, recorded) ||
		strcmp(body->hash, recorded->skeleton) != 0) {
		return false;
	}
	if (form->kind == JC_CAPTURE_BODY_FRAME && form->profile != wanted.profile) {
		jc_capture_intake_set_profile(body->intake, wanted.profile, NULL);
	}
	calibrate(body, recorded);
	return add_channels(body->intake, base, recorded->channels, recorded->channel_count) ==
	       JC_OK;
}

void jc_replay_body_put(struct jc_source *base, const uint8_t *bytes, size_t length)
{
	struct replay_body *body = (struct replay_body *)base;

	/* The intake limited the capture time when it was recorded. */
	jc_capture_intake_put(body->intake, bytes, length, 0, JC_CAPTURE_TIME_MAX);
}

void jc_replay_body_pass(struct jc_source *base, int64_t time_us)
{
	struct replay_body *body = (struct replay_body *)base;
	struct jc_source_sample passed;

	body->passed_us = time_us;
	jc_capture_intake_sample(body->intake, time_us * 1000, &passed);
	body->is_cut |= passed.cut;
}

/* Time may go backwards: a new intake of the same form replaces the old one. */
void jc_replay_body_reset(struct jc_source *base)
{
	struct replay_body *body = (struct replay_body *)base;
	const struct jc_capture_form *form = jc_capture_form(body->intake);
	unsigned revision = base->channels.revision;
	struct jc_capture_intake *intake;

	if (jc_capture_intake_create(form, 0, &intake) != JC_OK) {
		return;
	}
	base->channels = (struct jc_source_channels){ 0 };
	if (add_channels(intake, base, form->channels, form->channel_count) == JC_OK) {
		struct jc_capture_intake *before = body->intake;

		body->intake = intake;
		intake = before;
	} else {
		base->channels = (struct jc_source_channels){ 0 };
		for (size_t i = 0; i < form->channel_count; i++) {
			jc_source_add_channel(
				base, form->channels[i], jc_channel_value_count(form->channels[i]));
		}
	}
	base->channels.revision = revision;
	jc_capture_intake_destroy(intake);
	body->passed_us = 0;
	body->is_cut = true;
}

void jc_replay_body_move(struct jc_source *base, const struct jc_replay_position *position)
{
	((struct replay_body *)base)->position = *position;
}
