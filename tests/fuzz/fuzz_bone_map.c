/* Fuzzes bone maps with the files to which they apply: the map, a NUL, the file. Figures that are
 * read have finite poses, and the map that is written for a file reads back as the same bones. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast_private/bone_template.h"
#include "target.h"

struct input {
	const uint8_t *file;
	size_t length;
};

/* The joint of each bone by the readers; false if they refuse the file. */
static bool read_bones(
	const struct input *input, const struct jc_bone_map *map, int out_bones[JC_BONE_COUNT])
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton;
	struct jc_motion *motion;
	bool is_read = false;

	if (jc_motion_read_mapped(input->file, input->length, 0, map, NULL, &motion, &lint,
		    &diagnostic) == JC_OK) {
		struct jc_pose pose;

		assert(jc_motion_info(motion)->kind == JC_MOTION_POSES);
		jc_motion_pose(motion, jc_motion_info(motion)->duration / 2.0, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			assert(jc_quat_is_finite(pose.rotations[b]));
			out_bones[b] =
				jc_skeleton_bone_node(jc_motion_skeleton(motion), (enum jc_bone)b);
		}
		assert(jc_vec3_is_finite(pose.hips_translation));
		jc_motion_destroy(motion);
		is_read = true;
	} else {
		assert(diagnostic.what[0] != '\0');
	}
	if (jc_skeleton_read_mapped(input->file, input->length, 0, map, NULL, &skeleton, &lint,
		    &diagnostic) == JC_OK) {
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			out_bones[b] = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
		}
		jc_skeleton_destroy(skeleton);
		is_read = true;
	}
	return is_read;
}

/* Writes the map of the file and reads the file with it. */
static void check_template(const struct input *input, const struct jc_bone_map *map)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_bone_map *again = NULL;
	struct jc_written text;
	int bones[JC_BONE_COUNT], others[JC_BONE_COUNT];

	if (jc_bone_template_write(input->file, input->length, 0, map, NULL, &text, &diagnostic)) {
		assert(diagnostic.what[0] != '\0');
		return;
	}
	/* A long list of joints is larger than a map may be. */
	if (text.length <= JC_LIMIT_BONE_MAP_BYTES) {
		assert(jc_bone_map_read("again", text.bytes, text.length, &again, &diagnostic) ==
			JC_OK);
		if (read_bones(input, map, bones)) {
			assert(read_bones(input, again, others));
			assert(memcmp(bones, others, sizeof(bones)) == 0);
		}
		jc_bone_map_destroy(again);
	}
	free(text.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	const uint8_t *end = length ? memchr(bytes, '\0', length) : NULL;
	struct jc_bone_map *map;

	if (jc_bone_map_read("map", bytes, end ? (size_t)(end - bytes) : length, &map,
		    &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
		return 0;
	}
	if (end) {
		const struct input input = { end + 1, length - (size_t)(end + 1 - bytes) };

		check_template(&input, map);
		check_template(&input, NULL);
	}
	jc_bone_map_destroy(map);
	return 0;
}
