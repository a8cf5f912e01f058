/* The distribution half of a space: one view per subscriber, and the same bytes for all with
 * equal options. Motion is never queued: a subscriber that cannot accept a bundle misses it, and
 * continues with a rejoin packet. */
#ifndef JC_FANOUT_H
#define JC_FANOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/siphash.h"
#include "space/ack_credit.h"
#include "space/distribution.h"
#include "space/people/ignores.h"
#include "space/roster.h"
#include "space/shared_view.h"
#include "space/space.h"
#include "space/space_policy.h"
#include "space/view/private_view.h"

enum jc_delivery {
	JC_DELIVERED,
	JC_CHOKED, /* the socket is busy; no bytes were taken */
};

/* Messages for every client that joins a space, beside its roster. */
enum jc_space_text { JC_SPACE_TEXT_PROPS, JC_SPACE_TEXT_REPLAYING, JC_SPACE_TEXTS };

struct jc_fanout;
struct jc_rewind_buffer;
struct jc_shared_text;
struct jc_subscriber;
struct jc_view;

struct jc_subscriber_ops {
	/* Whether the subscriber can take a bundle now. */
	bool (*is_ready)(const struct jc_subscriber *subscriber);
	/* Takes all bytes now, or none. */
	enum jc_delivery (*bundle)(struct jc_subscriber *subscriber, uint8_t *bytes, size_t length);
	/* The following functions must not join, leave or change a view: the caller walks the
	 * list. */
	/* The roster changed. */
	void (*roster_changed)(struct jc_subscriber *subscriber, struct jc_view *view,
		const struct jc_announcement *announcement);
	/* The skeletons or the presence of bodies change with the next bundle. */
	void (*shown)(struct jc_subscriber *subscriber, struct jc_view *view,
		const struct jc_shown *shown, size_t count);
	/* A text of the space changed. change: what those need that joined earlier; later ones get
	 * jc_fanout_text. */
	void (*text_changed)(struct jc_subscriber *subscriber, struct jc_view *view,
		enum jc_space_text which, struct jc_shared_text *change);
};

/* The owner of texts that the space does not keep. */
struct jc_space_texts {
	/* Composes a text; NULL: no text is due, or no memory. The caller drops it. */
	struct jc_shared_text *(*compose)(
		void *context, struct jc_fanout *fanout, enum jc_space_text which);
	void *context;
};

struct jc_subscriber {
	const struct jc_subscriber_ops *ops;
	bool is_aside;       /* its views count as no subscriber, and do not keep a space open */
	uint64_t party;      /* identity without a token (people.h) */
	const char *subject; /* of its token, borrowed: then this is the identity; NULL: none */
	size_t ignoring;     /* ignored participants, in all spaces */
	const struct jc_view *last_view; /* of the last bundle */
};

/* The view of one subscriber on one space, in the subscriber's memory. */
struct jc_view {
	struct jc_fanout *fanout; /* NULL: not joined */
	/* The list of its shared view, of private views, or of views without bundles. */
	struct jc_view *next, **at;
	struct jc_subscriber *subscriber; /* borrowed */
	/* The origin of bundles; both NULL: no bundles. Roster changes are sent in any case. */
	struct jc_shared_view *shared_view;   /* shared with others */
	struct jc_private_view *private_view; /* owned */
	bool is_reported;                     /* a bundle was sent; */
	uint32_t sent_at;                     /* tick of the last bundle */
	bool missed_cut;                      /* it missed a bundle with a cut */
	bool is_behind;                       /* it lacks the state that the next packets need */
	bool rejoin_requested;                /* limits rejoins */
	uint32_t rejoined_at;                 /* tick */
	struct jc_ack_credit credit;
	uint64_t skipped;
	bool needs_roster;           /* it missed a change: the complete roster is due */
	enum jc_precision requested; /* by the subscriber */
	enum jc_precision finest;    /* that it may have */
	uint32_t props_revision;     /* of the `props` that it was sent */
	bool is_reported_limited;    /* it knows that its subscription deviates from its request */
};

struct jc_fanout {
	struct jc_distribution distribution;
	struct jc_space *space; /* owned */
	struct jc_view *joined; /* views without bundles */
	struct jc_view *private_view;
	size_t shared_view_count;
	struct jc_shared_view *shared_views[JC_MAX_SHARED_VIEWS]; /* owned */
	struct jc_ignores ignores;
	struct jc_siphash_key people_key; /* of parties with a token (people.h) */
	uint8_t *scratch;                 /* owned: for one private bundle at a time */
	size_t view_count, subscriber_count;
	bool is_walked; /* the lists of views are being walked and must not change (asserted) */
	unsigned phase; /* phase of the next private view */
	uint32_t tick;  /* newest tick */
	uint64_t delivered, skipped; /* bundles; */
	uint64_t pairs;              /* messages with two of them that were delivered */
	int64_t announced_ns;        /* processor time of the last announcement */
	int64_t *due_ns; /* borrowed, may be NULL: processor time of pending roster changes */
	struct jc_histogram spent; /* time from the start of a sent tick to its last bundle */
	uint32_t next_tick;        /* ticks that were due */
	bool has_ticked;
	uint64_t missed; /* ticks that were skipped for lack of time */
	struct jc_space_policy policy;
	bool stays_open;         /* when empty; false: a client opened the space */
	bool is_default;         /* open without the configuration naming it */
	bool is_closed;          /* closes when empty, if it does not stay open */
	unsigned closings;       /* times that an administrator closed it */
	int64_t empty_ns;        /* when the space became empty; 0: it is not */
	char opener[JC_MAX_WHO]; /* the client that opened it */
	/* The name of the source space of a rewind space, which closes when it is empty; else
	 * "". */
	char rewind_of[JC_MAX_SPACE_NAME];
	bool is_looked_at; /* a subscriber has joined: it closes soon after the last one leaves */
	struct jc_rewind_buffer *rewind_buffer; /* of the space; NULL: none */
	struct jc_shared_text *props;           /* held: the message `props`; NULL: none yet */
	uint32_t props_revision;                /* of that message; 0: none yet */
	const struct jc_space_texts *texts;     /* borrowed; NULL: only props */
	size_t remote_count; /* clients of other hosts that watch the space, at least */
};

/* The space is made with &fanout->distribution and given to the fanout. */
void jc_fanout_init(struct jc_fanout *fanout);
void jc_fanout_finish(struct jc_fanout *fanout); /* no view may be left */

/* The text for a client that joins now; the caller drops it. NULL: no text is due. */
struct jc_shared_text *jc_fanout_text(struct jc_fanout *fanout, enum jc_space_text which);

/* Tells all views that a text changed. change is borrowed. */
void jc_fanout_change_text(
	struct jc_fanout *fanout, enum jc_space_text which, struct jc_shared_text *change);

/* The space begins anew, without bodies and with ticks from any number on. */
void jc_fanout_restart(struct jc_fanout *fanout);

/* Sets the message `props` of the space, which is stolen. The same text changes nothing. */
void jc_fanout_set_props(struct jc_fanout *fanout, struct jc_shared_text *props);

size_t jc_fanout_subscribers(const struct jc_fanout *fanout); /* subscribers that receive bundles */

/* A subscriber and the publisher of a body stop receiving motion of each other, or start
 * again. jc_fanout_forget ends all ignores of a subscriber. Returns 0, JC_ERROR_INVALID for
 * the subscriber itself and the server, or JC_ERROR_LIMIT. */
int jc_fanout_ignore(struct jc_fanout *fanout, struct jc_subscriber *subscriber,
	const struct jc_body *body, bool ignore);
void jc_fanout_forget(struct jc_fanout *fanout, struct jc_subscriber *subscriber);

/* A participant changed its party from `from` to `to`; its bodies still have `from`. */
void jc_fanout_rename(struct jc_fanout *fanout, uint64_t from, uint64_t to);

/* The functions of a view that follow never run inside a call of a subscriber's ops: the
 * lists of views are walked then. */
void jc_view_join(struct jc_view *view, struct jc_fanout *fanout, struct jc_subscriber *subscriber);
void jc_view_leave(struct jc_view *view); /* fine when not joined */

/* Subscribes, or changes the options; the first call sets credit. The precision is at most the
 * finest one of the view. Returns 0, or JC_ERROR_MEMORY without a change. */
int jc_view_subscribe(struct jc_view *view, const struct jc_view_options *options, bool credit);
void jc_view_unsubscribe(struct jc_view *view);

/* Sets the finest precision, initially `fine`, from the next bundle on. Returns 0, or
 * JC_ERROR_MEMORY: then the subscription has ended. */
int jc_view_limit(struct jc_view *view, enum jc_precision finest);

/* The stream spec of the subscription, as it was limited. False without a subscription. */
bool jc_view_spec(const struct jc_view *view, struct jc_stream_spec *out_spec);

/* Whether its messages have the bundles of two ticks. */
bool jc_view_is_paired(const struct jc_view *view);

/* Sets the viewpoints; does nothing without a subscription. Returns as above. */
int jc_view_look(struct jc_view *view, const struct jc_viewpoint *viewpoints, size_t count);

/* Sets the preferred bodies. Returns as above. */
int jc_view_favour(struct jc_view *view, const uint32_t *bodies, size_t count);

/* Requests a rejoin, which is sent as soon as rate limits permit. */
void jc_view_ask_keyframe(struct jc_view *view);

/* Returns false if the tick was never sent to this view. */
bool jc_view_acknowledge(struct jc_view *view, uint32_t tick, int64_t now_ns);

/* The following functions are for fanout.c and view.c alone. */

/* The lists of views: without bundles, private, and one per shared view. Their number does not
 * change while subscribers are called. */
size_t jc_fanout_list_count(const struct jc_fanout *fanout);
struct jc_view *jc_fanout_list(const struct jc_fanout *fanout, size_t index);

/* The ignores of a party changed, 0: of any. For people.c too. */
void jc_fanout_update_ignores(struct jc_fanout *fanout, uint64_t party);

/* A body enters: subscribers that ignore it get a private view. */
void jc_fanout_meet(struct jc_fanout *fanout, const struct jc_body *body);

/* Sends the subscriber of a private view the messages that its next bundle needs. */
void jc_view_show(struct jc_view *view);

/* Sends the bundle that a private view holds, alone: messages about later ones follow. */
void jc_view_flush(struct jc_view *view);

void jc_fanout_drop_unused(struct jc_fanout *fanout);

#endif
