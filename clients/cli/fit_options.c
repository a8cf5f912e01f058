/* Reads --limits, --bones, --as-tracked, --mirror, --hips-scale, --contacts and --twist, and
 * computes the sample times that --times, --fps and --loop select. */
#include "fit_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"

static const double scale_maximum = 100.0;

int jc_fit_read_limits(const struct jc_command *command, const char *name, void *out_limits)
{
	static const char *const names[] = {
		[JC_LIMITS_COUNTED] = "count",
		[JC_LIMITS_KEPT] = "clamp",
		[JC_LIMITS_OFF] = "off",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(optarg, names[i]) == 0) {
			*(enum jc_limits *)out_limits = (enum jc_limits)i;
			return JC_EXIT_DONE;
		}
	}
	return jc_command_misuse(command, "--%s '%.80s' is not off, count or clamp", name, optarg);
}

int jc_fit_read_contacts(const struct jc_command *command, const char *name, void *out_contacts)
{
	bool is_on = strcmp(optarg, "on") == 0;

	if (!is_on && strcmp(optarg, "off") != 0) {
		return jc_command_misuse(command, "--%s '%.80s' is not on or off", name, optarg);
	}
	*(bool *)out_contacts = is_on;
	return JC_EXIT_DONE;
}

static bool is_scale(double value)
{
	return value >= 0.0 && value <= scale_maximum;
}

int jc_fit_read_hips_scale(const struct jc_command *command, const char *name, void *out_fitting)
{
	struct jc_fitting_options *options = out_fitting;
	double *values = NULL;
	size_t count = 0;

	if (!jc_command_parse_list(optarg, &values, &count) || count > 2 || !is_scale(values[0]) ||
		!is_scale(values[count - 1])) {
		free(values);
		return jc_command_misuse(command,
			"--%s '%.80s' is not one scale or two scales from 0 to %g", name, optarg,
			scale_maximum);
	}
	options->horizontal = (float)values[0];
	options->vertical = (float)values[count - 1];
	free(values);
	return JC_EXIT_DONE;
}

int jc_fit_read_inputs(
	const struct jc_command *command, int argc, char **argv, struct jc_fit_options *options)
{
	if (argc - optind != 2) {
		return jc_command_misuse(command, "needs a motion and a skeleton");
	}
	options->motion = argv[optind];
	return jc_load_split(argv[optind + 1], &options->skeleton, &options->skeleton_index);
}

int jc_fit_run(struct jc_fit_options *options, int status,
	int (*use)(const void *context, const struct jc_motion *motion,
		const struct jc_skeleton *skeleton),
	const void *context)
{
	struct jc_motion *motion = NULL;
	struct jc_skeleton *skeleton = NULL;

	if (status == JC_EXIT_DONE) {
		status = jc_load_motion(
			options->motion, options->motion_index, &options->load, &motion, NULL);
	}
	if (status == JC_EXIT_DONE) {
		status = jc_load_skeleton(options->skeleton ? options->skeleton : "humanoid",
			options->skeleton_index, options->skeleton_bones, &skeleton, NULL);
	}
	if (status == JC_EXIT_DONE) {
		status = use(context, motion, skeleton);
	}
	jc_skeleton_destroy(skeleton);
	jc_motion_destroy(motion);
	free(options->skeleton);
	return status;
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
