/* The options of `jointcast play`, and the player for recordings. */
#ifndef JC_CLI_RECORDING_PLAYER_H
#define JC_CLI_RECORDING_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/credentials.h"

#define JC_PLAY_NO_INDEX SIZE_MAX

struct jc_play_options {
	const char *motion, *url, *space, *name;
	const char *bones; /* the file of a bone map, or NULL; of a single motion only */
	double speed, from, until;
	bool loop, may_record, may_rebroadcast;
	struct jc_credentials credentials;
	size_t index; /* of the motion; JC_PLAY_NO_INDEX: not given */
};

/* Plays all bodies of a recording at the times and with the captures that were recorded. Returns
 * enum jc_exit. */
int jc_recording_player_run(const struct jc_play_options *options);

#endif
