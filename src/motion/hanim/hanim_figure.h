/* The figure of a written H-Anim file: any skeleton in the rest that the standard demands. */
#ifndef JC_MOTION_HANIM_FIGURE_H
#define JC_MOTION_HANIM_FIGURE_H

#include "jointcast/skeleton.h"

/* Every node of *out_figure is a joint, the first is the root, parents come before
 * children. At rest all frames are aligned with the canonical axes and the arms hang
 * down. Nodes have the names of H-Anim 2.0; each name is unique and a valid DEF. Bones
 * keep their names and N.
 *
 * A figure from H-Anim keeps the joints below its hips and their centers. Limits, segments and
 * facts are kept (hanim_body.h). Of another
 * skeleton the bones become joints, and the legs hang on a sacroiliac; arms and thumbs
 * are straightened, because readers expect them straight. Virtual transforms become sites
 * (hanim_sites.h); what they lose is reported in lint. A figure far from the ground or the origin
 * is moved there. */
int jc_hanim_figure_create(const struct jc_skeleton *skeleton, struct jc_skeleton **out_figure,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
