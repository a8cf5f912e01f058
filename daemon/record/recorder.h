/* The recorder of one space: a sink whose messages are written to files on the thread pool.
 * proto/RECORDING.md describes the files. */
#ifndef JC_RECORDER_H
#define JC_RECORDER_H

#include <uv.h>

#include "base/clock.h"
#include "base/log.h"
#include "record/record_file.h"
#include "record/record_target.h"
#include "space/sink.h"
#include "space/space.h"

struct jc_recorder;

struct jc_recorder_options {
	const struct jc_record_settings *settings; /* copied */
	const char *name;                          /* start of file names; copied */
	struct jc_space *space;                    /* the recorded space */
	uv_loop_t *loop;                           /* runs the jobs */
	const struct jc_clock *clock;              /* borrowed, as is log */
	const struct jc_log *log;
	const struct jc_record_disk *disk; /* copied */
	/* Called when the recorder has stopped, or its space was destroyed, and all messages are
	 * written. The recorder may then be destroyed. */
	void (*on_ended)(void *context, struct jc_recorder *recorder);
	void *context;
};

/* Records the space from its next tick on. Returns 0 or JC_ERROR_MEMORY. */
int jc_recorder_create(
	const struct jc_recorder_options *options, struct jc_recorder **out_recorder);

/* Stops recording; collected messages are still written. */
void jc_recorder_stop(struct jc_recorder *recorder);

/* Writes a marker at that time. */
void jc_recorder_mark(struct jc_recorder *recorder, const char *label, int64_t now_ns);

struct jc_recorder_state {
	const char *name;
	struct jc_space *space; /* NULL: stopped */
	const char *path;       /* of the open file, else the last one; "": none yet */
	int64_t begin_ns;       /* creation time of the recorder */
	uint64_t bytes;         /* written */
	uint64_t captures;      /* written */
	uint64_t dropped;       /* lost captures and markers */
	bool is_failing;        /* the last write failed */
};

/* The state at the last job. */
void jc_recorder_report(const struct jc_recorder *recorder, struct jc_recorder_state *out_state);

/* Call after on_ended or after the loop has ended; writes the remaining messages. */
void jc_recorder_destroy(struct jc_recorder *recorder);

#endif
