/* Converts captures to foxglove.FrameTransforms messages. */
#include "frame_transforms.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "reader.h"

#define ROOT_NAME  (JC_LIMIT_NAME_BYTES + 16) /* SPACE/ID */
#define FRAME_NAME (ROOT_NAME + 64)

struct place {
	uint32_t body;
	struct jc_placement placement;
};

struct jc_frame_transforms {
	char *space; /* owned */
	size_t place_count;
	struct place places[JC_LIMIT_RECORDED_BODIES];
	uint64_t unix_ns;
	json_t *array; /* of the message that is being made */
	struct jc_capture capture;
};

int jc_frame_transforms_create(const char *space, struct jc_frame_transforms **out_transforms)
{
	struct jc_frame_transforms *transforms = calloc(1, sizeof(*transforms));

	if (!transforms) {
		return JC_ERROR_MEMORY;
	}
	transforms->space = strdup(space);
	if (!transforms->space) {
		free(transforms);
		return JC_ERROR_MEMORY;
	}
	*out_transforms = transforms;
	return JC_OK;
}

void jc_frame_transforms_destroy(struct jc_frame_transforms *transforms)
{
	if (transforms) {
		free(transforms->space);
		free(transforms);
	}
}

static struct place *find_place(struct jc_frame_transforms *transforms, uint32_t body)
{
	for (size_t i = 0; i < transforms->place_count; i++) {
		if (transforms->places[i].body == body) {
			return &transforms->places[i];
		}
	}
	return NULL;
}

static void place_body(struct jc_frame_transforms *transforms, const struct jc_recorded_body *body)
{
	struct place *place = find_place(transforms, body->id);

	if (!place && transforms->place_count < JC_LIMIT_RECORDED_BODIES) {
		place = &transforms->places[transforms->place_count++];
	}
	if (place) {
		*place = (struct place){ body->id, body->placement };
	}
}

void jc_frame_transforms_place(
	struct jc_frame_transforms *transforms, const void *roster, size_t length)
{
	json_t *root = json_loadb(roster, length, 0, NULL);
	const json_t *bodies = json_object_get(root, "bodies");

	for (size_t i = 0; i < json_array_size(bodies); i++) {
		struct jc_diagnostic diagnostic;
		struct jc_recorded_body body;
		const char **channels = NULL;

		if (jc_recorded_body_parse(json_array_get(bodies, i), NULL, &body, &channels,
			    &diagnostic) == JC_OK) {
			place_body(transforms, &body);
		}
		free(channels);
	}
	json_decref(root);
}

static void add(struct jc_frame_transforms *transforms, const char *parent, const char *child,
	struct jc_vec3 p, struct jc_quat q)
{
	json_array_append_new(transforms->array,
		json_pack("{s{sIsI}sssss{sfsfsf}s{sfsfsfsf}}", "timestamp", "sec",
			(json_int_t)(transforms->unix_ns / 1000000000), "nsec",
			(json_int_t)(transforms->unix_ns % 1000000000), "parent_frame_id", parent,
			"child_frame_id", child, "translation", "x", (double)p.x, "y", (double)p.y,
			"z", (double)p.z, "rotation", "x", (double)q.x, "y", (double)q.y, "z",
			(double)q.z, "w", (double)q.w));
}

static void add_body_frame(
	struct jc_frame_transforms *transforms, const char *root, const struct jc_body_frame *frame)
{
	char child[FRAME_NAME];

	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		const struct jc_body_joint *joint = &frame->joints[j];

		if (joint->state != JC_ABSENT) {
			snprintf(child, sizeof(child), "%s/%s", root,
				jc_joint_name((enum jc_joint)j));
			add(transforms, root, child, joint->position, joint->orientation);
		}
	}
}

static void add_pose(
	struct jc_frame_transforms *transforms, const char *root, const struct jc_pose *pose)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)b);
		struct jc_vec3 p = jc_bone_rest_position((enum jc_bone)b);
		char above[FRAME_NAME];
		char child[FRAME_NAME];

		snprintf(child, sizeof(child), "%s/%s", root, jc_bone_name((enum jc_bone)b));
		if (parent == JC_BONE_NONE) {
			p = jc_vec3_add(p, jc_vec3_scale(pose->hips_translation, p.y));
			snprintf(above, sizeof(above), "%s", root);
		} else {
			p = jc_vec3_subtract(p, jc_bone_rest_position(parent));
			snprintf(above, sizeof(above), "%s/%s", root, jc_bone_name(parent));
		}
		add(transforms, above, child, p, pose->rotations[b]);
	}
}

static void add_capture(
	struct jc_frame_transforms *transforms, const struct jc_recorded_capture *bytes)
{
	const struct place *place = find_place(transforms, bytes->body);
	struct jc_placement placement = { 0 };
	struct jc_body_frame frame;
	struct jc_pose pose;
	char root[ROOT_NAME];
	bool is_frame = bytes->length > 0 && bytes->bytes[0] == JC_CAPTURE_BODY_FRAME;
	int error =
		is_frame ? jc_body_frame_decode(
				   bytes->bytes, bytes->length, &transforms->capture, &frame)
			 : jc_pose_decode(bytes->bytes, bytes->length, &transforms->capture, &pose);

	if (error < 0 || transforms->capture.is_rest) {
		return;
	}
	if (place) {
		placement = place->placement;
	}
	snprintf(root, sizeof(root), "%.*s/%" PRIu32, (int)JC_LIMIT_NAME_BYTES, transforms->space,
		bytes->body);
	add(transforms, transforms->space, root, placement.position,
		(struct jc_quat){
			0.0f, sinf(placement.yaw / 2.0f), 0.0f, cosf(placement.yaw / 2.0f) });
	if (is_frame) {
		add_body_frame(transforms, root, &frame);
	} else {
		add_pose(transforms, root, &pose);
	}
}

int jc_frame_transforms_pack(struct jc_frame_transforms *transforms, uint64_t unix_ns,
	struct jc_captures *captures, struct json_t **out_object)
{
	struct jc_recorded_capture capture;
	json_t *object;

	transforms->unix_ns = unix_ns;
	transforms->array = json_array();
	while (jc_captures_next(captures, &capture)) {
		add_capture(transforms, &capture);
	}
	object = json_pack("{so}", "transforms", transforms->array);
	transforms->array = NULL;
	if (!object) {
		return JC_ERROR_MEMORY;
	}
	*out_object = object;
	return JC_OK;
}
