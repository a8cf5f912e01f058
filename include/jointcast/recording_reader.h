/* Reads recordings: rosters, events, and captures of each body as a motion or page by page. Offsets
 * come from the file's summary, so that the time to open a file does not depend on its length. */
#ifndef JOINTCAST_RECORDING_READER_H
#define JOINTCAST_RECORDING_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "gltf.h"
#include "lint.h"
#include "mcap.h"
#include "motion.h"
#include "recording.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

struct jc_recording;

/* input is borrowed for the lifetime of the recording. JC_ERROR_UNSUPPORTED for an MCAP file of
 * another program, JC_ERROR_TRUNCATED for a file that was not closed. Several threads may read an
 * open recording at the same time if the input allows it. */
int jc_recording_open(const struct jc_mcap_input *input, struct jc_recording **out_recording,
	struct jc_diagnostic *diagnostic);
void jc_recording_close(struct jc_recording *recording);

/* The first session message, and the state of the file. All times are server time of the recording
 * in microseconds. */
struct jc_recording_session {
	const char *library, *space, *epoch; /* "" if absent */
	uint32_t tick_hz;                    /* 0: unknown */
	unsigned part;                       /* of a recording in several files, from 0 */
	uint64_t epoch_unix_ns;              /* Unix time of server time 0 */
	int64_t from_us, until_us;           /* of all messages */
	/* Number of damaged places that were skipped, and a description of the first. */
	size_t damage_count;
	struct jc_diagnostic damage;
};

/* The session of a recording, owned by it. */
const struct jc_recording_session *jc_recording_session(const struct jc_recording *recording);

/* JC_OK if the recording has a recorded body. Otherwise the error of the damage, or
 * JC_ERROR_ABSENT if nothing is damaged. */
int jc_recording_expect_bodies(
	const struct jc_recording *recording, struct jc_diagnostic *diagnostic);

/* The recorded bodies in order of first appearance; the recording owns their pointers. */
size_t jc_recording_body_count(const struct jc_recording *recording);
const struct jc_recorded_body *jc_recording_body(
	const struct jc_recording *recording, size_t index);

/* The bodies present from time_us until the next roster of the same group. A file has a group for
 * each space; body ids are unique within a group. */
struct jc_recorded_roster {
	int64_t time_us;                       /* from when on */
	uint16_t group;                        /* of its space, from 0 */
	size_t body_count;                     /* of the next field */
	const struct jc_recorded_body *bodies; /* including bodies that are not recorded */
	/* Equal to the previous roster and shares its bodies. Every roster is followed by the
	 * T-poses of the bodies. */
	bool is_repeated;
};

/* In order of time. */
size_t jc_recording_roster_count(const struct jc_recording *recording);
const struct jc_recorded_roster *jc_recording_roster(
	const struct jc_recording *recording, size_t index);

/* Something that happened during the recording. */
struct jc_recorded_event {
	int64_t time_us;          /* when */
	const char *event, *text; /* jc_recording_write_event; "" if absent */
};

/* In order of time. */
size_t jc_recording_event_count(const struct jc_recording *recording);
const struct jc_recorded_event *jc_recording_event(
	const struct jc_recording *recording, size_t index);

/* Reads a skeleton by its hash; JC_ERROR_ABSENT if the file does not contain it. */
int jc_recording_read_skeleton(const struct jc_recording *recording, const char *hash,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic);

/* The captures of one tick. */
struct jc_recorded_message {
	int64_t time_us;      /* of the tick */
	uint16_t group;       /* of its space, as in rosters */
	const uint8_t *bytes; /* jc_captures_begin */
	size_t length;        /* bytes */
};

/* A time range of a recording, read at once; pages follow one another. If chunks do not overlap,
 * each page is one chunk. */
struct jc_recording_page {
	size_t index;                               /* from 0 */
	size_t bytes;                               /* memory of the page */
	uint8_t *storage;                           /* messages point into it */
	size_t message_count;                       /* of the next field */
	const struct jc_recorded_message *messages; /* captures, by time */
	/* JC_OK, or the error if the page is damaged; messages then holds the intact ones before
	 * the damage. */
	int error;
	struct jc_diagnostic problem;
};

size_t jc_recording_page_count(const struct jc_recording *recording); /* at least 1 */

/* The page that contains time_us; the first or last page for a time outside. */
size_t jc_recording_page_at(const struct jc_recording *recording, int64_t time_us);

/* Start time of a page. */
int64_t jc_recording_page_from(const struct jc_recording *recording, size_t index);

/* JC_OK or JC_ERROR_MEMORY; damage is reported in the page. */
int jc_recording_read_page(
	const struct jc_recording *recording, size_t index, struct jc_recording_page **out_page);
void jc_recording_page_destroy(struct jc_recording_page *page); /* NULL is fine */

/* Iterates over the captures in a message. */
struct jc_captures {
	uint32_t tick;           /* of all captures */
	const uint8_t *at, *end; /* the rest of the message */
};

/* False if the message has another version. */
bool jc_captures_begin(const void *bytes, size_t length, struct jc_captures *out_captures);

/* False past the last capture; also at damage, `at` is then not `end`. */
bool jc_captures_next(struct jc_captures *captures, struct jc_recorded_capture *out_capture);

/* Iterates over the packets in a message. */
struct jc_packets {
	uint32_t tick;           /* of all packets */
	const uint8_t *at, *end; /* the rest of the message */
};

/* Results like those of jc_captures_begin and jc_captures_next. */
bool jc_packets_begin(const void *bytes, size_t length, struct jc_packets *out_packets);
bool jc_packets_next(struct jc_packets *packets, struct jc_recorded_packet *out_packet);

/* Reads all captures of a body as a motion that starts at its first capture. JC_ERROR_ABSENT if
 * index is past the last body; JC_ERROR_INVALID if it has no capture. */
int jc_recording_read_body(const struct jc_recording *recording, size_t index,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* A body of a recording as a motion, or the error. */
struct jc_recorded_motion {
	int error;                  /* JC_OK: motion is set */
	struct jc_motion *motion;   /* owned by the caller */
	struct jc_lint lint;        /* findings about the body */
	struct jc_diagnostic fault; /* set with error */
};

/* Reads the first `count` bodies in one pass over the file. Returns an error if none of them can be
 * read; no motion is then set. */
int jc_recording_read_bodies(const struct jc_recording *recording, size_t count,
	struct jc_recorded_motion *out_motions, struct jc_diagnostic *diagnostic);

/* Like jc_motion_read, and also reads recordings; index then selects the body. */
int jc_recording_read_motion(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
