/* The skeletons that bodies of a recording wore, made ready to be worn again: read
 * beside the recording, by whichever thread reads that. */
#ifndef JC_REPLAY_OUTFITS_H
#define JC_REPLAY_OUTFITS_H

#include <stddef.h>

#include "jointcast/recording_reader.h"
#include "space/wardrobe.h"

struct jc_replay_outfits {
	size_t count;
	struct jc_outfit *list[JC_MAX_BODIES]; /* owned; in a wardrobe once they are kept */
	size_t unusable;                       /* those that are not in the list, */
	struct jc_diagnostic problem;          /* and what is wrong with the first of them */
};

/* What cannot be used is left out: whoever wore it wears the built-in one. */
void jc_replay_outfits_read(
	const struct jc_recording *recording, struct jc_replay_outfits *out_outfits);

/* Puts them into a wardrobe, where they stay until finish. */
void jc_replay_outfits_keep(struct jc_replay_outfits *outfits, struct jc_wardrobe *wardrobe);
void jc_replay_outfits_finish(struct jc_replay_outfits *outfits);

#endif
