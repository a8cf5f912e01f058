/* An origin and an edge in one process, without a network: the test decides which frames arrive. */
#ifndef JC_TEST_BRIDGE_H
#define JC_TEST_BRIDGE_H

#include "cluster/edge/relayed_views.h"
#include "lobby.h"

#define BRIDGE_VIEWS 24

/* A view that the origin exports: a subscriber that keeps the packets of the newest tick. */
struct bridge_export {
	struct jc_subscriber base;
	struct jc_view view;
	uint32_t number; /* of the view at the edge */
	struct jc_stream_spec spec;
	bool has_bundle; /* in the newest tick */
	size_t length;
	uint8_t packets[JC_LIMIT_BUNDLE_BYTES];
};

struct bridge {
	struct lobby origin, edge;
	struct jc_relayed_views views;
	size_t export_count;
	struct bridge_export exports[BRIDGE_VIEWS], rejoins[BRIDGE_VIEWS];
	bool answers;      /* the origin answers requests for rejoins */
	unsigned asked;    /* such requests */
	uint32_t names;    /* bodies up to this id are in the edge's roster */
	uint64_t revision; /* of the edge's roster */
	int64_t now_ns;
	int64_t sent_ns; /* of each frame; 0: unknown */
	/* Decides what happens with a frame. NULL: all arrive. */
	bool (*passes)(struct bridge *bridge, uint32_t tick, size_t view);
	void *context;
};

void bridge_open(struct bridge *bridge, uint32_t id);
void bridge_close(struct bridge *bridge);

/* Announces the new bodies of the origin at the edge. */
void bridge_announce(struct bridge *bridge);

/* Runs ticks of the origin; their frames arrive at the edge in order. */
void bridge_run(struct bridge *bridge, int ticks);

/* Exports what the edge needs now. */
void bridge_sweep(struct bridge *bridge);

/* Hands the frame that an export keeps to the edge. */
void bridge_deliver(struct bridge *bridge, size_t view, uint32_t tick);

#endif
