/* Reads the channels of one animation (glTF 2.0, 3.11) and the additions of
 * EXT_skeleton_humanoid. */
#include "gltf_clip.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/limits.h"

#define EXTENSION "EXT_skeleton_humanoid"

/* JSON path of the channels of an animation. It links to itself, so it must not move in
 * memory. */
struct place {
	struct jc_json_place list, animation, array, element;
};

static const struct jc_json_place *make_place(
	struct place *place, size_t animation, const char *key, size_t index)
{
	place->list = (struct jc_json_place){ .key = "animations" };
	place->animation = (struct jc_json_place){ .outer = &place->list, .index = animation };
	place->array = (struct jc_json_place){ .outer = &place->animation, .key = key };
	place->element = (struct jc_json_place){ .outer = &place->array, .index = index };
	return &place->element;
}

static int find_path(const char *name)
{
	for (int i = 0; i < JC_GLTF_PATHS; i++) {
		if (strcmp(name, jc_gltf_path_name((enum jc_gltf_path)i)) == 0) {
			return i;
		}
	}
	return -1;
}

struct reader {
	const struct jc_gltf *gltf;
	struct jc_gltf_clip *clip;
	struct jc_lint *lint;
	struct jc_diagnostic *diagnostic;
	bool *is_taken; /* by bone and node, then path */
	/* By sampler: whether a channel with and one without a bone name refer to it. */
	bool *serves_bones, *serves_nodes;
	size_t sampler_count;
	size_t twice;
};

/* The bone name of a target, NULL if it has none. */
static int read_bone_name(struct reader *reader, const json_t *target,
	const struct jc_json_place *place, const char **out_name)
{
	struct jc_json_place extensions = { .outer = place, .key = "extensions" };
	struct jc_json_place extension = { .outer = &extensions, .key = EXTENSION };
	const json_t *json = json_object_get(json_object_get(target, "extensions"), EXTENSION);
	int error;

	if (!json) {
		return JC_OK;
	}
	error = jc_json_read_string(
		json, "humanoidBoneName", &extension, out_name, reader->diagnostic);
	if (!error && !*out_name) {
		error = jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, &extension,
			"'humanoidBoneName' is missing");
	}
	return error;
}

static void take_target(struct reader *reader, struct jc_gltf_target target)
{
	struct jc_gltf_clip *clip = reader->clip;
	size_t thing = target.bone != JC_BONE_NONE ? (size_t)target.bone
						   : JC_BONE_COUNT + (size_t)target.node;
	bool *is_taken = &reader->is_taken[thing * JC_GLTF_PATHS + target.path];

	if (*is_taken) {
		reader->twice++;
		return;
	}
	*is_taken = true;
	clip->targets[clip->target_count++] = target;
	clip->names_bones = clip->names_bones || target.bone != JC_BONE_NONE;
}

static int read_target(struct reader *reader, const json_t *json, const struct jc_json_place *place,
	struct jc_gltf_target target)
{
	const char *path_name = "";
	const char *bone_name = NULL;
	int path;
	int error = jc_json_read_string(json, "path", place, &path_name, reader->diagnostic);

	if (!error) {
		error = jc_json_read_index(json, "node", place, 0, jc_gltf_node_count(reader->gltf),
			&target.node, reader->diagnostic);
	}
	if (!error) {
		error = read_bone_name(reader, json, place, &bone_name);
	}
	if (error) {
		return error;
	}
	path = find_path(path_name);
	*(bone_name ? &reader->serves_bones[target.sampler]
		    : &reader->serves_nodes[target.sampler]) = true;
	if (bone_name && path < 0) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, place,
			"path is '%s'; for a bone it must be rotation, translation or scale",
			path_name);
	}
	if (bone_name) {
		target.bone = jc_bone_find(bone_name);
		if (target.bone == JC_BONE_NONE) {
			jc_lint_add(reader->lint, JC_WARNING, "unknown-bone",
				"'%s' is not a humanoid bone; ignored", bone_name);
			return JC_OK;
		}
	}
	if (path >= 0 && (target.bone != JC_BONE_NONE || target.node >= 0)) {
		target.path = (enum jc_gltf_path)path;
		take_target(reader, target);
	}
	return JC_OK;
}

static int read_channel(struct reader *reader, const json_t *json, size_t index)
{
	struct place room;
	const struct jc_json_place *place =
		make_place(&room, reader->clip->index, "channels", index);
	struct jc_json_place target_place = { .outer = place, .key = "target" };
	const json_t *target = NULL;
	int sampler = -1;
	int error;

	if (!json_is_object(json)) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, place, "not an object");
	}
	error = jc_json_read_index(
		json, "sampler", place, 0, reader->sampler_count, &sampler, reader->diagnostic);
	if (!error) {
		error = jc_json_read_object(json, "target", place, &target, reader->diagnostic);
	}
	if (error) {
		return error;
	}
	if (sampler < 0 || !target) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, place,
			"'sampler' or 'target' is missing");
	}
	return read_target(reader, target, &target_place,
		(struct jc_gltf_target){
			.bone = JC_BONE_NONE, .node = -1, .sampler = (size_t)sampler });
}

/* EXT_skeleton_humanoid, "Animation definition": relative and absolute rotations cannot
 * be the same numbers. */
static void lint_samplers(const struct reader *reader)
{
	for (size_t i = 0; i < reader->sampler_count; i++) {
		if (reader->serves_bones[i] && reader->serves_nodes[i]) {
			jc_lint_add(reader->lint, JC_WARNING, "shared-sampler",
				"animations[%zu].samplers[%zu] drives a bone by name and another "
				"target; the extension forbids this",
				reader->clip->index, i);
			return;
		}
	}
}

static int read_channels(struct reader *reader, const json_t *channels)
{
	for (size_t i = 0; i < json_array_size(channels); i++) {
		int error = read_channel(reader, json_array_get(channels, i), i);

		if (error) {
			return error;
		}
	}
	if (reader->twice) {
		jc_lint_add(reader->lint, JC_WARNING, "channel-twice",
			"%zu channels of animations[%zu] have the target of an earlier channel; "
			"left out",
			reader->twice, reader->clip->index);
	}
	lint_samplers(reader);
	return JC_OK;
}

static int read_clip(struct reader *reader, const json_t *json)
{
	struct place room;
	const struct jc_json_place *place;
	struct jc_gltf_clip *clip = reader->clip;
	const json_t *channels = NULL;
	int error;

	make_place(&room, clip->index, "channels", 0);
	place = &room.animation;
	if (!json_is_object(json)) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, place, "not an object");
	}
	error = jc_json_read_string(json, "name", place, &clip->name, reader->diagnostic);
	if (!error) {
		error = jc_json_read_array(json, "samplers", place, JC_LIMIT_ACCESSORS,
			&clip->samplers, reader->diagnostic);
	}
	if (!error) {
		error = jc_json_read_array(
			json, "channels", place, JC_LIMIT_ACCESSORS, &channels, reader->diagnostic);
	}
	if (error) {
		return error;
	}
	reader->sampler_count = json_array_size(clip->samplers);
	reader->serves_bones = calloc(reader->sampler_count + 1, sizeof(bool));
	reader->serves_nodes = calloc(reader->sampler_count + 1, sizeof(bool));
	clip->targets = calloc(json_array_size(channels) + 1, sizeof(*clip->targets));
	reader->is_taken = calloc(
		(JC_BONE_COUNT + jc_gltf_node_count(reader->gltf)) * JC_GLTF_PATHS, sizeof(bool));
	if (!reader->serves_bones || !reader->serves_nodes || !clip->targets || !reader->is_taken) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	return read_channels(reader, channels);
}

int jc_gltf_clip_read(const struct jc_gltf *gltf, size_t index, struct jc_gltf_clip *out_clip,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const json_t *animations = json_object_get(jc_gltf_json(gltf), "animations");
	size_t count = json_array_size(animations);
	struct jc_gltf_clip clip = { .name = "", .index = index };
	struct reader reader = {
		.gltf = gltf, .clip = &clip, .lint = lint, .diagnostic = diagnostic
	};
	int error;

	if (count == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, "animations",
			"no motion: the file has no animation");
	}
	if (index >= count) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no motion %zu, the file has %zu", index, count);
	}
	error = read_clip(&reader, json_array_get(animations, index));
	free(reader.serves_bones);
	free(reader.serves_nodes);
	free(reader.is_taken);
	if (error) {
		jc_gltf_clip_finish(&clip);
		return error;
	}
	*out_clip = clip;
	return JC_OK;
}

void jc_gltf_clip_finish(struct jc_gltf_clip *clip)
{
	free(clip->targets);
}

int jc_gltf_clip_track(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_gltf_target *target, size_t *budget, struct jc_gltf_track *out_track,
	struct jc_diagnostic *diagnostic)
{
	struct place room;

	return jc_gltf_track_read(gltf, json_array_get(clip->samplers, target->sampler),
		make_place(&room, clip->index, "samplers", target->sampler), target->path, budget,
		out_track, diagnostic);
}
