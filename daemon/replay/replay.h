/* A recording that plays in a space: its bodies enter and leave as they did, beside other
 * bodies. It can be paused, sped up, looped and moved to another time; each jump is a cut for
 * every body. See proto/RECORDING.md, "Replay". */
#ifndef JC_REPLAY_H
#define JC_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/replay_file.h"
#include "replay/replay_roster.h"
#include "space/spaces.h"

#define JC_REPLAY_SPEED_LEAST (1.0 / JC_MAX_REPLAY_SPEED)

struct jc_replay;
struct jc_replays;

/* The position and options of a replay. Times are seconds from the beginning of the recording. */
struct jc_replay_state {
	double time;
	double from, until; /* the range to play */
	double speed;
	bool is_paused;
	bool has_ended; /* stands at `until` without looping */
	bool loop;
	int64_t now_ns; /* tick at which the position was `time` */
};

struct jc_replay_options {
	const struct jc_body_names *names; /* copied */
	struct jc_skeleton_asset *asset;   /* skeleton of all bodies; NULL: the recorded ones */
	double from, until, speed;         /* an `until` past the end means the end */
	bool loop, is_paused;
	/* Bodies to leave out; stolen together with the file. NULL: none. */
	struct jc_withdrawals *withdrawals;
};

/* Starts a replay in a space, which owns it; steals the file on success. replays: the list to
 * enter it in, or NULL. Returns 0 or
 * a negative error with the diagnostic filled. */
int jc_replay_create(const struct jc_replay_options *options, struct jc_replay_file *file,
	struct jc_space *space, struct jc_skeleton_table *skeleton_table,
	struct jc_replays *replays, struct jc_replay **out_replay,
	struct jc_diagnostic *diagnostic);

/* Removes the bodies of the replay and destroys it. */
void jc_replay_end(struct jc_replay *replay);

uint32_t jc_replay_id(const struct jc_replay *replay);      /* never used again */
const char *jc_replay_name(const struct jc_replay *replay); /* name of the file */
struct jc_space *jc_replay_space(const struct jc_replay *replay);
double jc_replay_duration(const struct jc_replay *replay); /* seconds of the whole recording */
void jc_replay_state(const struct jc_replay *replay, struct jc_replay_state *out_state);

/* A marker among the events of the recording. */
struct jc_replay_marker {
	double time;
	const char *text; /* borrowed from the recording */
};

size_t jc_replay_marker_count(const struct jc_replay *replay);
struct jc_replay_marker jc_replay_marker(const struct jc_replay *replay, size_t index);

/* Takes effect at the next tick. Resuming at the end restarts the replay. */
void jc_replay_pause(struct jc_replay *replay, bool pause);
void jc_replay_set_speed(struct jc_replay *replay, double speed);
void jc_replay_set_loop(struct jc_replay *replay, bool loop);

/* Moves to a time, clamped to the range. Bodies do not move until the page is read. */
void jc_replay_seek(struct jc_replay *replay, double time);

/* Returns false for an empty range. */
bool jc_replay_set_range(struct jc_replay *replay, double from, double until);

enum jc_replay_change {
	JC_REPLAY_BEGAN,
	JC_REPLAY_CHANGED,
	JC_REPLAY_ENDED, /* no longer in the list */
};

/* The replays of a daemon, in the order in which they began. */
struct jc_replays {
	size_t count;
	struct jc_replay *list[JC_MAX_REPLAYS]; /* borrowed: their spaces own them */
	uint32_t last_id;
	size_t openings; /* motion files that the pool reads */
	/* Called when a replay begins, ends or changes (jump, pause, end of the range), at the
	 * tick of the change; not for normal progress. */
	void (*on_change)(
		void *context, const struct jc_replay *replay, enum jc_replay_change change);
	void *context;
};

struct jc_replay *jc_replays_find(const struct jc_replays *replays, int64_t id); /* or NULL */

#endif
