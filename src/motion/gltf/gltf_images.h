/* Images of a glTF document that are files of their own. */
#ifndef JC_MOTION_GLTF_IMAGES_H
#define JC_MOTION_GLTF_IMAGES_H

#include "gltf_edit.h"
#include "jointcast/lint.h"

/* Moves images from other files into the document, which is often written to another folder
 * (glTF 2.0, 3.6.1.1). One that cannot be read keeps its URI and is reported in lint (may be
 * NULL). resolver may be NULL: there are no other files. */
void jc_gltf_images_embed(
	struct jc_gltf_edit *edit, const struct jc_gltf_resolver *resolver, struct jc_lint *lint);

#endif
