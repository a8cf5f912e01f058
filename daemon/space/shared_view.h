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
	struct jc_view *views; /* its views, a list */
	bool due;              /* has a bundle in this tick */
	bool rejoins;          /* and a second one with rejoin packets */
	bool quiet;            /* the last bundle had no packet */
	struct jc_bundle common;
	struct jc_bundle rejoin; /* for views that lack the state */
	uint8_t *buffers;        /* owned: of the bundles */
	struct jc_body_stream
		*body_streams[JC_MAX_BODIES]; /* streams in use, by slot of the body */
};

/* Uses about 140 KB; later only streams are allocated. */
int jc_shared_view_create(
	const struct jc_stream_spec *spec, struct jc_shared_view **out_shared_view);
void jc_shared_view_destroy(struct jc_shared_view *shared_view); /* NULL is fine */

/* The body of that slot left. */
void jc_shared_view_leave(struct jc_shared_view *shared_view, size_t slot);

/* Before encoding: requests the streams of all bodies. */
void jc_shared_view_plan(struct jc_shared_view *shared_view, struct jc_space *space, bool rejoins);

/* Composes the bundles. Returns whether they are worth sending: after one empty bundle, a
 * second empty one adds no information. */
bool jc_shared_view_compose(struct jc_shared_view *shared_view, const struct jc_space *space,
	const struct jc_bundle_head *head);

#endif
