/* glTF documents written by tests: text with the numbers they need. */
#ifndef JC_TEST_GLTF_TEXT_H
#define JC_TEST_GLTF_TEXT_H

#include <stddef.h>

/* A buffer, its only view and, over all of it, one accessor of 4x4 matrices, as
 * the JSON members "buffers", "bufferViews" and "accessors". The text is the
 * caller's to free. */
char *gltf_text_matrices(const float *values, size_t matrix_count);

#endif
