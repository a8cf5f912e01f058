/* Prints posed skeletons as JSON or as a table. The manual page jointcast-retarget(1) documents
 * the fields of the JSON. */
#include "report/retarget_report.h"

#include "jointcast/transform.h"
#include "report/json_writer.h"
#include "report/skeleton_json.h"

#define ROUNDING 1e-4f /* radians */

/* A scale of zero leaves no rotation: null. */
static void write_rotation(
	struct jc_json_writer *json, const char *key, bool is_there, struct jc_quat rotation)
{
	if (is_there) {
		jc_json_write_quat(json, key, rotation);
	} else {
		jc_json_write_null(json, key);
	}
}

static void write_skeleton(
	struct jc_json_writer *json, const struct jc_skeleton *skeleton, size_t index)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	const struct jc_mat4 *worlds = jc_skeleton_rest_worlds(skeleton);

	jc_json_begin_object(json, "skeleton");
	jc_json_write_string(json, "format", jc_skeleton_format_name(jc_skeleton_format(skeleton)));
	jc_json_write_integer(json, "index", (long long)index);
	jc_json_write_float(json, "hipsHeight", jc_skeleton_hips_height(skeleton));
	jc_json_begin_object(json, "bones");
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		int node = jc_skeleton_bone_node(skeleton, bone);
		struct jc_transform rest = JC_TRANSFORM_IDENTITY;
		bool is_there;

		if (node < 0) {
			continue;
		}
		jc_json_begin_object(json, jc_bone_name(bone));
		jc_json_write_integer(json, "node", node);
		jc_json_write_string(json, "name", nodes[node].name);
		jc_json_write_quat(json, "restRotation", nodes[node].rest.rotation);
		is_there = jc_mat4_decompose(worlds[node], &rest, NULL);
		write_rotation(json, "restWorldRotation", is_there, rest.rotation);
		jc_json_write_vec3(json, "restWorldPosition", jc_mat4_translation(worlds[node]));
		jc_json_end_object(json);
	}
	jc_json_end_object(json);
	jc_json_end_object(json);
}

static void write_motion(struct jc_json_writer *json, const struct jc_motion_info *info)
{
	jc_json_begin_object(json, "motion");
	jc_json_write_string(json, "name", info->name);
	jc_json_write_double(json, "duration", info->duration);
	jc_json_write_double(json, "fps", info->fps);
	jc_json_write_float(json, "hipsHeight", info->hips_height);
	jc_json_end_object(json);
}

static void begin_json(FILE *stream, const struct jc_fitting *fitting, size_t skeleton_index)
{
	struct jc_json_writer json;

	jc_json_writer_init(&json, stream);
	jc_json_begin_object(&json, NULL);
	write_skeleton(&json, fitting->skeleton, skeleton_index);
	write_motion(&json, jc_motion_info(fitting->motion));
	if (fitting->contacts) {
		jc_json_begin_object(&json, "contacts");
		jc_json_write_float(&json, "stride", jc_contacts_stride(fitting->contacts));
		jc_json_end_object(&json);
	}
	jc_json_begin_array(&json, "frames");
}

/* R as packets carry it, only where it differs from `relative` by more than rounding: packets have
 * the whole rotation of a spine bone of an H-Anim figure, which vertebrae share. */
static void write_packet(
	struct jc_json_writer *json, struct jc_quat packet, struct jc_quat relative)
{
	if (jc_quat_angle(packet, relative) > ROUNDING) {
		jc_json_write_quat(json, "packet", packet);
	}
}

static void write_bones(struct jc_json_writer *json, const struct jc_fitting *fitting)
{
	jc_json_begin_object(json, "bones");
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		int node = jc_skeleton_bone_node(fitting->skeleton, bone);
		struct jc_quat world = JC_QUAT_IDENTITY;
		bool is_there;

		if (node < 0) {
			continue;
		}
		jc_json_begin_object(json, jc_bone_name(bone));
		jc_json_write_integer(json, "node", node);
		jc_json_write_quat(json, "rotation", fitting->locals[node].rotation);
		jc_json_write_quat(json, "relative", jc_fitting_relative(fitting, bone));
		jc_json_write_quat(json, "normalized", jc_fitting_normalized(fitting, bone));
		write_packet(
			json, fitting->pose.rotations[bone], jc_fitting_relative(fitting, bone));
		jc_json_write_vec3(
			json, "worldPosition", jc_mat4_translation(fitting->worlds[node]));
		is_there = jc_fitting_world_rotation(fitting, node, &world);
		write_rotation(json, "worldRotation", is_there, world);
		jc_json_write_string(json, "state", jc_state_name(fitting->pose.states[bone]));
		jc_json_end_object(json);
	}
	jc_json_end_object(json);
}

static void write_nodes(struct jc_json_writer *json, const struct jc_fitting *fitting)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(fitting->skeleton);
	size_t count = jc_skeleton_node_count(fitting->skeleton);
	char key[24];

	jc_json_begin_object(json, "nodes");
	for (size_t i = 0; i < count; i++) {
		if (!jc_fitting_node_moved(fitting, i)) {
			continue;
		}
		snprintf(key, sizeof(key), "%zu", i);
		jc_json_begin_object(json, key);
		jc_json_write_string(json, "name", nodes[i].name);
		jc_json_write_quat(json, "rotation", fitting->locals[i].rotation);
		jc_json_end_object(json);
	}
	jc_json_end_object(json);
}

/* A channel with one value is a number, with several an array. */
static void write_channels(struct jc_json_writer *json, const struct jc_fitting *fitting)
{
	const struct jc_motion_channel *all = jc_motion_channels(fitting->motion);

	jc_json_begin_object(json, "channels");
	for (size_t i = 0; i < jc_motion_channel_count(fitting->motion); i++) {
		float values[JC_MOTION_CHANNEL_VALUES];

		jc_motion_channel_values(fitting->motion, i, fitting->t, values);
		if (all[i].value_count == 1) {
			jc_json_write_float(json, all[i].name, values[0]);
			continue;
		}
		jc_json_begin_array(json, all[i].name);
		for (size_t v = 0; v < all[i].value_count; v++) {
			jc_json_write_float(json, NULL, values[v]);
		}
		jc_json_end_array(json);
	}
	jc_json_end_object(json);
}

static void frame_json(FILE *stream, const struct jc_fitting *fitting, size_t index)
{
	int hips = jc_skeleton_bone_node(fitting->skeleton, JC_BONE_HIPS);
	struct jc_json_writer json;

	jc_json_writer_init(&json, stream);
	fputs(index > 0 ? ",\n" : "\n", stream);
	jc_json_begin_object(&json, NULL);
	jc_json_write_double(&json, "t", fitting->t);
	write_bones(&json, fitting);
	write_nodes(&json, fitting);
	if (hips >= 0) {
		jc_json_write_vec3(&json, "hipsTranslation", fitting->locals[hips].translation);
	} else {
		jc_json_write_null(&json, "hipsTranslation");
	}
	jc_skeleton_json_write_virtual_transforms(
		&json, fitting->skeleton, fitting->virtual_transforms, false);
	write_channels(&json, fitting);
	jc_json_begin_object(&json, "limits");
	jc_json_write_integer(&json, "violations", (long long)fitting->past_limits);
	jc_json_write_integer(&json, "clamped", (long long)fitting->clamped);
	jc_json_end_object(&json);
	jc_json_end_object(&json);
}

static void end_json(FILE *stream)
{
	fputs("\n]}\n", stream);
}

const struct jc_retarget_report jc_retarget_report_json = {
	.begin = begin_json, .frame = frame_json, .end = end_json
};

static const double degrees_per_radian = 57.29577951308232;

static void begin_table(FILE *stream, const struct jc_fitting *fitting, size_t skeleton_index)
{
	const struct jc_motion_info *info = jc_motion_info(fitting->motion);

	fprintf(stream, "skeleton  %s %zu, hips %.3f m high\n",
		jc_skeleton_format_name(jc_skeleton_format(fitting->skeleton)), skeleton_index,
		(double)jc_skeleton_hips_height(fitting->skeleton));
	fprintf(stream, "motion    %s, %.3f s, %.4g fps\n", info->format, info->duration,
		info->fps);
}

static void write_limits(FILE *stream, const struct jc_fitting *fitting)
{
	size_t count = jc_skeleton_range_count(fitting->skeleton);

	if (count > 0 && fitting->limits != JC_LIMITS_OFF) {
		fprintf(stream, "%zu of %zu joints past their limits, %zu turned back\n",
			fitting->past_limits, count, fitting->clamped);
	}
}

static void frame_table(FILE *stream, const struct jc_fitting *fitting, size_t index)
{
	(void)index;
	fprintf(stream, "\nt = %.4f s\n", fitting->t);
	write_limits(stream, fitting);
	fprintf(stream, "%-24s %5s  %-39s %8s  %-29s %s\n", "bone", "node",
		"local rotation x y z w", "turned", "world position x y z (m)", "state");
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		int node = jc_skeleton_bone_node(fitting->skeleton, bone);
		struct jc_vec3 position;
		struct jc_quat q;
		double turned;

		if (node < 0) {
			continue;
		}
		q = fitting->locals[node].rotation;
		position = jc_mat4_translation(fitting->worlds[node]);
		turned =
			degrees_per_radian *
			(double)jc_quat_angle(jc_fitting_relative(fitting, bone), JC_QUAT_IDENTITY);
		/* The degree sign has two bytes, so the widths of the heading match on screen. */
		fprintf(stream, "%-24s %5d  %9.6f %9.6f %9.6f %9.6f %7.2f°  %9.4f %9.4f %9.4f %s\n",
			jc_bone_name(bone), node, (double)q.x, (double)q.y, (double)q.z,
			(double)q.w, turned, (double)position.x, (double)position.y,
			(double)position.z, jc_state_name(fitting->pose.states[bone]));
	}
}

static void end_table(FILE *stream)
{
	(void)stream;
}

const struct jc_retarget_report jc_retarget_report_table = {
	.begin = begin_table, .frame = frame_table, .end = end_table
};
