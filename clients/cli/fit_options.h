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
	const char *motion;
	char *skeleton;             /* owned, without #N; NULL: the built-in one */
	const char *skeleton_bones; /* the file of its bone map, or NULL */
	size_t motion_index, skeleton_index;
	struct jc_fitting_options fitting;
	struct jc_load_options load;
};

#define JC_FIT_DEFAULTS ((struct jc_fit_options){ .fitting = JC_FITTING_DEFAULTS })

/* The options that fill it, for the table of a command whose struct has it as `member`. */
#define JC_FIT_OPTION_MOTION_INDEX(type, member)                                                   \
	JC_OPTION("motion-index", INDEX, type, member.motion_index)
#define JC_FIT_OPTIONS_LOADING(type, member)                                                       \
	JC_OPTION("contacts", OTHER, type, member.fitting.contacts, .read = jc_fit_read_contacts), \
		JC_OPTION("as-tracked", FLAG, type, member.load.as_tracked),                       \
		JC_OPTION("bones", TEXT, type, member.load.bones),                                 \
		JC_OPTION("skeleton-bones", TEXT, type, member.skeleton_bones),                    \
		JC_OPTION("mirror", FLAG, type, member.load.mirror),                               \
		JC_OPTION("twist", FLOAT, type, member.fitting.forearm_twist, .most = 1.0)
#define JC_FIT_OPTIONS(type, member)                                                               \
	JC_FIT_OPTION_MOTION_INDEX(type, member),                                                  \
		JC_OPTION("skeleton-index", INDEX, type, member.skeleton_index),                   \
		JC_OPTION(                                                                         \
			"limits", OTHER, type, member.fitting.limits, .read = jc_fit_read_limits), \
		JC_OPTION("hips-scale", OTHER, type, member.fitting,                               \
			.read = jc_fit_read_hips_scale),                                           \
		JC_FIT_OPTIONS_LOADING(type, member)

#define JC_FIT_HELP                                                                                \
	"      --bones FILE        bone map of MOTION: lines BONE = JOINT instead of recognised\n" \
	"                          names; see 'jointcast inspect --help'\n"                        \
	"      --skeleton-bones FILE\n"                                                            \
	"                          bone map of SKELETON\n"                                         \
	"      --limits off|count|clamp\n"                                                         \
	"                          joints beyond the limits of an H-Anim skeleton: ignore,\n"      \
	"                          count (default), or clamp them\n"                               \
	"      --contacts on|off   keep feet that stand and hands that touch; off by default,\n"   \
	"                          the exact rotations of the motion\n"                            \
	"      --as-tracked        keep body frames as they are: do not estimate joints that\n"    \
	"                          were not tracked\n"                                             \
	"      --mirror            exchange left and right\n"                                      \
	"      --hips-scale H[,V]  scale the movement of the hips by H, vertically by V\n"         \
	"      --twist SHARE       move this share (0 to 1) of the hands' twist to the lower\n"    \
	"                          arms; the orientation of the hands does not change\n"

/* For JC_FIT_OPTIONS: enum jc_limits, bool and struct jc_fitting_options. */
int jc_fit_read_limits(const struct jc_command *command, const char *name, void *out_limits);
int jc_fit_read_contacts(const struct jc_command *command, const char *name, void *out_contacts);
int jc_fit_read_hips_scale(const struct jc_command *command, const char *name, void *out_fitting);

/* Reads the arguments MOTION and SKELETON[#N] after the options. Returns enum jc_exit. */
int jc_fit_read_inputs(
	const struct jc_command *command, int argc, char **argv, struct jc_fit_options *options);

/* Loads motion and skeleton, passes both to `use` with the context, and frees everything, also
 * options->skeleton. Returns enum jc_exit. A status of the command line other than JC_EXIT_DONE is
 * returned after freeing. */
int jc_fit_run(struct jc_fit_options *options, int status,
	int (*use)(const void *context, const struct jc_motion *motion,
		const struct jc_skeleton *skeleton),
	const void *context);

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
