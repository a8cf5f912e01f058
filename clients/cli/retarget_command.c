/* jointcast retarget: fits a motion onto a skeleton and prints the poses. */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "error_report.h"
#include "files/loader.h"
#include "fit_options.h"
#include "report/retarget_report.h"

static const char help[] =
	"usage: jointcast retarget MOTION SKELETON[#N] [OPTION]…\n"
	"\n"
	"Fits a motion onto a skeleton and prints the transforms of all bones.\n"
	"\n"
	"MOTION is a BVH, VRMA, glTF, H-Anim, body-frame (.jsonl), .csv or .mcap file, or\n"
	"demo:NAME for a built-in one (walk, wave, sit, idle). SKELETON is a VRM 0.x or 1.0\n"
	"file, any glTF with a humanoid, H-Anim (.wrl, .x3d, .x3dv), a skeleton descriptor\n"
	"(.json), or 'humanoid' for the built-in one.\n"
	"\n"
	"options:\n"
	"      --motion-index N    number of the motion in MOTION, from 0\n"
	"      --skeleton-index N  number of the skeleton in SKELETON, from 0; same as #N\n"
	"      --times T,…         these times, in seconds\n"
	"      --fps N             N times a second, instead of every frame of the motion\n"
	"      --loop              wrap times outside the motion instead of clamping "
	"them\n" JC_FIT_HELP "      --json              print JSON, one frame per line\n"
	"  -h, --help              print this text\n";

/* More than any display or tracker needs; catches typing mistakes. */
static const double fps_maximum = 10000.0;

struct options {
	const char *motion;
	char *skeleton; /* owned, without #N */
	size_t motion_index;
	size_t skeleton_index;
	double *times; /* owned */
	struct jc_timeline timeline;
	struct jc_fit_options fit;
	bool json;
};

enum {
	OPTION_MOTION_INDEX = 256,
	OPTION_SKELETON_INDEX,
	OPTION_TIMES,
	OPTION_FPS,
	OPTION_LOOP,
	OPTION_JSON,
};

static const struct option long_options[] = {
	{ "motion-index", required_argument, NULL, OPTION_MOTION_INDEX },
	{ "skeleton-index", required_argument, NULL, OPTION_SKELETON_INDEX },
	{ "times", required_argument, NULL, OPTION_TIMES },
	{ "fps", required_argument, NULL, OPTION_FPS },
	{ "loop", no_argument, NULL, OPTION_LOOP },
	JC_FIT_LONG_OPTIONS,
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int read_times(struct options *options)
{
	free(options->times);
	options->times = NULL;
	if (!jc_command_parse_list(optarg, &options->times, &options->timeline.count)) {
		return jc_command_misuse(
			&jc_command_retarget, "--times '%.80s' is not a list of seconds", optarg);
	}
	options->timeline.times = options->times;
	return JC_EXIT_DONE;
}

static int read_option(int option, void *context)
{
	struct options *options = context;

	switch (option) {
	case OPTION_MOTION_INDEX:
		return jc_command_read_index(
			&jc_command_retarget, "--motion-index", &options->motion_index);
	case OPTION_SKELETON_INDEX:
		return jc_command_read_index(
			&jc_command_retarget, "--skeleton-index", &options->skeleton_index);
	case OPTION_TIMES:
		return read_times(options);
	case OPTION_FPS:
		if (!jc_command_parse_number(optarg, &options->timeline.fps) ||
			options->timeline.fps <= 0.0 || options->timeline.fps > fps_maximum) {
			return jc_command_misuse(&jc_command_retarget,
				"--fps '%.80s' is not a number above 0 and up to %g", optarg,
				fps_maximum);
		}
		return JC_EXIT_DONE;
	case OPTION_LOOP:
		options->timeline.loop = true;
		return JC_EXIT_DONE;
	case OPTION_JSON:
		options->json = true;
		return JC_EXIT_DONE;
	default:
		return jc_fit_option(&jc_command_retarget, option, &options->fit);
	}
}

/* Returns JC_OPTION_DONE after --help. */
static int read_options(int argc, char **argv, struct options *options)
{
	int status = jc_command_read(
		&jc_command_retarget, argc, argv, long_options, read_option, options);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (argc - optind != 2) {
		return jc_command_misuse(&jc_command_retarget, "needs a motion and a skeleton");
	}
	if (options->times && options->timeline.fps > 0.0) {
		return jc_command_misuse(
			&jc_command_retarget, "--times and --fps exclude each other");
	}
	options->motion = argv[optind];
	return jc_load_split(argv[optind + 1], &options->skeleton, &options->skeleton_index);
}

static int print_frames(const struct options *options, const struct jc_motion *motion,
	const struct jc_skeleton *skeleton)
{
	const struct jc_motion_info *info = jc_motion_info(motion);
	size_t count = jc_timeline_count(&options->timeline, info);
	const struct jc_retarget_report *writer =
		options->json ? &jc_retarget_report_json : &jc_retarget_report_table;
	struct jc_fitting fitting;

	if (jc_fitting_init(&fitting, motion, skeleton, &options->fit.fitting) != JC_OK) {
		return jc_report(JC_EXIT_IO, options->skeleton, "out of memory");
	}
	writer->begin(stdout, &fitting, options->skeleton_index);
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
	struct jc_motion *motion = NULL;
	struct jc_skeleton *skeleton = NULL;
	int status = read_options(argc, argv, &options);

	if (status != JC_EXIT_DONE) {
		status = status == JC_OPTION_DONE ? JC_EXIT_DONE : status;
		goto out;
	}
	status = jc_load_motion(
		options.motion, options.motion_index, &options.fit.load, &motion, NULL);
	if (status != JC_EXIT_DONE) {
		goto out;
	}
	status = jc_load_skeleton(options.skeleton, options.skeleton_index, &skeleton, NULL);
	if (status != JC_EXIT_DONE) {
		goto out;
	}
	status = print_frames(&options, motion, skeleton);
out:
	jc_skeleton_destroy(skeleton);
	jc_motion_destroy(motion);
	free(options.skeleton);
	free(options.times);
	return status;
}

const struct jc_command jc_command_retarget = {
	.name = "retarget",
	.summary = "fit a motion onto a skeleton and print its bones",
	.help = help,
	.run = run,
};
