/* The position in a recording that plays: delivers captures and rosters, tick by tick. */
#ifndef JC_REPLAY_CURSOR_H
#define JC_REPLAY_CURSOR_H

#include "replay/replay_file.h"
#include "replay/replay_roster.h"

/* The caller fills file, recording and replay_roster, and settles the cursor before it plays. */
struct jc_replay_cursor {
	struct jc_replay_file *file;          /* owned */
	const struct jc_recording *recording; /* the file's */
	struct jc_replay_roster replay_roster;
	size_t page, message; /* next message to deliver */
	size_t roster;        /* next roster to apply */
};

/* Jumps to a time: applies its rosters and delivers the captures shortly before it. Returns
 * false while pages are being read; call again. */
bool jc_replay_cursor_settle(struct jc_replay_cursor *cursor, int64_t target_us);

/* Delivers all messages up to a time. Returns false if a page is missing; *out_edge_us is then
 * its first time. */
bool jc_replay_cursor_play(struct jc_replay_cursor *cursor, int64_t until_us, int64_t *out_edge_us);

/* Reads the next pages ahead. */
void jc_replay_cursor_expect(struct jc_replay_cursor *cursor, size_t count);

#endif
