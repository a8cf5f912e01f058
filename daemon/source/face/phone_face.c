/* Finds the names of blend shapes in the table of faces. Signs of angles: in the texts that both
 * apps document, eyes of the shapes eyeLookDown turn by a positive X, and those that look to the
 * person's left by a positive Y, as in canonical axes. */
#include "source/face/phone_face.h"

#include <math.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast_private/apps/face_text.h"

#define RADIANS 0.017453293f
#define PREFIX  "expression/"

static void take_value(void *context, const char *name, float value)
{
	struct jc_phone_face *face = context;

	for (int i = 0; i < JC_FACE_SHAPES; i++) {
		if (strcmp(jc_face_channel_names[i] + strlen(PREFIX), name) == 0) {
			face->face.shapes[i] = value;
			face->face.has_shapes = true;
			return;
		}
	}
	/* Facemotion3d has shapes of its own, FM_…; a status of 0 means that no face is seen. */
	if (strcmp(name, "trackingStatus") == 0) {
		face->has_head = value > 0.0f;
	} else {
		face->unknown++;
	}
}

/* About Y, then X, then Z. */
static struct jc_quat turn(struct jc_vec3 degrees)
{
	struct jc_quat x =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, degrees.x * RADIANS);
	struct jc_quat y =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, degrees.y * RADIANS);
	struct jc_quat z =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 0.0f, 1.0f }, degrees.z * RADIANS);

	return jc_quat_multiply(y, jc_quat_multiply(x, z));
}

static void take_gaze(const struct jc_face_text *text, struct jc_face *face)
{
	struct jc_vec3 left = text->left_eye.degrees;
	struct jc_vec3 right = text->right_eye.degrees;

	face->has_gaze = text->left_eye.is_known || text->right_eye.is_known;
	left = text->left_eye.is_known ? left : right;
	right = text->right_eye.is_known ? right : left;
	face->gaze = turn(
		(struct jc_vec3){ 0.5f * (left.x + right.x), 0.5f * (left.y + right.y), 0.0f });
}

int jc_phone_face_read(const void *bytes, size_t length, struct jc_phone_face *out_face,
	struct jc_diagnostic *diagnostic)
{
	struct jc_phone_face face = { .has_head = true, .head = JC_QUAT_IDENTITY };
	struct jc_face_text text;

	for (int i = 0; i < JC_FACE_SHAPES; i++) {
		face.face.shapes[i] = NAN;
	}
	int status = jc_face_text_read(bytes, length, take_value, &face, &text, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	if (!face.has_head) {
		face.face.has_shapes = false; /* the phone sees no face */
	} else {
		take_gaze(&text, &face.face);
		face.has_head = text.head.is_known;
		face.head = turn(text.head.degrees);
	}
	*out_face = face;
	return JC_OK;
}
