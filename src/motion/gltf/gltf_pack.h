/* The two containers of glTF: GLB, or JSON with its buffer as a data URI. */
#ifndef JC_MOTION_GLTF_PACK_H
#define JC_MOTION_GLTF_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "file_buffer.h"

/* A second buffer without bytes: it has the size of what the first holds compressed with meshopt
 * (EXT_meshopt_compression, "Fallback buffers"). */
struct jc_gltf_fallback {
	/* The first buffer has bytes where this is set. */
	const char *extension; /* EXT_meshopt_compression or KHR_meshopt_compression; NULL: none */
	size_t length;
};

/* document lacks `buffers` and its closing brace; the call consumes it, even on an error.
 * length must be a multiple of four. */
int jc_gltf_pack(struct jc_file_buffer *document, const void *buffer, size_t length,
	struct jc_gltf_fallback fallback, bool is_binary, struct jc_written *out_file,
	struct jc_diagnostic *diagnostic);

#endif
