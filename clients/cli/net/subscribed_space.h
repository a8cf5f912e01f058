/* Who is in a space of a daemon and how they stand, as a subscriber hears it: rosters
 * and bundles go in, poses come out. */
#ifndef JC_CLI_SUBSCRIBED_SPACE_H
#define JC_CLI_SUBSCRIBED_SPACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/limits.h"
#include "jointcast/recording.h"
#include "jointcast/stream.h"

#define JC_SUBSCRIBED_BODIES JC_LIMIT_BUNDLE_PACKETS

/* A body that is there. */
struct jc_subscribed_body {
	uint32_t id;
	json_t *entry;       /* owned: of the roster, which what is below borrows from */
	bool may_record;     /* whoever it is agrees to that */
	bool has_pose;       /* it was heard of */
	int64_t time_us;     /* server time at which its pose was captured */
	uint32_t tick;       /* of the packet that had it */
	bool cut;            /* it jumped there */
	struct jc_pose pose; /* the newest */
	size_t value_count;  /* of its channels */
	float values[JC_LIMIT_STREAM_VALUES];
	const char *channels[JC_LIMIT_STREAM_VALUES];
	size_t channel_count;
	struct jc_stream_decoder decoder;
};

struct jc_subscribed_space {
	bool is_joined;
	int64_t space;  /* names the epoch in bundles */
	char epoch[64]; /* the same, in the roster */
	uint32_t tick_hz;
	int64_t tick_us; /* server time of tick 0 */
	uint64_t revision;
	bool has_head;
	struct jc_bundle_head head; /* of the last bundle */
	bool is_behind;             /* a stream's state was lost: ask for a keyframe */
	size_t count;
	struct jc_subscribed_body *bodies[JC_SUBSCRIBED_BODIES]; /* owned */
};

/* Begins as all zeros. */
void jc_subscribed_space_finish(struct jc_subscribed_space *presence);

/* Returns 0, JC_ERROR_INVALID for what is no roster, JC_ERROR_MEMORY. */
int jc_subscribed_space_take_roster(struct jc_subscribed_space *presence, const json_t *roster);

/* Whether a list of roster entries contains a body. */
bool jc_subscribed_space_roster_has(const json_t *bodies, uint32_t id);

struct jc_subscribed_space_ops {
	/* A body has another pose. is_held: it still has the one before, just ahead of
	 * another, as nothing had been heard of it for a while. */
	int (*moved)(void *context, const struct jc_subscribed_body *body, bool is_held);
	void *context;
};

/* Returns what is wrong with the bundle, or what `moved` returns. The space's bodies
 * are all worn on the built-in skeleton. */
int jc_subscribed_space_take_bundle(struct jc_subscribed_space *presence, const uint8_t *bytes,
	size_t length, const struct jc_subscribed_space_ops *ops);

/* As a recording tells it; borrows from the body. */
struct jc_recorded_body jc_subscribed_body_describe(const struct jc_subscribed_body *body);

#endif
