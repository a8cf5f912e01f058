/* jointcast inspect: what a file holds and what is odd about it. */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "contents.h"
#include "load.h"
#include "status.h"

static const char help[] =
	"usage: jointcast inspect FILE [--json]\n"
	"\n"
	"Says what is in a motion (BVH, VRMA, glTF, H-Anim, .jsonl, .csv) or a skeleton\n"
	"(VRM 0.x and 1.0, glTF with EXT_skeleton_humanoid, H-Anim, descriptor): format, bones,\n"
	"proportions, units, timing, and what an artist should mend. Several things in one file\n"
	"are listed with their indices.\n"
	"\n"
	"FILE may also be demo:NAME or 'humanoid', which are built in.\n"
	"\n"
	"options:\n"
	"      --json  as JSON\n"
	"  -h, --help  this text\n"
	"\n"
	"exit status 1: the file cannot be used, and one line says why\n";

enum {
	OPTION_JSON = 256,
};

static const struct option long_options[] = {
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int run(int argc, char **argv)
{
	struct jc_contents contents = { 0 };
	bool json = false;
	int option;
	int status;

	while ((option = jc_command_option(&jc_command_inspect, argc, argv, long_options)) != -1) {
		if (option != OPTION_JSON) {
			return option == JC_OPTION_DONE ? JC_EXIT_DONE : JC_EXIT_USAGE;
		}
		json = true;
	}
	if (argc - optind != 1) {
		return jc_command_misuse(&jc_command_inspect, "needs one file");
	}
	status = jc_contents_read(argv[optind], &contents);
	if (status == JC_EXIT_DONE && json) {
		jc_contents_write_json(stdout, argv[optind], &contents);
	} else if (status == JC_EXIT_DONE) {
		jc_contents_write_text(stdout, argv[optind], &contents);
	}
	jc_contents_finish(&contents);
	return status;
}

const struct jc_command jc_command_inspect = {
	.name = "inspect",
	.summary = "say what is in a motion or skeleton file",
	.help = help,
	.run = run,
};
