/* Files that a glTF file refers to. */
#ifndef JC_GLTF_URI_H
#define JC_GLTF_URI_H

#include "jointcast/gltf.h"

/* Passes a relative URI with its escapes (%20) undone to the resolver, which may be NULL. Returns
 * JC_OK, JC_ERROR_ABSENT without a resolver, JC_ERROR_SYNTAX for a damaged URI, JC_ERROR_MEMORY,
 * or the resolver's error. */
int jc_gltf_uri_read(const struct jc_gltf_resolver *resolver, const char *uri,
	const void **out_bytes, size_t *out_length);

#endif
