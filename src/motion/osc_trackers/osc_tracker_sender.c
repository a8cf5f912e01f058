/* Places trackers on a posed skeleton and writes them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "jointcast_private/osc_trackers.h"

#define DEGREES 57.295779513082320877

struct jc_osc_figure {
	const struct jc_skeleton *skeleton; /* borrowed */
	struct jc_transform *locals;        /* owned */
	struct jc_mat4 *worlds;             /* owned */
};

const char *jc_osc_tracker_name(int index)
{
	static const char *const names[JC_OSC_TRACKER_COUNT] = { "head", "1", "2", "3", "4", "5",
		"6", "7", "8" };

	return names[index];
}

/* Of R = Ry Rx Rz, in the axes of Unity, -sin x is in the last column of the middle row. */
struct jc_vec3 jc_osc_tracker_degrees(struct jc_quat rotation)
{
	struct jc_quat q = jc_vmc_mirror_rotation(jc_quat_normalize(rotation));
	double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
	double m02 = 2.0 * (x * z + w * y), m22 = 1.0 - 2.0 * (x * x + y * y);
	double m10 = 2.0 * (x * y + w * z), m11 = 1.0 - 2.0 * (x * x + z * z);
	double m12 = 2.0 * (y * z - w * x);
	double cosine = hypot(m02, m22);
	double pitch = atan2(-m12, cosine);

	if (cosine < 1.0e-6) {
		/* Y and Z turn about one axis. */
		double m00 = 1.0 - 2.0 * (y * y + z * z), m20 = 2.0 * (x * z - w * y);

		return (struct jc_vec3){ (float)(pitch * DEGREES),
			(float)(atan2(-m20, m00) * DEGREES), 0.0f };
	}
	return (struct jc_vec3){ (float)(pitch * DEGREES), (float)(atan2(m02, m22) * DEGREES),
		(float)(atan2(m10, m11) * DEGREES) };
}

static int append(
	const char *name, const char *value, struct jc_vec3 vector, uint8_t *out, size_t capacity)
{
	char address[64];
	struct jc_osc_message message = { .address = address, .argument_count = 3 };
	const float numbers[3] = { vector.x, vector.y, vector.z };

	snprintf(address, sizeof(address), "/tracking/trackers/%s/%s", name, value);
	for (int i = 0; i < 3; i++) {
		message.arguments[i] = (struct jc_osc_argument){ .type = 'f', .f = numbers[i] };
	}
	return jc_osc_bundle_append(&message, out, capacity);
}

int jc_osc_trackers_write(const struct jc_osc_tracker trackers[JC_OSC_TRACKER_COUNT],
	void *out_bytes, size_t capacity)
{
	uint8_t *out = out_bytes;
	int length = jc_osc_bundle_begin(out, capacity);

	for (int i = 0; length > 0 && i < 2 * JC_OSC_TRACKER_COUNT; i++) {
		const struct jc_osc_tracker *tracker = &trackers[i / 2];
		bool is_rotation = i % 2 != 0;

		if (!(is_rotation ? tracker->has_rotation : tracker->has_position)) {
			continue;
		}
		int size = append(jc_osc_tracker_name(i / 2), is_rotation ? "rotation" : "position",
			is_rotation ? jc_osc_tracker_degrees(tracker->rotation)
				    : jc_vmc_mirror_point(tracker->position),
			out + length, capacity - (size_t)length);

		length = size < 0 ? size : length + size;
	}
	return length;
}

int jc_osc_figure_create(const struct jc_skeleton *skeleton, struct jc_osc_figure **out_figure)
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_osc_figure *figure = calloc(1, sizeof(*figure));

	if (!figure) {
		return JC_ERROR_MEMORY;
	}
	figure->skeleton = skeleton;
	figure->locals = calloc(count, sizeof(*figure->locals));
	figure->worlds = calloc(count, sizeof(*figure->worlds));
	if (!figure->locals || !figure->worlds) {
		jc_osc_figure_destroy(figure);
		return JC_ERROR_MEMORY;
	}
	*out_figure = figure;
	return JC_OK;
}

void jc_osc_figure_destroy(struct jc_osc_figure *figure)
{
	if (figure) {
		free(figure->locals);
		free(figure->worlds);
		free(figure);
	}
}

void jc_osc_figure_pose(struct jc_osc_figure *figure, const struct jc_skeleton_pose *pose)
{
	jc_skeleton_locals(figure->skeleton, pose, figure->locals);
	jc_skeleton_worlds(figure->skeleton, figure->locals, figure->worlds);
}

/* Direction of an axis of a node in the model. */
static struct jc_vec3 axis_of(struct jc_mat4 world, struct jc_vec3 axis)
{
	return jc_vec3_normalize(
		jc_vec3_subtract(jc_mat4_transform_point(world, axis), jc_mat4_translation(world)));
}

bool jc_osc_figure_place(const struct jc_osc_figure *figure, enum jc_bone bone,
	struct jc_vec3 *out_position, struct jc_quat *out_rotation)
{
	int node = jc_skeleton_bone_node(figure->skeleton, bone);
	struct jc_quat facing = jc_skeleton_facing(figure->skeleton);
	struct jc_quat back = jc_quat_conjugate(facing);

	if (node < 0) {
		return false;
	}
	struct jc_mat4 world = figure->worlds[node];
	struct jc_quat rotation = jc_quat_from_axes(axis_of(world, (struct jc_vec3){ 1, 0, 0 }),
		axis_of(world, (struct jc_vec3){ 0, 1, 0 }),
		axis_of(world, (struct jc_vec3){ 0, 0, 1 }));
	struct jc_quat turned = jc_quat_multiply(rotation,
		jc_quat_conjugate(
			jc_quat_multiply(facing, jc_skeleton_t_pose(figure->skeleton, bone))));

	*out_position = jc_quat_rotate(back, jc_mat4_translation(world));
	*out_rotation = jc_quat_normalize(jc_quat_multiply(back, jc_quat_multiply(turned, facing)));
	return true;
}
