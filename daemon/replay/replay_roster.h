/* The bodies of a recording that are in the space now. */
#ifndef JC_REPLAY_ROSTER_H
#define JC_REPLAY_ROSTER_H

#include <stddef.h>
#include <stdint.h>

#include "jointcast/recording_reader.h"
#include "replay/replay_body.h"
#include "replay/withdrawals.h"
#include "source/source_uri.h"
#include "space/space.h"

struct jc_replay_member {
	uint16_t group; /* group and id identify the recorded body */
	uint32_t id;
	uint32_t body;            /* its id in the space */
	struct jc_source *source; /* borrowed: the space owns it */
	bool stays;               /* of the roster that is applied */
};

struct jc_replay_roster {
	struct jc_space *space;                   /* borrowed, as is what follows */
	struct jc_skeleton_table *skeleton_table; /* where skeleton assets are by their hash */
	struct jc_skeleton_asset *asset;          /* that all wear; NULL: each as recorded */
	const struct jc_body_names *names;
	const struct jc_withdrawals *withdrawals; /* bodies to leave out; NULL: none */
	size_t count;
	struct jc_replay_member members[JC_MAX_BODIES];
	uint64_t left_out; /* bodies that there was no room for */
};

/* From now on the bodies of a group are those of the roster, as far as they were
 * recorded. */
void jc_replay_roster_apply(
	struct jc_replay_roster *replay_roster, const struct jc_recorded_roster *roster);

/* NULL where it is not on stage. */
struct jc_source *jc_replay_roster_find(
	const struct jc_replay_roster *replay_roster, uint16_t group, uint32_t id);

/* Bodies leave that were withdrawn since. */
void jc_replay_roster_dismiss(struct jc_replay_roster *replay_roster);

/* All of them leave. */
void jc_replay_roster_clear(struct jc_replay_roster *replay_roster);

#endif
