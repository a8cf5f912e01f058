/* The joints of an FBX file, found in the nodes of libassimp.
 *
 * FBX places a node by a chain of up to fourteen transforms: translation, offset, pivot,
 * pre-rotation, rotation, post-rotation, ... libassimp writes a chain that is more than
 * translation, rotation and scale as helper nodes NAME_$AssimpFbx$_PreRotation and so on above the
 * node NAME. Here they are one joint again. */
#ifndef JC_CLI_FBX_SCENE_H
#define JC_CLI_FBX_SCENE_H

#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/types.h"

struct aiMatrix4x4;
struct aiNode;
struct aiScene;

#define JC_FBX_LINKS 16 /* nodes of one chain */

struct jc_fbx_joint {
	/* The chain, outermost first; the last node has the name of the joint. Borrowed. */
	const struct aiNode *links[JC_FBX_LINKS];
	int link_count;
	int parent;           /* joint, or -1 */
	struct jc_mat4 local; /* in the axes and the unit of the file */
	struct jc_mat4 world; /* the same */
};

struct jc_fbx_scene {
	const struct aiScene *file; /* borrowed */
	size_t joint_count, joint_capacity;
	struct jc_fbx_joint *joints; /* owned; parents before children */
	int *mesh_joints;            /* owned: by mesh, the joint that carries it, or -1 */
	struct jc_mat4 placement;    /* from the axes and unit of the file to metres, +Y up */
};

/* `file` outlives the scene. */
int jc_fbx_scene_init(struct jc_fbx_scene *out_scene, const struct aiScene *file,
	struct jc_diagnostic *diagnostic);
void jc_fbx_scene_finish(struct jc_fbx_scene *scene);

/* The name of a joint; not necessarily UTF-8. */
const char *jc_fbx_scene_name(const struct jc_fbx_joint *joint);

struct jc_mat4 jc_fbx_scene_matrix(const struct aiMatrix4x4 *matrix);

/* Translation, rotation and scale of a matrix. A thing that is hidden by the scale 0 has no
 * rotation. */
struct jc_transform jc_fbx_scene_transform(struct jc_mat4 matrix);

#endif
