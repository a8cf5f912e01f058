/* Virtual transforms of a skeleton in a written glTF file, and the nodes that carry them. */
#ifndef JC_MOTION_GLTF_SOCKETS_H
#define JC_MOTION_GLTF_SOCKETS_H

#include "jointcast/limits.h"
#include "jointcast/skeleton.h"

/* A node of the skeleton that is no bone but carries virtual transforms. It moves with the bone
 * above it. */
struct jc_gltf_socket {
	const char *name;    /* borrowed from the skeleton */
	enum jc_bone parent; /* JC_BONE_NONE: a root of the scene */
	struct jc_transform local;
};

struct jc_gltf_sockets {
	size_t count; /* nodes of the file after the bones, from first_node */
	struct jc_gltf_socket items[JC_LIMIT_VIRTUAL_TRANSFORMS];
	size_t virtual_count;
	/* Parents are nodes of the file. Names and tags are borrowed from the skeleton. */
	struct jc_virtual_transform virtuals[JC_LIMIT_VIRTUAL_TRANSFORMS];
};

/* The bones of the written file. */
struct jc_gltf_bones {
	const int *nodes;                /* by bone: node of the file, or -1 */
	const struct jc_vec3 *positions; /* by bone: in the T-pose, canonical */
	const struct jc_quat *rotations; /* by bone: of the world at rest */
	int first_node;                  /* index of the first socket */
};

/* In every pose each virtual transform has the same place in the file as on the skeleton. */
int jc_gltf_sockets_find(const struct jc_skeleton *skeleton, const struct jc_gltf_bones *bones,
	struct jc_gltf_sockets *out_sockets, struct jc_diagnostic *diagnostic);

#endif
