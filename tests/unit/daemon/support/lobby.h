/* A space with bodies that nod, and subscribers that decode and count bundles. */
#ifndef JC_TEST_LOBBY_H
#define JC_TEST_LOBBY_H

#include "jointcast/stream.h"
#include "space/fanout.h"
#include "unit_test.h"

#define LOBBY_HZ 60
/* Ticks after which the changes of a roster have been announced: 250 ms. */
#define LOBBY_ANNOUNCING (LOBBY_HZ / 4)
#define LOBBY_BODIES     32
#define LOBBY_DEGREES    0.01745329f

/* A body that turns its head about +Y; if it is restless, all bones. */
struct lobby_source {
	struct jc_source base;
	float radians;
	bool restless, cut, is_silent;
};

struct lobby {
	struct jc_skeleton_table skeleton_table;
	struct jc_fanout fanout;
	uint32_t tick; /* the next one */
};

struct lobby_subscriber {
	struct jc_subscriber base;
	struct jc_view view;
	bool choked;
	int messages, bundles, changes;
	size_t bytes;        /* of all bundles */
	size_t length;       /* of the last message, */
	uint8_t last[65536]; /* and it */
	bool has_head;
	struct jc_bundle_head head;
	/* Of the last bundle, by id of the body; 0: none. */
	size_t packet_lengths[LOBBY_BODIES];
	const uint8_t *packets[LOBBY_BODIES];
	struct jc_packet_head heads[LOBBY_BODIES];
	/* Of all of them. */
	int counts[LOBBY_BODIES], keys[LOBBY_BODIES], cuts[LOBBY_BODIES], errors;
	struct jc_stream_decoder decoders[LOBBY_BODIES];
	/* Received announcements: skeletons by id, and whether there were any. */
	const struct jc_skeleton_asset *assets[LOBBY_BODIES];
	int shown[LOBBY_BODIES];
};

/* Every body by chains, of standard precision, every tick, with all sections. */
extern const struct jc_view_options lobby_standard;

void lobby_open(struct lobby *lobby, size_t stream_cap);
void lobby_close(struct lobby *lobby);

/* Of cmocka's group: the state is a struct lobby without a cap. */
int lobby_setup(void **state);
int lobby_teardown(void **state);

/* Returns the source of the body whose id is one more than that of the one before. */
struct lobby_source *lobby_add(struct lobby *lobby, uint64_t party);

/* A body of the server whose source comes and goes: it has an id from its first tick on. */
struct lobby_source *lobby_add_visitor(struct lobby *lobby);
struct jc_body *lobby_body(struct lobby *lobby, uint32_t id);

/* Another skeleton than `humanoid`: without hands, and so tall. */
struct jc_skeleton_asset *lobby_asset(struct lobby *lobby, const char *name, float height);

void lobby_join(struct lobby *lobby, struct lobby_subscriber *subscriber, uint64_t party);
void lobby_subscribe(struct lobby_subscriber *subscriber, const struct jc_view_options *options);
void lobby_run(struct lobby *lobby, int ticks);

/* Radians about which the head of a body is turned, as a subscriber has it. */
float lobby_head(const struct lobby_subscriber *subscriber, uint32_t id);

#endif
