/* The files of one space's recording, written by one thread at a time: a new one
 * when the old one is long or large enough, each complete in itself, and again
 * after the disk would take no more. */
#ifndef JC_RECORD_FILE_H
#define JC_RECORD_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "jointcast/recording.h"
#include "maxima.h"

struct jc_record_file_options {
	char folder[PATH_MAX];
	char space[JC_MAX_SPACE_NAME];
	char epoch[24];
	uint32_t hz;
	uint64_t epoch_unix_ns; /* wall clock at server time 0 */
	unsigned split_s;       /* seconds; 0: never */
};

struct jc_record_file;

int jc_record_file_create(
	const struct jc_record_file_options *options, struct jc_record_file **out_file);

/* A message, made by jc_recording_format_…. Skeletons and the last roster are kept
 * for files to come. Where the disk does not take it, it is lost and counted, and
 * a new file is tried a few seconds later. */
void jc_record_file_write(struct jc_record_file *file, enum jc_recording_topic topic,
	int64_t time_us, const void *bytes, size_t length);

/* Captures that were lost before they came here. */
void jc_record_file_lose(struct jc_record_file *file, uint64_t captures);

/* Ends the chunk, so that everything so far is on the disk: what a crash costs is
 * what comes after. */
void jc_record_file_sync(struct jc_record_file *file, int64_t time_us);

/* What became of it, for a log: what went wrong since the last call, once, else an
 * empty text; and the file that is written, or an empty path. */
void jc_record_file_report(struct jc_record_file *file, char out_problem[160]);
const char *jc_record_file_path(const struct jc_record_file *file);

/* Ends the file. */
void jc_record_file_destroy(struct jc_record_file *file);

#endif
