/* The origin half of a space: its bodies and its tick. Each tick samples every source,
 * retargets the pose to the skeletons in use, and encodes it once for each stream that a view
 * needs. The distribution half sends the packets. */
#ifndef JC_SPACE_H
#define JC_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"
#include "jointcast/packet.h"
#include "maxima.h"
#include "source/source.h"
#include "source/source_totals.h"
#include "space/distribution.h"
#include "space/placement.h"
#include "space/sink.h"
#include "space/skeleton_table.h"
#include "space/stream_table.h"

/* The avatar file that a body wears (proto/AVATARS.md). */
struct jc_worn_avatar {
	char hash[JC_HASH_TEXT]; /* SHA-256 of the file; empty: the body wears none */
	uint64_t bytes;          /* size of the file */
	uint32_t index;          /* of the humanoid in the file */
};

struct jc_body {
	uint32_t id;       /* never used again within an epoch; a new one each time it appears */
	uint32_t first_id; /* of jc_space_enter; the same at each appearance */
	size_t slot;       /* below JC_MAX_BODIES; reused after the body has left */
	char name[JC_MAX_BODY_NAME];     /* unique in the space */
	char display[JC_MAX_BODY_NAME];  /* name shown to people; may be empty */
	char *about;                     /* owned: metadata as JSON; NULL: none */
	struct jc_skeleton_asset *asset; /* in use */
	/* Used; NULL: contacts are not kept on its own skeleton. */
	struct jc_contact_keeper *keeper;
	struct jc_worn_avatar avatar;
	struct jc_placement placement;
	char *entry;             /* owned: its JSON in the last announced roster; or NULL */
	bool is_announced;       /* the roster lists it; earlier packets do not name it */
	bool has_news;           /* its entry differs from the announced one */
	bool has_moved;          /* packets contain its new placement */
	bool jumps;              /* the next packet is a cut */
	struct jc_spot *spot;    /* its spot, borrowed from the arrangement; NULL: none */
	float seat_height;       /* height of the used seat, metres; 0: none */
	struct jc_vec3 position; /* of its hips in the space, at this tick */
	uint8_t priority;        /* 1 on stage, else 0: a higher priority gets detail first */
	uint8_t incarnation;
	bool live;                   /* "live", else "stale" */
	bool leaving;                /* leaves with the next tick */
	bool is_away;                /* waits from the next tick on */
	int64_t fresh_ns;            /* nominal time of its last sample that was not held */
	bool is_hidden, is_muted;    /* set by moderators */
	bool is_bare;                /* its avatar is blocked: the roster does not name it */
	bool is_waiting;             /* its publisher has delivered no motion yet */
	const char *noted_reason;    /* reason of its source in the roster's `waiting` */
	struct jc_source *source;    /* owned */
	unsigned noted_channels;     /* revision of the source's channels in the roster */
	unsigned channels_revision;  /* number of channels in the roster */
	size_t channels;             /* their values: the first values of the source */
	const float *values;         /* values of all channels of the source, for sinks */
	int64_t captured_ns;         /* capture time of the newest pose */
	int64_t written_ns;          /* capture time of the newest pose that `latency` counts */
	struct jc_histogram latency; /* from capture to the socket */
	struct jc_histogram age;     /* of its pose at each tick while it is live */
};

#define JC_LEAVE_AFTER_S 30 /* see comes_and_goes */

struct jc_space_options {
	const char *name;
	uint32_t id;    /* names this epoch in bundles */
	uint64_t epoch; /* names it in the roster */
	uint32_t hz;
	size_t bodies;                        /* maximum at a time; 0: JC_MAX_BODIES */
	int64_t start_ns;                     /* nominal time of tick 0 */
	int64_t start_us;                     /* server time of tick 0 */
	size_t stream_cap;                    /* 0: JC_MAX_STREAMS */
	bool contacts;                        /* kept unless a subscriber switches them off */
	int64_t leave_after_ns;               /* see comes_and_goes; 0: JC_LEAVE_AFTER_S */
	struct jc_distribution *distribution; /* borrowed */
};

struct jc_shared_text;
struct jc_space;

/* Adds and removes bodies over time, as the replay of a recording does. */
struct jc_player;

struct jc_player_ops {
	/* Called before the bodies of a tick are sampled; may add and remove bodies. */
	void (*tick)(struct jc_player *player, struct jc_space *space, uint32_t tick,
		int64_t nominal_ns);
	void (*destroy)(struct jc_player *player);
};

struct jc_player {
	const struct jc_player_ops *ops;
	struct jc_player *next; /* the space's */
};

int jc_space_create(const struct jc_space_options *options, struct jc_space **out_space);
void jc_space_destroy(struct jc_space *space);

/* Options of a new body, which becomes the last of the list. */
struct jc_entry {
	const char *name;    /* truncated and made unique: "Ada (2)" */
	const char *display; /* NULL: none */
	char *about;         /* stolen on success; NULL: none */
	struct jc_skeleton_asset *asset;
	const struct jc_worn_avatar *avatar;  /* copied; NULL: none */
	struct jc_source *source;             /* stolen on success */
	const struct jc_placement *placement; /* NULL: on the next free spot */
	float seat_height;                    /* metres; used with a placement */
};

/* Returns 0 or JC_ERROR_LIMIT. If the source comes and goes, the body waits for it: it counts as
 * one of the bodies of the space and keeps its name, its spot and all that was set for it, but
 * no roster lists it, and no subscriber or sink gets its motion. Each time the source delivers
 * again, the body appears as the last of the list with a new id and new streams. */
int jc_space_enter(struct jc_space *space, const struct jc_entry *entry, uint32_t *out_id);

/* Places the body on the next free spot. */
int jc_space_add(struct jc_space *space, const char *name, struct jc_skeleton_asset *asset,
	struct jc_source *source);

/* The body leaves, and its source is destroyed, before the next tick or the next
 * body that enters. Its id is that of jc_space_enter. May be called at any time, in the middle of
 * a tick too. */
void jc_space_remove(struct jc_space *space, uint32_t first_id);

/* Removes the leaving bodies now. Never from within a tick or an announcement, which walk the
 * list. */
void jc_space_let_leavers_go(struct jc_space *space);

/* Moves the body, with the height of its seat (metres; 0: none). A smooth move is sent in
 * packets and the roster follows; a distance above a metre is always a jump. Does nothing
 * without a change. */
void jc_space_place(struct jc_space *space, uint32_t id, const struct jc_placement *placement,
	float seat_height, bool jumps);

/* Sets display name and metadata; steals about. NULL: unchanged. Does nothing without a change. */
void jc_space_describe(struct jc_space *space, uint32_t id, const char *display, char *about);

/* Puts an avatar (NULL: none) and its skeleton on a body of the roster. With another skeleton the
 * body leaves and enters as another one, with the same name, place and source: its streams begin
 * anew. Returns its id, which is new then. Not from within a tick. */
uint32_t jc_space_wear(struct jc_space *space, uint32_t id, struct jc_skeleton_asset *asset,
	const struct jc_worn_avatar *avatar);

/* Keeps the avatar of a body, which may be waiting, out of the roster, while a moderator blocks it.
 * The id is that of jc_space_enter. Does nothing without a change. */
void jc_space_bare(struct jc_space *space, uint32_t first_id, bool is_bare);

/* The size of an avatar that a body wears and shows; 0: none does. */
uint64_t jc_space_avatar_bytes(const struct jc_space *space, const char *hash);

/* Takes the avatar of that hash off all bodies of the space, waiting ones too; they keep their
 * skeletons. */
void jc_space_undress(struct jc_space *space, const char *hash);

/* Returns the body of that name, which may be waiting, or NULL. */
const struct jc_body *jc_space_named(const struct jc_space *space, const char *name);

/* A hidden body is shown to no subscriber and no sink. A muted body is marked in the roster;
 * its captures are dropped where they arrive. The id is that of jc_space_enter; the body may be
 * waiting. Does nothing without a change. */
void jc_space_moderate(struct jc_space *space, uint32_t first_id, bool is_hidden, bool is_muted);

/* Sets whether views with a budget prefer the body. Does nothing without a change. */
void jc_space_stage(struct jc_space *space, uint32_t id, bool is_on_stage);

/* Sets the consent of the person. Does nothing without a change. */
struct jc_consent {
	bool may_record;     /* consent to recording */
	bool may_record_raw; /* consent to recording as body frames */
	bool may_rebroadcast;
};

void jc_space_consent(struct jc_space *space, uint32_t id, const struct jc_consent *consent);

/* Adds a sink, which receives every body in every tick from now on. Steals it. */
void jc_space_add_sink(struct jc_space *space, struct jc_sink *sink);

/* Sets whether the roster marks the space as recorded. */
void jc_space_set_recorded(struct jc_space *space, bool is_recorded);

/* Removes the sink, which the caller then owns. Not from within a tick. */
void jc_space_remove_sink(struct jc_space *space, struct jc_sink *sink);

/* Applies all pending roster changes, for a space without subscribers: the first subscriber
 * receives a current roster. */
void jc_space_catch_up(struct jc_space *space);

/* The complete roster with the revision of the last announcement, without bodies that were not
 * announced or have left. Drop it after use. NULL without memory. */
struct jc_shared_text *jc_space_roster(struct jc_space *space);

/* Steals the player. Removing destroys it; bodies that it added stay. */
void jc_space_add_player(struct jc_space *space, struct jc_player *player);
void jc_space_remove_player(struct jc_space *space, struct jc_player *player);

/* Returns a stream of a body on a skeleton, created on first use. NULL at the maximum number of
 * streams (reserved ones do not count) or without memory. Release it after use and when the
 * body leaves; an unused stream is dropped with the next tick. */
struct jc_body_stream *jc_space_acquire(struct jc_space *space, const struct jc_body *body,
	struct jc_skeleton_asset *asset, const struct jc_stream_spec *spec, bool is_reserved);
void jc_space_release(struct jc_body_stream *body_stream);

/* Whether a stream of the body has packets as soon as it is acquired; always, but in a relayed
 * space. */
bool jc_space_has(struct jc_space *space, const struct jc_body *body,
	const struct jc_skeleton_asset *asset, const struct jc_stream_spec *spec);
size_t jc_space_stream_count(const struct jc_space *space);

/* Returns the first stream of a body, the head of a list, or NULL. */
const struct jc_body_stream *jc_space_streams(
	const struct jc_space *space, const struct jc_body *body);

/* Restarts every stream of the body with its next packet. */
void jc_space_restart_streams(struct jc_space *space, const struct jc_body *body);

/* Runs a tick; bodies are sampled at its nominal time. */
void jc_space_tick(struct jc_space *space, uint32_t tick);

/* The packets of the last tick were written to a socket: measures latency. */
void jc_space_written(struct jc_space *space, int64_t now_ns);

/* Counters by kind of source, with the bodies that have left. */
void jc_space_tally(
	const struct jc_space *space, struct jc_source_totals out_tallies[JC_SOURCE_KINDS]);

/* Sets the maximum numbers of bodies and streams; existing ones stay. */
void jc_space_limit(struct jc_space *space, size_t bodies, size_t stream_cap);

/* Sets leave_after_ns of the options. */
void jc_space_set_leave_after(struct jc_space *space, int64_t leave_after_ns);

/* Whether the space has no body, waiting ones included, and no player or other reason to stay. */
bool jc_space_is_idle(const struct jc_space *space);

const struct jc_space_options *jc_space_options(const struct jc_space *space);
uint64_t jc_space_revision(const struct jc_space *space); /* of the last announcement */

/* Counts every change of a roster entry, announced or not: recordings use it. */
uint64_t jc_space_changes(const struct jc_space *space);
size_t jc_space_body_count(const struct jc_space *space);
const struct jc_body *jc_space_body(const struct jc_space *space, size_t index);

/* The bodies that wait for their sources. Their ids belong to no body. */
size_t jc_space_waiting_count(const struct jc_space *space);
const struct jc_body *jc_space_waiting(const struct jc_space *space, size_t index);

/* Metres of the body's skeleton for a hips height of its motion: its hips height, and with contacts
 * kept its stride. */
float jc_body_pace(const struct jc_body *body);

/* Whether subscribers and sinks receive the body. */
bool jc_body_is_shown(const struct jc_body *body);

/* Returns the body with that id, or NULL. Leaving and waiting bodies are not found. */
const struct jc_body *jc_space_find(const struct jc_space *space, int64_t id);

#endif
