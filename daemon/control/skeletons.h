/* The control messages of who registers skeletons: `skeleton`, `skeletons` and
 * `unregister`; and what the others may wear by hash. */
#ifndef JC_SKELETONS_H
#define JC_SKELETONS_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;
struct jc_skeleton_asset;
#include "registry/registry.h"

/* The skeleton asset of a hash that a session may wear: one that is there for everybody, or one
 * that it has registered; of NULL `humanoid`. Borrowed; NULL where there is none. */
struct jc_skeleton_asset *jc_skeletons_find(const struct jc_client *client, const char *hash);

#endif
