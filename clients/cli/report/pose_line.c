/* Writes a pose as a line of JSON: rotations as packets carry them, positions by forward
 * kinematics. */
#include "report/pose_line.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"
#include "jointcast/transform.h"
#include "report/json_writer.h"

/* Packets round rotations to 0.006 degrees or more, and positions to 0.5 mm or more. */
#define ROTATION_DECIMALS 6
#define POSITION_DECIMALS 5

static struct jc_quat turn_of(struct jc_placement placement)
{
	return jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, placement.yaw);
}

/* World matrices of all nodes in model space. */
static void pose_nodes(
	const struct jc_pose_line *line, struct jc_transform *locals, struct jc_mat4 *out_worlds)
{
	struct jc_skeleton_pose pose;

	jc_skeleton_relative(line->skeleton, line->frame->rotations, pose.rotations);
	memcpy(pose.states, line->frame->states, sizeof(pose.states));
	pose.hips_translation = line->frame->hips_translation;
	jc_skeleton_locals(line->skeleton, &pose, locals);
	jc_skeleton_split_spine(line->skeleton, locals);
	jc_skeleton_worlds(line->skeleton, locals, out_worlds);
}

static void write_bone(struct jc_json_writer *json, const struct jc_pose_line *line,
	enum jc_bone bone, struct jc_vec3 position)
{
	struct jc_quat n = line->frame->rotations[bone];

	if (jc_skeleton_mapped_parent(line->skeleton, bone) == JC_BONE_NONE) {
		n = jc_quat_multiply(turn_of(line->placement), n);
	}
	jc_json_begin_object(json, jc_bone_name(bone));
	jc_json_write_rounded(
		json, "rotation", (const float[]){ n.x, n.y, n.z, n.w }, 4, ROTATION_DECIMALS);
	jc_json_write_rounded(json, "position",
		(const float[]){ position.x, position.y, position.z }, 3, POSITION_DECIMALS);
	jc_json_end_object(json);
}

static void write_bones(
	struct jc_json_writer *json, const struct jc_pose_line *line, const struct jc_mat4 *worlds)
{
	struct jc_quat R_space_model = jc_quat_multiply(
		turn_of(line->placement), jc_quat_conjugate(jc_skeleton_facing(line->skeleton)));

	jc_json_begin_object(json, "bones");
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		int node = jc_skeleton_bone_node(line->skeleton, (enum jc_bone)bone);

		if (node >= 0) {
			struct jc_vec3 point =
				jc_quat_rotate(R_space_model, jc_mat4_translation(worlds[node]));

			write_bone(json, line, (enum jc_bone)bone,
				jc_vec3_add(line->placement.position, point));
		}
	}
	jc_json_end_object(json);
}

int jc_pose_line_write(FILE *stream, const struct jc_pose_line *line)
{
	size_t count = jc_skeleton_node_count(line->skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(count, sizeof(*worlds));
	struct jc_json_writer json;
	int error = locals && worlds ? JC_OK : JC_ERROR_MEMORY;

	if (!error) {
		pose_nodes(line, locals, worlds);
		jc_json_writer_init(&json, stream);
		jc_json_begin_object(&json, NULL);
		jc_json_write_integer(&json, "time", line->time_us);
		jc_json_write_integer(&json, "body", line->body);
		jc_json_write_string(&json, "name", line->name);
		jc_json_write_bool(&json, "mayRecord", line->may_record);
		write_bones(&json, line, worlds);
		jc_json_end_object(&json);
		putc('\n', stream);
	}
	free(locals);
	free(worlds);
	return error;
}
