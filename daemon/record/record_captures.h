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

/* Adds the captures of a body in this sample, in the form in which the body is recorded. */
void jc_record_captures_take(struct jc_record_captures *captures,
	const struct jc_record_roster *roster, const struct jc_body *body,
	const struct jc_source_sample *sample);

/* Ends the tick: puts its captures into the queue as one message. Returns how many captures
 * found room; the queue counts the others as lost. */
size_t jc_record_captures_put(struct jc_record_captures *captures, uint32_t tick, int64_t time_us,
	struct jc_record_queue *queue);

/* Number of captures in the tick in progress. */
size_t jc_record_captures_count(const struct jc_record_captures *captures);

/* Queues the T-poses of all bodies whose body frames are recorded: each file begins with them. */
void jc_record_captures_put_rests(struct jc_record_captures *captures,
	const struct jc_record_roster *roster, const struct jc_space *space, uint32_t tick,
	int64_t time_us, struct jc_record_queue *queue);

#endif
