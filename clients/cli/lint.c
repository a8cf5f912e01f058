/* jointcast lint: what an artist should mend in a skeleton. */
#include <stdlib.h>

#include "command.h"
#include "input.h"
#include "lint.h"
#include "load.h"
#include "status.h"

static const char help[] =
	"usage: jointcast lint SKELETON[#N] [--json]\n"
	"\n"
	"Says what to mend in a skeleton (VRM 0.x and 1.0, glTF with EXT_skeleton_humanoid,\n"
	"H-Anim, descriptor, or 'humanoid', the built-in one): its rest pose, bones off the\n"
	"T-pose and by how much, axes of bones, facing, size, missing bones and what is lost\n"
	"with them, scales, constraints. #N is the Nth humanoid of a file, from 0.\n"
	"\n"
	"options:\n"
	"      --json     as JSON\n"
	"  -h, --help     this text\n"
	"\n"
	"exit status 1: the skeleton cannot be used, and one line says why\n";

enum {
	OPTION_JSON = 256,
};

static const struct option long_options[] = {
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct options {
	char *path; /* owned, without #N */
	size_t index;
	bool json;
};

static int read_options(int argc, char **argv, struct options *options)
{
	int option;

	while ((option = jc_command_option(&jc_command_lint, argc, argv, long_options)) != -1) {
		if (option != OPTION_JSON) {
			return option == JC_OPTION_DONE ? JC_OPTION_DONE : JC_EXIT_USAGE;
		}
		options->json = true;
	}
	if (argc - optind != 1) {
		return jc_command_misuse(&jc_command_lint, "needs one skeleton");
	}
	return jc_load_split(argv[optind], &options->path, &options->index);
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
