/* Meshes and skins over a new rest. */
#ifndef JC_MOTION_REREST_MESHES_H
#define JC_MOTION_REREST_MESHES_H

#include "gltf/gltf_edit.h"
#include "jointcast/skeleton.h"
#include "rerest_plan.h"

/* Binds the skins of the figure in its new rest. Vertices go where the figure's
 * T-pose has them; those of a skin that is bound in that pose stay as they are.
 * A mesh that other skins use as well is doubled. */
int jc_rerest_meshes(struct jc_gltf_edit *edit, const struct jc_skeleton *skeleton,
	const struct jc_rerest_plan *plan, struct jc_diagnostic *diagnostic);

#endif
