/* Writes the joints, bind matrices and motions of an FBX file as GLB. */
#ifndef JC_CLI_FBX_GLTF_H
#define JC_CLI_FBX_GLTF_H

#include <stddef.h>

#include "fbx/fbx_scene.h"
#include "jointcast/error.h"

/* The caller frees *out_glb. Node 0 converts the axes and the unit of the file; below it, nodes
 * have the values of the file. */
int jc_fbx_gltf_write(const struct jc_fbx_scene *scene, char **out_glb, size_t *out_length,
	struct jc_diagnostic *diagnostic);

#endif
