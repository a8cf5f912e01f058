/* Motions of VRMA and glTF animations: a skeleton, transforms of its nodes, and tracks
 * that change them. */
#ifndef JC_MOTION_GLTF_MOTION_H
#define JC_MOTION_GLTF_MOTION_H

#include "gltf_clip.h"
#include "motion_private.h"

/* The figure of a motion; everything is borrowed for the call. */
struct jc_gltf_figure {
	const char *format; /* static, for struct jc_motion_info */
	const char *family; /* static */
	float confidence;   /* for struct jc_motion_info */
	/* The skeleton with the bones that move. */
	const struct jc_skeleton_description *skeleton;
	/* The skeleton is the built-in reference pose: its nodes are not those of the file, so
	 * only tracks by bone name move it. */
	bool is_reference;
	/* Use nodes of bones and between bones only, and translations of the hips only. */
	bool bones_only;
	/* Transforms of nodes without a track; NULL for the rest. */
	const struct jc_transform *initial;
};

/* A named channel, from the track of a node, or from its transform if it has no track. */
struct jc_gltf_signal {
	struct jc_motion_channel channel; /* name borrowed for the call */
	int node;
	enum jc_gltf_path path; /* a weight is the first value of a translation */
};

/* Reads the signals and the tracks that move bones of the figure, by node or by bone name; by
 * name where the clip has both for a bone. JC_ERROR_NO_HUMANOID if there are neither. */
int jc_gltf_motion_create(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_gltf_figure *figure, size_t signal_count,
	const struct jc_gltf_signal *signals, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

#endif
