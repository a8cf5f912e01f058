/* Settings of recording: the section `recording` of the configuration and the options of
 * --record. */
#ifndef JC_RECORD_TARGET_H
#define JC_RECORD_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "maxima.h"

/* When what was written is on the disk: whatever is left to the system, a crash of the
 * daemon alone costs nothing that was written. */
enum jc_record_sync {
	JC_RECORD_SYNC_SECOND, /* once a second: a power cut costs that */
	JC_RECORD_SYNC_CLOSE,  /* when a file is ended */
	JC_RECORD_SYNC_NEVER,  /* as the system likes */
};

struct jc_record_settings {
	char folder[PATH_MAX]; /* "": nowhere */
	bool raw;              /* body frames too, of persons that have agreed */
	bool transforms;       /* foxglove.FrameTransforms beside the captures */
	bool packets;          /* what went out, too, byte for byte */
	enum jc_record_sync sync;
	unsigned split_s;     /* a new file after so many seconds; 0: never */
	uint64_t split_bytes; /* or so many bytes */
	unsigned keep_days;   /* files older than that are removed; 0: never */
	uint64_t keep_bytes;  /* of all files; the oldest are removed beyond; 0: never */
};

#define JC_RECORD_SPLIT_S     3600u
#define JC_RECORD_SPLIT_BYTES (UINT64_C(1) << 30)
#define JC_RECORD_DEFAULTS                                                                         \
	((struct jc_record_settings){                                                              \
		.split_s = JC_RECORD_SPLIT_S, .split_bytes = JC_RECORD_SPLIT_BYTES })

/* The value of --record: FOLDER[?option&…]. */
struct jc_record_target {
	char space[JC_MAX_SPACE_NAME];
	struct jc_record_settings settings;
};

/* Options beside space=NAME (default lobby) have the names of jc_record_set's keys;
 * what is not said is as in `defaults`. Returns 0 or JC_ERROR_INVALID with the
 * diagnostic filled. */
int jc_record_target_parse(const char *text, const struct jc_record_settings *defaults,
	struct jc_record_target *out_target, struct jc_diagnostic *diagnostic);

/* One setting by its name: split_seconds (10 to 86400, 0 for never), split_bytes (from
 * 64 KiB), keep_days, keep_bytes, sync (second, close or never), raw, transforms and packets
 * (true or false). JC_ERROR_ABSENT where there is none of that name, JC_ERROR_INVALID with
 * the diagnostic filled where the value makes no sense. */
int jc_record_set(struct jc_record_settings *settings, const char *key, const char *value,
	struct jc_diagnostic *diagnostic);

#endif
