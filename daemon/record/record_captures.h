/* The captures of one tick and the T-poses of bodies as messages for a recording. */
#ifndef JC_RECORD_CAPTURES_H
#define JC_RECORD_CAPTURES_H

#include "base/clock.h"
#include "record/record_queue.h"
#include "record/record_roster.h"
#include "space/space.h"

struct jc_record_captures;

/* The clock is borrowed. Returns 0 or JC_ERROR_MEMORY. */
int jc_record_captures_create(
	const struct jc_clock *clock, struct jc_record_captures **out_captures);
void jc_record_captures_destroy(struct jc_record_captures *captures); /* NULL is fine */

/* What of a body went into this sample, as far as it is recorded. */
void jc_record_captures_take(struct jc_record_captures *captures,
	const struct jc_record_roster *roster, const struct jc_body *body,
	const struct jc_source_sample *sample);

/* The tick is over: what was taken goes to the queue, in one message. Returns how many
 * captures found room; the queue counts the others as lost. */
size_t jc_record_captures_put(struct jc_record_captures *captures, uint32_t tick, int64_t time_us,
	struct jc_record_queue *queue);

/* How many were taken. */
size_t jc_record_captures_count(const struct jc_record_captures *captures);

/* The T-poses of whose body frames are recorded: every file begins with them. */
void jc_record_captures_put_rests(struct jc_record_captures *captures,
	const struct jc_record_roster *roster, const struct jc_space *space, uint32_t tick,
	int64_t time_us, struct jc_record_queue *queue);

#endif
