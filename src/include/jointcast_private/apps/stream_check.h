/* Faults of a stream of motion as a whole, which no single joint shows: other axes,
 * mirrored axes, another scale, a delay, a drift. Each needs evidence for some seconds, so that no
 * posture of a person counts as a fault. tracker_check.h and pose_check.h find the evidence. */
#ifndef JC_PRIVATE_STREAM_CHECK_H
#define JC_PRIVATE_STREAM_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jc_stream_fault {
	JC_STREAM_SOUND,
	JC_STREAM_SCALE,    /* lengths do not fit a person, or this person */
	JC_STREAM_AXES,     /* the body lies along another axis, or rotations do not follow it */
	JC_STREAM_MIRRORED, /* an axis or a side is reversed */
	JC_STREAM_DELAYED,  /* packets are older than JC_STREAM_DELAY_NS when they arrive */
	JC_STREAM_CLOCK,    /* the clock of the sender is faster or slower */
	JC_STREAM_DRIFTS,   /* a part moves away from the body, or the body from its feet */
	JC_STREAM_FAULT_COUNT
};

/* Contents of a stream; the remedy of a fault depends on them. */
enum jc_stream_kind {
	JC_STREAM_TRACKERS, /* places and rotations of trackers in the room */
	JC_STREAM_BONES, /* rotations of bones against their parents, and the place of the hips */
};

#define JC_STREAM_DELAY_NS INT64_C(200000000)

/* One sentence with the remedy: "wrong scale: …"; NULL for JC_STREAM_SOUND. */
const char *jc_stream_fault_text(enum jc_stream_kind kind, enum jc_stream_fault fault);

/* Independent ways to look at a stream; the evidence of one does not weigh against another's. */
#define JC_STREAM_LOOKS 7

/* State of one stream; plain data, all zeros at first. */
struct jc_stream_check {
	int64_t time_ns;                                        /* of the last frame */
	float evidence[JC_STREAM_LOOKS][JC_STREAM_FAULT_COUNT]; /* seconds that speak for a fault */
};

/* Begins a frame; returns the seconds for which it counts. */
float jc_stream_check_step(struct jc_stream_check *check, int64_t time_ns);

/* Seconds for a fault and seconds against it cancel out. */
void jc_stream_check_weigh(struct jc_stream_check *check, unsigned look, enum jc_stream_fault fault,
	bool speaks, float seconds);

/* Weighs all faults: the seconds speak for one, or for none. */
void jc_stream_check_judge(
	struct jc_stream_check *check, unsigned look, enum jc_stream_fault fault, float seconds);

/* The first fault in their order with enough evidence. */
enum jc_stream_fault jc_stream_check_fault(const struct jc_stream_check *check);

#endif
