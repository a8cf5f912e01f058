/* Writes the extensions at the root of a written clip: VRMC_vrm_animation, or
 * EXT_skeleton_humanoid with its skin and KHR_virtual_transform. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "gltf_info.h"
#include "gltf_virtual.h"
#include "gltf_writer.h"

static void put_bones(struct jc_file_buffer *output, const struct jc_gltf_writer *writer)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (writer->nodes[b] >= 0) {
			jc_file_buffer_text(output,
				writer->kind == JC_GLTF_VRMA ? "%s\"%s\":{\"node\":%d}"
							     : "%s\"%s\":%d",
				b > 0 ? "," : "", jc_bone_name((enum jc_bone)b), writer->nodes[b]);
		}
	}
}

static bool is_preset(const char *expression)
{
	static const char *const presets[] = { "happy", "angry", "sad", "relaxed", "surprised",
		"neutral", "aa", "ih", "ou", "ee", "oh", "blink", "blinkLeft", "blinkRight" };

	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		if (strcmp(expression, presets[i]) == 0) {
			return true;
		}
	}
	return false;
}

static void put_expressions(
	struct jc_file_buffer *output, const struct jc_gltf_writer *writer, bool preset)
{
	static const char prefix[] = "expression/";
	const char *separator = "";

	jc_file_buffer_text(output, "\"%s\":{", preset ? "preset" : "custom");
	for (size_t i = 0; i < writer->track_count; i++) {
		const struct jc_gltf_written_track *track = &writer->tracks[i];
		const char *name;

		if (track->bone != JC_BONE_NONE || track->width != 3) {
			continue;
		}
		name = jc_motion_channels(writer->clip->motion)[track->channel].name;
		if (strncmp(name, prefix, sizeof(prefix) - 1) == 0) {
			name += sizeof(prefix) - 1;
		}
		if (is_preset(name) == preset) {
			jc_file_buffer_text(output, "%s", separator);
			jc_gltf_writer_put_string(output, name);
			jc_file_buffer_text(output, ":{\"node\":%d}", track->node);
			separator = ",";
		}
	}
	jc_file_buffer_text(output, "}");
}

static void put_vrma(struct jc_file_buffer *output, const struct jc_gltf_writer *writer)
{
	jc_file_buffer_text(output, ",\"extensionsUsed\":[\"VRMC_vrm_animation\"],\"extensions\":"
				    "{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",\"humanoid\":"
				    "{\"humanBones\":{");
	put_bones(output, writer);
	jc_file_buffer_text(output, "}},\"expressions\":{");
	put_expressions(output, writer, true);
	jc_file_buffer_text(output, ",");
	put_expressions(output, writer, false);
	jc_file_buffer_text(output, "}");
	for (size_t i = 0; i < writer->track_count; i++) {
		if (writer->tracks[i].bone == JC_BONE_NONE && writer->tracks[i].width == 4) {
			jc_file_buffer_text(
				output, ",\"lookAt\":{\"node\":%d}", writer->tracks[i].node);
			break;
		}
	}
	jc_file_buffer_text(output, "}}");
}

void jc_gltf_writer_put_asset(struct jc_file_buffer *output, const struct jc_gltf_writer *writer)
{
	json_t *asset = json_pack("{s:s,s:s}", "version", "2.0", "generator", "jointcast convert");
	char *text = NULL;

	if (asset && !jc_gltf_info_set(asset, jc_skeleton_facts(writer->clip->skeleton))) {
		text = json_dumps(asset, JSON_COMPACT);
	}
	jc_file_buffer_text(output, "{\"asset\":");
	jc_file_buffer_put(output, text ? text : "null", text ? strlen(text) : 4);
	jc_file_buffer_text(output, ",");
	output->error = output->error || text ? output->error : JC_ERROR_MEMORY;
	free(text);
	json_decref(asset);
}

static void put_virtuals(struct jc_file_buffer *output, const struct jc_gltf_sockets *sockets)
{
	for (size_t i = 0; i < sockets->virtual_count; i++) {
		json_t *json = jc_gltf_virtual_json(&sockets->virtuals[i]);
		char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

		jc_file_buffer_text(output, "%s",
			i > 0 ? "," : ",\"KHR_virtual_transform\":{\"virtualTransforms\":[");
		jc_file_buffer_put(output, text ? text : "null", text ? strlen(text) : 4);
		output->error = output->error || text ? output->error : JC_ERROR_MEMORY;
		free(text);
		json_decref(json);
	}
	jc_file_buffer_text(output, "%s", sockets->virtual_count > 0 ? "]}" : "");
}

static void put_skeleton(struct jc_file_buffer *output, const struct jc_gltf_writer *writer)
{
	jc_file_buffer_text(output,
		",\"skins\":[{\"inverseBindMatrices\":%zu,\"skeleton\":0,\"joints\":",
		writer->track_count + 1);
	for (size_t i = 0; i < writer->bone_count; i++) {
		jc_file_buffer_text(output, "%s%zu", i > 0 ? "," : "[", i);
	}
	jc_file_buffer_text(output,
		"]}],\"extensionsUsed\":[\"EXT_skeleton_humanoid\"%s],\"extensions\":"
		"{\"EXT_skeleton_humanoid\":{\"humanoidSkeletons\":[{\"rootNode\":0,"
		"\"humanoidBones\":{",
		writer->sockets.virtual_count > 0 ? ",\"KHR_virtual_transform\"" : "");
	put_bones(output, writer);
	jc_file_buffer_text(output, "}}]}");
	put_virtuals(output, &writer->sockets);
	jc_file_buffer_text(output, "}");
}

void jc_gltf_writer_put_extensions(
	struct jc_file_buffer *output, const struct jc_gltf_writer *writer)
{
	if (writer->kind == JC_GLTF_VRMA) {
		put_vrma(output, writer);
	} else {
		put_skeleton(output, writer);
	}
}
