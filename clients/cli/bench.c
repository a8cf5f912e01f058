/* jointcast bench: what the library costs, in the units people plan with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "command.h"
#include "number.h"
#include "status.h"
#include "stopwatch.h"

static const char help[] =
	"usage: jointcast bench retarget [FILE]… [--iterations N] [--json]\n"
	"\n"
	"Measures one core's microseconds per body frame, every motion on every skeleton:\n"
	"  retarget    pose to skeleton pose alone\n"
	"  with pose   the pose solved from a body frame, or sampled from a motion, then "
	"retargeted\n"
	"  worn        a pose retargeted, and the local transforms of all nodes\n"
	"\n"
	"FILE is a motion or a skeleton, or one of those built in (demo:NAME, humanoid); without\n"
	"any, demo:walk and humanoid stand in. Figures are processor time, medians over batches.\n"
	"\n"
	"options:\n"
	"      --iterations N  one batch of exactly N body frames, for profilers\n"
	"      --json          as JSON\n"
	"  -h, --help          this text\n";

static const size_t default_calls = 2000;
static const size_t iterations_maximum = 1000000000;

enum {
	OPTION_ITERATIONS = 256,
	OPTION_JSON,
};

static const struct option long_options[] = {
	{ "iterations", required_argument, NULL, OPTION_ITERATIONS },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* Reads one input into the next place of the list. */
static int add_input(struct jc_bench *bench, const char *name)
{
	struct jc_bench_input *input = &bench->inputs[bench->input_count++];

	input->name = name;
	return jc_contents_read(name, &input->contents);
}

/* inputs has room for two more than the arguments: whatever is missing among
 * them gets a partner that is built in. */
static int read_inputs(struct jc_bench *bench, int count, char **names)
{
	bool motion = false;
	bool skeleton = false;
	int status = JC_EXIT_DONE;

	for (int i = 0; i < count && status == JC_EXIT_DONE; i++) {
		status = add_input(bench, names[i]);
		if (status == JC_EXIT_DONE) {
			motion |= bench->inputs[i].contents.items[0].motion != NULL;
			skeleton |= bench->inputs[i].contents.items[0].skeleton != NULL;
		}
	}
	if (status == JC_EXIT_DONE && !motion) {
		status = add_input(bench, "demo:walk");
	}
	if (status == JC_EXIT_DONE && !skeleton) {
		status = add_input(bench, "humanoid");
	}
	return status;
}

static int read_options(int argc, char **argv, struct jc_bench *bench)
{
	int option;

	while ((option = jc_command_option(&jc_command_bench, argc, argv, long_options)) != -1) {
		switch (option) {
		case OPTION_ITERATIONS:
			bench->batches = 1;
			if (!jc_number_parse_count(optarg, iterations_maximum, &bench->calls) ||
				bench->calls == 0) {
				return jc_command_misuse(&jc_command_bench,
					"--iterations '%.80s' is no number from 1 to %zu", optarg,
					iterations_maximum);
			}
			break;
		case OPTION_JSON:
			bench->json = true;
			break;
		case JC_OPTION_DONE:
			return JC_OPTION_DONE;
		default:
			return JC_EXIT_USAGE;
		}
	}
	if (optind >= argc || strcmp(argv[optind], "retarget") != 0) {
		return jc_command_misuse(
			&jc_command_bench, "needs the name of a benchmark: retarget");
	}
	optind++;
	return JC_EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct jc_bench bench = { .batches = JC_STOPWATCH_BATCHES, .calls = default_calls };
	int status = read_options(argc, argv, &bench);

	if (status != JC_EXIT_DONE) {
		return status == JC_OPTION_DONE ? JC_EXIT_DONE : status;
	}
	bench.inputs = calloc((size_t)(argc - optind) + 2, sizeof(*bench.inputs));
	if (!bench.inputs) {
		return jc_report(JC_EXIT_IO, "bench", "out of memory");
	}
	status = read_inputs(&bench, argc - optind, argv + optind);
	if (status == JC_EXIT_DONE) {
		status = jc_bench_retarget(&bench);
	}
	for (size_t i = 0; i < bench.input_count; i++) {
		jc_contents_finish(&bench.inputs[i].contents);
	}
	free(bench.inputs);
	return status;
}

const struct jc_command jc_command_bench = {
	.name = "bench",
	.summary = "measure what a body frame costs",
	.help = help,
	.run = run,
};
