/* jointcast bench: measures the cost of the library, of the codecs and of sending to many
 * subscribers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_statistics.h"
#include "command.h"
#include "error_report.h"

static const char help[] =
	"usage: jointcast bench retarget [FILE]… [--iterations N] [--json]\n"
	"       jointcast bench codec [MOTION]… [--iterations N] [--dump DIR] [--json]\n"
	"       jointcast bench fanout [--subscribers N] [--bodies M] [--hz R] [--seconds S]\n"
	"                 [--stalled F] [--credit] [--views V] [--own-skeletons]\n"
	"                 [--viewpoints] [--tls] [--rounds K] [--daemon PROGRAM]\n"
	"                 [--peer PROGRAM]… [--port PORT [--process PID]… [--apart]]\n"
	"                 [--space NAME] [--json]\n"
	"\n"
	"retarget measures microseconds of one core per body frame, for every motion on every\n"
	"skeleton:\n"
	"  retarget    pose to skeleton pose only\n"
	"  with pose   the pose is solved from a body frame or sampled from a motion, then\n"
	"              retargeted\n"
	"  worn        a pose is retargeted, and the local transforms of all nodes are computed\n"
	"FILE is a motion or a skeleton, or a built-in one (demo:NAME, humanoid); default:\n"
	"demo:walk and humanoid.\n"
	"\n"
	"codec encodes motions with the codings of this protocol and of others, at 30, 60 and\n"
	"90 Hz if they were captured at that rate, and decodes them again:\n"
	"  rotations   bytes per frame of 22 body bones, or of 30 finger bones if these move\n"
	"  packet      bytes of the WebSocket message with one body, hips and heads included;\n"
	"              with fingers, those of the body as well\n"
	"  error       degrees between a joint's rotation and the decoded rotation\n"
	"  ends        mm between head, hands, feet, toes, fingers on a figure of 1.75 m\n"
	"and the time for 55 bones. 'all' is every frame of all motions, including the first one,\n"
	"a keyframe. Default: the built-in motions. 'man jointcast-bench' describes the codings\n"
	"of others.\n"
	"\n"
	"Times are processor time, medians over batches.\n"
	"\n"
	"fanout starts a jointcastd on one processor and N subscribers on another (default 100,\n"
	"with 1 body). In alternation it runs the floor, a process that only sends the same\n"
	"bytes. Results are medians of K rounds (3) of S seconds (5). 'latency' is the time from\n"
	"a tick to the arrival of its message. A share F of the subscribers stops reading for\n"
	"eight tenths of a round; with --credit all of them acknowledge. All receive the same\n"
	"view, or V different views (at most 4), or each has all bodies on a skeleton of its own:\n"
	"N x M streams. With --tls the measurement is repeated with TLS. A peer is another server\n"
	"that sends the same bytes. With --port the subscribers connect to daemons that run\n"
	"already on this machine, such as edges; the cost of the processes PID counts.\n"
	"\n"
	"options:\n"
	"      --iterations N  one batch of exactly N body frames, for profilers\n"
	"      --dump DIR      codec: write encoded motions and their originals to files in DIR\n"
	"      --json          print JSON\n"
	"  -h, --help          print this text\n";

/* The number of built-in motions, which replace missing inputs. */
#define BUILTIN 4

static const size_t retarget_calls = 2000;

static const struct jc_option option_table[] = {
	JC_OPTION("iterations", COUNT, struct jc_bench, calls, .least = 1.0, .most = 1.0e9),
	JC_OPTION("dump", TEXT, struct jc_bench, dump),
	JC_OPTION("json", FLAG, struct jc_bench, json),
	{ 0 },
};

/* Reads one input into the next entry of the list. The list has room for the inputs of the command
 * line and for the built-in ones. */
static int add_input(struct jc_bench *bench, const char *name)
{
	struct jc_bench_input *input = &bench->inputs[bench->input_count++];

	input->name = name;
	return jc_contents_read(name, NULL, &input->contents);
}

static int read_inputs(struct jc_bench *bench, int count, char **names)
{
	int status = JC_EXIT_DONE;

	for (int i = 0; i < count && status == JC_EXIT_DONE; i++) {
		status = add_input(bench, names[i]);
	}
	return status;
}

const struct jc_motion *jc_bench_motion(const struct jc_bench_input *input)
{
	for (size_t i = 0; i < input->contents.count; i++) {
		if (input->contents.items[i].motion) {
			return input->contents.items[i].motion;
		}
	}
	return NULL;
}

const struct jc_skeleton *jc_bench_skeleton(const struct jc_bench_input *input)
{
	for (size_t i = 0; i < input->contents.count; i++) {
		if (input->contents.items[i].skeleton) {
			return input->contents.items[i].skeleton;
		}
	}
	return NULL;
}

/* A missing motion or skeleton is replaced by a built-in one. */
static int run_retarget(struct jc_bench *bench)
{
	bool motion = false, skeleton = false;
	int status = JC_EXIT_DONE;

	for (size_t i = 0; i < bench->input_count; i++) {
		motion |= jc_bench_motion(&bench->inputs[i]) != NULL;
		skeleton |= jc_bench_skeleton(&bench->inputs[i]) != NULL;
	}
	if (!motion) {
		status = add_input(bench, "demo:walk");
	}
	if (status == JC_EXIT_DONE && !skeleton) {
		status = add_input(bench, "humanoid");
	}
	if (bench->calls == 0) {
		bench->calls = retarget_calls;
	}
	return status == JC_EXIT_DONE ? jc_bench_retarget(bench) : status;
}

static int run_codec(struct jc_bench *bench)
{
	static const char *const builtin[BUILTIN] = { "demo:walk", "demo:wave", "demo:sit",
		"demo:idle" };
	size_t count = bench->input_count > 0 ? 0 : BUILTIN;
	int status = JC_EXIT_DONE;

	for (size_t i = 0; i < count && status == JC_EXIT_DONE; i++) {
		status = add_input(bench, builtin[i]);
	}
	return status == JC_EXIT_DONE ? jc_bench_codecs(bench) : status;
}

static const struct benchmark {
	const char *name;
	int (*run)(struct jc_bench *bench);
} benchmarks[] = {
	{ "retarget", run_retarget },
	{ "codec", run_codec },
};

/* Returns the benchmark that the first argument names, and advances optind past it; NULL for an
 * unknown name. */
static const struct benchmark *find_benchmark(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(benchmarks) / sizeof(benchmarks[0]) && optind < argc; i++) {
		if (strcmp(argv[optind], benchmarks[i].name) == 0) {
			optind++;
			return &benchmarks[i];
		}
	}
	return NULL;
}

static int run(int argc, char **argv)
{
	struct jc_bench bench = { .batches = JC_BENCH_BATCHES };
	const struct benchmark *benchmark;

	/* fanout has no inputs and has its own options. */
	if (argc > 1 && strcmp(argv[1], "fanout") == 0) {
		return jc_bench_fanout(argc - 1, argv + 1);
	}
	int status = jc_command_read(&jc_command_bench, argc, argv, option_table, &bench);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (bench.calls > 0) { /* --iterations */
		bench.batches = 1;
	}
	benchmark = find_benchmark(argc, argv);
	if (!benchmark) {
		return jc_command_misuse(&jc_command_bench,
			"needs the name of a benchmark: retarget, codec or fanout");
	}
	if (bench.dump && benchmark->run != run_codec) {
		return jc_command_misuse(&jc_command_bench, "--dump is an option of codec");
	}
	bench.inputs = calloc((size_t)(argc - optind) + BUILTIN, sizeof(*bench.inputs));
	if (!bench.inputs) {
		return jc_report(JC_EXIT_IO, "bench", "out of memory");
	}
	status = read_inputs(&bench, argc - optind, argv + optind);
	if (status == JC_EXIT_DONE) {
		status = benchmark->run(&bench);
	}
	for (size_t i = 0; i < bench.input_count; i++) {
		jc_contents_finish(&bench.inputs[i].contents);
	}
	free(bench.inputs);
	return status;
}

const struct jc_command jc_command_bench = {
	.name = "bench",
	.summary = "measure the cost of a body frame, and of sending it to many",
	.help = help,
	.run = run,
};
