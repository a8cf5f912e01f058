/* The views of a relayed space at an edge: which ones its subscribers need, and the ticks that run
 * when the frames of all of them are here. Answers the space (space/relay/space_relay.h). Knows
 * neither rosters nor NATS. */
#ifndef JC_RELAYED_VIEWS_H
#define JC_RELAYED_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"
#include "cluster/edge/relayed_view.h"
#include "space/relay/space_relay.h"

struct jc_fanout;

#define JC_MAX_RELAYED_VIEWS 8u                  /* of one space, as many as an origin exports */
#define JC_INTEREST_LASTS_NS INT64_C(6000000000) /* after the last use of a view */
#define JC_FRAMES_AWAITED_NS INT64_C(4000000)    /* after the first frame of a tick */
#define JC_RELAY_COUNTS_US   5000                /* a hop that takes less adds no relay age */

/* A view, and the frame of it that waits for those of other views. */
struct jc_awaited_view {
	struct jc_relayed_view *view; /* owned */
	uint32_t number;              /* unique in the space */
	int64_t used_ns;              /* last use */
	bool has_frame;
	uint32_t tick;
	int64_t sent_ns;  /* by the origin, in the time of this daemon; INT64_MAX: unknown */
	uint8_t *packets; /* owned */
	size_t length;
	uint32_t relay_us; /* of the tick in progress */
	void *link;        /* the owner's */
};

struct jc_relayed_views {
	struct jc_relay relay;    /* first: the space's pointer leads here */
	struct jc_fanout *fanout; /* borrowed; NULL: no epoch has begun */
	/* A subscriber may need other views now. May be NULL. */
	void (*on_subscribed)(struct jc_relayed_views *views);
	/* Before a view is destroyed: ends its link. May be NULL. */
	void (*on_unused)(struct jc_relayed_views *views, struct jc_awaited_view *awaited);
	size_t count;
	struct jc_awaited_view *list[JC_MAX_RELAYED_VIEWS]; /* owned */
	uint32_t last_number;
	bool is_changed;  /* the list, since the owner cleared this */
	bool is_waiting;  /* frames of the next field wait */
	uint32_t waiting; /* tick */
	int64_t since_ns; /* time of the first of them */
	bool has_ticked;
	uint32_t ticked;          /* the newest tick that ran */
	int64_t now_ns;           /* of the call in progress */
	int64_t refused_until_ns; /* no further views until then */
	uint64_t ticks, late,
		repeated; /* ticks that ran, and frames that were not used at their tick */
	uint64_t frames;  /* received */
	uint64_t gaps;    /* in streams of views that have ended */
	/* Borrowed, NULL: none: from the sending of a frame until the bundles of its tick were
	 * written. */
	struct jc_histogram *added;
};

void jc_relayed_views_init(struct jc_relayed_views *views);
void jc_relayed_views_finish(struct jc_relayed_views *views);

/* A new epoch: earlier packets mean nothing. */
void jc_relayed_views_restart(struct jc_relayed_views *views, struct jc_fanout *fanout);

/* The view with that number, or NULL. */
struct jc_awaited_view *jc_relayed_views_find(
	const struct jc_relayed_views *views, uint32_t number);

/* Takes a frame: runs its tick if no other view is due, and earlier ones that wait. is_early: the
 * roster that its packets presuppose is not here, so that only decoders take them. */
struct jc_relayed_frame {
	uint32_t tick;
	int64_t sent_ns; /* see jc_awaited_view */
	bool is_early;
	const uint8_t *packets;
	size_t length;
};

void jc_relayed_views_take(struct jc_relayed_views *views, struct jc_awaited_view *awaited,
	const struct jc_relayed_frame *frame, int64_t now_ns);

/* Runs the tick that waits, if there is one: its time is over, or the roster changes. */
void jc_relayed_views_flush(struct jc_relayed_views *views, int64_t now_ns);

/* Notes which views are in use, and drops those that are not. */
void jc_relayed_views_sweep(struct jc_relayed_views *views, int64_t now_ns);

/* The origin does not export the view at that index: drops it, so that its streams are encoded
 * here. One from which others are encoded stays wanted. */
void jc_relayed_views_refuse(struct jc_relayed_views *views, size_t at, int64_t now_ns);

#endif
