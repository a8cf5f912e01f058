/* The data folder is named by JOINTCAST_DATA, or lies beside the project. */
#include <stdio.h>
#include <stdlib.h>

#include "recorded.h"
#include "unit_test.h"

const char *const recorded_names[] = {
	"bvh/cmu_12_01_walk.bvh",
	"bvh/threejs_pirouette.bvh",
	"bvh/geno_stance_lafan_fingers.bvh",
	"bvh/univrm_vrm10viewer_motion.bvh",
	"bvh/xsens_mvn_style_yxz.bvh",
};

const size_t recorded_count = sizeof(recorded_names) / sizeof(recorded_names[0]);

static FILE *open_file(const char *name)
{
	const char *folder = getenv("JOINTCAST_DATA");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder ? folder : JC_DATA_FOLDER, name);
	return fopen(path, "rb");
}

struct jc_motion *recorded_read(const char *name)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion = NULL;
	FILE *file = open_file(name);
	char *bytes;
	long size;

	if (!file) {
		return NULL;
	}
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	bytes = malloc((size_t)size);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
	fclose(file);
	if (jc_motion_read(bytes, (size_t)size, 0, NULL, &motion, NULL, &diagnostic)) {
		fail_msg("%s: %s", name, diagnostic.what);
	}
	free(bytes);
	return motion;
}
