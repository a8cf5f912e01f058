/* Runs a codec over a clip: encodes, decodes and compares each frame. */
#include "bench/bench_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_accuracy.h"
#include "bench/bench_chain.h"
#include "terminal_text.h"

/* Encoder and decoder states of the sections of one stream. */
struct stream {
	void *states[2];
	struct jc_bench_chain *chain; /* used in place of the states for codings 2 and 3 */
};

static int stream_init(struct stream *stream, const struct jc_bench_row *row)
{
	*stream = (struct stream){ .chain = NULL };
	if (row->codec->precision >= 0) {
		stream->chain = malloc(sizeof(*stream->chain));
		if (!stream->chain) {
			return JC_ERROR_MEMORY;
		}
		jc_bench_chain_init(stream->chain, row->codec, row->set->ranges,
			row->set->range_count, row->hz);
		return JC_OK;
	}
	for (size_t i = 0; i < row->set->range_count; i++) {
		stream->states[i] = calloc(1, row->codec->state_size + 1);
		if (!stream->states[i]) {
			return JC_ERROR_MEMORY;
		}
	}
	return JC_OK;
}

static void stream_finish(struct stream *stream)
{
	free(stream->states[0]);
	free(stream->states[1]);
	free(stream->chain);
}

void jc_bench_row_init(struct jc_bench_row *row, const struct jc_bench_codec *codec,
	const struct jc_bench_set *set, const char *clip, double hz)
{
	*row = (struct jc_bench_row){ .codec = codec, .set = set, .clip = clip, .hz = hz };
}

/* All series of a row, for loops over them. */
#define SERIES_COUNT 10

static void list_series(struct jc_bench_row *row, struct jc_bench_series *out_series[SERIES_COUNT])
{
	struct jc_bench_series *list[SERIES_COUNT] = { &row->rotation_bytes, &row->payload_bytes,
		&row->packet_bytes, &row->errors, &row->ball_errors, &row->end_effectors,
		&row->rejoin_bytes, &row->still_hands_bytes, &row->points, &row->turns };

	memcpy(out_series, list, sizeof(list));
}

void jc_bench_row_finish(struct jc_bench_row *row)
{
	struct jc_bench_series *series[SERIES_COUNT];

	list_series(row, series);
	for (size_t i = 0; i < SERIES_COUNT; i++) {
		jc_bench_series_finish(series[i]);
	}
}

int jc_bench_row_add(struct jc_bench_row *all, const struct jc_bench_row *row)
{
	struct jc_bench_row copy = *row;
	struct jc_bench_series *to[SERIES_COUNT], *from[SERIES_COUNT];
	int error = JC_OK;

	list_series(all, to);
	list_series(&copy, from);
	for (size_t i = 0; i < SERIES_COUNT && !error; i++) {
		error = jc_bench_series_append(to[i], from[i]);
	}
	all->frames += row->frames;
	return error;
}

static int add_all(struct jc_bench_series *series, const double *values, size_t count)
{
	int error = JC_OK;

	for (size_t i = 0; i < count && !error; i++) {
		error = jc_bench_series_add(series, values[i]);
	}
	return error;
}

static int add_ends(struct jc_bench_row *row, const struct jc_bench_sample *sample,
	const struct jc_quat decoded[JC_BONE_COUNT])
{
	struct jc_bench_ends ends = jc_bench_measure_ends(sample->rotations, decoded);
	int error;

	if (row->set->range_count > 1) {
		return add_all(&row->points, ends.fingers, JC_BENCH_FINGERS);
	}
	error = add_all(&row->points, ends.millimetres, JC_BENCH_ENDS);
	return error ? error : add_all(&row->turns, ends.degrees, JC_BENCH_TURNED);
}

static int add_errors(struct jc_bench_row *row, const struct jc_bench_sample *sample,
	const struct jc_quat decoded[JC_BONE_COUNT])
{
	const struct jc_bench_codec *codec = row->codec;
	const struct jc_bench_range *range = row->set->ranges[row->set->range_count - 1];
	int error = JC_OK;

	for (unsigned bone = range->first; bone < range->first + range->count && !error; bone++) {
		double angle = jc_bench_angle(sample->rotations[bone], decoded[bone]);

		if (codec->lacks >> bone & 1) {
			continue;
		}
		error = jc_bench_series_add(&row->errors, angle);
		if (!error && !(codec->hinges >> bone & 1)) {
			error = jc_bench_series_add(&row->ball_errors, angle);
		}
	}
	error = error ? error
		      : jc_bench_series_add(&row->end_effectors,
				jc_bench_end_effectors(sample->rotations, decoded));
	return error ? error : add_ends(row, sample, decoded);
}

/* Adds the hips translation in whole millimetres, as in coding 1. */
static int add_hips(const struct jc_bench_sample *sample, struct jc_bench_packet *packet)
{
	struct jc_skeleton_pose pose = { .hips_translation = sample->hips };
	uint8_t bytes[JC_LIMIT_PACKET_BYTES];
	int written;

	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		pose.rotations[bone].w = 1.0f;
	}
	written = jc_payload_encode(&pose, NULL, bytes, sizeof(bytes));
	return written <= 0 ? written
			    : jc_bench_packet_add(packet, JC_SECTION_HIPS, JC_CODING_MILLIMETRES,
				      bytes + 2, (size_t)written - 2);
}

/* Encodes the sections of one frame. Returns the bytes of the last section and decodes it. */
static int code_sections(struct jc_bench_row *row, struct stream *stream,
	const struct jc_bench_sample *sample, struct jc_bench_packet *packet,
	struct jc_quat decoded[JC_BONE_COUNT])
{
	const struct jc_bench_codec *codec = row->codec;
	uint8_t bytes[JC_BENCH_SECTION_BYTES];
	int written = 0, error = JC_OK;

	memcpy(decoded, sample->rotations, sizeof(sample->rotations));
	for (size_t i = 0; i < row->set->range_count && !error; i++) {
		const struct jc_bench_range *range = row->set->ranges[i];

		written = codec->encode(
			codec, stream->states[i], row->hz, range, sample, bytes, sizeof(bytes));
		if (written < 0) {
			return written;
		}
		if (i + 1 == row->set->range_count) {
			error = codec->decode(
				codec, stream->states[i], range, bytes, (size_t)written, decoded);
			error = error < 0 ? error : JC_OK;
		}
		if (codec->datagrams) {
			packet->length += (size_t)written;
			packet->payload_length = packet->length;
		} else if (!error) {
			error = jc_bench_packet_add(
				packet, range->section, codec->coding, bytes, (size_t)written);
		}
	}
	return error ? error : written;
}

/* Encodes a packet of another project's codec with the hips section of this protocol. Returns the
 * bytes of the rotations. */
static int code_peer(struct jc_bench_row *row, struct stream *stream,
	const struct jc_bench_sample *sample, size_t frame, struct jc_bench_packet *packet,
	struct jc_quat decoded[JC_BONE_COUNT])
{
	int rotations = code_sections(row, stream, sample, packet, decoded);
	int error = rotations < 0 ? rotations : JC_OK;

	if (!error && !row->codec->datagrams) {
		error = add_hips(sample, packet);
		error = error ? error
			      : jc_bench_packet_finish(
					packet, frame, (uint8_t)frame, false, JC_SHAPE_LIST);
	}
	return error ? error : rotations;
}

/* Encodes a packet of coding 2 or 3. Bones that the row does not measure count as exact. */
static int code_chain(struct jc_bench_row *row, struct stream *stream,
	const struct jc_bench_sample *sample, size_t frame, struct jc_bench_packet *packet,
	struct jc_quat decoded[JC_BONE_COUNT])
{
	const struct jc_bench_range *range = row->set->ranges[row->set->range_count - 1];
	struct jc_quat all[JC_BONE_COUNT];
	const uint8_t *section;
	int error = jc_bench_chain_code(stream->chain, sample, frame, packet, all);

	memcpy(decoded, sample->rotations, sizeof(sample->rotations));
	memcpy(decoded + range->first, all + range->first, range->count * sizeof(*all));
	return error ? error
		     : (int)jc_payload_find(packet->shape, packet->payload, packet->payload_length,
			       range->section, &section);
}

static int measure_frame(struct jc_bench_row *row, struct stream *stream,
	const struct jc_bench_clip *clip, size_t frame, struct jc_bench_dump *dump)
{
	const struct jc_bench_sample *sample = &clip->samples[frame];
	struct jc_bench_packet packet = { .length = 0 };
	struct jc_quat decoded[JC_BONE_COUNT];
	int rotations = stream->chain ? code_chain(row, stream, sample, frame, &packet, decoded)
				      : code_peer(row, stream, sample, frame, &packet, decoded);

	if (rotations < 0) {
		return rotations;
	}
	if (stream->chain) {
		jc_bench_dump_frame(dump, &packet, sample);
	}
	if (jc_bench_series_add(&row->rotation_bytes, rotations) ||
		jc_bench_series_add(&row->payload_bytes, (double)packet.payload_length) ||
		jc_bench_series_add(&row->packet_bytes, (double)packet.length)) {
		return JC_ERROR_MEMORY;
	}
	return add_errors(row, sample, decoded);
}

/* Measures, in a stream of its own, the rejoin sections of the body and the cost of hands that hold
 * still. */
static int measure_joining_and_hands(struct jc_bench_row *row, const struct jc_bench_clip *clip)
{
	static const struct jc_bench_range *const both[] = { &jc_bench_body, &jc_bench_hands };
	struct jc_bench_chain chain;
	int error = JC_OK;

	jc_bench_chain_init(&chain, row->codec, both, 2, row->hz);
	for (size_t i = 0; i < clip->count && !error; i++) {
		struct jc_bench_packet packet = { .length = 0 };
		struct jc_bench_sample sample = clip->samples[i];
		struct jc_quat decoded[JC_BONE_COUNT];
		int rejoin = 0;

		memcpy(sample.rotations + JC_SECTION_HANDS_FIRST,
			clip->samples[0].rotations + JC_SECTION_HANDS_FIRST,
			JC_SECTION_HANDS_COUNT * sizeof(struct jc_quat));
		rejoin = jc_bench_chain_rejoin_bytes(&chain, &sample);
		error = rejoin < 0 ? rejoin
				   : jc_bench_chain_code(&chain, &sample, i, &packet, decoded);
		error = error ? error : jc_bench_series_add(&row->rejoin_bytes, rejoin);
		error = error ? error
			      : jc_bench_series_add(&row->still_hands_bytes,
					(double)packet.length - row->packet_bytes.values[i]);
	}
	return error;
}

int jc_bench_row_measure(
	struct jc_bench_row *row, const struct jc_bench_clip *clip, struct jc_bench_dump *dump)
{
	struct stream stream;
	int error = stream_init(&stream, row);

	row->frames = clip->count;
	for (size_t i = 0; i < clip->count && !error; i++) {
		error = measure_frame(row, &stream, clip, i, dump);
	}
	stream_finish(&stream);
	if (!error && row->codec->precision >= 0 && row->set->range_count == 1) {
		error = measure_joining_and_hands(row, clip);
	}
	return error;
}

/* "mean_…", "p99_…" and "max_…" */
static void write_errors(
	struct jc_json_writer *json, const char *what, struct jc_bench_series *series)
{
	const char *const names[] = { "mean", "p99", "max" };
	const double values[] = { jc_bench_series_mean(series),
		jc_bench_series_percentile(series, 0.99), jc_bench_series_max(series) };

	for (size_t i = 0; i < 3; i++) {
		char name[32];

		snprintf(name, sizeof(name), "%s_%s", names[i], what);
		jc_json_write_double(json, name, values[i]);
	}
}

void jc_bench_row_write_json(struct jc_bench_row *row, struct jc_json_writer *json)
{
	double packet = jc_bench_series_mean(&row->packet_bytes);

	jc_json_line(json);
	jc_json_begin_object(json, NULL);
	jc_json_write_string(json, "codec", row->codec->name);
	jc_json_write_string(json, "clip", row->clip);
	jc_json_write_integer(json, "bones", row->set->bones);
	jc_json_write_double(json, "hz", row->hz);
	jc_json_write_integer(json, "frames", (long long)row->frames);
	jc_json_write_double(
		json, "rotation_bytes_mean", jc_bench_series_mean(&row->rotation_bytes));
	jc_json_write_double(
		json, "rotation_bytes_p99", jc_bench_series_percentile(&row->rotation_bytes, 0.99));
	jc_json_write_double(json, "payload_bytes_mean", jc_bench_series_mean(&row->payload_bytes));
	jc_json_write_double(json, "packet_bytes_mean", packet);
	jc_json_write_double(
		json, "packet_bytes_p99", jc_bench_series_percentile(&row->packet_bytes, 0.99));
	jc_json_write_double(json, "packet_kbit_s", packet * row->hz * 0.008);
	jc_json_write_double(json, "max_error_deg", jc_bench_series_max(&row->errors));
	jc_json_write_double(
		json, "p999_error_deg", jc_bench_series_percentile(&row->errors, 0.999));
	jc_json_write_double(json, "max_end_effector_mm", jc_bench_series_max(&row->end_effectors));
	write_errors(json, "end_mm", &row->points);
	if (row->turns.count > 0) {
		write_errors(json, "model_error_deg", &row->turns);
	}
	if (row->codec->hinges && row->ball_errors.count > 0) {
		jc_json_write_double(
			json, "max_ball_error_deg", jc_bench_series_max(&row->ball_errors));
	}
	if (row->rejoin_bytes.count > 0) {
		jc_json_write_double(
			json, "rejoin_bytes_mean", jc_bench_series_mean(&row->rejoin_bytes));
		jc_json_write_double(
			json, "rejoin_bytes_max", jc_bench_series_max(&row->rejoin_bytes));
		jc_json_write_double(json, "still_hands_bytes_mean",
			jc_bench_series_mean(&row->still_hands_bytes));
	}
	jc_json_end_object(json);
}

void jc_bench_row_write_heading(void)
{
	puts("bones  Hz  frames  rotations, B    packet, B       error, degrees    ends, mm\n"
	     "                   mean   p99      mean    p99     most     p99.9    most");
}

void jc_bench_row_write_text(struct jc_bench_row *row)
{
	printf("%5u %3.0f %7zu %6.2f %6.0f  %7.2f %6.0f  %7.4f  %7.4f %8.3f  %s, ", row->set->bones,
		row->hz, row->frames, jc_bench_series_mean(&row->rotation_bytes),
		jc_bench_series_percentile(&row->rotation_bytes, 0.99),
		jc_bench_series_mean(&row->packet_bytes),
		jc_bench_series_percentile(&row->packet_bytes, 0.99),
		jc_bench_series_max(&row->errors), jc_bench_series_percentile(&row->errors, 0.999),
		jc_bench_series_max(&row->end_effectors), row->codec->name);
	jc_terminal_write(stdout, row->clip);
	putchar('\n');
}
