/* The files of one recording, written by one thread at a time. A new file begins at the
 * limits of time or size, and after a failed write; each file is complete in itself. */
#ifndef JC_RECORD_FILE_H
#define JC_RECORD_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "maxima.h"
#include "record/record_queue.h"
#include "record/record_target.h"

/* How bytes get to a disk; tests have disks of their own. */
struct jc_record_disk {
	/* As write() and fdatasync(). */
	int64_t (*write)(void *context, int descriptor, const void *bytes, size_t length);
	int (*sync)(void *context, int descriptor);
	void *context;
};

extern const struct jc_record_disk jc_record_real_disk;

struct jc_record_file_options {
	struct jc_record_settings settings;
	char space[JC_MAX_SPACE_NAME];
	char name[JC_MAX_SPACE_NAME]; /* that files begin with */
	char epoch[24];
	uint32_t hz;
	uint64_t epoch_unix_ns; /* wall clock at server time 0 */
	struct jc_record_disk disk;
};

struct jc_record_file;

int jc_record_file_create(
	const struct jc_record_file_options *options, struct jc_record_file **out_file);

/* A message, made by jc_recording_format_…. Where the disk does not take it, it is
 * lost, its captures are counted, and a new file is tried a few seconds later. */
void jc_record_file_write(struct jc_record_file *file, const struct jc_record_entry *entry);

/* Captures that were lost before they came here. */
void jc_record_file_lose(struct jc_record_file *file, uint64_t captures);

/* Ends the chunk: what a crash costs is what comes after. */
void jc_record_file_flush(struct jc_record_file *file, int64_t time_us);

/* Ends the file; another message begins the next. */
void jc_record_file_end(struct jc_record_file *file, int64_t time_us);

/* What became of it. */
struct jc_record_report {
	char path[PATH_MAX + 160]; /* of the file that is written, "" for none */
	uint64_t bytes;            /* of all files */
	uint64_t lost;             /* captures, ever */
	unsigned ended;            /* files */
	bool is_failing;           /* nothing is taken now */
	char problem[160];         /* since the last report; "" for none */
};

void jc_record_file_report(struct jc_record_file *file, struct jc_record_report *out_report);

/* Ends the file too. */
void jc_record_file_destroy(struct jc_record_file *file); /* NULL is fine */

#endif
