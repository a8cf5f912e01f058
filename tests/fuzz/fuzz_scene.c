/* Scenes of all three syntaxes, and the humanoids in them as skeletons. */
#include <stdint.h>
#include <stdlib.h>

#include "jointcast_private/hanim.h"
#include "target.h"

/* Stops the program if an invariant of a scene does not hold. */
static void check_promises(const struct jc_scene *scene)
{
	for (size_t i = 0; i < scene->route_count; i++) {
		if (!scene->routes[i].from || !scene->routes[i].to ||
			scene->routes[i].from->index >= scene->node_count) {
			abort();
		}
	}
	for (size_t i = 0; i < scene->root_count; i++) {
		if (scene->roots[i]->height == 0 || scene->roots[i]->height > JC_LIMIT_DEPTH) {
			abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic;
	struct jc_scene *scene;

	if (jc_scene_read(bytes, length, &scene, &lint, &diagnostic)) {
		return 0;
	}
	check_promises(scene);
	for (size_t index = 0; index < 3; index++) {
		struct jc_hanim *hanim;
		struct jc_skeleton *skeleton;

		if (jc_hanim_read(scene, index, &hanim, &lint, &diagnostic)) {
			continue;
		}
		if (!jc_hanim_skeleton(hanim, &skeleton, &diagnostic)) {
			jc_skeleton_destroy(skeleton);
		}
		jc_hanim_destroy(hanim);
	}
	jc_scene_destroy(scene);
	return 0;
}
