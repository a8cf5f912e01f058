/* data: URIs of glTF files. */
#ifndef JC_PRIVATE_GLTF_DATA_URI_H
#define JC_PRIVATE_GLTF_DATA_URI_H

#include <stddef.h>

/* Decodes "data:[type];base64,text" (RFC 2397; RFC 4648 with either alphabet). Binary data comes in
 * base64 only. *out_bytes is the caller's to free. JC_ERROR_INVALID for another or damaged URI,
 * with the reason in *out_fault, a static string that ends the phrase "buffers[0] is missing:";
 * or JC_ERROR_MEMORY. */
int jc_gltf_data_uri_decode(
	const char *uri, void **out_bytes, size_t *out_length, const char **out_fault);

#endif
