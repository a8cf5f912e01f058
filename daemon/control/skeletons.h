/* Finds skeletons that a client may use. */
#ifndef JC_SKELETONS_H
#define JC_SKELETONS_H

struct jc_client;
struct jc_skeleton_asset;
#include "registry/registry.h"

/* The skeleton asset of a hash that the client may use: a common one, or one that its owner
 * has registered. hash NULL: `humanoid`. Borrowed; NULL: no such asset. */
struct jc_skeleton_asset *jc_skeletons_find(const struct jc_client *client, const char *hash);

#endif
