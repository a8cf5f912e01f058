/* The capture intake does the work; this file bounds the capture times. */
#include "source/publisher_source.h"

#include <stdio.h>
#include <stdlib.h>

#include "maxima.h"
#include "source/capture_intake.h"
#include "source/tracked_body.h"

/* How far a published body is expected to move, in units of hips height. */
#define REACH 1.0f

struct publisher_source {
	struct jc_source base;
	int64_t epoch_ns;
	bool live;
};

static int64_t server_us(const struct publisher_source *source, int64_t time_ns)
{
	return (time_ns - source->epoch_ns) / 1000;
}

/* Clocks are mapped approximately, and pages may send frames of the near future. */
int jc_publisher_source_put(
	struct jc_source *base, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	const struct publisher_source *source = (const struct publisher_source *)base;
	int64_t oldest_ns = now_ns - JC_MAX_CAPTURE_AGE_MS * INT64_C(1000000);

	return jc_capture_intake_put(base->intake, bytes, length, server_us(source, oldest_ns),
		server_us(source, now_ns));
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct publisher_source *source = (struct publisher_source *)base;

	jc_capture_intake_sample(base->intake, now_ns, out_sample);
	source->live = out_sample->live;
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct publisher_source *source = (const struct publisher_source *)base;
	const struct jc_capture_form *form = jc_capture_form(base->intake);

	*out_status = (struct jc_source_status){
		.kind = "publisher",
		.condition = source->live                                 ? JC_SOURCE_LIVE
			     : !jc_capture_intake_has_begun(base->intake) ? JC_SOURCE_WAITING
									  : JC_SOURCE_STALE,
	};
	jc_capture_intake_report(base->intake, out_status);
	if (base->tracked) {
		enum jc_profile fitting;
		bool differs =
			jc_tracked_body_axes(base->tracked, &fitting) == JC_TRACKED_AXES_DIFFER;

		snprintf(out_status->detail, sizeof(out_status->detail),
			"body frames, profile %s%s%s%s", jc_profile_name(form->profile),
			differs ? "; axes look like '" : "",
			differs ? jc_profile_name(fitting) : "",
			differs ? "': publish with this profile" : "");
	} else {
		snprintf(out_status->detail, sizeof(out_status->detail), "poses");
	}
}

static void destroy(struct jc_source *base)
{
	jc_capture_intake_destroy(base->intake);
	free(base);
}

static const struct jc_source_ops publisher_source_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

int jc_publisher_source_create(
	const struct jc_publisher_options *options, struct jc_source **out_source)
{
	const struct jc_capture_form form = {
		.kind = options->kind,
		.profile = options->profile,
		.height = options->height,
		.smooth =
			options->smooth ? JC_ONE_EURO_DEFAULTS : (struct jc_one_euro_options){ 0 },
	};
	struct publisher_source *source = calloc(1, sizeof(*source));
	int error = JC_ERROR_MEMORY;

	if (!source) {
		return error;
	}
	error = jc_capture_intake_create(&form, options->epoch_ns, &source->base.intake);
	for (size_t i = 0; i < options->channel_count && !error; i++) {
		error = jc_capture_intake_add_channel(
			source->base.intake, &source->base, options->channels[i]);
	}
	if (error) {
		destroy(&source->base);
		return error;
	}
	source->base.ops = &publisher_source_ops;
	source->base.tracked = jc_capture_intake_tracked(source->base.intake);
	source->base.is_awaited = true;
	source->base.reach = REACH;
	source->base.is_unrecorded = !options->may_record;
	source->base.is_anonymous = !options->may_record_raw;
	source->base.is_unrelayed = !options->may_rebroadcast;
	source->epoch_ns = options->epoch_ns;
	*out_source = &source->base;
	return JC_OK;
}
