/* Type and size of an image from its first bytes; no pixel is decoded. */
#ifndef JC_IMAGE_HEAD_H
#define JC_IMAGE_HEAD_H

#include <stddef.h>

struct jc_image_head {
	const char *type;     /* static: "image/png", "image/jpeg" or "image/webp" */
	size_t width, height; /* pixels, at least 1 */
};

/* Returns NULL, or why the image cannot be shown: a static phrase. Animations and kinds of JPEG
 * that browsers do not read are refused. */
const char *jc_image_head_read(const void *bytes, size_t length, struct jc_image_head *out_head);

#endif
