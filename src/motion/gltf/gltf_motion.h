/* The concrete motion behind VRMA and glTF animations: a skeleton, how its
 * nodes stand, and tracks that move them. */
#ifndef JC_MOTION_GLTF_MOTION_H
#define JC_MOTION_GLTF_MOTION_H

#include "gltf_clip.h"
#include "motion_private.h"

/* What a motion is made from; everything is borrowed for the call. */
struct jc_gltf_figure {
	const char *format; /* static, of struct jc_motion_info */
	const char *family; /* static */
	float confidence;   /* of struct jc_motion_info */
	/* Whose bones move; its nodes are the file's unless tracks name bones. */
	const struct jc_skeleton_description *skeleton;
	/* Only nodes of bones count, and of translations those of the hips. */
	bool bones_only;
	/* How the nodes stand while nothing moves them; the rest where NULL. */
	const struct jc_transform *standing;
};

/* A named channel: what a node's track gives, or how the node stands. */
struct jc_gltf_signal {
	struct jc_motion_channel channel; /* name borrowed for the call */
	int node;
	enum jc_gltf_path path; /* of a translation the first value counts, as a weight */
};

/* Reads the tracks that move bones of the figure (nodes, or bones by name where
 * the clip names any) and the signals. JC_ERROR_NO_HUMANOID where none does
 * either. */
int jc_gltf_motion_create(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_gltf_figure *figure, size_t signal_count,
	const struct jc_gltf_signal *signals, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

#endif
