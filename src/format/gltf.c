/* Reads a glTF document: required properties, then nodes, skins and buffers. */
#include "jointcast/gltf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "gltf_private.h"
#include "jointcast/limits.h"
#include "jointcast_private/json.h"

/* Extensions that a reader of nodes and skins may ignore or reads itself. A
 * name that ends with '*' stands for all that begin so. */
static const char *const known_extensions[] = {
	"EXT_lights_*",
	"EXT_meshopt_compression",
	"EXT_mesh_*",
	"EXT_skeleton_humanoid",
	"EXT_texture_*",
	"KHR_animation_pointer",
	"KHR_audio_emitter",
	"KHR_draco_mesh_compression",
	"KHR_lights_*",
	"KHR_materials_*",
	"KHR_mesh_quantization",
	"KHR_meshopt_compression",
	"KHR_node_visibility",
	"KHR_techniques_webgl",
	"KHR_texture_*",
	"KHR_virtual_transform",
	"KHR_virtual_transforms",
	"KHR_xmp_json_ld",
	"MSFT_packing_*",
	"MSFT_texture_*",
	"VRM",
	"VRMC_materials_*",
	"VRMC_node_constraint",
	"VRMC_springBone*",
	"VRMC_vrm",
	"VRMC_vrm_animation",
};

/* Extensions whose data, if any, is at the root of the file. */
static const char *const root_extensions[] = { "VRM", "VRMC_vrm", "VRMC_vrm_animation" };

static bool is_known(const char *name)
{
	for (size_t i = 0; i < sizeof(known_extensions) / sizeof(*known_extensions); i++) {
		const char *known = known_extensions[i];
		size_t stem = strcspn(known, "*");

		if (strncmp(name, known, stem) == 0 && (known[stem] == '*' || name[stem] == '\0')) {
			return true;
		}
	}
	return false;
}

static bool is_kept_at_root(const char *name)
{
	for (size_t i = 0; i < sizeof(root_extensions) / sizeof(*root_extensions); i++) {
		if (strcmp(name, root_extensions[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* glTF 2.0, 3.12: what is required and not understood must not be loaded. */
static int check_required_extensions(const struct jc_gltf *gltf, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "extensionsRequired" };
	const json_t *required = NULL;
	int error = jc_json_read_array(
		gltf->root, "extensionsRequired", NULL, JC_LIMIT_ACCESSORS, &required, diagnostic);

	for (size_t i = 0; !error && i < json_array_size(required); i++) {
		struct jc_json_place place = { .outer = &list, .index = i };
		const char *name = json_string_value(json_array_get(required, i));

		if (!name) {
			error = jc_json_refuse(
				diagnostic, JC_ERROR_INVALID, &place, "not a string");
		} else if (!is_known(name)) {
			error = jc_json_refuse(diagnostic, JC_ERROR_UNSUPPORTED, &place,
				"requires extension '%s', which is not supported", name);
		} else if (is_kept_at_root(name) && !jc_gltf_extension(gltf, name)) {
			error = jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place,
				"requires extension '%s', which is missing in the file", name);
		}
	}
	return error;
}

static int check_asset(const struct jc_gltf *gltf, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .key = "asset" };
	const json_t *asset = NULL;
	const char *version = NULL;
	int error;

	if (!json_is_object(gltf->root)) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL, "not a glTF document");
	}
	error = jc_json_read_object(gltf->root, "asset", NULL, &asset, diagnostic);
	if (!error && asset) {
		error = jc_json_read_string(asset, "version", &place, &version, diagnostic);
	}
	if (error) {
		return error;
	}
	if (!version) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "asset.version",
			"not a glTF document: it names no version");
	}
	if (strncmp(version, "2.", 2) != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, "asset.version",
			"glTF version is '%s', not 2", version);
	}
	return JC_OK;
}

/* Nodes and skins are readable beside compressed meshes, but not every program shows such a file.
 */
static void note_draco(const struct jc_gltf *gltf, struct jc_lint *lint)
{
	const json_t *meshes = json_object_get(gltf->root, "meshes");
	size_t count = 0, whole = 0;

	for (size_t i = 0; i < json_array_size(meshes); i++) {
		const json_t *primitives = json_object_get(json_array_get(meshes, i), "primitives");

		for (size_t j = 0; j < json_array_size(primitives); j++) {
			const json_t *extensions =
				json_object_get(json_array_get(primitives, j), "extensions");

			count += json_object_get(extensions, "KHR_draco_mesh_compression") != NULL;
			whole++;
		}
	}
	if (count > 0) {
		jc_lint_add(lint, JC_WARNING, "draco",
			"%zu of %zu parts of meshes are compressed with Draco: programs need a "
			"decoder for them, and the viewer has none",
			count, whole);
	}
}

int jc_gltf_read(const void *bytes, size_t length, const struct jc_gltf_resolver *resolver,
	struct jc_gltf **out_gltf, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_gltf *gltf = calloc(1, sizeof(*gltf));
	const char *text;
	size_t text_length;
	int error;

	if (!gltf) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	error = jc_gltf_split(bytes, length, &text, &text_length, &gltf->binary,
		&gltf->binary_length, diagnostic);
	if (!error) {
		error = jc_json_parse(text, text_length, &gltf->root, diagnostic);
	}
	if (!error) {
		error = check_asset(gltf, diagnostic);
	}
	if (!error) {
		error = check_required_extensions(gltf, diagnostic);
	}
	if (!error) {
		error = jc_gltf_read_buffers(gltf, resolver, diagnostic);
	}
	if (!error) {
		error = jc_gltf_read_nodes(gltf, lint, diagnostic);
	}
	if (!error) {
		error = jc_gltf_read_skins(gltf, lint, diagnostic);
	}
	if (error) {
		jc_gltf_destroy(gltf);
		return error;
	}
	note_draco(gltf, lint);
	*out_gltf = gltf;
	return JC_OK;
}

void jc_gltf_destroy(struct jc_gltf *gltf)
{
	if (!gltf) {
		return;
	}
	for (size_t i = 0; i < gltf->skin_count; i++) {
		free((void *)gltf->skins[i].joints);
		free((void *)gltf->skins[i].inverse_bind);
	}
	for (size_t i = 0; i < gltf->buffer_count; i++) {
		free(gltf->buffers[i].decoded);
	}
	free(gltf->skins);
	free(gltf->nodes);
	free(gltf->buffers);
	json_decref(gltf->root);
	free(gltf);
}

size_t jc_gltf_node_count(const struct jc_gltf *gltf)
{
	return gltf->node_count;
}

const struct jc_gltf_node *jc_gltf_nodes(const struct jc_gltf *gltf)
{
	return gltf->nodes;
}

size_t jc_gltf_skin_count(const struct jc_gltf *gltf)
{
	return gltf->skin_count;
}

const struct jc_gltf_skin *jc_gltf_skins(const struct jc_gltf *gltf)
{
	return gltf->skins;
}

const struct json_t *jc_gltf_json(const struct jc_gltf *gltf)
{
	return gltf->root;
}

const struct json_t *jc_gltf_extension(const struct jc_gltf *gltf, const char *name)
{
	const json_t *extension = json_object_get(json_object_get(gltf->root, "extensions"), name);

	return json_is_object(extension) ? extension : NULL;
}
