/* A space of this daemon as edges see it: its state and the changes of it on NATS, the views that
 * edges want, and the answers to their requests. proto/CLUSTER.md. */
#ifndef JC_EXPORTED_SPACE_H
#define JC_EXPORTED_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/origin/edge_rates.h"
#include "cluster/origin/exported_people.h"
#include "cluster/origin/exported_view.h"
#include "cluster/origin/interest.h"
#include "cluster/origin/outlet.h"
#include "space/sink.h"

struct jc_avatars;
struct jc_guest_desk;
struct jc_invitations;
struct jc_keyring;
struct jc_sanction_history;

/* Of the origin; borrowed by all its spaces. */
struct jc_export {
	const struct jc_clock *clock; /* of server time */
	const struct jc_sanction_history *sanctions;
	struct jc_outlet *outlet;
	bool has_recordings, needs_token;   /* as in struct jc_space_policy */
	const struct jc_avatars *avatars;   /* NULL: there are none */
	struct jc_invitations *invitations; /* NULL: there are none */
	const struct jc_keyring *keyring;   /* with the keys of their creators; or NULL */
	struct jc_guest_desk *desk;         /* redeems for edges; NULL: nobody does */
	char origin[JC_MAX_HOST_ID];
	char incarnation[JC_MAX_INCARNATION];
};

struct jc_exported_space {
	struct jc_sink sink;             /* of the space: knows when a tick is over */
	struct jc_subscriber subscriber; /* of roster changes */
	struct jc_view view;
	const struct jc_export *source; /* borrowed */
	struct jc_fanout *fanout;       /* NULL: the space has closed */
	uint32_t number;                /* of the export, in heads of frames */
	uint64_t epoch;                 /* of the export */
	char name[JC_MAX_SPACE_NAME];
	char subject[JC_MAX_NATS_SUBJECT]; /* of state changes */
	struct jc_interest interest;
	size_t view_count;
	struct jc_exported_view *views[JC_MAX_EXPORTED_VIEWS]; /* owned */
	/* As published last. */
	struct jc_space_policy policy;
	bool is_closed;
	unsigned closings;
	uint64_t sanctions_revision;
	char *sanctions; /* owned: JSON text */
	struct jc_exported_people people;
	char *guests; /* owned: JSON text (guest_message.h) */
	uint64_t guests_revision;
	int64_t guests_ns; /* when they were compared */
	struct jc_edge_rates rates;
	uint64_t refused;         /* requests beyond the limits, which have no answer */
	uint64_t frames, rejoins; /* of views that have ended */
};

/* Not from within a tick. Returns 0 or JC_ERROR_MEMORY. */
int jc_exported_space_create(const struct jc_export *source, struct jc_fanout *fanout,
	uint64_t epoch, struct jc_exported_space **out_exported);

/* Not from within a tick. NULL is fine. */
void jc_exported_space_destroy(struct jc_exported_space *exported);

/* Answers a request of an edge to the subject `reply`, which must be one of its own. */
void jc_exported_space_answer(struct jc_exported_space *exported, const char *edge,
	const char *reply, const uint8_t *bytes, size_t length, int64_t now_ns);

/* Ends interest that has expired, and publishes changes of policy, sanctions and guests. Not from
 * within a tick. */
void jc_exported_space_sweep(struct jc_exported_space *exported, int64_t now_ns);

/* The persons of an identity have to leave the space at the edges, too (forwarder.h). */
void jc_exported_space_remove(struct jc_exported_space *exported, const char *who, const char *text,
	bool spares_administrators);

/* Tells edges that changes may not have been sent. */
void jc_exported_space_lost(struct jc_exported_space *exported);

/* Published frames and answered rejoins of all its views. */
void jc_exported_space_count(
	const struct jc_exported_space *exported, uint64_t *out_frames, uint64_t *out_rejoins);

#endif
