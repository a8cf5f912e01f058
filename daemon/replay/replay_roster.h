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
	bool stays;               /* listed in the roster that is being applied */
};

struct jc_replay_roster {
	struct jc_space *space;                   /* borrowed, like the next members */
	struct jc_skeleton_table *skeleton_table; /* contains the skeleton assets by hash */
	struct jc_skeleton_asset *asset; /* skeleton of all bodies; NULL: the recorded ones */
	const struct jc_body_names *names;
	const struct jc_withdrawals *withdrawals; /* bodies to leave out; NULL: none */
	size_t count;
	struct jc_replay_member members[JC_MAX_BODIES];
	uint64_t left_out; /* bodies that found no room */
};

/* Makes the bodies of a group those that the roster lists as recorded. */
void jc_replay_roster_apply(
	struct jc_replay_roster *replay_roster, const struct jc_recorded_roster *roster);

/* NULL: the body is not in the space. */
struct jc_source *jc_replay_roster_find(
	const struct jc_replay_roster *replay_roster, uint16_t group, uint32_t id);

/* Removes the bodies whose consent was withdrawn. */
void jc_replay_roster_remove_withdrawn(struct jc_replay_roster *replay_roster);

/* Removes all bodies. */
void jc_replay_roster_clear(struct jc_replay_roster *replay_roster);

#endif
