/* The clock of a sender beside that of this machine: packets that come later and later, and a clock
 * that is faster or slower. Only differences count, because the sender's zero is unknown. */
#ifndef JC_PRIVATE_SENDER_CLOCK_H
#define JC_PRIVATE_SENDER_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "jointcast_private/apps/stream_check.h"

#define JC_SENDER_CLOCK_WINDOWS 4

/* State of one sender; plain data, all zeros at first. */
struct jc_sender_clock {
	bool is_begun;
	int64_t sent_ns, arrived_ns; /* of the last packet */
	int64_t began_ns;            /* arrival of the first packet of this window, */
	int64_t least_ns;            /* and its least way from sending to arrival */
	/* The least ways of complete windows, the newest first. */
	size_t count;
	int64_t ways_ns[JC_SENDER_CLOCK_WINDOWS];
	int64_t shortest_ns; /* of all windows */
};

/* Notes a packet: its time by the sender's clock and its arrival. A time that repeats is ignored; a
 * sender whose clock steps or stands still begins anew. */
void jc_sender_clock_note(struct jc_sender_clock *clock, int64_t sent_ns, int64_t arrived_ns);

/* JC_STREAM_DELAYED, JC_STREAM_CLOCK or JC_STREAM_SOUND, of the complete windows. */
enum jc_stream_fault jc_sender_clock_fault(const struct jc_sender_clock *clock);

/* Seconds since any time that are a time of a sender's clock, less than this. */
#define JC_SENDER_CLOCK_SECONDS 4.0e9

/* Seconds as a time of a sender's clock; INT64_MIN if a float32 of them is too coarse for motion,
 * as it is after a day and a half. */
int64_t jc_sender_clock_ns(float seconds);

#endif
