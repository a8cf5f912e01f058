/* The distribution half of a space: one view per subscriber, and the same bytes for all with
 * equal options. Motion is never queued: a subscriber that cannot accept a bundle misses it, and
 * continues with a rejoin packet. */
#ifndef JC_FANOUT_H
#define JC_FANOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "space/ack_credit.h"
#include "space/distribution.h"
#include "space/ignores.h"
#include "space/private_view.h"
#include "space/roster.h"
#include "space/shared_view.h"
#include "space/space.h"
#include "space/space_policy.h"

enum jc_delivery {
	JC_DELIVERED,
	JC_CHOKED, /* still busy with what it has; nothing was taken */
};

struct jc_rewind_buffer;
struct jc_subscriber;
struct jc_view;

struct jc_subscriber_ops {
	/* Whether it would take a bundle now. */
	bool (*is_ready)(const struct jc_subscriber *subscriber);
	/* Takes the bytes now or not at all. */
	enum jc_delivery (*bundle)(struct jc_subscriber *subscriber, uint8_t *bytes, size_t length);
	/* None of the following joins, leaves or changes a view: the caller walks its list. */
	/* The roster changed. */
	void (*roster_changed)(struct jc_subscriber *subscriber, struct jc_view *view,
		const struct jc_announcement *announcement);
	/* Bodies come to it in another way from the next bundle on. */
	void (*shown)(struct jc_subscriber *subscriber, struct jc_view *view,
		const struct jc_shown *shown, size_t count);
};

struct jc_subscriber {
	const struct jc_subscriber_ops *ops;
	uint64_t party;                  /* who it is, for who ignores it */
	size_t ignoring;                 /* how many it ignores, in all spaces */
	const struct jc_view *last_view; /* of the last bundle */
};

/* What one subscriber sees of one space. In the subscriber's memory. */
struct jc_view {
	struct jc_fanout *fanout; /* NULL: not joined */
	/* Of those with the same variant, of those with none, or of the personal ones. */
	struct jc_view *next, **at;
	struct jc_subscriber *subscriber; /* borrowed */
	/* Where its bundles come from; neither: there are none. Roster changes come
	 * regardless. */
	struct jc_shared_view *shared_view;   /* all get the same */
	struct jc_private_view *private_view; /* owned: it alone */
	bool is_reported;                     /* it got one; */
	uint32_t sent_at;                     /* the tick of the last */
	bool missed_cut;                      /* a cut was in a bundle it did not get */
	bool is_behind;                       /* it lacks the state that the next packets need */
	bool asked;                           /* for a rejoin */
	uint32_t rejoined_at;                 /* tick */
	struct jc_ack_credit credit;
	uint64_t skipped;
	bool needs_roster; /* it missed a change: the complete roster is due */
};

struct jc_fanout {
	struct jc_distribution distribution;
	struct jc_space *space; /* owned */
	struct jc_view *joined; /* who gets no bundles */
	struct jc_view *private_view;
	size_t shared_view_count;
	struct jc_shared_view *shared_views[JC_MAX_SHARED_VIEWS]; /* owned */
	struct jc_ignores ignores;
	uint8_t *scratch; /* owned: a personal bundle at a time */
	size_t view_count, subscriber_count;
	bool is_walked; /* its lists of views are under way: none may change (asserted) */
	unsigned phase; /* of the next personal view */
	uint32_t tick;  /* the last one */
	uint64_t delivered, skipped;
	int64_t announced_ns;      /* processor time that its last announcement took */
	int64_t *due_ns;           /* borrowed, may be NULL: what changes of rosters will cost */
	struct jc_histogram spent; /* in ticks that somebody got, until the last one had it */
	uint32_t next_tick;        /* that is due */
	bool has_ticked;
	uint64_t missed; /* ticks that there was no time for */
	struct jc_space_policy policy;
	bool is_kept;            /* when nobody is there, too; else a client opened it: */
	bool is_closed;          /* it goes as soon as nobody is left */
	int64_t empty_ns;        /* since when nobody is there, 0 while somebody is */
	char opener[JC_MAX_WHO]; /* who did */
	/* Of a space that shows what was, which goes when nobody looks any more: of which
	 * space; else "". */
	char rewind_of[JC_MAX_SPACE_NAME];
	bool is_looked_at; /* somebody has come: it goes soon after they left */
	struct jc_rewind_buffer
		*rewind_buffer; /* the space's; NULL: what happens is not remembered */
};

/* The space is made with &fanout->distribution and given to the fanout. */
void jc_fanout_init(struct jc_fanout *fanout);
void jc_fanout_finish(struct jc_fanout *fanout); /* no view may be left */

size_t jc_fanout_subscribers(const struct jc_fanout *fanout); /* who is sent bundles */

/* A subscriber and whoever publishes a body get no motion of each other any more, or
 * do again. What it wished for ends with jc_fanout_forget. Returns 0, JC_ERROR_INVALID
 * for oneself and the server, or JC_ERROR_LIMIT. */
int jc_fanout_ignore(struct jc_fanout *fanout, struct jc_subscriber *subscriber,
	const struct jc_body *body, bool ignore);
void jc_fanout_forget(struct jc_fanout *fanout, struct jc_subscriber *subscriber);

/* One who has the party `to` by now had `from`, as its bodies still have. */
void jc_fanout_rename(struct jc_fanout *fanout, uint64_t from, uint64_t to);

/* The functions of a view that follow never run inside a call of a subscriber's ops: the
 * lists of views are walked then. */
void jc_view_join(struct jc_view *view, struct jc_fanout *fanout, struct jc_subscriber *subscriber);
void jc_view_leave(struct jc_view *view); /* fine when not joined */

/* Once subscribed it may wish for something else; credit is that of the first. Returns 0
 * or JC_ERROR_MEMORY, and then all is as it was. */
int jc_view_subscribe(struct jc_view *view, const struct jc_view_options *options, bool credit);
void jc_view_unsubscribe(struct jc_view *view);

/* It looks from elsewhere; nothing happens where it is not subscribed. As above. */
int jc_view_look(struct jc_view *view, const struct jc_viewpoint *viewpoints, size_t count);

/* These come before others from now on, and no others do. As above. */
int jc_view_favour(struct jc_view *view, const uint32_t *bodies, size_t count);

/* It needs a rejoin, and gets it as soon as its turn has come. */
void jc_view_ask_keyframe(struct jc_view *view);

/* False when that tick was never sent to it. */
bool jc_view_acknowledge(struct jc_view *view, uint32_t tick, int64_t now_ns);

/* The following functions are for fanout.c and view.c alone. */

/* The lists that views are in: of who gets nothing, of personal ones, of each variant.
 * They stay that many while subscribers are called. */
size_t jc_fanout_list_count(const struct jc_fanout *fanout);
struct jc_view *jc_fanout_list(const struct jc_fanout *fanout, size_t index);

/* A body enters: whoever ignores it gets a view of its own. */
void jc_fanout_meet(struct jc_fanout *fanout, const struct jc_body *body);

/* Tells the subscriber of a personal view what it has to know before its next bundle. */
void jc_view_show(struct jc_view *view);

void jc_fanout_drop_unused(struct jc_fanout *fanout);

#endif
