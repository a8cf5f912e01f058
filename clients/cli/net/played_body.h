/* One body of a recording that is published with its captures as they were recorded. */
#ifndef JC_CLI_PLAYED_BODY_H
#define JC_CLI_PLAYED_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/capture.h"
#include "jointcast/recording.h"
#include "net/link.h"
#include "net/recording_player.h"

enum jc_played_body_state {
	JC_PLAYED_FREE,
	JC_PLAYED_ASKED, /* `publish` was sent */
	JC_PLAYED_OPEN,
	JC_PLAYED_CHANGING, /* `unpublish` was sent; to be published again */
	JC_PLAYED_LEAVING,
};

/* A body of the recording. Its index is its publication number. */
struct jc_played_body {
	enum jc_played_body_state state;
	uint16_t group;
	uint32_t id;
	long long there; /* its id in the daemon */
	const struct jc_recorded_body
		*body;                    /* its newest roster entry in the recording, borrowed */
	struct jc_recorded_body reported; /* its entry as the daemon knows it, borrowed texts */
	int64_t publish_ns, amend_ns,
		place_ns; /* the earliest times for the next messages of these types */
	bool stays;       /* in the roster that is being applied */
	bool cut;         /* the next capture has the cut flag */
	/* The capture and the T-pose that wait to be sent; length 0: none. The T-pose is sent
	 * first. */
	size_t length, rest_length;
	bool is_rest_due;
	uint8_t bytes[JC_CAPTURE_BYTES], rest[JC_CAPTURE_BYTES];
};

/* Publishes the body under that number. */
void jc_played_body_ask(struct jc_played_body *part, const struct jc_play_options *options,
	struct jc_link *link, unsigned number);

/* Ends the publication; `next` is the state until the daemon has answered. */
void jc_played_body_leave(struct jc_played_body *part, struct jc_link *link, unsigned number,
	enum jc_played_body_state next);

/* Sends what has changed since the last message about an open body: its description, its placement.
 * If its captures are of another kind now, it is published again. */
void jc_played_body_update(struct jc_played_body *part, const char *space, struct jc_link *link,
	unsigned number, int64_t now_ns);

/* Keeps a capture until it can be sent: the newest one and the T-pose. Captures that a daemon would
 * refuse are dropped; with only_rests, all captures but T-poses. */
void jc_played_body_take(
	struct jc_played_body *part, const struct jc_recorded_capture *capture, bool only_rests);

/* Sends the next capture with that time, unless another one still waits on the link. Returns
 * whether it sent a capture other than a T-pose. */
bool jc_played_body_send(
	struct jc_played_body *part, struct jc_link *link, unsigned number, int64_t time_us);

#endif
