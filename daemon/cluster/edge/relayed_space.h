/* A space of an origin, served by this edge: follows its roster, policy, sanctions, texts and
 * clock, requests the views that subscribers need, and hands frames to them. proto/CLUSTER.md. */
#ifndef JC_RELAYED_SPACE_H
#define JC_RELAYED_SPACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "cluster/edge/origin_clock.h"
#include "cluster/edge/relayed_people.h"
#include "cluster/edge/relayed_views.h"
#include "cluster/nats_link.h"
#include "cluster/origin_message.h"
#include "cluster/parts.h"
#include "cluster/subjects.h"
#include "space/spaces.h"

struct jc_guest_passes;
struct jc_sanctions;

#define JC_MAX_RELAYED_CHANGES   32u /* that wait for skeletons */
#define JC_MAX_RELAYED_SKELETONS 64u /* being fetched */

/* Of the edge; borrowed by all its spaces. */
struct jc_relayed_context {
	struct jc_nats_link *link;
	struct jc_spaces *spaces;
	struct jc_sanctions *sanctions;
	struct jc_guest_passes *guests; /* NULL: this edge admits none */
	const struct jc_log *log;
	const char *edge;           /* name of this host */
	struct jc_histogram *added; /* of frames (relayed_views.h), of all spaces */
	void *owner;
	/* Frames wait: jc_relayed_space_flush is to be called after JC_FRAMES_AWAITED_NS. */
	void (*on_waiting)(void *owner);
	/* The origin has announced the key of people (space/people/people.h); remote: as `by` of
	 * its ignores. May be NULL. */
	void (*on_people_key)(void *owner, struct jc_fanout *fanout,
		const struct jc_siphash_key *key, const void *remote);
	/* The origin closes the space: all clients have to leave it. */
	void (*on_closed)(void *owner, struct jc_fanout *fanout);
	/* Persons have to leave the space (forwarder.h). */
	void (*on_removed)(void *owner, struct jc_fanout *fanout, const char *who, const char *text,
		bool spares_administrators);
};

enum jc_relayed_silence {
	JC_RELAYED_HEARD,
	JC_RELAYED_STALE, /* nothing for a second: bodies are stale */
	JC_RELAYED_GONE,  /* nothing for longer: bodies have left */
};

/* A skeleton that the origin is asked for. */
struct jc_fetched_skeleton {
	struct jc_relayed_space *space;
	char hash[JC_HASH_TEXT];
	struct jc_skeleton_asset *asset; /* retained; NULL: it is not here yet */
	int64_t asked_ns;
	bool is_asked;
};

struct jc_relayed_space {
	struct jc_relayed_views views;
	const struct jc_relayed_context *context;
	char name[JC_MAX_SPACE_NAME];
	char state_subject[JC_MAX_NATS_SUBJECT], request_subject[JC_MAX_NATS_SUBJECT];
	struct jc_nats_subscription *state_subscription;
	struct jc_parts parts;

	/* The epoch that is being served. */
	bool has_state;
	char incarnation[JC_MAX_INCARNATION];
	uint64_t epoch, revision;
	uint32_t origin_id;      /* id of the space at the origin */
	int64_t origin_start_us; /* origin's server time of tick 0 */
	uint32_t id;             /* id of the space here */
	bool is_closed;

	/* Epoch that the origin claims; if it differs from the one above, the origin has restarted.
	 */
	bool is_claimed;
	char claimed_incarnation[JC_MAX_INCARNATION];
	uint64_t claimed_epoch;

	bool needs_state, is_state_asked, is_probed;
	int64_t state_asked_ns;
	json_t *arrived; /* owned: a state that waits for skeletons; NULL: none */
	size_t change_count;
	json_t *changes[JC_MAX_RELAYED_CHANGES]; /* owned: state changes, in order */
	size_t skeleton_count;
	struct jc_fetched_skeleton *skeletons[JC_MAX_RELAYED_SKELETONS]; /* owned */

	struct jc_relayed_people people;
	struct jc_origin_clock clock;
	bool is_clock_asked, has_clock;
	int64_t clock_asked_ns, clock_sent_us, probed_ns;
	int64_t ahead_us; /* in use */

	int64_t interest_sent_ns;
	bool has_interest; /* a list was sent */
	int64_t heard_ns;  /* last frame, change or announcement */
	bool is_flowing;   /* the last of these was a frame */
	enum jc_relayed_silence silence;
	struct jc_shared_text *replaying; /* held; NULL: none */
	struct jc_space_texts texts;
	uint64_t refused; /* messages with wrong content */
	uint64_t early;   /* frames before their roster */
	uint64_t rejoins; /* requests for rejoin packets */
};

/* Returns 0 or a negative enum jc_error. */
int jc_relayed_space_create(const struct jc_relayed_context *context, const char *name,
	struct jc_relayed_space **out_space);

/* Not while the space of the daemon can tick; NULL is fine. */
void jc_relayed_space_destroy(struct jc_relayed_space *space);

/* The origin that serves the space has announced it. */
void jc_relayed_space_claim(struct jc_relayed_space *space, const struct jc_origin_claim *claim,
	const char *incarnation, int64_t now_ns);

/* The origin leaves. */
void jc_relayed_space_abandon(struct jc_relayed_space *space, int64_t now_ns);

/* To be called about every 20 ms. */
void jc_relayed_space_sweep(struct jc_relayed_space *space, int64_t now_ns);

/* Runs the tick that waits. */
void jc_relayed_space_flush(struct jc_relayed_space *space, int64_t now_ns);

/* Sends all again after the connection to NATS was made anew. */
void jc_relayed_space_connected(struct jc_relayed_space *space);

/* The following functions are for relayed_space.c, relayed_silence.c and relayed_requests.c alone.
 */

/* Without memory the subscribers learn of the change with the next complete roster. change NULL:
 * announces that. */
void jc_relayed_space_announce(struct jc_relayed_space *space, struct jc_shared_text *change);

/* The nominal time of the origin's tick 0, in the time of this daemon. */
int64_t jc_relayed_space_start_ns(const struct jc_relayed_space *space);

void jc_relayed_requests_begin(struct jc_relayed_space *space);
void jc_relayed_requests_sweep(struct jc_relayed_space *space, int64_t now_ns);

/* Sends the origin a request, at most ten times a second: where it is gone, NATS says so at once.
 */
void jc_relayed_requests_probe(struct jc_relayed_space *space, int64_t now_ns);

/* Another process answers from now on, with a clock of its own: requests that wait for the earlier
 * one have no answer. */
void jc_relayed_requests_restart(struct jc_relayed_space *space, int64_t now_ns);
void jc_relayed_requests_end(struct jc_relayed_space *space);

/* Subscribes to new views, and requests what only the origin can make. */
void jc_relayed_requests_follow(struct jc_relayed_space *space, int64_t now_ns);

/* Sends the origin a request, and steals the message (NULL: out of memory). Returns as
 * jc_nats_link_request does. */
int jc_relayed_request(
	struct jc_relayed_space *space, json_t *message, jc_nats_handler *handler, void *context);

/* The answer as JSON, a new reference; NULL: no answer, or a damaged one. */
json_t *jc_relayed_request_answer(const struct jc_nats_message *message);

/* Takes messages of the origin. */
void jc_relayed_space_take_state(struct jc_relayed_space *space, const char *bytes, size_t length);
void jc_relayed_space_take_change(
	struct jc_relayed_space *space, const char *bytes, size_t length, int64_t now_ns);
void jc_relayed_space_heard(struct jc_relayed_space *space, bool is_frame, int64_t now_ns);

/* Applies what waits, as far as its skeletons are here. */
void jc_relayed_space_advance(struct jc_relayed_space *space, int64_t now_ns);

#endif
