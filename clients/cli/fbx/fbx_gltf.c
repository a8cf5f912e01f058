/* Hands an FBX file on as glTF, whose reader checks every value: what the child process writes is
 * as untrusted as the file. */
#include "fbx/fbx_gltf.h"

#include <assimp/scene.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fbx/fbx_track.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/array.h"
#include "jointcast_private/text.h"

#define FLOAT_TYPE 5126 /* componentType of glTF */

struct writer {
	const struct jc_fbx_scene *scene;
	struct jc_diagnostic *diagnostic;
	json_t *accessors; /* owned */
	char *bytes;       /* owned: of the buffer */
	size_t length, capacity;
	bool is_short; /* of memory */
};

static int out_of_memory(const struct writer *writer)
{
	return jc_diagnose(writer->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

/* Names in FBX files may be in any encoding. */
static json_t *text_of(const char *name)
{
	char text[JC_LIMIT_NAME_BYTES];
	size_t length = jc_utf8_cut(name, sizeof(text) - 1);

	memcpy(text, name, length);
	text[length] = '\0';
	jc_utf8_repair(text);
	return json_string(text);
}

/* Appends numbers as an accessor and returns its index, -1 without room. `components`: of one
 * element. Times have bounds, as 3.11 of glTF demands. */
static long add_accessor(
	struct writer *writer, const float *values, size_t count, size_t components, bool are_times)
{
	static const char *const types[] = {
		[1] = "SCALAR", [3] = "VEC3", [4] = "VEC4", [16] = "MAT4"
	};
	size_t size = count * components * sizeof(*values);
	json_t *accessor;

	if (!jc_array_grow(&writer->bytes, &writer->capacity, writer->length + size,
		    JC_LIMIT_FILE_BYTES, 1)) {
		writer->is_short = true;
		return -1;
	}
	memcpy(writer->bytes + writer->length, values, size);
	accessor = json_pack("{s:i, s:I, s:i, s:I, s:s}", "bufferView", 0, "byteOffset",
		(json_int_t)writer->length, "componentType", FLOAT_TYPE, "count", (json_int_t)count,
		"type", types[components]);
	if (are_times) {
		json_object_set_new(accessor, "min", json_pack("[f]", (double)values[0]));
		json_object_set_new(accessor, "max", json_pack("[f]", (double)values[count - 1]));
	}
	writer->length += size;
	json_array_append_new(writer->accessors, accessor);
	return (long)json_array_size(writer->accessors) - 1;
}

static void set_numbers(json_t *object, const char *key, const float *values, size_t count)
{
	json_t *numbers = json_array();

	for (size_t i = 0; i < count; i++) {
		json_array_append_new(numbers, json_real((double)values[i]));
	}
	json_object_set_new(object, key, numbers);
}

/* The nodes; node 0 is the root of libassimp, which FBX does not have. */
static int write_nodes(const struct writer *writer, json_t *document)
{
	const struct jc_fbx_scene *scene = writer->scene;
	json_t *nodes = json_array();

	json_object_set_new(document, "nodes", nodes);
	for (size_t i = 0; i < scene->joint_count; i++) {
		const struct jc_fbx_joint *joint = &scene->joints[i];
		struct jc_mat4 matrix =
			i > 0 ? joint->local : jc_mat4_multiply(scene->placement, joint->local);
		struct jc_transform local = jc_fbx_scene_transform(matrix);
		json_t *node = json_object();

		if (!jc_mat4_is_finite(matrix)) {
			json_decref(node);
			return jc_diagnose(writer->diagnostic, JC_ERROR_INVALID, NULL,
				"the transform of '%.80s' is not finite", jc_fbx_scene_name(joint));
		}
		json_object_set_new(node, "name", text_of(jc_fbx_scene_name(joint)));
		set_numbers(node, "translation", &local.translation.x, 3);
		set_numbers(node, "rotation", &local.rotation.x, 4);
		set_numbers(node, "scale", &local.scale.x, 3);
		json_array_append_new(nodes, node);
		if (joint->parent >= 0) {
			json_t *parent = json_array_get(nodes, (size_t)joint->parent);
			json_t *children = json_object_get(parent, "children");

			if (!children) {
				children = json_array();
				json_object_set_new(parent, "children", children);
			}
			json_array_append_new(children, json_integer((json_int_t)i));
		}
	}
	json_object_set_new(document, "scene", json_integer(0));
	json_object_set_new(document, "scenes", json_pack("[{s:[i]}]", "nodes", 0));
	return JC_OK;
}

static int find_joint(const struct jc_fbx_scene *scene, const char *name)
{
	for (size_t i = 0; i < scene->joint_count; i++) {
		if (strcmp(jc_fbx_scene_name(&scene->joints[i]), name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

/* The inverse bind matrix of a bone. In FBX it maps the space of the mesh to the bone, in glTF the
 * space of the model. */
static struct jc_mat4 inverse_bind(
	const struct jc_fbx_scene *scene, const struct aiBone *bone, int mesh_joint)
{
	struct jc_mat4 T_bone_mesh = jc_fbx_scene_matrix(&bone->mOffsetMatrix);
	struct jc_mat4 T_model_mesh = scene->placement;

	if (mesh_joint >= 0) {
		T_model_mesh = jc_mat4_multiply(scene->placement, scene->joints[mesh_joint].world);
	}
	return jc_mat4_multiply(T_bone_mesh, jc_mat4_invert(T_model_mesh));
}

/* Writes the bones of a mesh that no earlier skin has bound. `is_bound`: by joint. */
static void write_skin(struct writer *writer, unsigned index, bool *is_bound, json_t *skins)
{
	const struct jc_fbx_scene *scene = writer->scene;
	const struct aiMesh *mesh = scene->file->mMeshes[index];
	struct jc_mat4 *matrices = calloc(mesh->mNumBones + (size_t)1, sizeof(*matrices));
	json_t *joints = json_array();
	size_t count = 0;

	for (unsigned i = 0; i < mesh->mNumBones && matrices; i++) {
		int joint = find_joint(scene, mesh->mBones[i]->mName.data);
		struct jc_mat4 matrix =
			inverse_bind(scene, mesh->mBones[i], scene->mesh_joints[index]);

		if (joint >= 0 && !is_bound[joint] && jc_mat4_is_finite(matrix)) {
			is_bound[joint] = true;
			matrices[count++] = matrix;
			json_array_append_new(joints, json_integer(joint));
		}
	}
	writer->is_short |= !matrices;
	if (count > 0) {
		long accessor = add_accessor(writer, matrices[0].m, count, 16, false);

		json_array_append_new(skins,
			json_pack("{s:o, s:O, s:I}", "name", text_of(mesh->mName.data), "joints",
				joints, "inverseBindMatrices", (json_int_t)accessor));
	}
	json_decref(joints);
	free(matrices);
}

static int write_skins(struct writer *writer, json_t *document)
{
	const struct aiScene *file = writer->scene->file;
	bool *is_bound = calloc(writer->scene->joint_count + 1, sizeof(*is_bound));
	json_t *skins = json_array();

	for (unsigned i = 0; i < file->mNumMeshes && is_bound; i++) {
		if (json_array_size(skins) < JC_LIMIT_SKINS) {
			write_skin(writer, i, is_bound, skins);
		}
	}
	if (json_array_size(skins) > 0) {
		json_object_set(document, "skins", skins);
	}
	json_decref(skins);
	free(is_bound);
	return is_bound && !writer->is_short ? JC_OK : out_of_memory(writer);
}

static bool are_same(const float *a, const float *b, size_t count)
{
	return memcmp(a, b, count * sizeof(*a)) == 0;
}

/* One motion that is written: its JSON, and the times of the last joint, which most joints share.
 */
struct take {
	json_t *channels, *samplers; /* borrowed */
	float *times;                /* owned */
	size_t time_count;
	long time_accessor;
};

/* Writes one of translation, rotation and scale: `offset` floats into a transform. */
static void write_channel(struct writer *writer, struct take *take, size_t joint,
	const struct jc_fbx_track *track, const char *path, size_t offset, size_t components)
{
	float *values = calloc(track->count, components * sizeof(*values));
	long accessor;

	if (!values) {
		writer->is_short = true;
		return;
	}
	for (size_t i = 0; i < track->count; i++) {
		memcpy(values + i * components, &track->locals[i].translation.x + offset,
			components * sizeof(*values));
	}
	accessor = add_accessor(writer, values, track->count, components, false);
	free(values);
	json_array_append_new(
		take->channels, json_pack("{s:I, s:{s:I, s:s}}", "sampler",
					(json_int_t)json_array_size(take->samplers), "target",
					"node", (json_int_t)joint, "path", path));
	json_array_append_new(take->samplers,
		json_pack("{s:I, s:I, s:s}", "input", (json_int_t)take->time_accessor, "output",
			(json_int_t)accessor, "interpolation", "LINEAR"));
}

/* Whether the motion leaves part of a joint as it is in the node. */
static bool is_constant(const struct jc_fbx_track *track, struct jc_transform rest, size_t offset,
	size_t components)
{
	const float *still = &rest.translation.x + offset;

	for (size_t i = 0; i < track->count; i++) {
		if (!are_same(&track->locals[i].translation.x + offset, still, components)) {
			return false;
		}
	}
	return true;
}

static void write_track(
	struct writer *writer, struct take *take, size_t joint, const struct jc_fbx_track *track)
{
	struct jc_transform rest = jc_fbx_scene_transform(writer->scene->joints[joint].local);

	if (!take->times || take->time_count != track->count ||
		!are_same(take->times, track->times, track->count)) {
		float *times = calloc(track->count, sizeof(*times));

		free(take->times);
		take->times = times;
		take->time_count = times ? track->count : 0;
		writer->is_short |= !times;
		if (!times) {
			return;
		}
		memcpy(times, track->times, track->count * sizeof(*times));
		take->time_accessor = add_accessor(writer, times, track->count, 1, true);
	}
	write_channel(writer, take, joint, track, "rotation", 3, 4);
	if (!is_constant(track, rest, 0, 3)) {
		write_channel(writer, take, joint, track, "translation", 0, 3);
	}
	if (!is_constant(track, rest, 7, 3)) {
		write_channel(writer, take, joint, track, "scale", 7, 3);
	}
}

static int write_motion(struct writer *writer, const struct aiAnimation *motion, json_t *animations)
{
	struct take take = { .channels = json_array(), .samplers = json_array() };
	struct jc_fbx_channels channels;
	int error = jc_fbx_channels_init(&channels, writer->scene, motion, writer->diagnostic);

	if (error) {
		json_decref(take.channels);
		json_decref(take.samplers);
		return error;
	}
	/* Node 0 is the root of libassimp: no motion of the file can name it. */
	for (size_t i = 1; i < writer->scene->joint_count && !error; i++) {
		struct jc_fbx_track track;

		error = jc_fbx_track_init(&track, &channels, i, writer->diagnostic);
		if (!error && track.count > 0) {
			write_track(writer, &take, i, &track);
		}
		if (!error) {
			jc_fbx_track_finish(&track);
		}
	}
	jc_fbx_channels_finish(&channels);
	if (json_array_size(take.channels) > 0) {
		json_array_append_new(animations,
			json_pack("{s:o, s:O, s:O}", "name", text_of(motion->mName.data),
				"channels", take.channels, "samplers", take.samplers));
	}
	json_decref(take.channels);
	json_decref(take.samplers);
	free(take.times);
	return error ? error : writer->is_short ? out_of_memory(writer) : JC_OK;
}

static int write_motions(struct writer *writer, json_t *document)
{
	const struct aiScene *file = writer->scene->file;
	json_t *animations = json_array();
	int error = JC_OK;

	for (unsigned i = 0; i < file->mNumAnimations && !error; i++) {
		error = write_motion(writer, file->mAnimations[i], animations);
	}
	if (json_array_size(animations) > 0) {
		json_object_set(document, "animations", animations);
	}
	json_decref(animations);
	return error;
}

/* Puts the document and the buffer into one GLB file (4.4 of glTF). */
static int pack(
	const struct writer *writer, const json_t *document, char **out_glb, size_t *out_length)
{
	char *text = json_dumps(document, JSON_COMPACT);
	size_t text_length = text ? strlen(text) : 0;
	size_t text_room = (text_length + 3) / 4 * 4;
	size_t length = 12 + 8 + text_room + (writer->length ? 8 + writer->length : 0);
	char *glb = text && length <= JC_LIMIT_FILE_BYTES ? malloc(length) : NULL;
	uint32_t head[] = { 0x46546c67u, 2, (uint32_t)length, (uint32_t)text_room, 0x4e4f534au };
	uint32_t chunk[] = { (uint32_t)writer->length, 0x004e4942u };

	if (!glb) {
		free(text);
		return out_of_memory(writer);
	}
	memset(glb, ' ', length);
	memcpy(glb, head, sizeof(head));
	memcpy(glb + sizeof(head), text, text_length);
	if (writer->length > 0) {
		memcpy(glb + sizeof(head) + text_room, chunk, sizeof(chunk));
		memcpy(glb + sizeof(head) + text_room + sizeof(chunk), writer->bytes,
			writer->length);
	}
	free(text);
	*out_glb = glb;
	*out_length = length;
	return JC_OK;
}

static int write_document(
	struct writer *writer, json_t *document, char **out_glb, size_t *out_length)
{
	int error = write_nodes(writer, document);

	if (!error) {
		error = write_skins(writer, document);
	}
	if (!error) {
		error = write_motions(writer, document);
	}
	if (error) {
		return error;
	}
	if (writer->length > 0) {
		json_object_set(document, "accessors", writer->accessors);
		json_object_set_new(document, "bufferViews",
			json_pack("[{s:i, s:I}]", "buffer", 0, "byteLength",
				(json_int_t)writer->length));
		json_object_set_new(document, "buffers",
			json_pack("[{s:I}]", "byteLength", (json_int_t)writer->length));
	}
	return pack(writer, document, out_glb, out_length);
}

int jc_fbx_gltf_write(const struct jc_fbx_scene *scene, char **out_glb, size_t *out_length,
	struct jc_diagnostic *diagnostic)
{
	struct writer writer = {
		.scene = scene,
		.diagnostic = diagnostic,
		.accessors = json_array(),
	};
	json_t *document = json_pack("{s:{s:s}}", "asset", "version", "2.0");
	int error = write_document(&writer, document, out_glb, out_length);

	json_decref(document);
	json_decref(writer.accessors);
	free(writer.bytes);
	return error;
}
