/* jointcast convert: writes a motion as a file of another format. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avatar_output.h"
#include "bone_axes_option.h"
#include "command.h"
#include "error_report.h"
#include "files/loader.h"
#include "files/output_file.h"
#include "files/recording_file.h"
#include "fit_options.h"
#include "jointcast/recording.h"
#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "progress.h"

static const char help[] =
	"usage: jointcast convert IN OUT [OPTION]…\n"
	"\n"
	"Writes the motion IN as the file OUT. The ending of OUT selects the format:\n"
	"\n"
	"  .jsonl  body frames of the built-in figure\n"
	"  .bvh    BVH\n"
	"  .vrma   VRM animation\n"
	"  .glb    glTF with EXT_skeleton_humanoid, skeleton and animation\n"
	"  .gltf   the same as JSON\n"
	"  .wrl    H-Anim 1.0 in VRML97, figure and interpolators\n"
	"  .x3d    H-Anim 2.0 in X3D\n"
	"  .x3dv   the same in X3D Classic VRML\n"
	"  .csv    a table: time, hips, the rotation of each bone from the T-pose as a quaternion\n"
	"  .mcap   a recording of one body, with a scene for Foxglove\n"
	"\n"
	"IN is any motion file, or demo:NAME for a built-in one (walk, wave, sit, idle).\n"
	"Data that the format cannot hold is listed on standard error.\n"
	"\n"
	"options:\n"
	"      --motion-index N      number of the motion in IN, or of the body, from 0\n"
	"      --fps N               write N frames a second, instead of as many as IN has\n"
	"      --from T              begin T seconds after the start of IN\n"
	"      --until T             end T seconds after the start of IN\n"
	"      --skeleton FILE[#N]   write the bones and proportions of this skeleton, number N "
	"of\n"
	"                            the file; default: 'humanoid', the built-in one\n"
	"      --avatar FILE[#N]     write this glTF or VRM file with its meshes, and the motion "
	"as one\n"
	"                            more animation of its humanoid number N; .glb and .gltf\n"
	"      --bones FILE          bone map of IN: lines BONE = JOINT instead of recognised "
	"names;\n"
	"                            see 'jointcast inspect --help'\n"
	"      --skeleton-bones FILE bone map of the skeleton or avatar\n"
	"      --profile NAME        joint axes of body frames: webxr-spec (default), meta,\n"
	"                            pico, htc or slimevr\n"
	"      --drop JOINT,…        write body frames without these joints\n"
	"      --bone-axes WHERE     where +Y of the bones of .glb and .gltf points: anatomic "
	"(the\n"
	"                            default, along the body) or child, to the joint of the next "
	"bone\n"
	"      --positions           write also the positions of the bones into .csv, in metres\n"
	"      --scene               copy all of the recording IN to the recording OUT and add "
	"the\n"
	"                            scene that older recordings lack; no other option is valid\n"
	"      --contacts on|off     keep standing feet of the skeleton where they stand; off by\n"
	"                            default\n"
	"      --as-tracked          keep body frames as they are: do not estimate the joints "
	"that\n"
	"                            were not tracked\n"
	"      --mirror              exchange left and right\n"
	"      --twist SHARE         move this share (0 to 1) of the hands' twist to the lower\n"
	"                            arms; the orientation of the hands does not change\n"
	"  -h, --help                print this text\n";

static const double still_seconds = 1.0 / 30.0; /* frame duration of a motion with a single pose */

/* The formats of output files. */
enum format {
	FORMAT_BODY_FRAMES,
	FORMAT_BVH,
	FORMAT_VRMA,
	FORMAT_GLB,
	FORMAT_GLTF,
	FORMAT_WRL,
	FORMAT_X3D,
	FORMAT_X3DV,
	FORMAT_CSV,
	FORMAT_MCAP,
};

static const char *const endings[] = {
	[FORMAT_BODY_FRAMES] = ".jsonl",
	[FORMAT_BVH] = ".bvh",
	[FORMAT_VRMA] = ".vrma",
	[FORMAT_GLB] = ".glb",
	[FORMAT_GLTF] = ".gltf",
	[FORMAT_WRL] = ".wrl",
	[FORMAT_X3D] = ".x3d",
	[FORMAT_X3DV] = ".x3dv",
	[FORMAT_CSV] = ".csv",
	[FORMAT_MCAP] = ".mcap",
};

struct options {
	const char *out;
	enum format format;
	struct jc_fit_options fit;
	const char *body_option; /* the last option that is valid for body frames only, or NULL */
	enum jc_profile profile;
	bool dropped[JC_JOINT_COUNT];
	struct jc_bone_axes_option axes;
	bool positions, scene;
	double fps;   /* 0: that of the motion */
	char *avatar; /* owned, without #N; NULL: none */
	size_t avatar_index;
	const char *avatar_bones; /* the file of its bone map, or NULL */
};

static int write_format(const struct options *options, const struct jc_clip *clip,
	struct jc_written *out_file, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	switch (options->format) {
	case FORMAT_BODY_FRAMES:
		return jc_write_body_frames(
			clip, options->profile, options->dropped, out_file, lint, diagnostic);
	case FORMAT_BVH:
		return jc_write_bvh(clip, out_file, lint, diagnostic);
	case FORMAT_VRMA:
		return jc_write_gltf(clip, JC_GLTF_VRMA, JC_BONE_AXES_ANATOMIC, true, out_file,
			lint, diagnostic);
	case FORMAT_GLB:
		return jc_write_gltf(clip, JC_GLTF_HUMANOID, options->axes.axes, true, out_file,
			lint, diagnostic);
	case FORMAT_GLTF:
		return jc_write_gltf(clip, JC_GLTF_HUMANOID, options->axes.axes, false, out_file,
			lint, diagnostic);
	case FORMAT_WRL:
		return jc_write_hanim(clip, JC_SCENE_VRML97, out_file, lint, diagnostic);
	case FORMAT_X3D:
		return jc_write_hanim(clip, JC_SCENE_X3D_XML, out_file, lint, diagnostic);
	case FORMAT_X3DV:
		return jc_write_hanim(clip, JC_SCENE_X3D_CLASSIC, out_file, lint, diagnostic);
	case FORMAT_CSV:
		return jc_write_csv(clip, out_file, lint, diagnostic);
	case FORMAT_MCAP:
		break;
	}
	return jc_write_recording(clip, out_file, lint, diagnostic);
}

static int read_skeleton(const struct jc_command *command, const char *name, void *out_options)
{
	struct options *options = out_options;

	(void)command;
	(void)name;
	free(options->fit.skeleton);
	options->fit.skeleton = NULL;
	options->fit.skeleton_index = 0;
	return jc_load_split(optarg, &options->fit.skeleton, &options->fit.skeleton_index);
}

static int read_avatar(const struct jc_command *command, const char *name, void *out_options)
{
	struct options *options = out_options;

	(void)command;
	(void)name;
	free(options->avatar);
	options->avatar = NULL;
	options->avatar_index = 0;
	return jc_load_split(optarg, &options->avatar, &options->avatar_index);
}

static int read_profile(const struct jc_command *command, const char *name, void *out_options)
{
	struct options *options = out_options;
	int profile = jc_profile_find(optarg);

	if (profile < 0) {
		return jc_command_misuse(command, "--%s: unknown profile '%.80s'", name, optarg);
	}
	options->profile = (enum jc_profile)profile;
	options->body_option = name;
	return JC_EXIT_DONE;
}

static int read_dropped(const struct jc_command *command, const char *option, void *out_options)
{
	struct options *options = out_options;
	const char *at = optarg;

	options->body_option = option;
	for (;;) {
		size_t length = strcspn(at, ",");
		char name[64];
		enum jc_joint joint;

		snprintf(name, sizeof(name), "%.*s", (int)(length < 63 ? length : 63), at);
		joint = jc_joint_find(name);
		if (joint == JC_JOINT_NONE) {
			return jc_command_misuse(command, "--%s: unknown joint '%s'", option, name);
		}
		options->dropped[joint] = true;
		if (at[length] == '\0') {
			return JC_EXIT_DONE;
		}
		at += length + 1;
	}
}

static const struct jc_option option_table[] = {
	JC_FIT_OPTION_MOTION_INDEX(struct options, fit),
	JC_FIT_OPTIONS_LOADING(struct options, fit),
	{ .name = "skeleton", .kind = JC_OPTION_OTHER, .read = read_skeleton },
	{ .name = "avatar", .kind = JC_OPTION_OTHER, .read = read_avatar },
	{ .name = "profile", .kind = JC_OPTION_OTHER, .read = read_profile },
	{ .name = "drop", .kind = JC_OPTION_OTHER, .read = read_dropped },
	JC_OPTION("bone-axes", OTHER, struct options, axes, .read = jc_bone_axes_option_read),
	JC_OPTION("positions", FLAG, struct options, positions),
	JC_OPTION("scene", FLAG, struct options, scene),
	/* More than any display or tracker needs; catches typing mistakes. */
	JC_OPTION("fps", RATE, struct options, fps, .most = 10000.0),
	JC_OPTION("from", NUMBER, struct options, fit.load.from, .most = JC_LIMIT_BODY_TIME),
	JC_OPTION("until", RATE, struct options, fit.load.until, .most = JC_LIMIT_BODY_TIME),
	{ 0 },
};

/* --avatar writes the axes and proportions of its own file. */
static int check_avatar(struct options *options)
{
	options->avatar_bones = options->fit.skeleton_bones;
	options->fit.skeleton_bones = NULL;
	if (options->format != FORMAT_GLB && options->format != FORMAT_GLTF) {
		return jc_command_misuse(
			&jc_command_convert, "--avatar is for .glb and .gltf only");
	}
	if (options->fit.skeleton || options->axes.is_given) {
		return jc_command_misuse(&jc_command_convert,
			"--avatar and --%s exclude each other",
			options->fit.skeleton ? "skeleton" : "bone-axes");
	}
	if (jc_output_file_is_same(options->out, options->avatar)) {
		return jc_command_misuse(
			&jc_command_convert, "'%.80s' would overwrite its own input", options->out);
	}
	return JC_EXIT_DONE;
}

/* Returns JC_OPTION_DONE after --help. */
static int read_options(int argc, char **argv, struct options *options)
{
	int status = jc_command_read(&jc_command_convert, argc, argv, option_table, options);
	int format;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (argc - optind != 2) {
		return jc_command_misuse(&jc_command_convert, "needs a motion and an output file");
	}
	options->fit.motion = argv[optind];
	options->out = argv[optind + 1];
	format = jc_output_file_ending(options->out, endings, sizeof(endings) / sizeof(endings[0]));
	if (format < 0) {
		return jc_command_misuse(&jc_command_convert,
			"the ending of '%.80s' is not that of an output format", options->out);
	}
	options->format = (enum format)format;
	if (options->body_option && options->format != FORMAT_BODY_FRAMES) {
		return jc_command_misuse(&jc_command_convert,
			"--%s is for body frames (.jsonl) only", options->body_option);
	}
	if (options->axes.is_given && options->format != FORMAT_GLB &&
		options->format != FORMAT_GLTF) {
		return jc_command_misuse(
			&jc_command_convert, "--bone-axes is for .glb and .gltf only");
	}
	if (options->scene && (options->format != FORMAT_MCAP || argc != 4)) {
		return jc_command_misuse(&jc_command_convert,
			"--scene needs two recordings (.mcap) and no other option");
	}
	if (options->positions && options->format != FORMAT_CSV) {
		return jc_command_misuse(&jc_command_convert, "--positions is for .csv only");
	}
	if (jc_output_file_is_same(options->out, options->fit.motion) ||
		(options->fit.skeleton &&
			jc_output_file_is_same(options->out, options->fit.skeleton))) {
		return jc_command_misuse(
			&jc_command_convert, "'%.80s' would overwrite its own input", options->out);
	}
	return options->avatar ? check_avatar(options) : JC_EXIT_DONE;
}

/* A motion that is sampled frame by frame. */
struct sampling {
	const struct jc_motion *motion;
	struct jc_solver solver;
	struct jc_fitting fitting; /* for positions and contacts */
	bool contacts;
	double frame_seconds;
	struct jc_progress progress;
};

/* The pose whose contacts are kept on the skeleton. */
static void sample_fitted(struct jc_fitting *fitting, double t, struct jc_pose *out_pose)
{
	struct jc_quat rotations[JC_BONE_COUNT];

	jc_fitting_pose(fitting, t);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		rotations[b] = jc_skeleton_bone_node(fitting->skeleton, (enum jc_bone)b) >= 0
				       ? jc_fitting_normalized(fitting, (enum jc_bone)b)
				       : JC_QUAT_IDENTITY;
	}
	jc_retargeter_unfold(fitting->retargeter, rotations, fitting->pose.states,
		fitting->pose.hips_translation, out_pose);
}

static void sample(void *context, size_t index, struct jc_pose *out_pose)
{
	struct sampling *sampling = context;
	double t = (double)index * sampling->frame_seconds;

	if (sampling->contacts) {
		sample_fitted(&sampling->fitting, t, out_pose);
	} else {
		jc_solver_sample(&sampling->solver, sampling->motion, t, out_pose);
	}
	jc_progress_step(&sampling->progress, index);
}

static void place(void *context, size_t index, struct jc_vec3 out_positions[JC_BONE_COUNT])
{
	struct sampling *sampling = context;
	struct jc_fitting *fitting = &sampling->fitting;

	jc_fitting_pose(fitting, (double)index * sampling->frame_seconds);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(fitting->skeleton, (enum jc_bone)b);

		if (node >= 0) {
			out_positions[b] = jc_mat4_translation(fitting->worlds[node]);
		}
	}
}

static int write_clip(const struct options *options, const struct jc_clip *clip)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint lint = { 0 };
	struct jc_written file;
	struct sampling *sampling = clip->context;
	int error = write_format(options, clip, &file, &lint, &diagnostic);
	int status;

	jc_progress_end(&sampling->progress);
	if (error) {
		return jc_report_diagnostic(error, options->out, &diagnostic);
	}
	status = jc_output_file_write_whole(options->out, file.bytes, file.length);
	free(file.bytes);
	for (size_t i = 0; i < lint.count && status == JC_EXIT_DONE; i++) {
		jc_report(JC_EXIT_DONE, options->out, "%s", lint.entries[i].text);
	}
	return status;
}

/* Frames at the rate of the motion, or at --fps. The nominal rate of a whole motion may be rounded:
 * its last frame is at its end. */
static void count_frames(
	const struct options *options, const struct jc_motion_info *info, struct jc_clip *clip)
{
	bool is_cut = options->fit.load.from > 0.0 || options->fit.load.until > 0.0;
	double fps = options->fps > 0.0 ? options->fps : info->fps;

	if (options->fps == 0.0 && !is_cut && info->frame_count > 1 && info->duration > 0.0) {
		clip->frame_count = info->frame_count;
		clip->frame_seconds = info->duration / (double)(info->frame_count - 1);
		return;
	}
	clip->frame_seconds = fps > 0.0 ? 1.0 / fps : still_seconds;
	/* A last frame that rounding puts just after the end still counts. */
	clip->frame_count = (size_t)floor(info->duration / clip->frame_seconds + 1.0e-6) + 1;
}

static int write_avatar(const struct options *options, const struct jc_clip *clip)
{
	return jc_avatar_output_write(&(struct jc_avatar_output){
		.path = options->avatar,
		.index = options->avatar_index,
		.bones = options->avatar_bones,
		.out = options->out,
		.is_binary = options->format == FORMAT_GLB,
		.motion = clip->motion,
		.fitting = &options->fit.fitting,
		.frame_count = clip->frame_count,
		.frame_seconds = clip->frame_seconds,
	});
}

static int convert(
	const void *context, const struct jc_motion *motion, const struct jc_skeleton *skeleton)
{
	const struct options *options = context;
	struct sampling sampling = {
		.motion = motion,
		.contacts = options->fit.fitting.contacts,
	};
	bool is_fitted = options->positions || sampling.contacts;
	struct jc_clip clip = {
		.motion = motion,
		.skeleton = skeleton,
		.pose = sample,
		.positions = options->positions ? place : NULL,
		.context = &sampling,
	};
	int status;

	count_frames(options, jc_motion_info(motion), &clip);
	if (clip.frame_count > JC_LIMIT_MOTION_FRAMES) {
		return jc_report(JC_EXIT_INPUT, options->out, "%zu frames, more than %u",
			clip.frame_count, JC_LIMIT_MOTION_FRAMES);
	}
	if (options->avatar) {
		return write_avatar(options, &clip);
	}
	sampling.progress = jc_progress_begin("converting", clip.frame_count);
	sampling.frame_seconds = clip.frame_seconds;
	jc_solver_init_motion(&sampling.solver, motion);
	sampling.solver.forearm_twist = options->fit.fitting.forearm_twist;
	if (is_fitted && jc_fitting_init(&sampling.fitting, motion, skeleton,
				 &options->fit.fitting) != JC_OK) {
		return jc_report(JC_EXIT_IO, options->out, "out of memory");
	}
	status = write_clip(options, &clip);
	if (is_fitted) {
		jc_fitting_finish(&sampling.fitting);
	}
	return status;
}

static int add_scene(void *context, const struct jc_mcap_input *input,
	const struct jc_mcap_sink *sink, struct jc_diagnostic *diagnostic)
{
	(void)context;
	return jc_recording_add_scene(input, "jointcast " JC_VERSION, sink, diagnostic);
}

static int run(int argc, char **argv)
{
	struct options options = { .fit = JC_FIT_DEFAULTS };
	int status = read_options(argc, argv, &options);

	if (status == JC_EXIT_DONE && options.scene) {
		return jc_recording_file_rewrite(
			options.fit.motion, options.out, "converting", add_scene, NULL);
	}
	status = jc_fit_run(&options.fit, status, convert, &options);
	free(options.avatar);
	return status;
}

const struct jc_command jc_command_convert = {
	.name = "convert",
	.summary = "write a motion as a file of another format",
	.help = help,
	.run = run,
};
