/* Samples a motion evenly from the first frame to the last. */
#include "bench/bench_clip.h"

#include <stdlib.h>

#include "jointcast/skeleton.h"
#include "jointcast/solver.h"
#include "jointcast/transform.h"

/* Frame times in files are rounded: 0.0333 is 30.03 Hz, and 29.97 Hz is nominally 30. */
static const double rate_tolerance = 0.005;

static const float finger_moves = 0.0087f; /* half a degree, radians */

bool jc_bench_clip_has_rate(const struct jc_motion *motion, double hz)
{
	return jc_motion_info(motion)->fps >= hz * (1.0 - rate_tolerance);
}

static bool bone_moves(const struct jc_bench_clip *clip, unsigned bone)
{
	for (size_t i = 1; i < clip->count; i++) {
		if (jc_quat_angle(clip->samples[0].rotations[bone],
			    clip->samples[i].rotations[bone]) > finger_moves) {
			return true;
		}
	}
	return false;
}

static bool fingers_move(const struct jc_bench_clip *clip)
{
	unsigned moving = 0;

	for (unsigned i = 0; i < JC_SECTION_HANDS_COUNT; i++) {
		moving += bone_moves(clip, JC_SECTION_HANDS_FIRST + i);
	}
	return 2 * moving >= JC_SECTION_HANDS_COUNT;
}

static int hips_height(float *out_height)
{
	struct jc_skeleton *skeleton;
	int error = jc_skeleton_create_builtin(&skeleton);

	if (!error) {
		*out_height = jc_skeleton_hips_height(skeleton);
		jc_skeleton_destroy(skeleton);
	}
	return error;
}

int jc_bench_clip_init(
	struct jc_bench_clip *clip, const char *name, const struct jc_motion *motion, double hz)
{
	double duration = jc_motion_info(motion)->duration;
	double count = duration * hz + 1.0 + 1e-6;
	struct jc_solver solver;
	float height;
	int error = hips_height(&height);

	*clip = (struct jc_bench_clip){ .name = name, .hz = hz };
	if (error) {
		return error;
	}
	clip->count = count < JC_BENCH_FRAMES ? (size_t)count : JC_BENCH_FRAMES;
	clip->samples = calloc(clip->count, sizeof(*clip->samples));
	if (!clip->samples) {
		return JC_ERROR_MEMORY;
	}
	jc_solver_init_motion(&solver, motion);
	for (size_t i = 0; i < clip->count; i++) {
		struct jc_bench_sample *sample = &clip->samples[i];
		struct jc_pose pose;

		jc_solver_sample(&solver, motion, (double)i / hz, &pose);
		for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
			sample->rotations[bone] = jc_quat_normalize(pose.rotations[bone]);
		}
		sample->hips = jc_vec3_scale(pose.hips_translation, height);
	}
	clip->fingers = fingers_move(clip);
	return JC_OK;
}

void jc_bench_clip_finish(struct jc_bench_clip *clip)
{
	free(clip->samples);
	clip->samples = NULL;
}
