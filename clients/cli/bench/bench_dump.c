/* Writes encoded motions to files. Write errors are detected when a file is closed. */
#include "bench/bench_dump.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "error_report.h"

static int report(const struct jc_bench_dump *dump)
{
	return jc_report(JC_EXIT_IO, dump->folder, "cannot be written: %s", strerror(errno));
}

static FILE *open_file(const struct jc_bench_dump *dump, const char *name)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", dump->folder, name) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(path, "wb");
}

/* Closes a file and reports write errors. */
static int close_file(const struct jc_bench_dump *dump, FILE **file)
{
	FILE *closed = *file;

	*file = NULL;
	if (closed) {
		bool failed = ferror(closed) != 0;

		if (fclose(closed) != 0 || failed) {
			return report(dump);
		}
	}
	return JC_EXIT_DONE;
}

int jc_bench_dump_begin(struct jc_bench_dump *dump, const char *folder)
{
	*dump = (struct jc_bench_dump){ .folder = folder };
	if (!folder) {
		return JC_EXIT_DONE;
	}
	if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
		return report(dump);
	}
	dump->index = open_file(dump, "index.json");
	if (!dump->index) {
		return report(dump);
	}
	jc_json_writer_init(&dump->json, dump->index);
	jc_json_begin_object(&dump->json, NULL);
	jc_json_begin_array(&dump->json, "streams");
	return JC_EXIT_DONE;
}

int jc_bench_dump_open(struct jc_bench_dump *dump, const char *codec, const char *clip,
	unsigned bones, double hz, size_t frames)
{
	char packets[32], samples[32];

	if (!dump->folder) {
		return JC_EXIT_DONE;
	}
	snprintf(packets, sizeof(packets), "%zu.packets", dump->count);
	snprintf(samples, sizeof(samples), "%zu.samples", dump->count);
	dump->count++;
	dump->packets = open_file(dump, packets);
	dump->samples = open_file(dump, samples);
	if (!dump->packets || !dump->samples) {
		return report(dump);
	}
	jc_json_line(&dump->json);
	jc_json_begin_object(&dump->json, NULL);
	jc_json_write_string(&dump->json, "codec", codec);
	jc_json_write_string(&dump->json, "clip", clip);
	jc_json_write_integer(&dump->json, "bones", bones);
	jc_json_write_double(&dump->json, "hz", hz);
	jc_json_write_integer(&dump->json, "frames", (long long)frames);
	jc_json_write_string(&dump->json, "packets", packets);
	jc_json_write_string(&dump->json, "samples", samples);
	jc_json_end_object(&dump->json);
	return JC_EXIT_DONE;
}

static void write_u32(FILE *file, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++) {
		putc((int)(value >> 8 * i & 0xff), file);
	}
}

static void write_floats(FILE *file, const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t word;

		memcpy(&word, &values[i], sizeof(word));
		write_u32(file, word);
	}
}

void jc_bench_dump_frame(struct jc_bench_dump *dump, const struct jc_bench_packet *packet,
	const struct jc_bench_sample *sample)
{
	if (!dump->folder) {
		return;
	}
	write_u32(dump->packets, (uint32_t)packet->length);
	fwrite(packet->bytes, 1, packet->length, dump->packets);
	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		const struct jc_quat *q = &sample->rotations[bone];

		write_floats(dump->samples, (const float[]){ q->x, q->y, q->z, q->w }, 4);
	}
	write_floats(dump->samples,
		(const float[]){ sample->hips.x, sample->hips.y, sample->hips.z }, 3);
}

int jc_bench_dump_close(struct jc_bench_dump *dump)
{
	int packets = close_file(dump, &dump->packets);
	int samples = close_file(dump, &dump->samples);

	return packets ? packets : samples;
}

int jc_bench_dump_end(struct jc_bench_dump *dump)
{
	int status = jc_bench_dump_close(dump);

	if (dump->index) {
		jc_json_end_array(&dump->json);
		jc_json_end_object(&dump->json);
		putc('\n', dump->index);
	}
	return close_file(dump, &dump->index) ? JC_EXIT_IO : status;
}
