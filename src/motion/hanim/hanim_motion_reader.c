/* Reads the motions of an H-Anim scene. They are counted figure by figure; for each
 * figure in file order: TimeSensors that drive it, and HAnimMotion nodes. */
#include "jointcast_private/hanim.h"

#include <stdlib.h>
#include <string.h>

#include "hanim_frames.h"
#include "hanim_motion.h"
#include "hanim_routes.h"

/* Finding a figure walks the whole scene, so their number is limited. */
#define FIGURES_TRIED 64

/* Sources of motion, and the humanoid of each node. */
struct survey {
	bool *seen;                           /* by node index */
	const struct jc_scene_node **owners;  /* by node index: the humanoid around it */
	const struct jc_scene_node **sources; /* in file order */
	size_t source_count;
};

static bool is_humanoid(const struct jc_scene_node *node)
{
	return strcmp(node->type, "HAnimHumanoid") == 0 || strcmp(node->type, "Humanoid") == 0;
}

/* Recursion is limited by the depth of the scene: node->height. */
static void walk(
	struct survey *survey, const struct jc_scene_node *node, const struct jc_scene_node *owner)
{
	if (survey->seen[node->index]) {
		return;
	}
	survey->seen[node->index] = true;
	survey->owners[node->index] = owner = is_humanoid(node) ? node : owner;
	if (strcmp(node->type, "TimeSensor") == 0 || strcmp(node->type, "HAnimMotion") == 0) {
		survey->sources[survey->source_count++] = node;
	}
	for (size_t i = 0; i < node->field_count; i++) {
		for (size_t j = 0; j < node->fields[i].node_count; j++) {
			walk(survey, node->fields[i].nodes[j], owner);
		}
	}
}

static int survey_init(struct survey *survey, const struct jc_scene *scene)
{
	size_t count = scene->node_count + 1;

	*survey = (struct survey){
		.seen = calloc(count, sizeof(*survey->seen)),
		.owners = calloc(count, sizeof(struct jc_scene_node *)),
		.sources = calloc(count, sizeof(struct jc_scene_node *)),
	};
	if (!survey->seen || !survey->owners || !survey->sources) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < scene->root_count; i++) {
		walk(survey, scene->roots[i], NULL);
	}
	return JC_OK;
}

static void survey_finish(struct survey *survey)
{
	free(survey->seen);
	free(survey->owners);
	free(survey->sources);
}

/* Finds the source with that index for a figure. Without one, reduces *index by the
 * number of sources. An HAnimMotion outside of any humanoid is for every figure. */
static int find_source(const struct jc_scene *scene, const struct survey *survey,
	const struct jc_hanim *hanim, size_t *index, const struct jc_scene_node **out_source)
{
	const struct jc_scene_node *humanoid = survey->owners[hanim->joints[0].node->index];
	bool *moves = calloc(scene->node_count, sizeof(*moves));
	int error = moves ? jc_hanim_routes_mark(scene, hanim, moves) : JC_ERROR_MEMORY;

	*out_source = NULL;
	for (size_t i = 0; !error && !*out_source && i < survey->source_count; i++) {
		const struct jc_scene_node *source = survey->sources[i];
		const struct jc_scene_node *owner = survey->owners[source->index];
		bool is_clip = strcmp(source->type, "HAnimMotion") == 0;

		if (is_clip ? owner && humanoid && owner != humanoid : !moves[source->index]) {
			continue;
		}
		if (*index == 0) {
			*out_source = source;
		} else {
			--*index;
		}
	}
	free(moves);
	return error;
}

static int read_source(const struct jc_scene *scene, const struct jc_hanim *hanim,
	const struct jc_scene_node *source, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_hanim_tracks tracks = { 0 };
	int error;

	if (strcmp(source->type, "HAnimMotion") == 0) {
		error = jc_hanim_frames_read(hanim, source, &tracks, lint, diagnostic);
	} else {
		error = jc_hanim_routes_read(scene, hanim, source, &tracks, lint, diagnostic);
	}
	if (error) {
		jc_hanim_tracks_finish(&tracks);
		return error;
	}
	return jc_hanim_motion_create(scene, hanim, jc_scene_string(source, "name", source->def),
		&tracks, out_motion, lint, diagnostic);
}

/* Searches one figure after the other for the motion of that index. A figure that cannot be used
 * has no motion; the error of the first one is returned if no other figure has any. */
static int read_motion(const struct jc_scene *scene, const struct survey *survey, size_t index,
	const struct jc_bone_map *map, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic first = { .what = "" };
	int failure = JC_OK;
	size_t left = index;

	for (size_t figure = 0; figure < FIGURES_TRIED; figure++) {
		const struct jc_scene_node *source = NULL;
		struct jc_diagnostic ignored;
		struct jc_hanim *hanim;
		int error = jc_hanim_read_mapped(scene, figure, map, &hanim,
			figure == 0 ? lint : NULL, figure == 0 ? &first : &ignored);

		failure = figure == 0 ? error : failure;
		if (error == JC_ERROR_ABSENT || error == JC_ERROR_MEMORY) {
			break;
		}
		if (error) {
			continue;
		}
		error = find_source(scene, survey, hanim, &left, &source);
		if (error) {
			jc_diagnose(diagnostic, error, NULL, "out of memory");
		} else if (source) {
			error = read_source(scene, hanim, source, out_motion, lint, diagnostic);
		}
		jc_hanim_destroy(hanim);
		if (error || source) {
			return error;
		}
	}
	if (left == index && failure) {
		if (diagnostic) {
			*diagnostic = first;
		}
		return failure;
	}
	if (left == index) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"the scene has no motion: no TimeSensor drives a joint and there is no "
			"HAnimMotion");
	}
	return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
		"there is no motion %zu, the file has %zu", index, index - left);
}

static int read_file(const struct jc_motion_file *file, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_scene *scene;
	struct survey survey;
	int error = jc_scene_read(file->bytes, file->length, &scene, lint, diagnostic);

	if (error) {
		return error;
	}
	error = survey_init(&survey, scene);
	if (error) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
	} else {
		error = read_motion(
			scene, &survey, file->index, file->map, out_motion, lint, diagnostic);
	}
	survey_finish(&survey);
	jc_scene_destroy(scene);
	return error;
}

static bool accepts(const struct jc_motion_file *file)
{
	return jc_scene_is(file->bytes, file->length);
}

const struct jc_motion_reader jc_hanim_motion_reader = {
	.has_joints = true, .accepts = accepts, .read = read_file
};
