/* One animation of a glTF file as a list of targets and their samplers. */
#ifndef JC_MOTION_GLTF_CLIP_H
#define JC_MOTION_GLTF_CLIP_H

#include "gltf_track.h"
#include "jointcast/humanoid.h"
#include "jointcast/lint.h"

/* The target of a channel: a bone by name (EXT_skeleton_humanoid, "Animation definition")
 * or, if bone is JC_BONE_NONE, a node. */
struct jc_gltf_target {
	enum jc_bone bone;
	int node;
	enum jc_gltf_path path;
	size_t sampler;
};

struct jc_gltf_clip {
	const char *name;              /* borrowed from the glTF */
	size_t index;                  /* of the animation */
	const struct json_t *samplers; /* borrowed */
	size_t target_count;
	struct jc_gltf_target *targets; /* owned; each combination of target and path once */
	bool names_bones;               /* at least one target is a bone by name */
};

/* Leaves out channels without a node or bone (morph weights, pointers), and channels
 * whose target and path an earlier one has. */
int jc_gltf_clip_read(const struct jc_gltf *gltf, size_t index, struct jc_gltf_clip *out_clip,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);
void jc_gltf_clip_finish(struct jc_gltf_clip *clip);

/* Reads the keys of one target. */
int jc_gltf_clip_track(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_gltf_target *target, size_t *budget, struct jc_gltf_track *out_track,
	struct jc_diagnostic *diagnostic);

#endif
