/* One line of the result: what a codec made of a clip, or of all clips. */
#ifndef JC_CLI_BENCH_ROW_H
#define JC_CLI_BENCH_ROW_H

#include "bench/bench_codec.h"
#include "bench/bench_dump.h"
#include "bench/bench_statistics.h"
#include "report/json_writer.h"

/* Which rotations a row is about: those of the last section. The packet has the
 * others too, and the hips translation. */
struct jc_bench_set {
	unsigned bones;
	size_t range_count;
	const struct jc_bench_range *ranges[2];
};

struct jc_bench_row {
	const struct jc_bench_codec *codec; /* borrowed, as are set and clip */
	const struct jc_bench_set *set;
	const char *clip;
	double hz;
	size_t frames;
	struct jc_bench_series rotation_bytes, payload_bytes, packet_bytes;
	struct jc_bench_series errors;        /* degrees, of every bone in every frame */
	struct jc_bench_series ball_errors;   /* of those that are no hinges to the codec */
	struct jc_bench_series end_effectors; /* mm */
	/* Of chains: rejoin sections at every frame, and what hands cost that are
	 * there and hold still. */
	struct jc_bench_series rejoin_bytes, still_hands_bytes;
};

/* Starts empty: the row of all clips, to which others are added. */
void jc_bench_row_init(struct jc_bench_row *row, const struct jc_bench_codec *codec,
	const struct jc_bench_set *set, const char *clip, double hz);
void jc_bench_row_finish(struct jc_bench_row *row);

/* Runs the codec over the clip. JC_OK or a negative error. dump gets chains. */
int jc_bench_row_measure(
	struct jc_bench_row *row, const struct jc_bench_clip *clip, struct jc_bench_dump *dump);
int jc_bench_row_add(struct jc_bench_row *all, const struct jc_bench_row *row);

/* To standard output. */
void jc_bench_row_write_json(struct jc_bench_row *row, struct jc_json_writer *json);
void jc_bench_row_write_heading(void);
void jc_bench_row_write_text(struct jc_bench_row *row);

#endif
