/* Settings of recording: the section `recording` of the configuration and the options of
 * --record. */
#ifndef JC_RECORD_TARGET_H
#define JC_RECORD_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "maxima.h"

/* When written bytes are synchronised to the disk. A crash of the daemon alone never loses
 * written bytes. */
enum jc_record_sync {
	JC_RECORD_SYNC_SECOND, /* once a second; a power failure loses up to one second */
	JC_RECORD_SYNC_CLOSE,  /* at the end of each file */
	JC_RECORD_SYNC_NEVER,  /* when the operating system does it */
};

struct jc_record_settings {
	char folder[PATH_MAX]; /* "": no recording */
	bool raw;              /* records body frames of persons who consent */
	bool scene;            /* bodies for Foxglove beside the captures */
	bool packets;          /* also records the sent packets */
	enum jc_record_sync sync;
	unsigned split_s;     /* maximum seconds per file; 0: no limit */
	uint64_t split_bytes; /* maximum bytes per file; 0: no limit */
	unsigned keep_days;   /* older files are removed; 0: never */
	uint64_t keep_bytes;  /* the oldest files beyond this total are removed; 0: never */
};

#define JC_RECORD_SPLIT_S     3600u
#define JC_RECORD_SPLIT_BYTES (UINT64_C(1) << 30)
#define JC_RECORD_DEFAULTS                                                                         \
	((struct jc_record_settings){ .scene = true,                                               \
		.split_s = JC_RECORD_SPLIT_S,                                                      \
		.split_bytes = JC_RECORD_SPLIT_BYTES })

/* The value of --record: FOLDER[?option&…]. */
struct jc_record_target {
	char space[JC_MAX_SPACE_NAME];
	struct jc_record_settings settings;
};

/* Parses space=NAME (default lobby) and the keys of jc_record_set; other settings come from
 * `defaults`. Returns 0 or JC_ERROR_INVALID with the diagnostic filled. */
int jc_record_target_parse(const char *text, const struct jc_record_settings *defaults,
	struct jc_record_target *out_target, struct jc_diagnostic *diagnostic);

/* Sets one value by its key: split_seconds (10 to 86400, 0 for never), split_bytes (from 64
 * KiB), keep_days, keep_bytes, sync (second, close or never), raw, scene and packets (true or
 * false). JC_ERROR_ABSENT for an unknown key, JC_ERROR_INVALID with the diagnostic filled for an
 * invalid value. */
int jc_record_set(struct jc_record_settings *settings, const char *key, const char *value,
	struct jc_diagnostic *diagnostic);

#endif
