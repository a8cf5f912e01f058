/* The text that face trackers of phones send in datagrams.
 *
 * iFacialMocap (ifacialmocap.com/for-developer), version 1:
 *   NAME-VALUE|…|=head#X,Y,Z,PX,PY,PZ|rightEye#X,Y,Z|leftEye#X,Y,Z|
 * with VALUE from 0 to 100, angles in degrees and the position in metres. In version 2, which the
 * receiver asks for, '&' stands for the '-' before VALUE. Facemotion3d (facemotion3d.net/
 * for-developer) also writes '&'. Sides are "_L" and "_R" in iFacialMocap, "Left" and "Right", as
 * in ARKit, in Facemotion3d. Both forms are read in any mixture. */
#ifndef JC_PRIVATE_FACE_TEXT_H
#define JC_PRIVATE_FACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/types.h"

#define JC_FACE_TEXT_BYTES 8192u /* maximum of a datagram; apps send 1.5 kB */
#define JC_FACE_TEXT_ITEMS 256u  /* maximum of names in it */
#define JC_FACE_TEXT_NAME  40u   /* bytes of a name, with the NUL */

/* Angles in degrees: about X (down is positive), Y (to the person's left is positive) and Z. */
struct jc_face_text_angles {
	bool is_known;
	struct jc_vec3 degrees;
};

struct jc_face_text {
	struct jc_face_text_angles head, right_eye, left_eye;
};

/* Reads a datagram and calls on_value for each blend shape in order, with its name as in ARKit
 * ("eyeBlinkLeft") and its value from 0 to 1, clamped. The text is checked to its end first: of a
 * damaged one nothing is passed on. Other fields, such as trackingStatus, are passed on or skipped.
 * Returns JC_OK, JC_ERROR_SYNTAX, JC_ERROR_LIMIT, or JC_ERROR_INVALID for an impossible number;
 * where is the number of the field. */
int jc_face_text_read(const char *bytes, size_t length,
	void (*on_value)(void *context, const char *name, float value), void *context,
	struct jc_face_text *out_text, struct jc_diagnostic *diagnostic);

#endif
