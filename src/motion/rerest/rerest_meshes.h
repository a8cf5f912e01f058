/* Converts meshes and skins to a new rest. */
#ifndef JC_MOTION_REREST_MESHES_H
#define JC_MOTION_REREST_MESHES_H

#include "gltf/gltf_edit.h"
#include "jointcast/skeleton.h"
#include "rerest_plan.h"

/* Binds the skins of the figure in its new rest. Vertices move to the T-pose; vertices of
 * a skin that is bound in that pose do not change. A mesh that other skins also use is
 * copied. */
int jc_rerest_meshes(struct jc_gltf_edit *edit, const struct jc_skeleton *skeleton,
	const struct jc_rerest_plan *plan, struct jc_diagnostic *diagnostic);

#endif
