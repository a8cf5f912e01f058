/* Options that several commands share: how a motion is fitted onto a skeleton, and at which times
 * it is sampled. */
#ifndef JC_CLI_FIT_OPTIONS_H
#define JC_CLI_FIT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"
#include "files/loader.h"
#include "jointcast/fitting.h"
#include "jointcast/motion.h"

struct jc_fit_options {
	struct jc_fitting_options fitting;
	struct jc_load_options load;
};

#define JC_FIT_DEFAULTS ((struct jc_fit_options){ .fitting = JC_FITTING_DEFAULTS })

/* Values of the options below for getopt_long; the options of a command itself start at 256. */
enum {
	JC_FIT_LIMITS = 512,
	JC_FIT_AS_TRACKED,
	JC_FIT_MIRROR,
	JC_FIT_HIPS_SCALE,
	JC_FIT_TWIST,
};

#define JC_FIT_LONG_OPTIONS                                                                        \
	{ "limits", required_argument, NULL, JC_FIT_LIMITS },                                      \
		{ "as-tracked", no_argument, NULL, JC_FIT_AS_TRACKED },                            \
		{ "mirror", no_argument, NULL, JC_FIT_MIRROR },                                    \
		{ "hips-scale", required_argument, NULL, JC_FIT_HIPS_SCALE },                      \
	{                                                                                          \
		"twist", required_argument, NULL, JC_FIT_TWIST                                     \
	}

#define JC_FIT_HELP                                                                                \
	"      --limits off|count|clamp\n"                                                         \
	"                          joints beyond the limits of an H-Anim skeleton: ignore,\n"      \
	"                          count (default), or clamp them\n"                               \
	"      --as-tracked        keep body frames as they are: do not estimate joints that\n"    \
	"                          were not tracked\n"                                             \
	"      --mirror            exchange left and right\n"                                      \
	"      --hips-scale H[,V]  scale the movement of the hips by H, vertically by V\n"         \
	"      --twist SHARE       move this share (0 to 1) of the hands' twist to the lower\n"    \
	"                          arms; the orientation of the hands does not change\n"

/* Reads optarg as the value of one of these options. Returns enum jc_exit. */
int jc_fit_option(const struct jc_command *command, int option, struct jc_fit_options *options);

struct jc_timeline {
	const double *times; /* borrowed; NULL: evenly spaced times */
	size_t count;
	double fps; /* used when `times` is NULL; 0: the frames of the motion */
	bool loop;
};

size_t jc_timeline_count(const struct jc_timeline *timeline, const struct jc_motion_info *info);

/* The time of the sample `index`, which is below the count. A time outside the motion is clamped to
 * its ends or, with loop, wrapped. */
double jc_timeline_time(
	const struct jc_timeline *timeline, const struct jc_motion_info *info, size_t index);

#endif
