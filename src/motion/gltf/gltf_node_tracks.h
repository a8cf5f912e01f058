/* Tracks of nodes that are no bones and carry none, such as a lid or a sword. */
#ifndef JC_MOTION_GLTF_NODE_TRACKS_H
#define JC_MOTION_GLTF_NODE_TRACKS_H

#include "gltf_clip.h"
#include "jointcast/skeleton.h"

/* One such node, with what identifies it in the skeleton of the same file. */
struct jc_gltf_moving_node {
	char *name, *parent; /* owned; parent is "" at the top */
	struct jc_transform rest;
	size_t track_count;
	struct jc_gltf_track tracks[3]; /* owned: one for each path at most */
};

/* All zeros: none. */
struct jc_gltf_node_tracks {
	size_t count;
	struct jc_gltf_moving_node *nodes; /* owned; JC_LIMIT_MOVING_NODES at most */
};

/* Reads the tracks of the nodes without a place, which is -1 in `places` (by node of the file).
 * Nodes without a name are left out; those past the limit, with a finding. *budget as in
 * jc_gltf_track_read. Returns 0 or a negative enum jc_error; finish the list in both cases. */
int jc_gltf_node_tracks_read(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const int *places, size_t *budget, struct jc_gltf_node_tracks *out_tracks,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);
void jc_gltf_node_tracks_finish(struct jc_gltf_node_tracks *tracks);

/* The local transform of a node at t seconds of the file. */
struct jc_transform jc_gltf_node_tracks_sample(
	const struct jc_gltf_node_tracks *tracks, size_t index, double t);

/* The node of a skeleton with the same name, parent and rest; -1: none. */
int jc_gltf_node_tracks_match(
	const struct jc_gltf_node_tracks *tracks, size_t index, const struct jc_skeleton *skeleton);

#endif
