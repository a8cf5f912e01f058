/* The state of one check, for the files that check parts of an avatar. */
#ifndef JC_AVATAR_PRIVATE_H
#define JC_AVATAR_PRIVATE_H

#include "jointcast/avatar.h"
#include "jointcast/gltf.h"
#include "jointcast_private/json.h"

struct jc_avatar_reader {
	const struct jc_avatar_caps *caps;
	const struct jc_gltf *gltf; /* borrowed; NULL until the container is checked */
	const struct json_t *root;  /* its document */
	size_t binary_length;       /* of the second chunk of a GLB, or 0 */
	struct jc_avatar_facts facts;
	struct jc_diagnostic *diagnostic;
};

/* a + b and a * b, or SIZE_MAX where the result is greater: beyond each cap. */
size_t jc_avatar_add(size_t a, size_t b);
size_t jc_avatar_multiply(size_t a, size_t b);

/* JC_ERROR_LIMIT with "VALUE WHAT, more than CAP" if value is greater than cap. */
int jc_avatar_cap(const struct jc_avatar_reader *reader, const char *where, size_t value,
	size_t cap, const char *what);

/* The greatest magnitude of the positions of a mesh along each axis, and of those of one of its
 * morph targets. */
struct jc_avatar_reach {
	double base[3], target[3];
};

/* How far the meshes reach at rest, given the reach of each. After the caps of nodes and draw
 * calls, which bound the cost. */
int jc_avatar_extent_check(struct jc_avatar_reader *reader, const struct jc_avatar_reach *reaches);

/* Each function checks one part and fills its facts. */

/* Type and lengths of the file, before anything of it is parsed; sets binary_length. */
int jc_avatar_container_check(struct jc_avatar_reader *reader, const void *bytes, size_t length);
/* The JSON as a whole: size, nesting, URIs, extensions; and that all buffers and views are there.
 */
int jc_avatar_document_check(struct jc_avatar_reader *reader);
/* Nodes, skins, meshes and accessors. */
int jc_avatar_geometry_check(struct jc_avatar_reader *reader);
/* Images and textures. */
int jc_avatar_images_check(struct jc_avatar_reader *reader);
/* Format and the meta of a VRM. */
void jc_avatar_meta_read(struct jc_avatar_reader *reader);
/* Spring bones of a VRM. */
int jc_avatar_springs_check(struct jc_avatar_reader *reader);

#endif
