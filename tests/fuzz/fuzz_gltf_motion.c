/* Fuzzes glTF animations and VRMA: samples every clip within and beyond its times, with its
 * channels, also mirrored. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "jointcast/motion.h"
#include "target.h"

static void check_pose(const struct jc_pose *pose)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		struct jc_quat q = pose->rotations[b];
		float norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

		if (!(fabsf(norm - 1.0f) < 1e-3f)) {
			abort();
		}
	}
}

static void play(const struct jc_motion *motion)
{
	const struct jc_motion_info *info = jc_motion_info(motion);
	const double times[] = { -1.0, 0.0, info->duration / 3.0, info->duration,
		info->duration + 1.0, NAN };

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		struct jc_pose pose;

		jc_motion_pose(motion, times[i], &pose);
		check_pose(&pose);
		for (size_t c = 0; c < jc_motion_channel_count(motion); c++) {
			float values[JC_MOTION_CHANNEL_VALUES];

			jc_motion_channel_values(motion, c, times[i], values);
			if (!isfinite(values[0])) {
				abort();
			}
		}
	}
}

/* Moves the nodes of the figure of the file that are no bones. */
static void move_nodes(const struct jc_motion *motion, const uint8_t *bytes, size_t length)
{
	struct jc_moving_node nodes[JC_LIMIT_MOVING_NODES];
	struct jc_skeleton *skeleton;
	struct jc_transform *locals;
	size_t count;

	if (jc_skeleton_read(bytes, length, 0, NULL, &skeleton, NULL, NULL)) {
		return;
	}
	locals = calloc(jc_skeleton_node_count(skeleton), sizeof(*locals));
	count = jc_motion_match_nodes(motion, skeleton, nodes);
	if (locals) {
		jc_motion_move_nodes(motion, 0.5, nodes, count, locals);
	}
	free(locals);
	jc_skeleton_destroy(skeleton);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	for (size_t index = 0; index < 2; index++) {
		struct jc_lint lint = { 0 };
		struct jc_diagnostic diagnostic;
		struct jc_motion *motion;

		if (jc_motion_read(bytes, length, index, NULL, &motion, &lint, &diagnostic)) {
			continue;
		}
		if (jc_motion_info(motion)->kind == JC_MOTION_POSES) {
			play(motion);
			move_nodes(motion, bytes, length);
			if (jc_motion_create_mirror(motion, &motion)) {
				abort();
			}
			play(motion);
			move_nodes(motion, bytes, length);
		}
		jc_motion_destroy(motion);
	}
	return 0;
}
