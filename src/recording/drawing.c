/* Follows the bodies of a space for the topics `transforms` and `scene`. */
#include "drawing.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "drawing_entities.h"
#include "foxglove_text.h"
#include "frame_transforms.h"
#include "jointcast/limits.h"
#include "jointcast_private/json.h"
#include "reader.h"

#define SECOND_NS UINT64_C(1000000000)
#define PERIOD_NS (SECOND_NS / JC_DRAWING_HZ)
#define URGENT_NS (SECOND_NS / 4)
#define EARLY_NS  UINT64_C(5000000) /* ticks are not exactly periodic */

struct jc_drawing {
	char *space;   /* owned */
	char *escaped; /* owned: as JSON has it between quotes */
	size_t body_count;
	struct jc_drawing_body bodies[JC_DRAWING_BODIES];
	uint64_t transforms_ns, entities_ns; /* of the last messages */
	bool has_transforms, has_entities;   /* there were such messages */
	bool is_changed;                     /* bodies or figures since the last entities */
	bool is_urgent;                      /* a drawn body is gone or has another name */
	struct jc_capture decoded;
};

int jc_drawing_create(const char *space, struct jc_drawing **out_drawing)
{
	struct jc_drawing *drawing = calloc(1, sizeof(*drawing));

	if (!drawing) {
		return JC_ERROR_MEMORY;
	}
	drawing->space = strdup(space);
	drawing->escaped = jc_foxglove_escape(space);
	if (!drawing->space || !drawing->escaped) {
		jc_drawing_destroy(drawing);
		return JC_ERROR_MEMORY;
	}
	*out_drawing = drawing;
	return JC_OK;
}

static void finish_body(struct jc_drawing_body *body)
{
	free(body->frame);
	free(body->label);
	free(body->capture);
}

void jc_drawing_destroy(struct jc_drawing *drawing)
{
	if (!drawing) {
		return;
	}
	for (size_t i = 0; i < drawing->body_count; i++) {
		finish_body(&drawing->bodies[i]);
	}
	free(drawing->escaped);
	free(drawing->space);
	free(drawing);
}

char *jc_drawing_frame(const char *space, const char *name)
{
	/* A byte becomes three at most. */
	char *frame = malloc(strlen(space) + 3 * strlen(name) + 2);
	char *at = frame ? stpcpy(stpcpy(frame, space), "/") : NULL;

	for (; at && *name; name++) {
		const char *code = *name == '%' ? "%25" : *name == '/' ? "%2F" : NULL;

		if (code) {
			at = stpcpy(at, code);
		} else {
			*at++ = *name;
		}
	}
	if (at) {
		*at = '\0';
	}
	return frame;
}

static struct jc_drawing_body *find_body(struct jc_drawing *drawing, uint32_t id)
{
	for (size_t i = 0; i < drawing->body_count; i++) {
		if (drawing->bodies[i].id == id) {
			return &drawing->bodies[i];
		}
	}
	return NULL;
}

/* Replaces a text that is different. Steals `made`. */
static bool replace(char **text, char *made)
{
	bool is_new = !*text || strcmp(*text, made) != 0;

	if (!is_new) {
		free(made);
		return false;
	}
	free(*text);
	*text = made;
	return true;
}

static int name_body(struct jc_drawing *drawing, struct jc_drawing_body *body,
	const struct jc_recorded_body *recorded)
{
	char *frame = jc_drawing_frame(drawing->space, recorded->name);
	char *escaped = frame ? jc_foxglove_escape(frame) : NULL;
	char *label = jc_foxglove_escape(
		recorded->display && recorded->display[0] ? recorded->display : recorded->name);
	bool is_renamed;

	free(frame);
	if (!escaped || !label) {
		free(escaped);
		free(label);
		return JC_ERROR_MEMORY;
	}
	is_renamed = replace(&body->frame, escaped);
	is_renamed = replace(&body->label, label) || is_renamed;
	drawing->is_changed = drawing->is_changed || is_renamed;
	drawing->is_urgent = drawing->is_urgent || (is_renamed && body->is_drawn);
	return JC_OK;
}

static int take_body(struct jc_drawing *drawing, const struct jc_recorded_body *recorded)
{
	struct jc_drawing_body *body = find_body(drawing, recorded->id);
	int error;

	if (recorded->recorded == JC_RECORDED_NOTHING) {
		return JC_OK;
	}
	if (!body) {
		struct jc_drawing_body added = { .id = recorded->id,
			.capture = malloc(JC_CAPTURE_BYTES) };

		if (!added.capture || drawing->body_count == JC_DRAWING_BODIES) {
			free(added.capture);
			return added.capture ? JC_OK : JC_ERROR_MEMORY;
		}
		body = &drawing->bodies[drawing->body_count];
		*body = added;
		error = name_body(drawing, body, recorded);
		if (error) {
			finish_body(body);
			return error;
		}
		drawing->body_count++;
	} else {
		error = name_body(drawing, body, recorded);
	}
	body->placement = recorded->placement;
	body->profile = recorded->profile;
	return error;
}

static bool lists(const json_t *bodies, uint32_t id)
{
	for (size_t i = 0; i < json_array_size(bodies); i++) {
		const json_t *body = json_array_get(bodies, i);
		const char *recorded = json_string_value(json_object_get(body, "recorded"));

		if (json_integer_value(json_object_get(body, "id")) == (json_int_t)id) {
			return recorded && strcmp(recorded, "nothing") != 0;
		}
	}
	return false;
}

/* Removes the bodies that have left or whose persons withdrew consent. */
static void remove_gone(struct jc_drawing *drawing, const json_t *bodies)
{
	size_t kept = 0;

	for (size_t i = 0; i < drawing->body_count; i++) {
		if (lists(bodies, drawing->bodies[i].id)) {
			drawing->bodies[kept++] = drawing->bodies[i];
			continue;
		}
		if (drawing->bodies[i].is_drawn) {
			drawing->is_changed = drawing->is_urgent = true;
		}
		finish_body(&drawing->bodies[i]);
	}
	drawing->body_count = kept;
}

int jc_drawing_take_roster(struct jc_drawing *drawing, const void *json, size_t length)
{
	json_t *root;
	const json_t *bodies;
	int error = jc_json_parse(json, length, &root, NULL);

	if (error) {
		return error == JC_ERROR_MEMORY ? error : JC_OK;
	}
	bodies = json_object_get(root, "bodies");
	remove_gone(drawing, bodies);
	for (size_t i = 0; i < json_array_size(bodies) && !error; i++) {
		struct jc_recorded_body recorded;
		const char **channels = NULL;

		if (jc_recorded_body_parse(
			    json_array_get(bodies, i), NULL, &recorded, &channels, NULL) == JC_OK) {
			error = take_body(drawing, &recorded);
		}
		free(channels);
	}
	json_decref(root);
	return error;
}

/* T-poses stand beside every roster, also those of bodies that were there before: in place of the
 * last capture they would hide such a body until the next one. */
static bool is_motion(const struct jc_recorded_capture *capture)
{
	return capture->length > 1 && capture->length <= JC_CAPTURE_BYTES &&
	       !(capture->bytes[1] & JC_CAPTURE_FLAG_REST);
}

int jc_drawing_take_captures(struct jc_drawing *drawing, const void *bytes, size_t length)
{
	struct jc_recorded_capture capture;
	struct jc_captures captures;

	if (!jc_captures_begin(bytes, length, &captures)) {
		return JC_OK;
	}
	while (jc_captures_next(&captures, &capture)) {
		struct jc_drawing_body *body = find_body(drawing, capture.body);

		if (body && is_motion(&capture)) {
			memcpy(body->capture, capture.bytes, capture.length);
			body->capture_length = capture.length;
			body->is_fresh = true;
		}
	}
	return JC_OK;
}

/* Leaves out damaged captures. A capture that was packed before keeps its time: its text does not
 * change, and compresses to almost nothing. */
static void pack_body(struct jc_drawing *drawing, struct jc_drawing_body *body,
	struct jc_frame_transforms *transforms)
{
	struct jc_body_frame frame;
	struct jc_pose pose;
	bool is_frame = body->capture[0] == JC_CAPTURE_BODY_FRAME;
	bool is_changed;

	body->packed_ns = body->is_fresh ? transforms->unix_ns : body->packed_ns;
	body->is_fresh = false;
	if ((is_frame ? jc_body_frame_decode(
				body->capture, body->capture_length, &drawing->decoded, &frame)
		      : jc_pose_decode(body->capture, body->capture_length, &drawing->decoded,
				&pose)) < 0) {
		return;
	}
	is_changed = is_frame ? jc_drawing_figure_take_frame(&body->figure, body->profile, &frame)
			      : jc_drawing_figure_take_pose(&body->figure, &pose);
	drawing->is_changed = drawing->is_changed || is_changed || !body->is_drawn;
	body->is_drawn = true;
	transforms->unix_ns = body->packed_ns;
	jc_frame_transforms_put_body(transforms, drawing->escaped, body);
	if (is_frame) {
		jc_frame_transforms_put_frame(transforms, body, &frame);
	} else {
		jc_frame_transforms_put_pose(transforms, body, &pose);
	}
}

static bool has_fresh(const struct jc_drawing *drawing)
{
	for (size_t i = 0; i < drawing->body_count; i++) {
		if (drawing->bodies[i].is_fresh) {
			return true;
		}
	}
	return false;
}

int jc_drawing_pack_transforms(
	struct jc_drawing *drawing, uint64_t unix_ns, struct jc_mcap_buffer *buffer)
{
	struct jc_frame_transforms transforms;
	size_t before = buffer->length;

	if (!has_fresh(drawing) ||
		(drawing->has_transforms && unix_ns >= drawing->transforms_ns &&
			unix_ns - drawing->transforms_ns + EARLY_NS < PERIOD_NS)) {
		return JC_OK;
	}
	jc_frame_transforms_begin(&transforms, drawing->escaped, buffer, unix_ns);
	for (size_t i = 0; i < drawing->body_count; i++) {
		transforms.unix_ns = unix_ns;
		if (drawing->bodies[i].is_fresh || drawing->bodies[i].is_drawn) {
			pack_body(drawing, &drawing->bodies[i], &transforms);
		}
	}
	jc_frame_transforms_end(&transforms);
	if (transforms.count == 1) { /* the space only: all captures were left out */
		buffer->length = before;
		return buffer->error;
	}
	drawing->transforms_ns = unix_ns;
	drawing->has_transforms = true;
	return buffer->error;
}

static bool is_drawn(const struct jc_drawing *drawing)
{
	for (size_t i = 0; i < drawing->body_count; i++) {
		if (drawing->bodies[i].is_drawn) {
			return true;
		}
	}
	return false;
}

/* A crowd that comes and goes must not fill the disk: a scene of many bodies is large. */
static bool are_entities_due(const struct jc_drawing *drawing, uint64_t unix_ns)
{
	uint64_t pause = drawing->is_urgent ? URGENT_NS : SECOND_NS;

	if (!drawing->is_changed || !drawing->has_transforms) {
		return false;
	}
	return !drawing->has_entities || unix_ns < drawing->entities_ns ||
	       unix_ns - drawing->entities_ns >= pause || !is_drawn(drawing);
}

int jc_drawing_pack_entities(
	struct jc_drawing *drawing, uint64_t unix_ns, struct jc_mcap_buffer *buffer)
{
	struct jc_drawing_entities entities;

	if (!are_entities_due(drawing, unix_ns)) {
		return JC_OK;
	}
	jc_drawing_entities_begin(&entities, buffer, unix_ns);
	for (size_t i = 0; i < drawing->body_count; i++) {
		if (drawing->bodies[i].is_drawn) {
			jc_drawing_entities_put(&entities, &drawing->bodies[i]);
		}
	}
	jc_drawing_entities_end(&entities);
	drawing->entities_ns = unix_ns;
	drawing->has_entities = true;
	drawing->is_changed = drawing->is_urgent = false;
	return buffer->error;
}
