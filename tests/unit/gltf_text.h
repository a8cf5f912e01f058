/* glTF documents written by tests: text with the numbers they need. */
#ifndef JC_TEST_GLTF_TEXT_H
#define JC_TEST_GLTF_TEXT_H

#include <stddef.h>

/* A buffer of floats and its only view, as the JSON members "buffers" and
 * "bufferViews". The text is the caller's to free. */
char *gltf_text_floats(const float *values, size_t count);

#endif
