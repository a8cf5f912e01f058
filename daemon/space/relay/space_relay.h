/* A relayed space: its bodies and packets come from another daemon, which owns the space, and not
 * from sources and encoders. The distribution half is the same as in any space. An owner (the
 * cluster folder) keeps the roster as the origin announces it, and runs the ticks. */
#ifndef JC_SPACE_RELAY_H
#define JC_SPACE_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "space/space.h"

struct jc_relay;
struct jc_shared_text;

/* The state of a body in the tick in progress, from any of its packets. */
struct jc_relayed_state {
	bool cut;                        /* a packet of this tick has the flag */
	bool has_hips;                   /* the next field is set */
	struct jc_vec3 hips_translation; /* metres, on the body's own skeleton */
	bool has_placement;              /* a packet had a placement, the next field */
	struct jc_placement placement;
	bool has_age;           /* a packet of this tick: the next field is set */
	int32_t capture_age_us; /* as in its head */
};

/* The owner answers for the tick in progress. */
struct jc_relay_ops {
	void (*state)(struct jc_relay *relay, const struct jc_body *body,
		struct jc_relayed_state *out_state);
	/* Whether the owner can have the packets of a stream spec from the origin. If not, the
	 * streams are encoded from the sample. */
	bool (*forwards)(struct jc_relay *relay, const struct jc_stream_spec *spec);
	/* Whether the packets of that spec of the tick in progress are here: in a bundle
	 * without them every body stands still. */
	bool (*is_here)(struct jc_relay *relay, const struct jc_stream_spec *spec);
	/* The packets of a body on its own skeleton; a length of 0: none. is_new: no view has
	 * packets of the stream yet, or others. wants_rejoin: a view needs a packet that needs no
	 * state. */
	void (*packets)(struct jc_relay *relay, const struct jc_body *body,
		const struct jc_stream_spec *spec, bool is_new, bool wants_rejoin,
		struct jc_body_stream_packet *out_common, struct jc_body_stream_packet *out_rejoin);
	/* The sample of a body, decoded from its finest stream that a subscriber with that
	 * precision may have, for streams that are not forwarded. Without head.body and
	 * head.incarnation. False: there is none. */
	bool (*sample)(struct jc_relay *relay, const struct jc_body *body, enum jc_precision finest,
		struct jc_body_sample *out_sample);
	/* Whether packets of a stream can be had now. If not, the owner requests them. */
	bool (*has)(struct jc_relay *relay, const struct jc_body *body,
		const struct jc_stream_spec *spec);
	/* A subscriber has chosen other options. */
	void (*subscribed)(struct jc_relay *relay);
};

/* Embedded in the owner. */
struct jc_relay {
	const struct jc_relay_ops *ops;
};

struct jc_relay_epoch {
	uint32_t id;      /* of jc_space_options, never used before */
	uint64_t epoch;   /* of the origin */
	uint32_t hz;      /* of the origin */
	int64_t start_ns; /* nominal time of its tick 0 in the time of this daemon, */
	int64_t start_us; /* and the server time of that */
};

/* Makes a space a relayed one, or begins a new epoch of a relayed one: all bodies leave. The space
 * has no source and no player; its sinks receive nothing. */
void jc_space_relay_begin(
	struct jc_space *space, struct jc_relay *relay, const struct jc_relay_epoch *epoch);

bool jc_space_is_relayed(const struct jc_space *space);

/* Whether the space has packets of that spec in this tick; always, but in a relayed space. */
bool jc_space_is_here(const struct jc_space *space, const struct jc_stream_spec *spec);

/* Reports to the owner of a relayed space that a subscriber has chosen other options. */
void jc_space_subscribed(struct jc_space *space);

/* Corrects the time of tick 0. */
void jc_space_relay_set_start(struct jc_space *space, int64_t start_ns, int64_t start_us);

/* A body as the origin announced it. */
struct jc_relayed_body {
	uint32_t id;
	const char *name, *display; /* display NULL: none */
	struct jc_skeleton_asset *asset;
	struct jc_worn_avatar avatar;
	struct jc_placement placement;
	float seat_height;
	uint8_t incarnation;
	bool is_live, is_hidden, is_muted, is_waiting, is_on_stage;
	bool may_record, may_rebroadcast;
	uint64_t party; /* of the publisher (people/people.h), not 0 */
	size_t channel_count;
	const char *const *channels; /* names, copied */
	char *entry;                 /* its JSON text, stolen on success */
};

/* The body enters, or changes if one of that id is there. Its packets are not requested before
 * jc_space_relay_announce. Returns 0, JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_space_relay_put(struct jc_space *space, const struct jc_relayed_body *relayed);

/* Does nothing without such a body. */
void jc_space_relay_remove(struct jc_space *space, uint32_t id);

/* Marks a body as stale or live; entry, its JSON text, is stolen. */
void jc_space_relay_set_live(struct jc_space *space, uint32_t id, bool is_live, char *entry);

/* Sets whether the roster marks the space as recorded, and its list of waiting sources as JSON text
 * (stolen; NULL: none). */
void jc_space_relay_set_recorded(struct jc_space *space, bool is_recorded);
void jc_space_relay_set_waiting(struct jc_space *space, char *waiting);

/* Sends all subscribers the change with that revision (borrowed), or if it is NULL the complete
 * roster. Returns 0 or JC_ERROR_MEMORY: then no subscriber has received it. */
int jc_space_relay_announce(
	struct jc_space *space, uint64_t revision, struct jc_shared_text *change);

/* Runs a tick of the origin: forwards packets, and encodes streams on other skeletons. Ticks grow
 * within an epoch. */
void jc_space_relay_tick(struct jc_space *space, uint32_t tick);

#endif
