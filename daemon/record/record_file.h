/* The files of one recording, written by one thread at a time. A new file begins at the
 * limits of time, size, bodies and rosters, and after a failed write; each file is complete in
 * itself. */
#ifndef JC_RECORD_FILE_H
#define JC_RECORD_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "maxima.h"
#include "record/record_queue.h"
#include "record/record_target.h"

/* Functions that write to a disk; tests replace them. */
struct jc_record_disk {
	/* Like write() and fdatasync(). */
	int64_t (*write)(void *context, int descriptor, const void *bytes, size_t length);
	int (*sync)(void *context, int descriptor);
	void *context;
};

extern const struct jc_record_disk jc_record_real_disk;

struct jc_record_file_options {
	struct jc_record_settings settings;
	char space[JC_MAX_SPACE_NAME];
	char name[JC_MAX_SPACE_NAME]; /* start of file names */
	char epoch[24];
	uint32_t hz;
	uint64_t epoch_unix_ns; /* wall clock at server time 0 */
	struct jc_record_disk disk;
};

struct jc_record_file;

int jc_record_file_create(
	const struct jc_record_file_options *options, struct jc_record_file **out_file);

/* Writes a message that jc_recording_format_… made. If the disk refuses it, the message is lost,
 * its captures are counted, and a new file is tried a few seconds later. */
void jc_record_file_write(struct jc_record_file *file, const struct jc_record_entry *entry);

/* Counts captures that were lost before they reached the file. */
void jc_record_file_lose(struct jc_record_file *file, uint64_t captures);

/* Ends the chunk. A crash loses only later messages. */
void jc_record_file_flush(struct jc_record_file *file, int64_t time_us);

/* Ends the file; the next message begins another one. */
void jc_record_file_end(struct jc_record_file *file, int64_t time_us);

/* The state of the files of a recording. */
struct jc_record_report {
	char path[PATH_MAX + 160]; /* of the open file, else the last one; "": none */
	uint64_t bytes;            /* in all files */
	uint64_t lost;             /* captures since the start */
	unsigned ended;            /* files */
	bool is_failing;           /* messages are lost at present */
	char problem[160];         /* the error since the last report; "": none */
};

void jc_record_file_report(struct jc_record_file *file, struct jc_record_report *out_report);

/* Ends the file and frees the writer. */
void jc_record_file_destroy(struct jc_record_file *file); /* NULL is fine */

#endif
