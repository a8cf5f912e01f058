/* Buffer views of an open glTF file. */
#ifndef JC_PRIVATE_GLTF_VIEW_H
#define JC_PRIVATE_GLTF_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "jointcast/gltf.h"
#include "jointcast_private/json.h"

/* The bytes of a buffer view (3.6.2), borrowed. */
struct jc_gltf_view {
	const uint8_t *bytes;
	size_t length;
	size_t stride; /* 0: tightly packed */
};

/* Fails for an index without a view, and for a view that is compressed or ends past its buffer.
 * user is the place of what refers to the view. */
int jc_gltf_view_read(const struct jc_gltf *gltf, int index, const struct jc_json_place *user,
	struct jc_gltf_view *out_view, struct jc_diagnostic *diagnostic);

#endif
