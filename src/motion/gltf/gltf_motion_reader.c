/* Reads glTF animations as motions and finds the skeleton that they move. */
#include "jointcast/gltf.h"

#include <stdlib.h>
#include <string.h>

#include "gltf_motion.h"
#include "jointcast/transform.h"
#include "jointcast_private/ext_humanoid.h"
#include "motion_private.h"
#include "vrma.h"

/* In a file of more humanoids a clip cannot be assigned to one of them. */
#define SKELETONS_TRIED 16

static void describe(
	const struct jc_skeleton *skeleton, struct jc_skeleton_description *out_description)
{
	jc_skeleton_description_init(out_description);
	out_description->format = jc_skeleton_format(skeleton);
	out_description->family = jc_skeleton_family(skeleton);
	out_description->confidence = jc_skeleton_confidence(skeleton);
	out_description->node_count = jc_skeleton_node_count(skeleton);
	out_description->nodes = jc_skeleton_nodes(skeleton);
	out_description->facing = jc_skeleton_facing(skeleton);
	out_description->has_floor = jc_skeleton_has_floor(skeleton);
	out_description->floor = jc_skeleton_floor(skeleton);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		out_description->bones[b] = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
		out_description->corrections[b] = jc_skeleton_correction(skeleton, (enum jc_bone)b);
	}
}

/* Sets how the bones of the file's own skeleton were found. */
static void set_family(
	const struct jc_skeleton_description *description, struct jc_gltf_figure *figure)
{
	figure->family = *description->family ? description->family
					      : jc_skeleton_format_name(description->format);
	figure->confidence = description->confidence;
}

/* Reads bones by name in a file without a skeleton: the reference pose with the
 * proportions of the built-in figure. */
static int read_canonical(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_node nodes[JC_BONE_COUNT];
	struct jc_skeleton_description description;
	struct jc_gltf_figure figure = {
		.format = "gltf",
		.family = "reference pose",
		.confidence = 1.0f,
		.skeleton = &description,
		.is_reference = true,
	};

	jc_skeleton_description_init(&description);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		enum jc_bone parent = jc_bone_parent(bone);
		struct jc_transform rest = {
			.translation = jc_bone_rest_position(bone),
			.rotation = jc_bone_reference_rotation(bone),
			.scale = { 1.0f, 1.0f, 1.0f },
		};

		if (parent != JC_BONE_NONE) {
			struct jc_quat back = jc_quat_conjugate(jc_bone_reference_rotation(parent));

			rest.translation = jc_quat_rotate(back,
				jc_vec3_subtract(rest.translation, jc_bone_rest_position(parent)));
			rest.rotation = jc_quat_multiply(back, rest.rotation);
		}
		nodes[b] = (struct jc_skeleton_node){ jc_bone_name(bone), parent, rest };
		description.bones[b] = b;
	}
	description.node_count = JC_BONE_COUNT;
	description.nodes = nodes;
	return jc_gltf_motion_create(gltf, clip, &figure, 0, NULL, out_motion, lint, diagnostic);
}

static int read_bones(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_skeleton *skeleton, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_description description;
	struct jc_gltf_figure figure = { .format = "gltf", .skeleton = &description };

	describe(skeleton, &description);
	set_family(&description, &figure);
	return jc_gltf_motion_create(gltf, clip, &figure, 0, NULL, out_motion, lint, diagnostic);
}

static int read_nodes(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_skeleton *skeleton, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	size_t count = jc_gltf_node_count(gltf);
	struct jc_transform *initial = calloc(count + 1, sizeof(*initial));
	struct jc_skeleton_description description;
	struct jc_gltf_figure figure = {
		.format = "gltf", .skeleton = &description, .initial = initial
	};
	int error;

	if (!initial) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		initial[i] = jc_gltf_nodes(gltf)[i].local;
	}
	describe(skeleton, &description);
	set_family(&description, &figure);
	error = jc_gltf_motion_create(gltf, clip, &figure, 0, NULL, out_motion, lint, diagnostic);
	free(initial);
	return error;
}

/* Tries the humanoids of a file in turn; the first that the clip moves is used. */
static int read_moved(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_bone_map *map, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	int error = JC_ERROR_NO_HUMANOID;

	for (size_t i = 0; error == JC_ERROR_NO_HUMANOID && i < SKELETONS_TRIED; i++) {
		struct jc_diagnostic ignored;
		struct jc_skeleton *skeleton;
		int end = jc_skeleton_read_gltf_mapped(
			gltf, i, map, &skeleton, i == 0 ? diagnostic : &ignored);

		if (end) {
			return i == 0 ? end : error;
		}
		error = read_nodes(gltf, clip, skeleton, out_motion, lint, diagnostic);
		jc_skeleton_destroy(skeleton);
	}
	return error;
}

static int read_named(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_bone_map *map, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton;
	int error = jc_skeleton_read_gltf_mapped(gltf, 0, map, &skeleton, diagnostic);

	if (error == JC_ERROR_NO_HUMANOID) {
		return read_canonical(gltf, clip, out_motion, lint, diagnostic);
	}
	if (error) {
		return error;
	}
	/* Only a skeleton of this extension defines what a rotation is relative to. */
	error = jc_skeleton_format(skeleton) == JC_SKELETON_EXT
			? read_bones(gltf, clip, skeleton, out_motion, lint, diagnostic)
			: read_canonical(gltf, clip, out_motion, lint, diagnostic);
	jc_skeleton_destroy(skeleton);
	return error;
}

static int read_file(const struct jc_motion_file *file, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_gltf *gltf;
	struct jc_gltf_clip clip;
	int error =
		jc_gltf_read(file->bytes, file->length, file->resolver, &gltf, lint, diagnostic);

	if (error) {
		return error;
	}
	jc_ext_humanoid_lint_empty(gltf, lint);
	error = jc_gltf_clip_read(gltf, file->index, &clip, lint, diagnostic);
	if (error) {
		goto out;
	}
	if (jc_vrma_is_animation(gltf)) {
		error = jc_vrma_read(gltf, &clip, file->map, out_motion, lint, diagnostic);
	} else if (clip.names_bones) {
		error = read_named(gltf, &clip, file->map, out_motion, lint, diagnostic);
	} else {
		error = read_moved(gltf, &clip, file->map, out_motion, lint, diagnostic);
	}
	jc_gltf_clip_finish(&clip);
out:
	jc_gltf_destroy(gltf);
	return error;
}

static bool holds(const char *text, const char *end, const char *word)
{
	return memmem(text, (size_t)(end - text), word, strlen(word)) != NULL;
}

/* A GLB, or JSON with the member that glTF requires. The first line of a body-frame file
 * names that format. */
static bool accepts(const struct jc_motion_file *file)
{
	const char *newline = memchr(file->text, '\n', (size_t)(file->end - file->text));
	const char *line_end = newline ? newline : file->end;
	bool is_body_frames = holds(file->text, line_end, "\"jointcast\"") &&
			      holds(file->text, line_end, "\"body-frames\"");

	return jc_motion_file_starts_with(file, "glTF") ||
	       (*file->text == '{' && !is_body_frames && holds(file->text, file->end, "\"asset\""));
}

const struct jc_motion_reader jc_gltf_motion_reader = {
	.has_joints = true, .accepts = accepts, .read = read_file
};
