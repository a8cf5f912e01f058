/* The position in a recording that plays: delivers captures and rosters, tick by tick. */
#ifndef JC_REPLAY_CURSOR_H
#define JC_REPLAY_CURSOR_H

#include "replay/replay_file.h"
#include "replay/replay_roster.h"

/* The caller fills file, recording and cast, and settles it before it plays. */
struct jc_replay_cursor {
	struct jc_replay_file *file;          /* owned */
	const struct jc_recording *recording; /* the file's */
	struct jc_replay_roster replay_roster;
	size_t page, message; /* what is delivered next */
	size_t roster;        /* likewise */
};

/* Jumps: bodies are those of that instant and stand as what was captured shortly before
 * has them. Delivers up to there and not beyond. False while the disk has not answered
 * yet: to be tried again. */
bool jc_replay_cursor_settle(struct jc_replay_cursor *cursor, int64_t target_us);

/* Delivers up to an instant. False where the disk is behind, and from when on. */
bool jc_replay_cursor_play(struct jc_replay_cursor *cursor, int64_t until_us, int64_t *out_edge_us);

/* The next pages will be needed soon. */
void jc_replay_cursor_expect(struct jc_replay_cursor *cursor, size_t count);

#endif
