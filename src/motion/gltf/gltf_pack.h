/* The two containers of glTF: a GLB, or JSON with its buffer as data URI. */
#ifndef JC_MOTION_GLTF_PACK_H
#define JC_MOTION_GLTF_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "file_buffer.h"

/* document lacks `buffers` and its closing brace; it is used up either way. The
 * buffer's length is a multiple of four. */
int jc_gltf_pack(struct jc_file_buffer *document, const void *buffer, size_t length, bool is_binary,
	struct jc_written *out_file, struct jc_diagnostic *diagnostic);

#endif
