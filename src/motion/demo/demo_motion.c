/* Provides the built-in demo motions. They are formulas, so they need no file and no
 * licence. */
#include "demo_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion_private.h"

#define NOMINAL_FPS 60.0

struct demo_motion {
	struct jc_motion motion;
	const struct jc_demo *demo; /* static */
};

static const struct jc_demo *const demos[] = {
	&jc_demo_walk,
	&jc_demo_wave,
	&jc_demo_sit,
	&jc_demo_idle,
};

#define DEMO_COUNT (sizeof(demos) / sizeof(demos[0]))

static void demo_destroy(struct jc_motion *motion)
{
	free(motion);
}

static void demo_pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose)
{
	const struct jc_demo *demo = ((const struct demo_motion *)motion)->demo;
	struct jc_demo_figure figure;

	jc_demo_figure_init(&figure);
	demo->move(t, &figure);
	jc_demo_figure_finish(&figure, out_pose);
}

static const struct jc_motion_ops demo_ops = {
	.destroy = demo_destroy,
	.pose = demo_pose,
};

const char *const *jc_motion_demo_names(void)
{
	static const char *const names[] = { "walk", "wave", "sit", "idle", NULL };

	return names;
}

int jc_motion_create_demo(
	const char *name, struct jc_motion **out_motion, struct jc_diagnostic *diagnostic)
{
	struct demo_motion *motion;
	const struct jc_demo *demo = NULL;

	for (size_t i = 0; i < DEMO_COUNT; i++) {
		if (strcmp(demos[i]->name, name) == 0) {
			demo = demos[i];
		}
	}
	if (!demo) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"there is no demo motion '%s', only walk, wave, sit, idle", name);
	}
	motion = calloc(1, sizeof(*motion));
	if (!motion) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	motion->demo = demo;
	motion->motion.ops = &demo_ops;
	motion->motion.info = (struct jc_motion_info){
		.kind = JC_MOTION_POSES,
		.format = "demo",
		.confidence = 1.0f,
		.name = demo->name,
		.family = "",
		.duration = demo->duration,
		.fps = NOMINAL_FPS,
		.frame_count = (size_t)lround(demo->duration * NOMINAL_FPS) + 1,
		.hips_height = jc_demo_figure_hips_height(),
		.metres_per_unit = 1.0f,
		.bone_mask = (((uint64_t)1 << JC_BONE_COUNT) - 1) & ~((uint64_t)1 << JC_BONE_JAW),
		.seat_height = demo->seat_height,
	};
	*out_motion = &motion->motion;
	return JC_OK;
}
