/* Converts meshes and skins to a new rest. */
#ifndef JC_MOTION_REREST_MESHES_H
#define JC_MOTION_REREST_MESHES_H

#include "gltf/gltf_edit.h"
#include "jointcast/skeleton.h"
#include "rerest_plan.h"

/* A mesh that is shown by several skins, or also without one. */
struct jc_rerest_copy {
	int mesh, skin; /* of the file */
	int copy;       /* the mesh for this skin */
};

struct jc_rerest_copies {
	size_t count;
	struct jc_rerest_copy items[256];
};

/* Binds the skins of the figure in its new rest. Vertices move to the T-pose; vertices of
 * a skin that is bound in that pose do not change. A mesh that other skins also use is
 * copied; out_copies lists the copies, also after an error. */
int jc_rerest_meshes(struct jc_gltf_edit *edit, const struct jc_skeleton *skeleton,
	const struct jc_rerest_plan *plan, struct jc_rerest_copies *out_copies,
	struct jc_diagnostic *diagnostic);

#endif
