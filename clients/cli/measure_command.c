/* jointcast measure: measures the quality of a motion on a skeleton. */
#include <math.h>
#include <stdio.h>

#include "error_report.h"
#include "fit_options.h"
#include "jointcast/measure.h"
#include "report/json_writer.h"

static const char help[] =
	"usage: jointcast measure MOTION SKELETON[#N] [OPTION]…\n"
	"\n"
	"Fits a motion onto a skeleton and compares the result with the figure for which the\n"
	"motion was made (the built-in one if the file has none). MOTION and SKELETON are as in\n"
	"'jointcast retarget'.\n"
	"\n"
	"  foot skate     cm per frame that foot and toe joints move along the ground while the\n"
	"                 source is in contact with it: at most 0.03 hips heights above their\n"
	"                 height in the T-pose, at most 0.5 hips heights per second\n"
	"  penetration    mm that the lower joint of the deeper foot is below its height in the\n"
	"                 T-pose: mean and maximum of all frames\n"
	"  body below     mm that the lowest joint of the rest of the body is below the floor,\n"
	"                 mean and maximum, and the bone that is lowest\n"
	"  contact F1     2 TP / (2 TP + FP + FN) of contacts; the source is the reference\n"
	"  end effectors  error of head, hands and feet relative to the hips, divided by the\n"
	"                 height of the figure\n"
	"  jerk           third derivative of these joints in hips heights, 1/s^3, and its\n"
	"                 ratio to the source's\n"
	"  limits         joints and frames beyond the limits of an H-Anim skeleton\n"
	"  sign flips     quaternions whose sign changes from one frame to the next\n"
	"\n"
	"A value that cannot be measured is '-', or null in JSON. 'man jointcast-measure' names\n"
	"the sources of the definitions.\n"
	"\n"
	"options:\n"
	"      --motion-index N    number of the motion in MOTION, from 0\n"
	"      --skeleton-index N  number of the skeleton in SKELETON, from 0; same as #N\n"
	"      --fps N             N frames a second instead of the motion's own "
	"frames\n" JC_FIT_HELP "      --json              print JSON\n"
	"  -h, --help              print this text\n";

struct options {
	struct jc_fit_options fit;
	double fps;
	bool json;
};

static const struct jc_option option_table[] = {
	JC_FIT_OPTIONS(struct options, fit),
	JC_OPTION("fps", RATE, struct options, fps, .most = 10000.0),
	JC_OPTION("json", FLAG, struct options, json),
	{ 0 },
};

static void write_pair(struct jc_json_writer *json, const char *key, double source, double target)
{
	jc_json_begin_object(json, key);
	jc_json_write_double(json, "source", source);
	jc_json_write_double(json, "worn", target);
	jc_json_end_object(json);
}

/* The name of a bone, or nothing. */
static void write_deepest(struct jc_json_writer *json, const char *key, enum jc_bone bone)
{
	if (bone == JC_BONE_NONE) {
		jc_json_write_null(json, key);
	} else {
		jc_json_write_string(json, key, jc_bone_name(bone));
	}
}

static void print_json(const struct jc_measures *measures)
{
	const struct jc_measure_result *source = &measures->source, *target = &measures->target;
	struct jc_json_writer json;

	jc_json_writer_init(&json, stdout);
	jc_json_begin_object(&json, NULL);
	jc_json_write_integer(&json, "frames", (long long)measures->frame_count);
	jc_json_write_double(&json, "fps", measures->fps);
	write_pair(&json, "footSkateCm", source->skate, target->skate);
	write_pair(&json, "penetrationMm", source->penetration, target->penetration);
	write_pair(&json, "penetrationMostMm", source->penetration_most, target->penetration_most);
	write_pair(&json, "bodyBelowMm", source->below, target->below);
	write_pair(&json, "bodyBelowMostMm", source->below_most, target->below_most);
	jc_json_begin_object(&json, "deepestBone");
	write_deepest(&json, "source", source->deepest);
	write_deepest(&json, "worn", target->deepest);
	jc_json_end_object(&json);
	jc_json_begin_object(&json, "contacts");
	jc_json_write_double(&json, "f1", measures->contact_f1);
	jc_json_write_double(&json, "precision", measures->contact_precision);
	jc_json_write_double(&json, "recall", measures->contact_recall);
	jc_json_end_object(&json);
	jc_json_write_double(&json, "endEffectorError", measures->end_effector_error);
	write_pair(&json, "jerk", source->jerk, target->jerk);
	jc_json_write_double(&json, "jerkRatio", measures->jerk_ratio);
	jc_json_begin_object(&json, "limits");
	jc_json_write_integer(&json, "joints", (long long)measures->limited_joints);
	jc_json_write_integer(&json, "violations", (long long)measures->past_limits);
	jc_json_write_integer(&json, "clamped", (long long)measures->clamped);
	jc_json_end_object(&json);
	jc_json_write_integer(&json, "signFlips", (long long)measures->sign_flips);
	jc_json_end_object(&json);
	putchar('\n');
}

/* Right-aligned in ten columns; NaN is printed as '-'. */
static void print_number(double value, int digits)
{
	if (isnan(value)) {
		printf("%10s", "-");
	} else {
		printf("%10.*f", digits, value);
	}
}

static void print_row(const char *name, double target, double source, int digits, const char *unit)
{
	printf("%-20s", name);
	print_number(target, digits);
	print_number(source, digits);
	printf("%s%s\n", unit[0] ? "  " : "", unit);
}

static void print_table(const struct jc_measures *measures)
{
	const struct jc_measure_result *source = &measures->source, *target = &measures->target;
	double nothing = (double)NAN;
	char most[48] = "mm, most";

	if (target->deepest != JC_BONE_NONE) {
		snprintf(most, sizeof(most), "mm, most: %s", jc_bone_name(target->deepest));
	}
	printf("%zu frames, %.4g a second\n\n", measures->frame_count, measures->fps);
	printf("%-20s%10s%10s\n", "", "worn", "source");
	print_row("foot skate", target->skate, source->skate, 3, "cm a frame in contact");
	print_row("penetration", target->penetration, source->penetration, 2, "mm, mean");
	print_row("", target->penetration_most, source->penetration_most, 2, "mm, most");
	print_row("body below floor", target->below, source->below, 2, "mm, mean");
	print_row("", target->below_most, source->below_most, 2, most);
	print_row("contact F1", measures->contact_f1, nothing, 3, "");
	print_row("  precision", measures->contact_precision, nothing, 3, "");
	print_row("  recall", measures->contact_recall, nothing, 3, "");
	print_row("end effectors", 100.0 * measures->end_effector_error, nothing, 2,
		"% of height off");
	print_row("jerk", target->jerk, source->jerk, 1, "hips heights / s^3");
	print_row("  ratio", measures->jerk_ratio, nothing, 3, "");
	printf("%-20s%10zu%10s  of %zu joints times frames, %zu turned back\n", "past limits",
		measures->past_limits, "-", measures->limited_joints * measures->frame_count,
		measures->clamped);
	printf("%-20s%10zu%10s\n", "sign flips", measures->sign_flips, "-");
}

static int print_measures(
	const void *context, const struct jc_motion *motion, const struct jc_skeleton *skeleton)
{
	const struct options *options = context;
	struct jc_measures measures;

	if (jc_measure_motion(motion, skeleton, &options->fit.fitting, options->fps, &measures)) {
		return jc_report(JC_EXIT_IO, options->fit.skeleton, "out of memory");
	}
	(options->json ? print_json : print_table)(&measures);
	return JC_EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options options = { .fit = JC_FIT_DEFAULTS };
	int status = jc_command_read(&jc_command_measure, argc, argv, option_table, &options);

	if (status == JC_EXIT_DONE) {
		status = jc_fit_read_inputs(&jc_command_measure, argc, argv, &options.fit);
	}
	return jc_fit_run(&options.fit, status, print_measures, &options);
}

const struct jc_command jc_command_measure = {
	.name = "measure",
	.summary = "measure the quality of a motion on a skeleton",
	.help = help,
	.run = run,
};
