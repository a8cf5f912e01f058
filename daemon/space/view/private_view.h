/* The bodies that one subscriber receives: a selection, on a skeleton of its choice, each at
 * the level of detail that it needs. Composed each tick from shared streams, without allocation. */
#ifndef JC_PRIVATE_VIEW_H
#define JC_PRIVATE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "space/bundle.h"
#include "space/level_of_detail.h"
#include "space/people/ignores.h"
#include "space/space.h"
#include "space/stream_spec.h"

/* The options of a subscription. */
struct jc_view_options {
	struct jc_stream_spec spec;      /* finest level */
	struct jc_skeleton_asset *asset; /* skeleton for all bodies; NULL: their own */
	bool is_some;                    /* only the bodies in `bodies` */
	size_t body_count, ignored_count, favoured_count;
	uint32_t bodies[JC_MAX_NAMED_BODIES];
	uint32_t ignored[JC_MAX_NAMED_BODIES];
	uint32_t favoured[JC_MAX_NAMED_BODIES]; /* preferred bodies, for example of speakers */
	uint32_t budget;                        /* bytes of bundles a second; 0: unlimited */
	bool is_paired;                         /* messages have the bundles of two ticks */
	size_t viewpoint_count;
	struct jc_viewpoint viewpoints[JC_MAX_VIEWPOINTS];
};

/* Whether a shared view with the same stream spec satisfies the options. */
bool jc_view_options_are_common(const struct jc_view_options *options);

/* The skeleton on which a subscriber receives a body from the next bundle on. */
struct jc_shown {
	uint32_t body;
	struct jc_skeleton_asset *asset; /* NULL: the body is not sent */
};

/* The state of a body in a view. */
struct jc_view_body {
	struct jc_body_stream *body_stream; /* in use; NULL: not sent */
	uint32_t shown_asset;               /* number of the announced skeleton asset; 0: none */
	bool is_ignored;                    /* subscriber or publisher ignores the other */
	bool is_instead;                    /* the stream's skeleton is not the requested one */
	bool follows;                       /* the subscriber has the state for the next packet */
	bool missed_cut;                    /* it missed a packet with a cut */
	bool is_taken;                      /* a packet is in the bundle of this tick, */
	bool is_held;                       /* in the bundle that waits for it */
	bool is_rationed;                   /* has had a share of the budget */
	uint8_t level;                      /* level to send; JC_LEVELS: none */
	uint8_t stream_level;               /* level of the stream in use */
	struct jc_level_of_detail detail;
	float reference; /* estimated bytes a second in full detail; 0: not estimated yet */
};

struct jc_private_view {
	struct jc_view_options options; /* holds a use of its skeleton asset */
	unsigned phase;                 /* spreads the evaluation of views over ticks */
	bool is_planned;                /* sends a bundle in this tick */
	bool quiet;                     /* the last bundle had no packet */
	bool is_held;                   /* a bundle waits for that of the next tick: */
	struct jc_bundle held;
	uint8_t *buffer;  /* owned: of that; NULL: messages have one bundle */
	uint32_t looked;  /* tick of the last plan */
	uint32_t weighed; /* tick of the last evaluation of the budget */
	uint64_t sent;    /* bytes since `weighed` */
	float overhead;   /* bytes a second that are not packets of streams */
	struct jc_view_body view_bodies[JC_MAX_BODIES]; /* by slot of the body */
};

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_private_view_create(const struct jc_view_options *options, unsigned phase,
	struct jc_private_view **out_private_view);
void jc_private_view_destroy(struct jc_private_view *private_view); /* NULL is fine */

/* Changes the options; unaffected streams continue. Returns 0 or JC_ERROR_MEMORY. */
int jc_private_view_change(
	struct jc_private_view *private_view, const struct jc_view_options *options);

/* A body entered. */
void jc_private_view_enter(
	struct jc_private_view *private_view, const struct jc_body *body, bool is_ignored);
/* The subscriber has the state of this stream. */
void jc_private_view_follow(struct jc_private_view *private_view, const struct jc_body *body,
	struct jc_body_stream *body_stream, bool missed_cut);
void jc_private_view_leave(struct jc_private_view *private_view, size_t slot);

/* Whether the subscriber is to have the body: it chose the body and nobody ignores the other. */
bool jc_private_view_wants(const struct jc_private_view *private_view, const struct jc_body *body);
/* Bodies with a higher priority get the budget first. */
uint8_t jc_private_view_priority(
	const struct jc_private_view *private_view, const struct jc_body *body);

/* A keyframe was requested, or packets were lost: all streams need a rejoin. */
void jc_private_view_lose(struct jc_private_view *private_view);

/* Switches the body to the stream that fits its level. */
void jc_private_view_aim(struct jc_private_view *private_view, struct jc_space *space,
	const struct jc_body *body, uint32_t tick);

/* Sets the level of every body for a tick and requests its streams. */
void jc_private_view_plan(
	struct jc_private_view *private_view, struct jc_space *space, uint32_t tick);

/* Lists the bodies whose skeleton changed for the subscriber since the last call. Returns how
 * many. */
size_t jc_private_view_show(struct jc_private_view *private_view, const struct jc_space *space,
	struct jc_shown out_shown[JC_MAX_BODIES]);

/* Lists the bodies that return to their own skeletons when the view ends. */
size_t jc_private_view_unshow(const struct jc_private_view *private_view,
	const struct jc_space *space, struct jc_shown out_shown[JC_MAX_BODIES]);

/* Composes the message of the tick, in a view without pairs in `scratch` and its buffer. NULL:
 * there is none, or it waits for the next tick. */
const struct jc_bundle *jc_private_view_compose(struct jc_private_view *private_view,
	const struct jc_space *space, const struct jc_bundle_head *head, uint8_t *buffer,
	struct jc_bundle *scratch);

/* The message of the tick was sent with that many bytes, or was not sent. */
void jc_private_view_delivered(struct jc_private_view *private_view, size_t length);
void jc_private_view_missed(struct jc_private_view *private_view);

/* Ends the wait of the bundle that is held: it was sent alone, or will never be. */
void jc_private_view_unhold(struct jc_private_view *private_view, bool is_sent);

#endif
