/* The bodies of a space as a subscriber receives them: reads rosters and bundles, returns poses. */
#ifndef JC_CLI_SUBSCRIBED_SPACE_H
#define JC_CLI_SUBSCRIBED_SPACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/limits.h"
#include "jointcast/packet.h"
#include "jointcast/recording.h"
#include "jointcast/stream.h"

#define JC_SUBSCRIBED_BODIES JC_LIMIT_BUNDLE_PACKETS

struct jc_subscribed_body {
	uint32_t id;
	json_t *entry;       /* owned: its roster entry; other fields borrow from it */
	bool may_record;     /* mayRecord of the roster entry */
	bool has_pose;       /* a packet has arrived */
	uint64_t moves;      /* packets since the owner cleared this field */
	int64_t time_us;     /* server time of the capture of its pose */
	uint32_t tick;       /* tick of the packet with the pose */
	bool cut;            /* the pose follows a jump */
	struct jc_pose pose; /* the newest pose */
	size_t value_count;  /* of its channels */
	float values[JC_LIMIT_STREAM_VALUES];
	const char *channels[JC_LIMIT_STREAM_VALUES];
	size_t channel_count;
	struct jc_stream_decoder decoder;
	bool is_plain; /* the newest packet is of coding 1, and its content in the next field */
	struct jc_payload plain;
};

struct jc_subscribed_space {
	bool is_joined;
	int64_t space;  /* id of the epoch in bundles */
	char epoch[64]; /* id of the epoch in rosters */
	uint32_t tick_hz;
	int64_t tick_us; /* server time of tick 0 */
	uint64_t revision;
	bool misses_revision; /* a change of the roster is lost: request the complete one */
	bool has_requested_roster;
	bool has_head;
	struct jc_bundle_head head; /* of the last bundle */
	bool is_behind;             /* the state of a stream is lost: request a keyframe */
	bool has_requested;         /* a keyframe was requested, at this time */
	int64_t requested_ns;
	size_t count;
	struct jc_subscribed_body *bodies[JC_SUBSCRIBED_BODIES]; /* owned */
};

/* A space starts as all zeros. */
void jc_subscribed_space_finish(struct jc_subscribed_space *space);

/* Returns JC_OK, JC_ERROR_INVALID for a damaged roster, or JC_ERROR_MEMORY. */
int jc_subscribed_space_take_roster(struct jc_subscribed_space *space, const json_t *roster);

/* The request for the complete roster after a revision that is missing; NULL if none is due. The
 * caller sends it, which steals the reference. */
json_t *jc_subscribed_space_ask_roster(struct jc_subscribed_space *space, const char *name);

/* Whether a list of roster entries contains a body. */
bool jc_subscribed_space_roster_has(const json_t *bodies, uint32_t id);

struct jc_subscribed_space_ops {
	/* A body has a new pose. is_held: the previous pose is repeated just before a new one,
	 * after a pause. */
	int (*moved)(void *context, const struct jc_subscribed_body *body, bool is_held);
	void *context;
};

/* Decodes a bundle; ignores a message of an unknown kind or version. After an error all streams
 * wait for a packet that is complete. The poses are right for bodies on the built-in skeleton; for
 * others read the decoder. ops may be NULL. Returns the error of the bundle, or the first error of
 * `moved`. */
int jc_subscribed_space_take_bundle(struct jc_subscribed_space *space, const uint8_t *bytes,
	size_t length, const struct jc_subscribed_space_ops *ops);

/* The request for the lost state of streams, at most one per second; NULL if none is due. The
 * caller sends it, which steals the reference. */
json_t *jc_subscribed_space_ask_keyframe(
	struct jc_subscribed_space *space, const char *name, int64_t now_ns);

/* The newest frame of a body whose packets are for the skeleton, in either coding: N of each bone.
 */
void jc_subscribed_body_frame(const struct jc_subscribed_body *body,
	const struct jc_skeleton *skeleton, struct jc_stream_frame *out_frame);

/* The newest placement: that of the packets, or that of the roster until a packet has one. */
struct jc_placement jc_subscribed_body_placement(const struct jc_subscribed_body *body);

/* The roster entry of a recording; borrows from the body. */
struct jc_recorded_body jc_subscribed_body_describe(const struct jc_subscribed_body *body);

#endif
