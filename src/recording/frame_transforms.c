/* Writes bodies as foxglove.FrameTransforms. */
#include "frame_transforms.h"

#include <math.h>

#include "foxglove_text.h"
#include "jointcast/transform.h"

/* A frame: a name, or two with a slash between them. Names are escaped. */
struct frame {
	const char *name, *part; /* part NULL: none */
};

static void put_name(struct jc_mcap_buffer *buffer, struct frame frame)
{
	jc_foxglove_put(buffer, frame.name);
	if (frame.part) {
		jc_foxglove_put(buffer, "/");
		jc_foxglove_put(buffer, frame.part);
	}
}

static void put(struct jc_frame_transforms *transforms, struct frame parent, struct frame child,
	struct jc_vec3 p, long steps, struct jc_quat q)
{
	struct jc_mcap_buffer *buffer = transforms->buffer;

	jc_foxglove_put(buffer, transforms->count++ > 0 ? ",{" : "{");
	jc_foxglove_put(buffer, "\"timestamp\":");
	jc_foxglove_put_time(buffer, transforms->unix_ns);
	jc_foxglove_put(buffer, ",\"parent_frame_id\":\"");
	put_name(buffer, parent);
	jc_foxglove_put(buffer, "\",\"child_frame_id\":\"");
	put_name(buffer, child);
	jc_foxglove_put(buffer, "\",\"translation\":");
	jc_foxglove_put_vector(buffer, p, steps);
	jc_foxglove_put(buffer, ",\"rotation\":");
	jc_foxglove_put_rotation(buffer, q, JC_FOXGLOVE_MOVING);
	jc_foxglove_put(buffer, "}");
}

void jc_frame_transforms_begin(struct jc_frame_transforms *transforms, const char *space,
	struct jc_mcap_buffer *buffer, uint64_t unix_ns)
{
	static const struct jc_vec3 x = { 1.0f, 0.0f, 0.0f }, zero = { 0.0f, 0.0f, 0.0f };
	static const float quarter = 1.57079633f;

	*transforms = (struct jc_frame_transforms){ .buffer = buffer, .unix_ns = unix_ns };
	jc_foxglove_put(buffer, "{\"transforms\":[");
	put(transforms, (struct frame){ JC_FRAME_TRANSFORMS_ROOT, NULL },
		(struct frame){ space, NULL }, zero, JC_FOXGLOVE_EXACT,
		jc_quat_from_axis_angle(x, quarter));
}

void jc_frame_transforms_end(struct jc_frame_transforms *transforms)
{
	jc_foxglove_put(transforms->buffer, "]}");
}

void jc_frame_transforms_put_body(struct jc_frame_transforms *transforms, const char *space,
	const struct jc_drawing_body *body)
{
	float half = body->placement.yaw / 2.0f;

	put(transforms, (struct frame){ space, NULL }, (struct frame){ body->frame, NULL },
		body->placement.position, JC_FOXGLOVE_EXACT,
		(struct jc_quat){ 0.0f, sinf(half), 0.0f, cosf(half) });
}

void jc_frame_transforms_put_frame(struct jc_frame_transforms *transforms,
	const struct jc_drawing_body *body, const struct jc_body_frame *frame)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		const struct jc_body_joint *joint = &frame->joints[j];

		if (joint->state != JC_ABSENT) {
			put(transforms, (struct frame){ body->frame, NULL },
				(struct frame){ body->frame, jc_joint_name((enum jc_joint)j) },
				joint->position, JC_FOXGLOVE_MOVING, joint->orientation);
		}
	}
}

/* Of the built-in skeleton: hips above toes. */
static float hips_height(void)
{
	return jc_bone_rest_position(JC_BONE_HIPS).y - jc_bone_rest_position(JC_BONE_LEFT_TOES).y;
}

void jc_frame_transforms_put_pose(struct jc_frame_transforms *transforms,
	const struct jc_drawing_body *body, const struct jc_pose *pose)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)b);
		struct frame above = { body->frame, NULL };
		struct jc_vec3 p = body->figure.offsets[b];

		if (!body->figure.has[b]) {
			continue;
		}
		if (parent == JC_BONE_NONE) {
			p = jc_vec3_add(jc_bone_rest_position((enum jc_bone)b),
				jc_vec3_scale(pose->hips_translation, hips_height()));
		} else {
			above.part = jc_bone_name(parent);
		}
		put(transforms, above, (struct frame){ body->frame, jc_bone_name((enum jc_bone)b) },
			p, JC_FOXGLOVE_EXACT, pose->rotations[b]);
	}
}
