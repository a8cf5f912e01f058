/* jointcast lint: what an artist should mend in a skeleton. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "fix.h"
#include "input.h"
#include "lint.h"
#include "load.h"
#include "replace.h"
#include "status.h"

static const char help[] =
	"usage: jointcast lint SKELETON[#N] [--json] [--fix OUT]\n"
	"\n"
	"Says what to mend in a skeleton (VRM 0.x and 1.0, glTF with EXT_skeleton_humanoid,\n"
	"H-Anim, descriptor, or 'humanoid', the built-in one): its rest pose, bones off the\n"
	"T-pose and by how much, axes of bones, facing, size, missing bones and what is lost\n"
	"with them, scales, constraints. #N is the Nth humanoid of a file, from 0.\n"
	"\n"
	"--fix writes the figure with EXT_skeleton_humanoid's reference pose as its rest: T-pose,\n"
	"facing +Z, +Y along every bone, +X for bending, no scales. Meshes, skins and animations\n"
	"of a glTF or VRM file stay as they look; what cannot stay is named on standard error.\n"
	"\n"
	"options:\n"
	"      --json     as JSON\n"
	"      --fix OUT  write the mended figure as .glb or .gltf, or as descriptor (.json)\n"
	"  -h, --help     this text\n"
	"\n"
	"exit status 1: the skeleton cannot be used, and one line says why\n";

enum {
	OPTION_JSON = 256,
	OPTION_FIX,
};

static const struct option long_options[] = {
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "fix", required_argument, NULL, OPTION_FIX },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct options {
	char *path; /* owned, without #N */
	size_t index;
	bool json;
	const char *out; /* NULL without --fix */
	enum jc_fix_format out_format;
};

/* Of the output file, by its ending. */
static bool find_format(const char *path, enum jc_fix_format *out_format)
{
	static const char *const endings[] = {
		[JC_FIX_GLB] = ".glb",
		[JC_FIX_GLTF] = ".gltf",
		[JC_FIX_DESCRIPTOR] = ".json",
	};
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t ending = strlen(endings[i]);

		if (length > ending && strcasecmp(path + length - ending, endings[i]) == 0) {
			*out_format = (enum jc_fix_format)i;
			return true;
		}
	}
	return false;
}

static int read_options(int argc, char **argv, struct options *options)
{
	int option;
	int status;

	while ((option = jc_command_option(&jc_command_lint, argc, argv, long_options)) != -1) {
		if (option == OPTION_JSON) {
			options->json = true;
		} else if (option == OPTION_FIX) {
			options->out = optarg;
		} else {
			return option == JC_OPTION_DONE ? JC_OPTION_DONE : JC_EXIT_USAGE;
		}
	}
	if (argc - optind != 1) {
		return jc_command_misuse(&jc_command_lint, "needs one skeleton");
	}
	if (options->out && !find_format(options->out, &options->out_format)) {
		return jc_command_misuse(&jc_command_lint,
			"--fix '%.80s' does not end with .glb, .gltf or .json", options->out);
	}
	status = jc_load_split(argv[optind], &options->path, &options->index);
	if (status == JC_EXIT_DONE && options->out &&
		jc_replace_is_same(options->out, options->path)) {
		return jc_command_misuse(
			&jc_command_lint, "'%.80s' would overwrite its own input", options->out);
	}
	return status;
}

/* The skeleton of a file, or what is wrong with it in either form. */
static int read_file(const struct options *options, struct jc_input *input,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_gltf_resolver resolver = jc_input_resolver(input);
	int error = jc_skeleton_read(input->bytes, input->length, options->index, &resolver,
		out_skeleton, lint, &diagnostic);

	if (error && options->json && error != JC_ERROR_MEMORY) {
		jc_lint_report_write_refusal(
			stdout, options->path, options->index, &diagnostic, error);
	}
	return error ? jc_report_diagnostic(error, options->path, &diagnostic) : JC_EXIT_DONE;
}

static int write_report(const struct options *options, const struct jc_skeleton *skeleton,
	const struct jc_lint *lint)
{
	struct jc_lint_report report = {
		.file = options->path,
		.index = options->index,
		.skeleton = skeleton,
		.lint = lint,
	};

	if (jc_posture_measure(skeleton, &report.posture)) {
		return jc_report(JC_EXIT_IO, options->path, "out of memory");
	}
	if (options->json) {
		jc_lint_report_write_json(stdout, &report);
	} else {
		jc_lint_report_write_text(stdout, &report);
	}
	return JC_EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct jc_skeleton *skeleton = NULL;
	struct jc_lint lint = { 0 };
	struct jc_input input = { 0 };
	int status = read_options(argc, argv, &options);

	if (status != JC_EXIT_DONE) {
		status = status == JC_OPTION_DONE ? JC_EXIT_DONE : status;
		goto out;
	}
	if (jc_load_is_builtin(options.path)) {
		status = jc_load_skeleton(options.path, options.index, &skeleton, &lint);
	} else {
		status = jc_input_read(options.path, &input);
		if (status == JC_EXIT_DONE) {
			status = read_file(&options, &input, &skeleton, &lint);
		}
	}
	if (status == JC_EXIT_DONE) {
		status = write_report(&options, skeleton, &lint);
	}
	if (status == JC_EXIT_DONE && options.out) {
		status = jc_fix_write(
			options.out, options.out_format, skeleton, &input, options.index);
	}
out:
	jc_skeleton_destroy(skeleton);
	jc_input_finish(&input);
	free(options.path);
	return status;
}

const struct jc_command jc_command_lint = {
	.name = "lint",
	.summary = "say what an artist should mend in a skeleton",
	.help = help,
	.run = run,
};
