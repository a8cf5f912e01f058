/* Samples motions for training, never above their captured rate. */
#include "clips.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/emulation.h"
#include "jointcast/limits.h"
#include "jointcast/motion.h"
#include "jointcast/packet.h"
#include "jointcast/solver.h"
#include "jointcast/transform.h"

const int rates[RATE_COUNT] = { 30, 60, 90 };

_Noreturn static void give_up(const char *name, const char *why)
{
	fprintf(stderr, "train: %s: %s\n", name, why);
	exit(1);
}

static struct jc_motion *open_motion(const char *name)
{
	struct jc_diagnostic diagnostic;
	struct jc_motion *motion;
	FILE *file;
	char *bytes;
	size_t length;

	if (strncmp(name, "demo:", 5) == 0) {
		if (jc_motion_create_demo(name + 5, &motion, &diagnostic)) {
			give_up(name, diagnostic.what);
		}
		return motion;
	}
	file = fopen(name, "rb");
	bytes = malloc(JC_LIMIT_FILE_BYTES);
	if (!file || !bytes) {
		give_up(name, "cannot be opened");
	}
	length = fread(bytes, 1, JC_LIMIT_FILE_BYTES, file);
	fclose(file);
	if (jc_motion_read(bytes, length, 0, NULL, &motion, NULL, &diagnostic)) {
		give_up(name, diagnostic.what);
	}
	free(bytes);
	/* Bodies of three or six trackers are made whole, as in the daemon. */
	if (jc_emulation_complete_motion(motion, 0.0f)) {
		give_up(name, "not enough memory");
	}
	return motion;
}

static struct clip sample(const char *name, const struct jc_motion *motion, int rate)
{
	double duration = jc_motion_info(motion)->duration;
	struct clip clip = { .name = name, .rate = rate };
	struct jc_solver solver;

	jc_solver_init_motion(&solver, motion);
	clip.count = (size_t)(duration * rates[rate] + 1e-6) + 1;
	clip.frames = malloc(clip.count * sizeof(clip.frames[0]));
	clip.hips = malloc(clip.count * sizeof(clip.hips[0]));
	if (!clip.frames || !clip.hips) {
		give_up(name, "not enough memory");
	}
	for (size_t i = 0; i < clip.count; i++) {
		struct jc_pose pose;

		jc_solver_sample(&solver, motion, (double)i / rates[rate], &pose);
		memcpy(clip.frames[i], pose.rotations, sizeof(pose.rotations));
		clip.hips[i] =
			jc_vec3_scale(pose.hips_translation, jc_bone_rest_position(JC_BONE_HIPS).y);
	}
	return clip;
}

static double next_real(uint64_t *random)
{
	/* Knuth's MMIX generator: -1 to 1 */
	*random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*random >> 11) / 4503599627370496.0 - 1.0;
}

/* Turns each bone of the body by what trackers and a filter leave over: a random walk that returns,
 * about 0.2 degrees of it about each axis. */
static void add_noise(struct clip *clip)
{
	double keep = exp(-12.0 / rates[clip->rate]), size = 0.003 * sqrt(1.0 - keep * keep);
	double at[JC_SECTION_BODY_COUNT][3] = { 0 };
	uint64_t random = 7;

	for (size_t i = 0; i < clip->count; i++) {
		for (int bone = 0; bone < JC_SECTION_BODY_COUNT; bone++) {
			double *v = at[bone];

			for (int c = 0; c < 3; c++) {
				v[c] = keep * v[c] + size * next_real(&random);
			}
			clip->frames[i][bone] = jc_quat_normalize(jc_quat_multiply(
				clip->frames[i][bone],
				(struct jc_quat){ (float)v[0], (float)v[1], (float)v[2], 1.0f }));
		}
	}
}

void clips_load(const char *name, struct clip *clips, size_t *count, size_t capacity)
{
	bool is_noisy = strncmp(name, "noise:", 6) == 0;
	struct jc_motion *motion = open_motion(name + (is_noisy ? 6 : 0));

	for (int rate = 0; rate < RATE_COUNT; rate++) {
		if (jc_motion_info(motion)->fps * 1.001 < rates[rate]) {
			continue;
		}
		if (*count == capacity) {
			give_up(name, "too many clips");
		}
		clips[*count] = sample(name, motion, rate);
		if (is_noisy) {
			add_noise(&clips[*count]);
		}
		(*count)++;
	}
	jc_motion_destroy(motion);
}
