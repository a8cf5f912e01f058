/* A recorded body as a source. Its captures take the path of live captures, in the time of
 * the recording, so that the speed of a replay does not change the poses. */
#ifndef JC_REPLAY_BODY_H
#define JC_REPLAY_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/recording.h"
#include "source/source.h"

/* The position of a replay at a tick. */
struct jc_replay_position {
	int64_t position_ns; /* server time of the recording */
	int64_t now_ns;      /* CLOCK_MONOTONIC at that position */
	double speed;
	bool has_ended; /* no more captures follow */
};

/* The body is borrowed for the call. Returns 0 or JC_ERROR_MEMORY. */
int jc_replay_body_create(const struct jc_recorded_body *body, struct jc_source **out_source);

/* Applies a later roster entry. Returns false if the change needs a new source. */
bool jc_replay_body_change(struct jc_source *source, const struct jc_recorded_body *body);

/* Takes a capture; ends a tick of the recording at that time. */
void jc_replay_body_put(struct jc_source *source, const uint8_t *bytes, size_t length);
void jc_replay_body_pass(struct jc_source *source, int64_t time_us);

/* The replay jumps in time: later captures do not continue earlier ones. */
void jc_replay_body_reset(struct jc_source *source);

/* Sets the position of the next sample. */
void jc_replay_body_move(struct jc_source *source, const struct jc_replay_position *position);

#endif
