/* Measures every codec with every clip at three rates. */
#include "bench/bench_codec.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/bench_codec_time.h"
#include "bench/bench_row.h"
#include "error_report.h"
#include "report/json_writer.h"
#include "terminal_text.h"

static const double rates[] = { 30.0, 60.0, 90.0 };
#define RATES (sizeof(rates) / sizeof(rates[0]))

static const struct jc_bench_codec *const codecs[] = {
	&jc_bench_chains[0],
	&jc_bench_chains[1],
	&jc_bench_chains[2],
	&jc_bench_chains[3],
	&jc_bench_chains[4],
	&jc_bench_chains[5],
	&jc_bench_smallest_three,
	&jc_bench_raw,
	&jc_bench_overte,
	&jc_bench_basis_keyframes,
	&jc_bench_basis_deltas,
	&jc_bench_vmc,
};
#define CODECS (sizeof(codecs) / sizeof(codecs[0]))

static const struct jc_bench_set sets[] = {
	{ JC_SECTION_BODY_COUNT, 1, { &jc_bench_body } },
	{ JC_SECTION_HANDS_COUNT, 2, { &jc_bench_body, &jc_bench_hands } },
};
#define SETS (sizeof(sets) / sizeof(sets[0]))

struct session {
	const struct jc_bench *bench;
	struct jc_json_writer json;
	struct jc_bench_dump dump;
	struct jc_bench_row all[SETS][CODECS]; /* of one rate */
};

static int report(int error, const char *name)
{
	return error == JC_ERROR_MEMORY ? jc_report(JC_EXIT_IO, name, "out of memory")
					: jc_report(JC_EXIT_INPUT, name, "cannot be encoded: %s",
						  jc_error_name(error));
}

static void write_row(struct session *session, struct jc_bench_row *row)
{
	if (session->bench->json) {
		jc_bench_row_write_json(row, &session->json);
	} else {
		jc_bench_row_write_text(row);
	}
}

static int measure_row(
	struct session *session, const struct jc_bench_clip *clip, size_t set, size_t codec)
{
	struct jc_bench_row row;
	bool dumped = codecs[codec]->precision >= 0;
	int status = JC_EXIT_DONE, error;

	if (dumped) {
		status = jc_bench_dump_open(&session->dump, codecs[codec]->name, clip->name,
			sets[set].bones, clip->hz, clip->count);
		if (status != JC_EXIT_DONE) {
			return status;
		}
	}
	jc_bench_row_init(&row, codecs[codec], &sets[set], clip->name, clip->hz);
	error = jc_bench_row_measure(&row, clip, &session->dump);
	error = error ? error : jc_bench_row_add(&session->all[set][codec], &row);
	if (!error) {
		write_row(session, &row);
	}
	jc_bench_row_finish(&row);
	status = jc_bench_dump_close(&session->dump);
	return error ? report(error, clip->name) : status;
}

static int measure_clip(struct session *session, const struct jc_bench_clip *clip)
{
	int status = JC_EXIT_DONE;

	for (size_t set = 0; set < (clip->fingers ? SETS : 1); set++) {
		for (size_t codec = 0; codec < CODECS && status == JC_EXIT_DONE; codec++) {
			status = measure_row(session, clip, set, codec);
		}
	}
	return status;
}

static int measure_clips(struct session *session, double hz)
{
	int status = JC_EXIT_DONE;

	for (size_t i = 0; i < session->bench->input_count && status == JC_EXIT_DONE; i++) {
		const struct jc_bench_input *input = &session->bench->inputs[i];
		const struct jc_motion *motion = jc_bench_motion(input);
		struct jc_bench_clip clip;

		if (jc_bench_clip_has_rate(motion, hz)) {
			int error = jc_bench_clip_init(&clip, input->name, motion, hz);

			status = error ? report(error, input->name) : measure_clip(session, &clip);
			jc_bench_clip_finish(&clip);
		}
	}
	return status;
}

static int measure_rate(struct session *session, double hz)
{
	int status;

	for (size_t set = 0; set < SETS; set++) {
		for (size_t codec = 0; codec < CODECS; codec++) {
			jc_bench_row_init(
				&session->all[set][codec], codecs[codec], &sets[set], "all", hz);
		}
	}
	status = measure_clips(session, hz);
	for (size_t set = 0; set < SETS; set++) {
		for (size_t codec = 0; codec < CODECS; codec++) {
			struct jc_bench_row *row = &session->all[set][codec];

			if (row->frames > 0 && status == JC_EXIT_DONE) {
				write_row(session, row);
			}
			jc_bench_row_finish(row);
		}
	}
	return status;
}

/* Lists the clips that were captured too slowly for a rate. */
static void write_left_out(struct session *session)
{
	const struct jc_bench *bench = session->bench;

	for (size_t i = 0; i < bench->input_count * RATES; i++) {
		const struct jc_bench_input *input = &bench->inputs[i / RATES];
		const struct jc_motion *motion = jc_bench_motion(input);
		double fps = jc_motion_info(motion)->fps, hz = rates[i % RATES];

		if (jc_bench_clip_has_rate(motion, hz)) {
			continue;
		}
		if (bench->json) {
			jc_json_line(&session->json);
			jc_json_begin_object(&session->json, NULL);
			jc_json_write_string(&session->json, "clip", input->name);
			jc_json_write_double(&session->json, "hz", hz);
			jc_json_write_double(&session->json, "fps", fps);
			jc_json_end_object(&session->json);
		} else {
			printf("left out at %g Hz, captured at %g: ", hz, fps);
			jc_terminal_write(stdout, input->name);
			putchar('\n');
		}
	}
}

static void write_time(struct session *session, const struct jc_bench_codec *codec,
	const struct jc_bench_clip *clip, const struct jc_bench_codec_time *time)
{
	if (session->bench->json) {
		jc_json_line(&session->json);
		jc_json_begin_object(&session->json, NULL);
		jc_json_write_string(&session->json, "codec", codec->name);
		jc_json_write_string(&session->json, "clip", clip->name);
		jc_json_write_integer(&session->json, "bones", JC_BONE_COUNT);
		jc_json_write_double(&session->json, "hz", clip->hz);
		jc_json_write_double(&session->json, "encode_us", time->encode);
		jc_json_write_double(&session->json, "decode_us", time->decode);
		jc_json_end_object(&session->json);
	} else {
		printf("%u bones encoded in %.2f us, decoded in %.2f us: %s\n",
			(unsigned)JC_BONE_COUNT, time->encode, time->decode, codec->name);
	}
}

static int measure_time(struct session *session, const struct jc_bench_codec *codec,
	const struct jc_bench_clip *clip)
{
	const struct jc_bench *bench = session->bench;
	struct jc_bench_codec_time time;
	int status = jc_bench_dump_open(&session->dump, codec->name, clip->name, JC_BONE_COUNT,
		clip->hz, jc_bench_codec_time_frames(clip));
	int error;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	error = jc_bench_codec_time_measure(
		codec, clip, bench->batches, bench->calls, &session->dump, &time);
	status = jc_bench_dump_close(&session->dump);
	if (error) {
		return report(error, clip->name);
	}
	write_time(session, codec, clip, &time);
	return status;
}

/* Measures times with the first clip with moving fingers, or else with the first clip. */
static int measure_times(struct session *session)
{
	const struct jc_bench *bench = session->bench;
	struct jc_bench_clip chosen = { .samples = NULL };
	int status = JC_EXIT_DONE;

	for (size_t i = 0; i < bench->input_count && status == JC_EXIT_DONE; i++) {
		const struct jc_motion *motion = jc_bench_motion(&bench->inputs[i]);
		struct jc_bench_clip clip;
		int error;

		if (!jc_bench_clip_has_rate(motion, rates[0]) || chosen.fingers) {
			continue;
		}
		error = jc_bench_clip_init(&clip, bench->inputs[i].name, motion, rates[0]);
		if (error) {
			status = report(error, bench->inputs[i].name);
		}
		if (!error && clip.count > 1 && (!chosen.samples || clip.fingers)) {
			jc_bench_clip_finish(&chosen);
			chosen = clip;
		} else {
			jc_bench_clip_finish(&clip);
		}
	}
	for (size_t i = 0; i < CODECS && status == JC_EXIT_DONE && chosen.samples; i++) {
		if (codecs[i]->precision >= 0) {
			status = measure_time(session, codecs[i], &chosen);
		}
	}
	jc_bench_clip_finish(&chosen);
	return status;
}

static int check_inputs(const struct jc_bench *bench)
{
	for (size_t i = 0; i < bench->input_count; i++) {
		if (!jc_bench_motion(&bench->inputs[i])) {
			return jc_report(JC_EXIT_INPUT, bench->inputs[i].name, "holds no motion");
		}
	}
	return JC_EXIT_DONE;
}

static int measure_all(struct session *session)
{
	bool as_json = session->bench->json;
	int status = JC_EXIT_DONE;

	if (as_json) {
		jc_json_begin_object(&session->json, NULL);
		jc_json_begin_array(&session->json, "rows");
	} else {
		jc_bench_row_write_heading();
	}
	for (size_t i = 0; i < RATES && status == JC_EXIT_DONE; i++) {
		status = measure_rate(session, rates[i]);
	}
	if (as_json) {
		jc_json_end_array(&session->json);
		jc_json_begin_array(&session->json, "left_out");
	}
	write_left_out(session);
	if (as_json) {
		jc_json_end_array(&session->json);
		jc_json_begin_array(&session->json, "times");
	}
	status = status == JC_EXIT_DONE ? measure_times(session) : status;
	if (as_json) {
		jc_json_end_array(&session->json);
		jc_json_end_object(&session->json);
		putchar('\n');
	}
	return status;
}

int jc_bench_codecs(const struct jc_bench *bench)
{
	struct session *session;
	int status = check_inputs(bench), ended;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	session = calloc(1, sizeof(*session));
	if (!session) {
		return jc_report(JC_EXIT_IO, "bench", "out of memory");
	}
	session->bench = bench;
	jc_json_writer_init(&session->json, stdout);
	status = jc_bench_dump_begin(&session->dump, bench->dump);
	if (status == JC_EXIT_DONE) {
		status = measure_all(session);
	}
	ended = jc_bench_dump_end(&session->dump);
	free(session);
	return status ? status : ended;
}
