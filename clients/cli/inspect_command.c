/* jointcast inspect: describes the contents of a motion or skeleton file. */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "error_report.h"
#include "files/loader.h"
#include "jointcast_private/bone_template.h"
#include "report/inspect_report.h"

static const char help[] =
	"usage: jointcast inspect FILE [--bones FILE] [--json]\n"
	"       jointcast inspect SKELETON[#N] [--bones FILE] --descriptor\n"
	"       jointcast inspect FILE[#N] [--bones FILE] --bones-template\n"
	"\n"
	"Describes a motion (BVH, VRMA, glTF, FBX, H-Anim, .jsonl, A-Frame, .csv, .mcap) or a\n"
	"skeleton (VRM 0.x and 1.0, glTF with or without EXT_skeleton_humanoid, FBX, H-Anim,\n"
	"descriptor): format, bones and how they were found, proportions, units, timing, and\n"
	"problems that an artist should correct. For body frames it also checks the declared\n"
	"profile against the positions of "
	"the\n"
	"joints. A file with several motions or skeletons is listed with their indices. A glTF "
	"file\n"
	"with virtual transforms and without a humanoid is described as a prop: nodes, and names,\n"
	"tags, flags and places of the virtual transforms.\n"
	"\n"
	"FILE may also be a built-in motion, demo:NAME, or the built-in skeleton, 'humanoid'.\n"
	"\n"
	"options:\n"
	"      --bones FILE  bone map: lines BONE = JOINT instead of recognised names\n"
	"      --bones-template\n"
	"                    print the bone map of figure N of a BVH, glTF, FBX or H-Anim\n"
	"                    file, to start from: its bones, and the other bones and joints\n"
	"                    as comments\n"
	"      --json        print JSON\n"
	"      --descriptor  print skeleton N of the file as the JSON that subscribers receive;\n"
	"                    commands and jointcastd read it as a skeleton; add 'offsets' to it "
	"to\n"
	"                    correct bones by hand\n"
	"  -h, --help        print this text\n"
	"\n"
	"exit status 1: the file cannot be used; one line gives the reason\n";

struct options {
	bool json, descriptor, template;
	const char *bones; /* the file of a bone map, or NULL */
};

static const struct jc_option option_table[] = {
	JC_OPTION("json", FLAG, struct options, json),
	JC_OPTION("descriptor", FLAG, struct options, descriptor),
	JC_OPTION("bones", TEXT, struct options, bones),
	JC_OPTION("bones-template", FLAG, struct options, template),
	{ 0 },
};

static int print_contents(const char *argument, const struct options *options)
{
	struct jc_contents contents = { 0 };
	int status = jc_contents_read(argument, options->bones, &contents);

	if (status == JC_EXIT_DONE) {
		(options->json ? jc_inspect_report_write_json : jc_inspect_report_write_text)(
			stdout, argument, &contents);
	}
	jc_contents_finish(&contents);
	return status;
}

static int print_descriptor(const char *argument, const struct options *options)
{
	struct jc_skeleton *skeleton = NULL;
	char *descriptor = NULL;
	char *path;
	size_t index = 0;
	int status = jc_load_split(argument, &path, &index);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	status = jc_load_skeleton(path, index, options->bones, &skeleton, NULL);
	if (status == JC_EXIT_DONE && jc_skeleton_write_descriptor(skeleton, &descriptor)) {
		status = jc_report(JC_EXIT_IO, path, "out of memory");
	}
	if (status == JC_EXIT_DONE) {
		puts(descriptor);
	}
	free(descriptor);
	jc_skeleton_destroy(skeleton);
	free(path);
	return status;
}

static int write_template(
	const char *path, size_t index, const struct jc_bone_map *map, struct jc_written *out_file)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_gltf_resolver resolver;
	struct jc_input_file input;
	int status = jc_input_file_read(path, &input);
	int error;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	resolver = jc_input_file_resolver(&input);
	error = jc_bone_template_write(
		input.bytes, input.length, index, map, &resolver, out_file, &diagnostic);
	jc_input_file_finish(&input);
	return error ? jc_report_diagnostic(error, path, &diagnostic) : JC_EXIT_DONE;
}

static int print_template(const char *argument, const struct options *options)
{
	struct jc_written text = { NULL, 0 };
	struct jc_bone_map *map = NULL;
	char *path;
	size_t index = 0;
	int status = jc_load_split(argument, &path, &index);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	status = jc_load_is_builtin(path) ? jc_load_refuse_map(path)
					  : jc_load_bone_map(options->bones, &map);
	if (status == JC_EXIT_DONE) {
		status = write_template(path, index, map, &text);
	}
	if (status == JC_EXIT_DONE) {
		fwrite(text.bytes, 1, text.length, stdout);
	}
	free(text.bytes);
	jc_bone_map_destroy(map);
	free(path);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	int status = jc_command_read(&jc_command_inspect, argc, argv, option_table, &options);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (argc - optind != 1) {
		return jc_command_misuse(&jc_command_inspect, "needs one file");
	}
	if (options.json + options.descriptor + options.template > 1) {
		return jc_command_misuse(&jc_command_inspect,
			"--json, --descriptor and --bones-template exclude each other");
	}
	return (options.template     ? print_template
		: options.descriptor ? print_descriptor
				     : print_contents)(argv[optind], &options);
}

const struct jc_command jc_command_inspect = {
	.name = "inspect",
	.summary = "describe a motion or skeleton file",
	.help = help,
	.run = run,
};
