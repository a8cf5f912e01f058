/* jointcast inspect: describes the contents of a motion or skeleton file. */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "error_report.h"
#include "files/loader.h"
#include "report/inspect_report.h"

static const char help[] =
	"usage: jointcast inspect FILE [--json]\n"
	"       jointcast inspect SKELETON[#N] --descriptor\n"
	"\n"
	"Describes a motion (BVH, VRMA, glTF, H-Anim, .jsonl, .csv, .mcap) or a skeleton (VRM 0.x\n"
	"and 1.0, glTF with or without EXT_skeleton_humanoid, H-Anim, descriptor): format, bones\n"
	"and how they were found, proportions, units, timing, and problems that an artist should\n"
	"correct. For body frames it also checks the declared profile against the positions of "
	"the\n"
	"joints. A file with several motions or skeletons is listed with their indices. A glTF "
	"file\n"
	"with virtual transforms and without a humanoid is described as a prop: nodes, and names,\n"
	"tags, flags and places of the virtual transforms.\n"
	"\n"
	"FILE may also be a built-in motion, demo:NAME, or the built-in skeleton, 'humanoid'.\n"
	"\n"
	"options:\n"
	"      --json        print JSON\n"
	"      --descriptor  print skeleton N of the file as the JSON that subscribers receive;\n"
	"                    commands and jointcastd read it as a skeleton; add 'offsets' to it "
	"to\n"
	"                    correct bones by hand\n"
	"  -h, --help        print this text\n"
	"\n"
	"exit status 1: the file cannot be used; one line gives the reason\n";

struct options {
	bool json, descriptor;
};

static const struct jc_option option_table[] = {
	JC_OPTION("json", FLAG, struct options, json),
	JC_OPTION("descriptor", FLAG, struct options, descriptor),
	{ 0 },
};

static int print_contents(const char *argument, bool json)
{
	struct jc_contents contents = { 0 };
	int status = jc_contents_read(argument, &contents);

	if (status == JC_EXIT_DONE) {
		(json ? jc_inspect_report_write_json : jc_inspect_report_write_text)(
			stdout, argument, &contents);
	}
	jc_contents_finish(&contents);
	return status;
}

static int print_descriptor(const char *argument)
{
	struct jc_skeleton *skeleton = NULL;
	char *descriptor = NULL;
	char *path;
	size_t index = 0;
	int status = jc_load_split(argument, &path, &index);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	status = jc_load_skeleton(path, index, &skeleton, NULL);
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
	if (options.json && options.descriptor) {
		return jc_command_misuse(
			&jc_command_inspect, "--json and --descriptor exclude each other");
	}
	return options.descriptor ? print_descriptor(argv[optind])
				  : print_contents(argv[optind], options.json);
}

const struct jc_command jc_command_inspect = {
	.name = "inspect",
	.summary = "describe a motion or skeleton file",
	.help = help,
	.run = run,
};
