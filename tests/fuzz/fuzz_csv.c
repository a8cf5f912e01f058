/* Fuzzes tables: tables that are read satisfy csv.h, and poses are finite. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast_private/csv.h"
#include "target.h"

static void read_syntax(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_csv *csv;

	if (jc_csv_read((const char *)bytes, length, &csv, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
		return;
	}
	assert(csv->column_count > 0 && csv->row_count > 0);
	for (size_t i = 0; i < csv->row_count * csv->column_count; i++) {
		assert(!isinf(csv->values[i]));
	}
	jc_csv_destroy(csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint lint = { 0 };
	struct jc_motion *motion;
	struct jc_pose pose;

	read_syntax(bytes, length);
	if (jc_motion_read(bytes, length, 0, NULL, &motion, &lint, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
		return 0;
	}
	if (jc_motion_info(motion)->kind != JC_MOTION_POSES) {
		jc_motion_destroy(motion);
		return 0;
	}
	for (int i = 0; i <= 3; i++) {
		jc_motion_pose(motion, jc_motion_info(motion)->duration * i / 3.0, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			assert(jc_quat_is_finite(pose.rotations[b]));
		}
		assert(jc_vec3_is_finite(pose.hips_translation));
	}
	jc_motion_destroy(motion);
	return 0;
}
