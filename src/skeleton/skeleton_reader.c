/* Reads skeleton files; finds the format by the content. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "descriptor.h"
#include "gltf/gltf_skeletons.h"
#include "gltf/khr_character.h"
#include "hanim/hanim_skeleton.h"
#include "jointcast/limits.h"
#include "jointcast_private/bone_map_match.h"
#include "jointcast_private/ext_humanoid.h"
#include "jointcast_private/json.h"
#include "jointcast_private/khr_character.h"

static int check_index(size_t index, struct jc_diagnostic *diagnostic)
{
	if (index > 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no humanoid %zu: the file has one", index);
	}
	return JC_OK;
}

static int read_vrm(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	int error = check_index(index, diagnostic);

	return error ? error : jc_vrm_skeleton_read(gltf, map, out_skeleton, lint, diagnostic);
}

static bool is_vrm_animation(const struct jc_gltf *gltf)
{
	return jc_gltf_extension(gltf, "VRMC_vrm_animation") != NULL;
}

static int refuse_vrm_animation(const struct jc_gltf *gltf, size_t index,
	const struct jc_bone_map *map, struct jc_skeleton **out_skeleton, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	(void)gltf;
	(void)index;
	(void)map;
	(void)out_skeleton;
	(void)lint;
	return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
		"no humanoid: a VRM animation contains a motion but no figure");
}

/* The ways a glTF file defines its bones; the first that applies is used. */
static const struct gltf_kind {
	bool (*applies)(const struct jc_gltf *gltf); /* NULL: every file */
	int (*read)(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
		struct jc_skeleton **out_skeleton, struct jc_lint *lint,
		struct jc_diagnostic *diagnostic);
} gltf_kinds[] = {
	{ jc_ext_humanoid_applies, jc_ext_humanoid_read },
	{ jc_vrm_skeleton_applies, read_vrm },
	{ jc_khr_character_applies, jc_khr_character_read },
	{ is_vrm_animation, refuse_vrm_animation },
	{ NULL, jc_recognised_gltf_read },
};

static int read_humanoid(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const struct gltf_kind *kind = gltf_kinds;
	bool is_empty = jc_ext_humanoid_lint_empty(gltf, lint);
	int error;

	jc_khr_character_lint(gltf, lint);
	while (kind->applies && !kind->applies(gltf)) {
		kind++;
	}
	error = kind->read(gltf, index, map, out_skeleton, lint, diagnostic);
	if (error == JC_ERROR_NO_HUMANOID && is_empty && diagnostic) {
		struct jc_diagnostic other = *diagnostic;

		jc_diagnose(diagnostic, error, "EXT_skeleton_humanoid.humanoidSkeletons",
			"the list is empty, and without it: %s", other.what);
	}
	return error;
}

static int read_gltf(const void *bytes, size_t length, size_t index, const struct jc_bone_map *map,
	const struct jc_gltf_resolver *resolver, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_gltf *gltf;
	int error = jc_gltf_read(bytes, length, resolver, &gltf, lint, diagnostic);

	if (!error) {
		error = read_humanoid(gltf, index, map, out_skeleton, lint, diagnostic);
		jc_gltf_destroy(gltf);
	}
	return error;
}

int jc_skeleton_read_gltf(const struct jc_gltf *gltf, size_t index,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic)
{
	return read_humanoid(gltf, index, NULL, out_skeleton, NULL, diagnostic);
}

int jc_skeleton_read_gltf_mapped(const struct jc_gltf *gltf, size_t index,
	const struct jc_bone_map *map, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic)
{
	return read_humanoid(gltf, index, map, out_skeleton, NULL, diagnostic);
}

static int read_scene(const void *bytes, size_t length, size_t index, const struct jc_bone_map *map,
	const struct jc_gltf_resolver *resolver, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_scene *scene;
	int error = jc_scene_read(bytes, length, &scene, lint, diagnostic);

	if (!error) {
		error = jc_hanim_skeleton_read(scene, index, map, out_skeleton, lint, diagnostic);
		jc_scene_destroy(scene);
	}
	(void)resolver;
	return error;
}

static bool is_glb(const void *bytes, size_t length)
{
	return length >= 4 && memcmp(bytes, "glTF", 4) == 0;
}

static bool is_json(const void *bytes, size_t length)
{
	const char *text = bytes;
	size_t i = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (i < length && strchr(" \t\r\n", text[i]) && text[i] != '\0') {
		i++;
	}
	return i < length && text[i] == '{';
}

/* glTF as JSON has the member "asset"; any other JSON is read as a descriptor. */
static int read_json(const void *bytes, size_t length, size_t index, const struct jc_bone_map *map,
	const struct jc_gltf_resolver *resolver, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	json_t *root;
	int error = jc_json_parse(bytes, length, &root, diagnostic);

	if (error) {
		return error;
	}
	if (json_object_get(root, "asset")) {
		json_decref(root);
		return read_gltf(
			bytes, length, index, map, resolver, out_skeleton, lint, diagnostic);
	}
	error = map ? jc_bone_map_refuse(map, diagnostic, JC_ERROR_UNSUPPORTED,
			      "a bone map does not apply: a descriptor lists its bones")
		    : check_index(index, diagnostic);
	if (!error) {
		error = jc_descriptor_read(root, out_skeleton, diagnostic);
	}
	json_decref(root);
	return error;
}

static const struct reader {
	bool (*accepts)(const void *bytes, size_t length);
	int (*read)(const void *bytes, size_t length, size_t index, const struct jc_bone_map *map,
		const struct jc_gltf_resolver *resolver, struct jc_skeleton **out_skeleton,
		struct jc_lint *lint, struct jc_diagnostic *diagnostic);
} readers[] = {
	{ is_glb, read_gltf },
	{ jc_scene_is, read_scene },
	{ is_json, read_json },
};

static int read_any(const void *bytes, size_t length, size_t index, const struct jc_bone_map *map,
	const struct jc_gltf_resolver *resolver, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	if (length > JC_LIMIT_FILE_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "file is too large");
	}
	if (length == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "file is empty");
	}
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		if (readers[i].accepts(bytes, length)) {
			return readers[i].read(bytes, length, index, map, resolver, out_skeleton,
				lint, diagnostic);
		}
	}
	return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL,
		"not a VRM, glTF or H-Anim file, nor a skeleton descriptor");
}

int jc_skeleton_read_mapped(const void *bytes, size_t length, size_t index,
	const struct jc_bone_map *map, const struct jc_gltf_resolver *resolver,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton;
	int error = read_any(bytes, length, index, map, resolver, &skeleton, lint, diagnostic);

	if (error) {
		return error;
	}
	if (jc_skeleton_lint(skeleton, lint)) {
		jc_skeleton_destroy(skeleton);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	*out_skeleton = skeleton;
	return JC_OK;
}

int jc_skeleton_read(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	return jc_skeleton_read_mapped(
		bytes, length, index, NULL, resolver, out_skeleton, lint, diagnostic);
}
