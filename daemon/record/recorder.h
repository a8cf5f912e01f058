/* The recorder of one space: a sink whose messages are written to files on the thread pool.
 * proto/RECORDING.md describes the files. */
#ifndef JC_RECORDER_H
#define JC_RECORDER_H

#include <uv.h>

#include "base/clock.h"
#include "base/log.h"
#include "maxima.h"
#include "record/record_file.h"
#include "record/record_target.h"
#include "space/sink.h"
#include "space/space.h"

struct jc_recorder;

struct jc_recorder_options {
	const struct jc_record_settings *settings; /* copied */
	const char *name;                          /* that files begin with, likewise */
	struct jc_space *space;                    /* that is recorded */
	uv_loop_t *loop;                           /* whose pool writes */
	const struct jc_clock *clock;              /* borrowed, as is log */
	const struct jc_log *log;
	const struct jc_record_disk *disk; /* copied */
	/* It was stopped, or its space is gone, and all is written: it may be
	 * destroyed now. */
	void (*on_ended)(void *context, struct jc_recorder *recorder);
	void *context;
};

/* Records the space from its next tick on. Returns 0 or JC_ERROR_MEMORY. */
int jc_recorder_create(
	const struct jc_recorder_options *options, struct jc_recorder **out_recorder);

/* Nothing more is recorded; what there is gets written. */
void jc_recorder_stop(struct jc_recorder *recorder);

/* Somebody says something: it stands in the recording at that time. */
void jc_recorder_mark(struct jc_recorder *recorder, const char *label, int64_t now_ns);

struct jc_recorder_state {
	const char *name;
	struct jc_space *space; /* NULL: it is stopped */
	const char *path;       /* of the file that is written, "" for none yet */
	int64_t begin_ns;       /* when it was created */
	uint64_t bytes;         /* written so far, */
	uint64_t captures;      /* of so many */
	uint64_t dropped;       /* that a disk did not take, or not in time */
	bool is_failing;        /* nothing is taken now */
};

/* As of the last half second. */
void jc_recorder_report(const struct jc_recorder *recorder, struct jc_recorder_state *out_state);

/* After it has ended, or when its loop runs no more: what is left is written then. */
void jc_recorder_destroy(struct jc_recorder *recorder);

#endif
