/* Recordings read back: who is in one and when, what somebody said, and what was
 * captured, body by body as motions or page by page in any order. What is where
 * comes from the file's summary, so that an hour opens as fast as a second. */
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

struct jc_recording;

/* input is borrowed as long as the recording lives. JC_ERROR_UNSUPPORTED for an
 * MCAP file of others, JC_ERROR_TRUNCATED for one that was not closed. Once it is
 * open several threads may read it at a time, where input may be. */
int jc_recording_open(const struct jc_mcap_input *input, struct jc_recording **out_recording,
	struct jc_diagnostic *diagnostic);
void jc_recording_close(struct jc_recording *recording);

/* What the first session message says, and what was found. Times of a recording are server time in
 * microseconds throughout, as when it was written. */
struct jc_recording_session {
	const char *library, *space, *epoch; /* "" where it does not say */
	uint32_t tick_hz;                    /* 0: not said */
	unsigned part;
	uint64_t epoch_unix_ns;
	int64_t from_us, until_us; /* of all messages */
	/* Places that cannot be read and were passed over, and the first of them. */
	size_t damage_count;
	struct jc_diagnostic damage;
};

const struct jc_recording_session *jc_recording_session(const struct jc_recording *recording);

/* Of one that tells of no recorded body why: what is damaged in it, JC_ERROR_ABSENT
 * where nothing is; else JC_OK. */
int jc_recording_expect_bodies(
	const struct jc_recording *recording, struct jc_diagnostic *diagnostic);

/* The bodies that are recorded, in the order in which they were first seen; what
 * they borrow the recording owns. */
size_t jc_recording_body_count(const struct jc_recording *recording);
const struct jc_recorded_body *jc_recording_body(
	const struct jc_recording *recording, size_t index);

/* Who was there from time_us on until the next roster of the same group. A file has
 * a group for each space that it tells of; ids belong to one. */
struct jc_recorded_roster {
	int64_t time_us;
	uint16_t group;
	size_t body_count;
	const struct jc_recorded_body *bodies; /* those that are not recorded included */
	/* It says the same as the one before, whose bodies they are; T-poses stand again
	 * beside every roster. */
	bool is_repeated;
};

/* By time. */
size_t jc_recording_roster_count(const struct jc_recording *recording);
const struct jc_recorded_roster *jc_recording_roster(
	const struct jc_recording *recording, size_t index);

struct jc_recorded_event {
	int64_t time_us;
	const char *event, *text;
};

/* By time. */
size_t jc_recording_event_count(const struct jc_recording *recording);
const struct jc_recorded_event *jc_recording_event(
	const struct jc_recording *recording, size_t index);

/* One that bodies wore, by its hash. JC_ERROR_ABSENT where the file has none such. */
int jc_recording_read_skeleton(const struct jc_recording *recording, const char *hash,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic);

/* Pages: the time of a recording in stretches that are read at once, one after
 * another without a gap. Where chunks do not overlap each is one chunk. */
struct jc_recorded_message {
	int64_t time_us;
	uint16_t group;
	const uint8_t *bytes; /* jc_captures_begin */
	size_t length;
};

struct jc_recording_page {
	size_t index;
	size_t bytes;     /* memory that it takes */
	uint8_t *storage; /* what messages point into */
	size_t message_count;
	const struct jc_recorded_message *messages; /* captures, by time */
	/* Where something in it is damaged, it has what was whole before, and this says
	 * what is wrong; else JC_OK. */
	int error;
	struct jc_diagnostic problem;
};

size_t jc_recording_page_count(const struct jc_recording *recording); /* not 0 */

/* The page that an instant falls into; the first or last for one outside. */
size_t jc_recording_page_at(const struct jc_recording *recording, int64_t time_us);

/* Where it begins. */
int64_t jc_recording_page_from(const struct jc_recording *recording, size_t index);

/* Fails for want of memory only. */
int jc_recording_read_page(
	const struct jc_recording *recording, size_t index, struct jc_recording_page **out_page);
void jc_recording_page_destroy(struct jc_recording_page *page); /* NULL is fine */

/* The captures in a message, one after another. */
struct jc_captures {
	uint32_t tick;
	const uint8_t *at, *end;
};

/* False where the message is not of this version. */
bool jc_captures_begin(const void *bytes, size_t length, struct jc_captures *out_captures);

/* False past the last and where the rest is damaged, whose `at` then is not `end`. */
bool jc_captures_next(struct jc_captures *captures, struct jc_recorded_capture *out_capture);

/* The packets in a message, likewise. */
struct jc_packets {
	uint32_t tick;
	const uint8_t *at, *end;
};

bool jc_packets_begin(const void *bytes, size_t length, struct jc_packets *out_packets);
bool jc_packets_next(struct jc_packets *packets, struct jc_recorded_packet *out_packet);

/* All that was recorded of a body as a motion, from its first capture on.
 * JC_ERROR_ABSENT where index is past the last body; JC_ERROR_INVALID where nothing
 * of it is there. */
int jc_recording_read_body(const struct jc_recording *recording, size_t index,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

struct jc_recorded_motion {
	int error;                /* JC_OK: it has a motion */
	struct jc_motion *motion; /* the caller's */
	struct jc_lint lint;
	struct jc_diagnostic fault;
};

/* The first `count` bodies at once: the file is gone through once. Returns an error
 * where none of them can be read, and there is nothing to let go of. */
int jc_recording_read_bodies(const struct jc_recording *recording, size_t count,
	struct jc_recorded_motion *out_motions, struct jc_diagnostic *diagnostic);

/* jc_motion_read, recordings included: there index chooses the body. */
int jc_recording_read_motion(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
