/* A recorded body as a source. Its captures take the path of live captures, in the time of
 * the recording, so that the speed of a replay does not change the poses. */
#ifndef JC_REPLAY_BODY_H
#define JC_REPLAY_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/recording.h"
#include "source/source.h"

/* Where a replay is. */
struct jc_replay_moment {
	int64_t position_ns; /* server time of the recording */
	int64_t now_ns;      /* when that is: CLOCK_MONOTONIC */
	double speed;
	bool has_ended; /* nothing more will come */
};

/* The body is borrowed for the call. Returns 0 or JC_ERROR_MEMORY. */
int jc_replay_body_create(const struct jc_recorded_body *body, struct jc_source **out_source);

/* A later roster tells otherwise of it. False where that takes another source. */
bool jc_replay_body_change(struct jc_source *source, const struct jc_recorded_body *body);

/* A capture of it, and that a tick of the recording is past, at that time. */
void jc_replay_body_put(struct jc_source *source, const uint8_t *bytes, size_t length);
void jc_replay_body_pass(struct jc_source *source, int64_t time_us);

/* It jumps in time: what comes next has nothing to do with what came before. */
void jc_replay_body_reset(struct jc_source *source);

/* From now on it is sampled there. */
void jc_replay_body_move(struct jc_source *source, const struct jc_replay_moment *moment);

#endif
