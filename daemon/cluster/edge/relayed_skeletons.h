/* The skeletons of the bodies of a relayed space, from its origin. */
#ifndef JC_RELAYED_SKELETONS_H
#define JC_RELAYED_SKELETONS_H

#include <stdint.h>

struct jc_relayed_space;
struct jc_skeleton_asset;

/* The skeleton with that hash, or NULL: it is then requested. */
struct jc_skeleton_asset *jc_relayed_skeletons_get(
	struct jc_relayed_space *space, const char *hash, int64_t now_ns);

/* Ends the holds on skeletons that bodies use now. */
void jc_relayed_skeletons_release(struct jc_relayed_space *space);

/* Another origin serves the space: waits for no answer of the earlier one. */
void jc_relayed_skeletons_restart(struct jc_relayed_space *space);

#endif
