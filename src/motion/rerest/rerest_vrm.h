/* Expresses the extensions of VRM 0.x and 1.0 for a new rest. */
#ifndef JC_MOTION_REREST_VRM_H
#define JC_MOTION_REREST_VRM_H

#include "rerest_document.h"

/* Look-at offsets and colliders keep their places; expressions and first-person annotations
 * follow meshes that were moved to nodes of their own or copied. An extension of VRM 0.x is left
 * out and reported where the figure does not face -Z. To be called after the nodes got their
 * transforms. */
int jc_rerest_vrm(struct jc_rerest_document *document);

#endif
