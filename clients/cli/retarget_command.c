/* jointcast retarget: fits a motion onto a skeleton and prints the poses. */
#include <stdio.h>
#include <stdlib.h>

#include "error_report.h"
#include "fit_options.h"
#include "report/retarget_report.h"

static const char help[] =
	"usage: jointcast retarget MOTION SKELETON[#N] [OPTION]…\n"
	"\n"
	"Fits a motion onto a skeleton. Prints a table for each time, with a row for each bone of\n"
	"the skeleton: its node, the local rotation of the node as a quaternion, the angle from\n"
	"its rest rotation, its world position in metres, and whether the motion tracks the bone.\n"
	"World is the model space of the skeleton's file. With --json also world rotations, the\n"
	"other nodes that moved, virtual transforms, channels, and joints beyond their limits.\n"
	"\n"
	"MOTION is a BVH, VRMA, glTF, FBX, H-Anim, body-frame (.jsonl), A-Frame (.json), .csv or\n"
	".mcap file, or demo:NAME for a built-in one (walk, wave, sit, idle). SKELETON is a VRM\n"
	"0.x or 1.0 file, any glTF with a humanoid, FBX, H-Anim (.wrl, .x3d, .x3dv), a skeleton\n"
	"descriptor (.json), or 'humanoid' for the built-in one.\n"
	"\n"
	"options:\n"
	"      --motion-index N    number of the motion in MOTION, from 0\n"
	"      --skeleton-index N  number of the skeleton in SKELETON, from 0; same as #N\n"
	"      --times T,…         these times, in seconds\n"
	"      --fps N             N times a second, instead of every frame of the motion\n"
	"      --loop              wrap times outside the motion instead of clamping "
	"them\n" JC_FIT_HELP "      --json              print JSON, one frame per line\n"
	"  -h, --help              print this text\n";

struct options {
	struct jc_fit_options fit;
	double *times; /* owned */
	struct jc_timeline timeline;
	bool json;
};

static int read_times(const struct jc_command *command, const char *name, void *out_options)
{
	struct options *options = out_options;

	free(options->times);
	options->times = NULL;
	if (!jc_command_parse_list(optarg, &options->times, &options->timeline.count)) {
		return jc_command_misuse(
			command, "--%s '%.80s' is not a list of seconds", name, optarg);
	}
	options->timeline.times = options->times;
	return JC_EXIT_DONE;
}

static const struct jc_option option_table[] = {
	JC_FIT_OPTIONS(struct options, fit),
	{ .name = "times", .kind = JC_OPTION_OTHER, .read = read_times },
	/* More than any display or tracker needs; catches typing mistakes. */
	JC_OPTION("fps", RATE, struct options, timeline.fps, .most = 10000.0),
	JC_OPTION("loop", FLAG, struct options, timeline.loop),
	JC_OPTION("json", FLAG, struct options, json),
	{ 0 },
};

static int print_frames(
	const void *context, const struct jc_motion *motion, const struct jc_skeleton *skeleton)
{
	const struct options *options = context;
	const struct jc_motion_info *info = jc_motion_info(motion);
	size_t count = jc_timeline_count(&options->timeline, info);
	const struct jc_retarget_report *writer =
		options->json ? &jc_retarget_report_json : &jc_retarget_report_table;
	struct jc_fitting fitting;

	if (jc_fitting_init(&fitting, motion, skeleton, &options->fit.fitting) != JC_OK) {
		return jc_report(JC_EXIT_IO, options->fit.skeleton, "out of memory");
	}
	writer->begin(stdout, &fitting, options->fit.skeleton_index);
	/* After a failed write the other frames are useless; main reports the error. */
	for (size_t i = 0; i < count && !ferror(stdout); i++) {
		jc_fitting_pose(&fitting, jc_timeline_time(&options->timeline, info, i));
		writer->frame(stdout, &fitting, i);
	}
	writer->end(stdout);
	jc_fitting_finish(&fitting);
	return JC_EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options options = { .fit = JC_FIT_DEFAULTS };
	int status = jc_command_read(&jc_command_retarget, argc, argv, option_table, &options);

	if (status == JC_EXIT_DONE) {
		status = jc_fit_read_inputs(&jc_command_retarget, argc, argv, &options.fit);
	}
	if (status == JC_EXIT_DONE && options.times && options.timeline.fps > 0.0) {
		status = jc_command_misuse(
			&jc_command_retarget, "--times and --fps exclude each other");
	}
	status = jc_fit_run(&options.fit, status, print_frames, &options);
	free(options.times);
	return status;
}

const struct jc_command jc_command_retarget = {
	.name = "retarget",
	.summary = "fit a motion onto a skeleton and print its bones",
	.help = help,
	.run = run,
};
