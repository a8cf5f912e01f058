/* One body of a recording that is published: its captures, as they were recorded. */
#ifndef JC_CLI_PLAYED_BODY_H
#define JC_CLI_PLAYED_BODY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "jointcast/capture.h"
#include "jointcast/recording.h"
#include "net/link.h"
#include "net/recording_player.h"

enum jc_played_body_state {
	JC_PLAYED_FREE,
	JC_PLAYED_ASKED, /* to be published */
	JC_PLAYED_OPEN,
	JC_PLAYED_CHANGING, /* leaves, to be published anew */
	JC_PLAYED_LEAVING,
};

/* A body that is there, by the number of its publication. */
struct jc_played_body {
	enum jc_played_body_state state;
	uint16_t group;
	uint32_t id;
	long long there;                        /* its id in the daemon */
	const struct jc_recorded_body *body;    /* as it is by the newest roster, borrowed */
	struct jc_recorded_body told;           /* as the daemon knows it, borrowed too */
	int64_t publish_ns, amend_ns, place_ns; /* of them so many were said */
	bool stays;                             /* of the roster that is applied */
	bool cut;                               /* the next capture is one */
	/* What waits for its turn; a length of 0: nothing does. The T-pose goes first. */
	size_t length, rest_length;
	bool is_rest_due;
	uint8_t bytes[JC_CAPTURE_BYTES], rest[JC_CAPTURE_BYTES];
};

/* Asks for the body as it is now to be published under that number. */
void jc_played_body_ask(struct jc_played_body *part, const struct jc_play_options *options,
	struct jc_link *link, unsigned number);

/* Ends the publication; the next state is the one given. */
void jc_played_body_leave(struct jc_played_body *part, struct jc_link *link, unsigned number,
	enum jc_played_body_state next);

/* Tells the daemon what became of an open one since it was told last: what people read
 * of it, where it stands; where its captures are of another kind it leaves, to be asked
 * for again. */
void jc_played_body_update(struct jc_played_body *part, const char *space, struct jc_link *link,
	unsigned number, int64_t now_ns);

/* Keeps a capture until it is its turn: the newest, and the T-pose. What a daemon would
 * not take of this body is left out, as is all but T-poses where only those are wanted. */
void jc_played_body_take(
	struct jc_played_body *part, const struct jc_recorded_capture *capture, bool only_rests);

/* Sends what is next, as of that time, unless something is still on its way; true where
 * that was a capture. */
bool jc_played_body_send(
	struct jc_played_body *part, struct jc_link *link, unsigned number, int64_t time_us);

#endif
