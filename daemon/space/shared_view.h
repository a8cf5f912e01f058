/* A view that all subscribers with equal options share: all bodies on their own skeletons at
 * one level of detail. */
#ifndef JC_SHARED_VIEW_H
#define JC_SHARED_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "space/bundle.h"
#include "space/space.h"
#include "space/stream_spec.h"

struct jc_view;

struct jc_shared_view {
	struct jc_stream_spec spec;
	bool is_paired;        /* its messages have the bundles of two ticks */
	struct jc_view *views; /* its views, a list */
	bool due;              /* has a bundle in this tick, */
	bool holds;            /* which waits for that of the next tick */
	bool is_held;          /* the bundle of the tick before waits in `common` */
	bool rejoins;          /* a second bundle with rejoin packets */
	bool quiet;            /* the last bundle had no packet */
	struct jc_bundle common;
	struct jc_bundle rejoin; /* for views that lack the state */
	uint8_t *buffers;        /* owned: of the bundles */
	struct jc_body_stream
		*body_streams[JC_MAX_BODIES]; /* streams in use, by slot of the body */
};

/* Uses about 140 KB, with pairs 200 KB; later only streams are allocated. */
int jc_shared_view_create(
	const struct jc_stream_spec *spec, bool is_paired, struct jc_shared_view **out_shared_view);
void jc_shared_view_destroy(struct jc_shared_view *shared_view); /* NULL is fine */

/* The body of that slot left. */
void jc_shared_view_leave(struct jc_shared_view *shared_view, size_t slot);

/* Decides whether the bundle of a tick is due, and whether it waits. */
void jc_shared_view_schedule(
	struct jc_shared_view *shared_view, const struct jc_space *space, uint32_t tick);

/* Before encoding: requests the streams of all bodies. */
void jc_shared_view_plan(struct jc_shared_view *shared_view, struct jc_space *space, bool rejoins);

/* Composes the message. Returns whether it is worth sending: not the first bundle of a pair, and
 * after one empty bundle, a second empty one adds no information. */
bool jc_shared_view_compose(struct jc_shared_view *shared_view, const struct jc_space *space,
	const struct jc_bundle_head *head);

#endif
