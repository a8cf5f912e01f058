/* A small avatar whose facts are counted by hand, with parts of its document replaced. */
#ifndef JC_TEST_FIGURE_FILE_H
#define JC_TEST_FIGURE_FILE_H

#include <stddef.h>
#include <stdint.h>

struct figure_file {
	uint8_t bytes[16384];
	size_t length;
};

#define FIGURE_BINARY 236 /* bytes of its binary chunk */

/* The document as text with ' for ". Two nodes are joints, two have the mesh; a quad of two
 * triangles with one morph target, an image of 3 x 5 pixels that two textures use with different
 * samplers, a spring of two joints and a group of three colliders that it lists twice. */
extern const char figure_document[];

/* The binary chunk: positions at 0, joints at 48, weights at 64, targets at 128, indices at 176,
 * the PNG at 188. The second vertex is at (0, 1.5, 0), the others at the origin. */
void figure_binary(uint8_t out_bytes[FIGURE_BINARY]);

/* A GLB of the document in which the first `from` is `to` (both with ' for "; NULL: unchanged), and
 * of the binary chunk (NULL: that of figure_binary). */
void figure_file_make(
	struct figure_file *file, const char *from, const char *to, const uint8_t *binary);

/* A GLB of any document with ' for ", and a binary chunk of that length, or none for 0. */
void figure_file_make_of(
	struct figure_file *file, const char *document, const uint8_t *binary, size_t length);

/* Little-endian. */
void figure_put_u32(uint8_t *bytes, uint32_t value);

#endif
