/* A face of the text of a phone: blend shapes of ARKit, gaze, head. */
#ifndef JC_PHONE_FACE_H
#define JC_PHONE_FACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "source/face/face.h"

struct jc_phone_face {
	struct jc_face face; /* without shapes if the phone sees no face */
	bool has_head;
	/* Against the phone: canonical axes, the person's left is +X and its front +Z. */
	struct jc_quat head;
	size_t unknown; /* names that are no blend shapes of ARKit */
};

/* Reads a datagram; the errors are those of jc_face_text_read. Shapes that the text does not have
 * are not tracked (NaN). The gaze is the mean direction of both eyes. */
int jc_phone_face_read(const void *bytes, size_t length, struct jc_phone_face *out_face,
	struct jc_diagnostic *diagnostic);

#endif
