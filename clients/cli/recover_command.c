/* jointcast recover: repairs a recording that is damaged or was not closed. */
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "error_report.h"
#include "files/output_file.h"
#include "files/recording_file.h"
#include "jointcast/mcap_recovery.h"
#include "report/json_writer.h"

static const char help[] =
	"usage: jointcast recover IN.mcap -o OUT.mcap [--json]\n"
	"\n"
	"Writes the undamaged parts of the recording IN as the recording OUT, with its indexes,\n"
	"and prints how many seconds were lost. IN may end anywhere, for example after a crash, a\n"
	"full disk or a power failure, and may contain damaged chunks. IN may be any MCAP file\n"
	"whose chunks are compressed with zstd or not compressed.\n"
	"\n"
	"OUT appears after it has been read back completely and all CRCs are correct.\n"
	"\n"
	"options:\n"
	"  -o, --output OUT  the file to write\n"
	"      --json        print JSON\n"
	"  -h, --help        print this text\n"
	"\n"
	"exit status 0: OUT is complete, even if IN was not; 1: nothing in IN can be recovered,\n"
	"and OUT is not written\n";

struct options {
	const char *in;
	const char *out;
	bool json;
};

static const struct jc_option option_table[] = {
	JC_OPTION("output", TEXT, struct options, out, .letter = 'o'),
	JC_OPTION("json", FLAG, struct options, json),
	{ 0 },
};

static int read_options(int argc, char **argv, struct options *options)
{
	int status = jc_command_read(&jc_command_recover, argc, argv, option_table, options);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (argc - optind != 1 || !options->out) {
		return jc_command_misuse(
			&jc_command_recover, "needs a recording and -o with the file to write");
	}
	options->in = argv[optind];
	if (jc_output_file_is_same(options->out, options->in)) {
		return jc_command_misuse(
			&jc_command_recover, "'%.80s' would overwrite its own input", options->out);
	}
	return JC_EXIT_DONE;
}

static int repair(void *context, const struct jc_mcap_input *input, const struct jc_mcap_sink *sink,
	struct jc_diagnostic *diagnostic)
{
	return jc_mcap_recover(input, "jointcast " JC_VERSION, sink, context, diagnostic);
}

/* Seconds between the first and the last recovered message. */
static double span(const struct jc_mcap_recovery *recovery)
{
	return (double)(recovery->end_time - recovery->start_time) * 1e-9;
}

static void print_json(const struct jc_mcap_recovery *recovery)
{
	struct jc_json_writer json;

	jc_json_writer_init(&json, stdout);
	jc_json_begin_object(&json, NULL);
	jc_json_write_bool(&json, "closed", recovery->closed);
	jc_json_write_integer(&json, "messages", (long long)recovery->messages);
	jc_json_write_integer(&json, "attachments", (long long)recovery->attachments);
	jc_json_write_double(&json, "seconds", span(recovery));
	jc_json_write_double(&json, "lostSeconds", (double)recovery->lost_ns * 1e-9);
	jc_json_write_bool(&json, "isEstimate", recovery->is_estimate);
	jc_json_write_integer(&json, "damages", (long long)recovery->damages);
	jc_json_write_integer(&json, "lostBytes", (long long)recovery->lost_bytes);
	jc_json_write_integer(&json, "lostMessages", (long long)recovery->lost_messages);
	jc_json_write_integer(&json, "keptParts", (long long)recovery->parts);
	jc_json_end_object(&json);
	putchar('\n');
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_text(const struct jc_mcap_recovery *r)
{
	printf("kept  %.3f s, %" PRIu64 " message%s", span(r), r->messages, plural(r->messages));
	if (r->attachments > 0) {
		printf(", %" PRIu64 " attachment%s and metadata", r->attachments,
			plural(r->attachments));
	}
	if (r->damages > 0) {
		printf("\nlost  %s%.3f s in %" PRIu64 " damaged place%s of %" PRIu64
		       " bytes%s; the first at byte %" PRIu64 ": %s",
			r->is_estimate ? "about " : "", (double)r->lost_ns * 1e-9, r->damages,
			plural(r->damages), r->lost_bytes, r->parts > 0 ? ", kept in part" : "",
			r->first_damage, r->first_problem);
	} else if (r->closed) {
		fputs("\nlost  nothing", stdout);
	}
	if (r->lost_messages > 0) {
		printf("\nlost  %" PRIu64 " message%s whose channel is lost", r->lost_messages,
			plural(r->lost_messages));
	}
	if (!r->closed) {
		fputs("\nlost  the data that was not written before the end", stdout);
	}
	putchar('\n');
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct jc_mcap_recovery recovery;
	int status = read_options(argc, argv, &options);

	if (status == JC_EXIT_DONE) {
		status = jc_recording_file_rewrite(
			options.in, options.out, "recovering", repair, &recovery);
	}
	if (status == JC_EXIT_DONE) {
		(options.json ? print_json : print_text)(&recovery);
	}
	return status;
}

const struct jc_command jc_command_recover = {
	.name = "recover",
	.summary = "repair a damaged recording",
	.help = help,
	.run = run,
};
