/* Writes a clip as glTF 2.0: the bones of the figure as nodes, one track for each node
 * that moves, and VRMC_vrm_animation or EXT_skeleton_humanoid.
 *
 * EXT_skeleton_humanoid gets a second track for each bone, by name and relative to the reference
 * pose. Programs that do not know the extension play the first one.
 *
 * Rest rotations are W: identity for VRMA, the reference pose for the other extension.
 * All floats are in one buffer: times, tracks, then the inverse bind matrices of a skin,
 * whose bind pose is the reference pose. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bone_axes.h"
#include "gltf_pack.h"
#include "gltf_writer.h"
#include "jointcast/transform.h"

enum { MATRIX = 16 };

static bool is_vrma(const struct jc_gltf_writer *writer)
{
	return writer->kind == JC_GLTF_VRMA;
}

/* "Humanoid": eyes are not bones of an animation; gaze is lookAt. */
static uint64_t bones_allowed(const struct jc_gltf_writer *writer)
{
	const uint64_t eyes = UINT64_C(1) << JC_BONE_LEFT_EYE | UINT64_C(1) << JC_BONE_RIGHT_EYE;

	return is_vrma(writer) ? ~eyes : ~UINT64_C(0);
}

/* Whether the motion turns the bone or one that is folded into it. */
static bool is_moved(const struct jc_gltf_writer *writer, enum jc_bone bone)
{
	uint64_t moved = jc_motion_info(writer->clip->motion)->bone_mask;
	enum jc_bone above = writer->t_pose.parents[bone];

	for (; bone != above; bone = jc_bone_parent(bone)) {
		if (moved >> bone & 1) {
			return true;
		}
	}
	return false;
}

static void add_track(struct jc_gltf_writer *writer, struct jc_gltf_written_track track)
{
	track.first = writer->value_count;
	writer->value_count += track.width * writer->clip->frame_count;
	writer->tracks[writer->track_count++] = track;
}

static void plan_bones(struct jc_gltf_writer *writer, bool is_named)
{
	add_track(writer, (struct jc_gltf_written_track){ .bone = JC_BONE_HIPS,
				  .is_named = is_named,
				  .node = writer->nodes[JC_BONE_HIPS],
				  .path = "translation",
				  .width = 3 });
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (writer->nodes[b] >= 0 && is_moved(writer, (enum jc_bone)b)) {
			add_track(writer, (struct jc_gltf_written_track){ .bone = (enum jc_bone)b,
						  .is_named = is_named,
						  .node = writer->nodes[b],
						  .path = "rotation",
						  .width = 4 });
		}
	}
}

static void plan_tracks(struct jc_gltf_writer *writer)
{
	size_t channels = is_vrma(writer) ? jc_motion_channel_count(writer->clip->motion) : 0;

	writer->value_count = writer->clip->frame_count; /* times */
	plan_bones(writer, false);
	if (!is_vrma(writer)) {
		plan_bones(writer, true);
	}
	for (size_t i = 0; i < channels; i++) {
		bool is_gaze = jc_motion_channels(writer->clip->motion)[i].value_count == 4;

		add_track(writer, (struct jc_gltf_written_track){ .bone = JC_BONE_NONE,
					  .channel = i,
					  .node = (int)(writer->bone_count + i),
					  .path = is_gaze ? "rotation" : "translation",
					  .width = is_gaze ? 4 : 3 });
	}
	writer->matrices = writer->value_count;
	writer->value_count += is_vrma(writer) ? 0 : writer->bone_count * MATRIX;
}

/* A VRM animation moves whatever figure it is applied to, so it has none of this one's. */
static int plan_sockets(struct jc_gltf_writer *writer, struct jc_diagnostic *diagnostic)
{
	const struct jc_gltf_bones bones = {
		.nodes = writer->nodes,
		.positions = writer->t_pose.positions,
		.rotations = writer->rests,
		.first_node = (int)writer->bone_count,
	};

	return is_vrma(writer) ? JC_OK
			       : jc_gltf_sockets_find(writer->clip->skeleton, &bones,
					 &writer->sockets, diagnostic);
}

static int plan(struct jc_gltf_writer *writer, struct jc_diagnostic *diagnostic)
{
	int error = jc_t_pose_figure_init(&writer->t_pose, writer->clip->skeleton, diagnostic);

	if (error) {
		return error;
	}
	if (writer->clip->frame_count > JC_LIMIT_MOTION_FRAMES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "%zu frames, more than %u",
			writer->clip->frame_count, JC_LIMIT_MOTION_FRAMES);
	}
	if (is_vrma(writer)) {
		jc_t_pose_figure_stand(&writer->t_pose, writer->clip->skeleton);
	}
	writer->t_pose.bones &= bones_allowed(writer);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		bool is_there = jc_t_pose_figure_has(&writer->t_pose, (enum jc_bone)b);

		writer->nodes[b] = is_there ? (int)writer->bone_count++ : -1;
		writer->rests[b] = is_vrma(writer) ? JC_QUAT_IDENTITY
						   : jc_bone_axes_rotation(writer->clip->skeleton,
							     writer->axes, (enum jc_bone)b,
							     writer->t_pose.positions);
	}
	plan_tracks(writer);
	error = plan_sockets(writer, diagnostic);
	if (error) {
		return error;
	}
	if (writer->value_count > JC_LIMIT_MOTION_VALUES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"too long: %zu numbers, more than %u", writer->value_count,
			JC_LIMIT_MOTION_VALUES);
	}
	writer->values = calloc(writer->value_count, sizeof(float));
	return writer->values ? JC_OK
			      : jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

/* Selects the sign nearer to the previous key, for readers that do not do so. */
static void store_rotation(float *keys, size_t frame, struct jc_quat q)
{
	float *key = keys + 4 * frame;
	const float *before = frame > 0 ? key - 4 : key;
	float dot = before[0] * q.x + before[1] * q.y + before[2] * q.z + before[3] * q.w;
	float sign = dot < 0.0f ? -1.0f : 1.0f;

	key[0] = sign * q.x;
	key[1] = sign * q.y;
	key[2] = sign * q.z;
	key[3] = sign * q.w;
}

static void store_channel(
	struct jc_gltf_writer *writer, const struct jc_gltf_written_track *track, size_t frame)
{
	float values[JC_MOTION_CHANNEL_VALUES];
	float *keys = writer->values + track->first;

	jc_motion_channel_values(writer->clip->motion, track->channel,
		(double)frame * writer->clip->frame_seconds, values);
	if (track->width == 4) {
		store_rotation(keys, frame,
			(struct jc_quat){ values[0], values[1], values[2], values[3] });
	} else {
		keys[3 * frame] = values[0]; /* "Expressions": the weight is x */
	}
}

static void store_hips(struct jc_gltf_writer *writer, const struct jc_gltf_written_track *track,
	size_t frame, struct jc_vec3 hips)
{
	float *key = writer->values + track->first + 3 * frame;

	if (track->is_named) {
		hips = jc_quat_rotate(jc_quat_conjugate(writer->rests[JC_BONE_HIPS]),
			jc_vec3_subtract(hips, writer->t_pose.positions[JC_BONE_HIPS]));
	}
	key[0] = hips.x;
	key[1] = hips.y;
	key[2] = hips.z;
}

/* The node's rotation, or R by name: node = rest * R, with rest = P^-1 W and R = W^-1 N W. */
static struct jc_quat turn_bone(const struct jc_gltf_writer *writer,
	const struct jc_gltf_written_track *track, struct jc_quat normalized)
{
	enum jc_bone parent = writer->t_pose.parents[track->bone];
	struct jc_quat w = writer->rests[track->bone];
	struct jc_quat p = parent == JC_BONE_NONE ? JC_QUAT_IDENTITY : writer->rests[parent];

	return jc_quat_normalize(jc_quat_multiply(
		jc_quat_conjugate(track->is_named ? w : p), jc_quat_multiply(normalized, w)));
}

static void store_frame(struct jc_gltf_writer *writer, size_t frame)
{
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_vec3 hips;
	struct jc_pose pose;

	writer->clip->pose(writer->clip->context, frame, &pose);
	jc_write_losses_add(&writer->losses, &pose);
	jc_t_pose_figure_pose(&writer->t_pose, &pose, rotations, &hips);
	writer->values[frame] = (float)((double)frame * writer->clip->frame_seconds);
	for (size_t i = 0; i < writer->track_count; i++) {
		const struct jc_gltf_written_track *track = &writer->tracks[i];

		if (track->bone == JC_BONE_NONE) {
			store_channel(writer, track, frame);
		} else if (track->width == 3) {
			store_hips(writer, track, frame, hips);
		} else {
			store_rotation(writer->values + track->first, frame,
				turn_bone(writer, track, rotations[track->bone]));
		}
	}
}

static void store_matrices(struct jc_gltf_writer *writer)
{
	float *matrix = writer->values + writer->matrices;

	for (int b = 0; b < JC_BONE_COUNT && !is_vrma(writer); b++) {
		struct jc_quat back = jc_quat_conjugate(writer->rests[b]);
		struct jc_transform inverse = {
			.translation = jc_quat_rotate(
				back, jc_vec3_scale(writer->t_pose.positions[b], -1.0f)),
			.rotation = back,
			.scale = { 1.0f, 1.0f, 1.0f },
		};

		if (writer->nodes[b] >= 0) {
			struct jc_mat4 composed = jc_mat4_compose(inverse);

			memcpy(matrix, composed.m, sizeof(composed.m));
			matrix += MATRIX;
		}
	}
}

static void put_floats(struct jc_file_buffer *output, const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		jc_file_buffer_put(output, i == 0 ? "[" : ",", 1);
		jc_file_buffer_number(output, (double)values[i], 9);
	}
	jc_file_buffer_put(output, "]", 1);
}

void jc_gltf_writer_put_string(struct jc_file_buffer *output, const char *string)
{
	json_t *value = json_string(string);
	char *text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;

	jc_file_buffer_put(output, text ? text : "\"\"", text ? strlen(text) : 2);
	free(text);
	json_decref(value);
}

static void put_node(
	struct jc_file_buffer *output, const struct jc_gltf_writer *writer, enum jc_bone bone)
{
	enum jc_bone parent = writer->t_pose.parents[bone];
	struct jc_quat back = parent == JC_BONE_NONE ? JC_QUAT_IDENTITY
						     : jc_quat_conjugate(writer->rests[parent]);
	struct jc_vec3 t = jc_quat_rotate(back, jc_t_pose_figure_offset(&writer->t_pose, bone));
	struct jc_quat q = jc_quat_normalize(jc_quat_multiply(back, writer->rests[bone]));
	const char *separator = ",\"children\":[";

	jc_file_buffer_text(output, "{\"name\":\"%s\",\"translation\":", jc_bone_name(bone));
	put_floats(output, (const float[]){ t.x, t.y, t.z }, 3);
	jc_file_buffer_text(output, ",\"rotation\":");
	put_floats(output, (const float[]){ q.x, q.y, q.z, q.w }, 4);
	for (int b = (int)bone + 1; b < JC_BONE_COUNT; b++) {
		if (writer->nodes[b] >= 0 && writer->t_pose.parents[b] == bone) {
			jc_file_buffer_text(output, "%s%d", separator, writer->nodes[b]);
			separator = ",";
		}
	}
	for (size_t i = 0; i < writer->sockets.count; i++) {
		if (writer->sockets.items[i].parent == bone) {
			jc_file_buffer_text(output, "%s%zu", separator, writer->bone_count + i);
			separator = ",";
		}
	}
	jc_file_buffer_text(output, "%s}", separator[1] ? "" : "]");
}

static void put_socket(struct jc_file_buffer *output, const struct jc_gltf_socket *socket)
{
	const struct jc_transform *t = &socket->local;

	jc_file_buffer_text(output, ",{\"name\":");
	jc_gltf_writer_put_string(output, socket->name);
	jc_file_buffer_text(output, ",\"translation\":");
	put_floats(
		output, (const float[]){ t->translation.x, t->translation.y, t->translation.z }, 3);
	jc_file_buffer_text(output, ",\"rotation\":");
	put_floats(output,
		(const float[]){ t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w }, 4);
	jc_file_buffer_text(output, ",\"scale\":");
	put_floats(output, (const float[]){ t->scale.x, t->scale.y, t->scale.z }, 3);
	jc_file_buffer_text(output, "}");
}

static void put_nodes(struct jc_file_buffer *output, const struct jc_gltf_writer *writer)
{
	jc_file_buffer_text(output, "\"scene\":0,\"scenes\":[{\"nodes\":[0");
	for (size_t i = 0; i < writer->track_count; i++) {
		if (writer->tracks[i].bone == JC_BONE_NONE) {
			jc_file_buffer_text(output, ",%d", writer->tracks[i].node);
		}
	}
	for (size_t i = 0; i < writer->sockets.count; i++) {
		if (writer->sockets.items[i].parent == JC_BONE_NONE) {
			jc_file_buffer_text(output, ",%zu", writer->bone_count + i);
		}
	}
	jc_file_buffer_text(output, "]}],\"nodes\":[");
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (writer->nodes[b] >= 0) {
			jc_file_buffer_put(output, ",", b > 0);
			put_node(output, writer, (enum jc_bone)b);
		}
	}
	for (size_t i = 0; i < writer->sockets.count; i++) {
		put_socket(output, &writer->sockets.items[i]);
	}
	for (size_t i = 0; i < writer->track_count; i++) {
		const struct jc_gltf_written_track *track = &writer->tracks[i];

		if (track->bone == JC_BONE_NONE) {
			jc_file_buffer_text(output, ",{\"name\":");
			jc_gltf_writer_put_string(output,
				jc_motion_channels(writer->clip->motion)[track->channel].name);
			jc_file_buffer_text(output, "}");
		}
	}
	jc_file_buffer_text(output, "]");
}

static void put_animation(struct jc_file_buffer *output, const struct jc_gltf_writer *writer)
{
	const char *name = jc_motion_info(writer->clip->motion)->name;

	/* Programs select animations by name. */
	jc_file_buffer_text(output, ",\"animations\":[{\"name\":");
	jc_gltf_writer_put_string(output, name[0] ? name : "motion");
	jc_file_buffer_text(output, ",\"samplers\":[");
	for (size_t i = 0; i < writer->track_count; i++) {
		jc_file_buffer_text(
			output, "%s{\"input\":0,\"output\":%zu}", i > 0 ? "," : "", i + 1);
	}
	jc_file_buffer_text(output, "],\"channels\":[");
	for (size_t i = 0; i < writer->track_count; i++) {
		const struct jc_gltf_written_track *track = &writer->tracks[i];

		jc_file_buffer_text(output, "%s{\"sampler\":%zu,\"target\":{\"path\":\"%s\",",
			i > 0 ? "," : "", i, track->path);
		if (!track->is_named) {
			jc_file_buffer_text(output, "\"node\":%d}}", track->node);
		} else {
			jc_file_buffer_text(output,
				"\"extensions\":{\"EXT_skeleton_humanoid\":"
				"{\"humanoidBoneName\":\"%s\"}}}}",
				jc_bone_name(track->bone));
		}
	}
	jc_file_buffer_text(output, "]}]");
}

static void put_accessors(struct jc_file_buffer *output, const struct jc_gltf_writer *writer)
{
	size_t frames = writer->clip->frame_count;

	jc_file_buffer_text(output,
		",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"SCALAR\","
		"\"count\":%zu,\"min\":",
		frames);
	put_floats(output, &writer->values[0], 1);
	jc_file_buffer_text(output, ",\"max\":");
	put_floats(output, &writer->values[frames - 1], 1);
	jc_file_buffer_text(output, "}");
	for (size_t i = 0; i < writer->track_count; i++) {
		jc_file_buffer_text(output,
			",{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5126,"
			"\"type\":\"VEC%zu\",\"count\":%zu}",
			writer->tracks[i].first * sizeof(float), writer->tracks[i].width, frames);
	}
	if (!is_vrma(writer)) {
		jc_file_buffer_text(output,
			",{\"bufferView\":1,\"componentType\":5126,\"type\":\"MAT4\","
			"\"count\":%zu}",
			writer->bone_count);
	}
	jc_file_buffer_text(output, "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}",
		writer->matrices * sizeof(float));
	if (!is_vrma(writer)) {
		jc_file_buffer_text(output, ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
			writer->matrices * sizeof(float),
			writer->bone_count * MATRIX * sizeof(float));
	}
	jc_file_buffer_text(output, "]");
}

/* Everything except the buffer and the closing brace. */
static void put_document(struct jc_file_buffer *output, const struct jc_gltf_writer *writer)
{
	jc_gltf_writer_put_asset(output, writer);
	put_nodes(output, writer);
	put_animation(output, writer);
	put_accessors(output, writer);
	jc_gltf_writer_put_extensions(output, writer);
}

int jc_write_gltf(const struct jc_clip *clip, enum jc_gltf_kind kind, enum jc_bone_axes axes,
	bool is_binary, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_gltf_writer *writer = calloc(1, sizeof(*writer));
	struct jc_file_buffer document = { 0 };
	int error;

	if (!writer) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	writer->clip = clip;
	writer->kind = kind;
	writer->axes = axes;
	error = plan(writer, diagnostic);
	if (error) {
		goto out;
	}
	for (size_t i = 0; i < clip->frame_count; i++) {
		store_frame(writer, i);
	}
	store_matrices(writer);
	put_document(&document, writer);
	error = jc_gltf_pack(&document, writer->values, writer->value_count * sizeof(float),
		(struct jc_gltf_fallback){ .extension = NULL }, is_binary, out_file, diagnostic);
	if (!error) {
		jc_write_losses_report(
			&writer->losses, clip, writer->t_pose.bones, is_vrma(writer), false, lint);
		if (is_vrma(writer)) {
			jc_write_losses_report_virtuals(clip->skeleton, lint);
		}
		jc_write_losses_report_body(clip->skeleton, lint);
	}
out:
	free(writer->values);
	free(writer);
	return error;
}
