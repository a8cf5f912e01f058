/* Reads --limits, --as-tracked, --mirror, --hips-scale and --twist, and computes the sample times
 * that --times, --fps and --loop select. */
#include "fit_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"

static const double scale_maximum = 100.0;

static int read_limits(const struct jc_command *command, enum jc_limits *out_limits)
{
	static const char *const names[] = {
		[JC_LIMITS_COUNTED] = "count",
		[JC_LIMITS_KEPT] = "clamp",
		[JC_LIMITS_OFF] = "off",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(optarg, names[i]) == 0) {
			*out_limits = (enum jc_limits)i;
			return JC_EXIT_DONE;
		}
	}
	return jc_command_misuse(command, "--limits '%.80s' is not off, count or clamp", optarg);
}

static bool is_scale(double value)
{
	return value >= 0.0 && value <= scale_maximum;
}

static int read_hips_scale(const struct jc_command *command, struct jc_fitting_options *options)
{
	double *values = NULL;
	size_t count = 0;

	if (!jc_command_parse_list(optarg, &values, &count) || count > 2 || !is_scale(values[0]) ||
		!is_scale(values[count - 1])) {
		free(values);
		return jc_command_misuse(command,
			"--hips-scale '%.80s' is not one scale or two scales from 0 to %g", optarg,
			scale_maximum);
	}
	options->horizontal = (float)values[0];
	options->vertical = (float)values[count - 1];
	free(values);
	return JC_EXIT_DONE;
}

static int read_twist(const struct jc_command *command, struct jc_fitting_options *options)
{
	double share;

	if (!jc_command_parse_number(optarg, &share) || share < 0.0 || share > 1.0) {
		return jc_command_misuse(
			command, "--twist '%.80s' is not a number from 0 to 1", optarg);
	}
	options->forearm_twist = (float)share;
	return JC_EXIT_DONE;
}

int jc_fit_option(const struct jc_command *command, int option, struct jc_fit_options *options)
{
	switch (option) {
	case JC_FIT_LIMITS:
		return read_limits(command, &options->fitting.limits);
	case JC_FIT_AS_TRACKED:
		options->load.as_tracked = true;
		return JC_EXIT_DONE;
	case JC_FIT_MIRROR:
		options->load.mirror = true;
		return JC_EXIT_DONE;
	case JC_FIT_HIPS_SCALE:
		return read_hips_scale(command, &options->fitting);
	case JC_FIT_TWIST:
		return read_twist(command, &options->fitting);
	default:
		return JC_EXIT_USAGE;
	}
}

size_t jc_timeline_count(const struct jc_timeline *timeline, const struct jc_motion_info *info)
{
	if (timeline->times) {
		return timeline->count;
	}
	if (timeline->fps > 0.0) {
		/* A last frame that rounding puts just after the end still counts. */
		return (size_t)floor(info->duration * timeline->fps + 1.0e-6) + 1;
	}
	return info->frame_count;
}

static double nominal_time(
	const struct jc_timeline *timeline, const struct jc_motion_info *info, size_t index)
{
	if (timeline->times) {
		return timeline->times[index];
	}
	if (timeline->fps > 0.0) {
		return (double)index / timeline->fps;
	}
	if (info->frame_count < 2) {
		return 0.0;
	}
	return info->duration * ((double)index / (double)(info->frame_count - 1));
}

double jc_timeline_time(
	const struct jc_timeline *timeline, const struct jc_motion_info *info, size_t index)
{
	double t = nominal_time(timeline, info, index);

	if (timeline->loop && info->duration > 0.0 && (t < 0.0 || t > info->duration)) {
		t = fmod(t, info->duration);
		if (t < 0.0) {
			t += info->duration;
		}
	}
	return fmin(fmax(t, 0.0), info->duration);
}
