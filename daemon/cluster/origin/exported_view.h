/* A view of a space for edges: an ordinary subscriber of the fanout whose bundles are published, so
 * that the origin encodes each stream once, however many edges and clients there are. A second
 * subscriber joins the same view for one bundle when edges ask for rejoin packets: one frame, on
 * the subject of the view, serves all of them. */
#ifndef JC_EXPORTED_VIEW_H
#define JC_EXPORTED_VIEW_H

#include "base/clock.h"
#include "cluster/origin/interest.h"
#include "cluster/origin/outlet.h"
#include "space/fanout.h"

/* Common to all views of a space. */
struct jc_exporter {
	const struct jc_clock *clock; /* borrowed: of server time */
	struct jc_outlet *outlet;     /* borrowed */
	uint32_t number;              /* of the export, in heads of frames */
};

struct jc_exported_view {
	struct jc_subscriber subscriber; /* of frames */
	struct jc_view view;
	struct jc_subscriber rejoin_subscriber;
	struct jc_view rejoin_view;
	struct jc_exporter exporter;
	struct jc_wanted_view wanted;
	char subject[JC_MAX_NATS_SUBJECT]; /* of its frames */
	struct jc_bundle_head head;        /* of the last bundle */
	struct jc_bundle_head rejoin_head;
	bool has_sent; /* a frame was published: */
	uint32_t sent_tick;
	bool wants_rejoin; /* an edge waits for rejoin packets: sets the owner */
	bool is_rejoining; /* the second subscriber has not had its bundle */
	bool has_rejoined; /* it had one: */
	uint32_t rejoined_tick;
	uint64_t frames, rejoins; /* published */
};

/* Joins and subscribes, not from within a tick. Returns 0; JC_ERROR_LIMIT where the space has no
 * shared view left; or JC_ERROR_MEMORY. */
int jc_exported_view_begin(struct jc_exported_view *exported, struct jc_fanout *fanout,
	const struct jc_wanted_view *wanted, const struct jc_exporter *exporter);

/* Not from within a tick. */
void jc_exported_view_end(struct jc_exported_view *exported);

/* After the bundles of a tick: publishes the frame of a tick without packets. */
void jc_exported_view_ticked(struct jc_exported_view *exported, uint32_t tick);

#endif
