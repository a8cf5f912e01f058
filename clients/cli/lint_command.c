/* jointcast lint: lists what an artist should change in a skeleton, and writes a corrected one. */
#include <stdlib.h>
#include <string.h>

#include "bone_axes_option.h"
#include "command.h"
#include "error_report.h"
#include "files/input_file.h"
#include "files/loader.h"
#include "files/output_file.h"
#include "jointcast/motion.h"
#include "jointcast/rerest.h"
#include "report/lint_report.h"

static const char help[] =
	"usage: jointcast lint SKELETON[#N] [--bones FILE] [--json]\n"
	"                      [--fix OUT [--bone-axes WHERE] [--draft]]\n"
	"\n"
	"Lists problems of a skeleton (VRM 0.x and 1.0, glTF, FBX, H-Anim, descriptor, the\n"
	"skeleton of a BVH file or VRM animation, or 'humanoid', the built-in one): its rest\n"
	"pose, the angles between bones and the T-pose, axes of bones, facing, size, missing\n"
	"bones and their consequences, scales, constraints. Of VRM and glTF, states whether a\n"
	"server may show the file to others, and what that costs. #N is humanoid number N of the\n"
	"file, from 0. Of a prop, a glTF file with virtual transforms and without a humanoid, "
	"lists\n"
	"problems of the virtual transforms.\n"
	"\n"
	"--fix writes the skeleton with the reference pose of EXT_skeleton_humanoid as its rest:\n"
	"T-pose, facing +Z, +Y along every bone, +X as bend axis, no scales. Meshes, skins and\n"
	"animations of a glTF or VRM file keep their appearance; a VRM stays a VRM, with\n"
	"expressions, spring bones, look-at, first person and constraints. VRM 0.x keeps facing\n"
	"-Z, with bones without rotation. Losses are listed on standard error.\n"
	"\n"
	"options:\n"
	"      --bones FILE       bone map: lines BONE = JOINT instead of recognised names;\n"
	"                         see 'jointcast inspect --help'; --fix writes\n"
	"                         the bones of the map into OUT, which needs no map\n"
	"      --json             print JSON\n"
	"      --fix OUT          write the corrected skeleton as .vrm, .glb, .gltf or descriptor\n"
	"                         (.json); .vrm needs a VRM file\n"
	"      --bone-axes WHERE  where +Y of the bones points with --fix: anatomic (the default,\n"
	"                         along the body) or child, to the joint of the next bone\n"
	"      --draft            with --fix OUT as glTF: also write KHR_character and its "
	"family,\n"
	"                         as drafted in glTF's pull request 2512, which may still change\n"
	"  -h, --help             print this text\n"
	"\n"
	"exit status 1: the skeleton cannot be used; one line gives the reason\n";

enum fix_format {
	FIX_GLB,
	FIX_VRM,
	FIX_GLTF,
	FIX_DESCRIPTOR,
};

struct options {
	char *path; /* owned, without #N */
	size_t index;
	bool json;
	const char *bones; /* the file of a bone map, or NULL */
	const char *out;   /* NULL without --fix */
	enum fix_format out_format;
	struct jc_bone_axes_option axes;
	bool draft;
};

static const struct jc_option option_table[] = {
	JC_OPTION("json", FLAG, struct options, json),
	JC_OPTION("bones", TEXT, struct options, bones),
	JC_OPTION("fix", TEXT, struct options, out),
	JC_OPTION("draft", FLAG, struct options, draft),
	JC_OPTION("bone-axes", OTHER, struct options, axes, .read = jc_bone_axes_option_read),
	{ 0 },
};

static const char *const endings[] = {
	[FIX_GLB] = ".glb",
	[FIX_VRM] = ".vrm",
	[FIX_GLTF] = ".gltf",
	[FIX_DESCRIPTOR] = ".json",
};

static int read_options(int argc, char **argv, struct options *options)
{
	int status = jc_command_read(&jc_command_lint, argc, argv, option_table, options);
	int format;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (argc - optind != 1) {
		return jc_command_misuse(&jc_command_lint, "needs one skeleton");
	}
	if (options->axes.is_given && !options->out) {
		return jc_command_misuse(&jc_command_lint, "--bone-axes needs --fix");
	}
	if (options->draft && !options->out) {
		return jc_command_misuse(&jc_command_lint, "--draft needs --fix");
	}
	format = options->out ? jc_output_file_ending(
					options->out, endings, sizeof(endings) / sizeof(endings[0]))
			      : 0;
	if (format < 0) {
		return jc_command_misuse(&jc_command_lint,
			"--fix '%.80s' does not end with .vrm, .glb, .gltf or .json", options->out);
	}
	options->out_format = (enum fix_format)format;
	if (options->draft && options->out_format == FIX_DESCRIPTOR) {
		return jc_command_misuse(&jc_command_lint, "--draft writes glTF, not a descriptor");
	}
	status = jc_load_split(argv[optind], &options->path, &options->index);
	if (status == JC_EXIT_DONE && options->out &&
		jc_output_file_is_same(options->out, options->path)) {
		return jc_command_misuse(
			&jc_command_lint, "'%.80s' would overwrite its own input", options->out);
	}
	return status;
}

/* The skeleton under inspection: one of the file, or the skeleton that the file's motion was made
 * for. */
struct subject {
	struct jc_input_file input;
	struct jc_bone_map *map;  /* owned; may be NULL */
	struct jc_skeleton *own;  /* owned, like motion; either may be NULL */
	struct jc_motion *motion; /* of a file without a skeleton */
	const struct jc_skeleton *skeleton;
	bool is_prop;               /* a glTF file that has virtual transforms and no humanoid */
	struct jc_diagnostic fault; /* of an unusable file; of a prop, why it has no humanoid */
	struct jc_lint lint;
};

static void subject_finish(struct subject *subject)
{
	jc_skeleton_destroy(subject->own);
	jc_motion_destroy(subject->motion);
	jc_input_file_finish(&subject->input);
	jc_bone_map_destroy(subject->map);
}

/* Reads the skeleton of a BVH file or a VRM animation. */
static int read_figure(struct subject *subject, size_t index, struct jc_diagnostic *diagnostic)
{
	struct jc_gltf_resolver resolver = jc_input_file_resolver(&subject->input);
	int error = jc_motion_read_mapped(subject->input.bytes, subject->input.length, index,
		subject->map, &resolver, &subject->motion, &subject->lint, diagnostic);

	if (error) {
		return error;
	}
	subject->skeleton = jc_motion_skeleton(subject->motion);
	if (!subject->skeleton) {
		return jc_diagnose(
			diagnostic, JC_ERROR_NO_HUMANOID, NULL, "a motion without a skeleton");
	}
	return jc_skeleton_lint(subject->skeleton, &subject->lint);
}

static int read_content(struct subject *subject, size_t index)
{
	struct jc_gltf_resolver resolver = jc_input_file_resolver(&subject->input);
	struct jc_diagnostic other = { 0 };
	int error;

	if (jc_load_content(&subject->input) == JC_CONTENT_MOTIONS) {
		return read_figure(subject, index, &subject->fault);
	}
	error = jc_skeleton_read_mapped(subject->input.bytes, subject->input.length, index,
		subject->map, &resolver, &subject->own, &subject->lint, &subject->fault);
	subject->skeleton = subject->own;
	if (error != JC_ERROR_NO_HUMANOID) {
		return error;
	}
	if (read_figure(subject, index, &other) == JC_OK) {
		return JC_OK;
	}
	if (index == 0) {
		error = jc_load_prop(
			&subject->input, &subject->own, &subject->lint, &subject->fault);
		subject->skeleton = subject->own;
		subject->is_prop = error == JC_OK;
	}
	return error;
}

/* Reads the skeleton that the options name. A skeleton that cannot be used is reported on standard
 * error and, with --json, on standard output. */
static int read_subject(const struct options *options, struct subject *subject)
{
	const struct jc_diagnostic *fault = &subject->fault;
	int status;
	int error;

	if (jc_load_is_demo(options->path)) {
		return jc_report(JC_EXIT_INPUT, options->path, "a motion without a skeleton");
	}
	if (jc_load_is_builtin(options->path)) {
		if (options->bones) {
			return jc_load_refuse_map(options->path);
		}
		status = jc_load_skeleton(
			options->path, options->index, NULL, &subject->own, &subject->lint);
		subject->skeleton = subject->own;
		if (status == JC_EXIT_DONE && jc_skeleton_lint(subject->own, &subject->lint)) {
			status = jc_report(JC_EXIT_IO, options->path, "out of memory");
		}
		return status;
	}
	status = jc_load_bone_map(options->bones, &subject->map);
	if (status == JC_EXIT_DONE) {
		status = jc_input_file_read(options->path, &subject->input);
	}
	if (status != JC_EXIT_DONE) {
		return status;
	}
	error = read_content(subject, options->index);
	if (error && options->json && error != JC_ERROR_MEMORY) {
		jc_lint_report_write_refusal(stdout, options->path, options->index, fault, error);
	}
	return error ? jc_report_diagnostic(error, options->path, fault) : JC_EXIT_DONE;
}

/* Whether the figure is that of a glTF file, not one converted from FBX. */
static bool is_gltf(const struct subject *subject)
{
	struct jc_gltf *gltf;

	if (!subject->own || subject->is_prop || !subject->input.bytes || subject->input.format ||
		jc_gltf_read(
			subject->input.bytes, subject->input.length, NULL, &gltf, NULL, NULL)) {
		return false;
	}
	jc_gltf_destroy(gltf);
	return true;
}

static int write_report(const struct options *options, const struct subject *subject)
{
	struct jc_avatar_report avatar;
	struct jc_lint_report report = {
		.file = options->path,
		.index = options->index,
		.skeleton = subject->skeleton,
		.no_humanoid = subject->is_prop ? subject->fault.what : NULL,
		.lint = &subject->lint,
	};

	if (!subject->is_prop && jc_posture_measure(subject->skeleton, &report.posture)) {
		return jc_report(JC_EXIT_IO, options->path, "out of memory");
	}
	if (is_gltf(subject)) {
		jc_avatar_report_make(subject->input.bytes, subject->input.length, &avatar);
		report.avatar = &avatar;
	}
	if (options->json) {
		jc_lint_report_write_json(stdout, &report);
	} else {
		jc_lint_report_write_text(stdout, &report);
	}
	return JC_EXIT_DONE;
}

static int make_descriptor(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	struct jc_written *out_file, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *corrected;
	int error = jc_rerest_skeleton(skeleton, axes, &corrected, lint, diagnostic);

	if (error) {
		return error;
	}
	error = jc_skeleton_write_descriptor(corrected, &out_file->bytes);
	if (!error) {
		out_file->length = strlen(out_file->bytes);
	}
	jc_skeleton_destroy(corrected);
	return error;
}

static bool is_vrm(const struct jc_gltf *gltf)
{
	return gltf && (jc_gltf_extension(gltf, "VRMC_vrm") || jc_gltf_extension(gltf, "VRM"));
}

static int make_gltf(const struct options *options, const struct jc_skeleton *skeleton,
	struct jc_input_file *input, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_gltf *gltf = NULL;
	int error;

	if (input) {
		struct jc_gltf_resolver resolver = jc_input_file_resolver(input);

		/* A skeleton was read from this file. If the file is no glTF, it contains nothing
		 * else to keep. */
		if (jc_gltf_read(input->bytes, input->length, &resolver, &gltf, NULL, NULL)) {
			gltf = NULL;
		}
	}
	if (options->out_format == FIX_VRM && !is_vrm(gltf)) {
		error = jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"the input is no VRM file: write .glb or .gltf");
	} else {
		error = (options->draft ? jc_rerest_gltf_with_drafts : jc_rerest_gltf)(skeleton,
			options->axes.axes, gltf, options->index, options->out_format != FIX_GLTF,
			out_file, lint, diagnostic);
	}
	jc_gltf_destroy(gltf);
	return error;
}

static int write_fixed(const struct options *options, const struct jc_skeleton *skeleton,
	struct jc_input_file *input)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_written file = { 0 };
	struct jc_lint lint = { 0 };
	const char *path = options->out;
	int error;
	int status;

	if (options->out_format == FIX_DESCRIPTOR) {
		error = make_descriptor(skeleton, options->axes.axes, &file, &lint, &diagnostic);
	} else {
		error = make_gltf(options, skeleton, input, &file, &lint, &diagnostic);
	}
	if (error) {
		return jc_report_diagnostic(error, options->path, &diagnostic);
	}
	status = jc_output_file_write_whole(path, file.bytes, file.length);
	free(file.bytes);
	for (size_t i = 0; i < lint.count && status == JC_EXIT_DONE; i++) {
		jc_report(JC_EXIT_DONE, path, "%s", lint.entries[i].text);
	}
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct subject subject = { 0 };
	int status = read_options(argc, argv, &options);

	if (status != JC_EXIT_DONE) {
		goto out;
	}
	status = read_subject(&options, &subject);
	if (status == JC_EXIT_DONE) {
		status = write_report(&options, &subject);
	}
	if (status == JC_EXIT_DONE && options.out && subject.is_prop) {
		status = jc_report(JC_EXIT_INPUT, options.path,
			"--fix changes the rest pose of bones, and a prop has none");
	} else if (status == JC_EXIT_DONE && options.out) {
		/* The node numbers are those of the file only when the file itself contains the
		 * skeleton. */
		status = write_fixed(
			&options, subject.skeleton, subject.own ? &subject.input : NULL);
	}
out:
	subject_finish(&subject);
	free(options.path);
	return status;
}

const struct jc_command jc_command_lint = {
	.name = "lint",
	.summary = "list what an artist should correct in a skeleton",
	.help = help,
	.run = run,
};
