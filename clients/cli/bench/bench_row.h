/* One row of the result: a codec with one clip, or with all clips. */
#ifndef JC_CLI_BENCH_ROW_H
#define JC_CLI_BENCH_ROW_H

#include "bench/bench_codec.h"
#include "bench/bench_dump.h"
#include "bench/bench_statistics.h"
#include "report/json_writer.h"

/* The rotations of a row are those of the last section. The packet also has the other sections and
 * the hips translation. */
struct jc_bench_set {
	unsigned bones;
	size_t range_count;
	const struct jc_bench_range *ranges[2];
};

struct jc_bench_row {
	const struct jc_bench_codec *codec; /* borrowed, like set and clip */
	const struct jc_bench_set *set;
	const char *clip;
	double hz;
	size_t frames;
	struct jc_bench_series rotation_bytes, payload_bytes, packet_bytes;
	struct jc_bench_series errors;        /* degrees, of every bone in every frame */
	struct jc_bench_series ball_errors;   /* of bones that are not hinges in the codec */
	struct jc_bench_series end_effectors; /* mm, the largest of a frame */
	struct jc_bench_series points; /* mm, of head, hands, feet and toes, or of the fingers */
	struct jc_bench_series turns;  /* degrees in model space, of head, hands and feet */
	/* Of codings 2 and 3: rejoin sections at every frame, and the extra bytes of hands that
	 * hold still. */
	struct jc_bench_series rejoin_bytes, still_hands_bytes;
};

/* Starts an empty row, such as the one for all clips, to which others are added. */
void jc_bench_row_init(struct jc_bench_row *row, const struct jc_bench_codec *codec,
	const struct jc_bench_set *set, const char *clip, double hz);
void jc_bench_row_finish(struct jc_bench_row *row);

/* Runs the codec over the clip. Frames of codings 2 and 3 are written to the dump. JC_OK or a
 * negative error. */
int jc_bench_row_measure(
	struct jc_bench_row *row, const struct jc_bench_clip *clip, struct jc_bench_dump *dump);
int jc_bench_row_add(struct jc_bench_row *all, const struct jc_bench_row *row);

/* Print to standard output. */
void jc_bench_row_write_json(struct jc_bench_row *row, struct jc_json_writer *json);
void jc_bench_row_write_heading(void);
void jc_bench_row_write_text(struct jc_bench_row *row);

#endif
