/* Fuzzes uploaded skeletons: the descriptor of an accepted one gives the same skeleton at the
 * next start, and motion can be retargeted to it. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "registry/skeleton_upload.h"
#include "target.h"

static void check_again(const struct jc_skeleton_asset *asset)
{
	struct jc_diagnostic diagnostic;
	struct jc_skeleton_asset *again;
	int status = jc_skeleton_upload_read(jc_skeleton_asset_descriptor(asset),
		asset->descriptor_length, 0, &again, NULL, &diagnostic);

	assert(status == JC_OK);
	assert(again->descriptor_length == asset->descriptor_length);
	assert(memcmp(jc_skeleton_asset_descriptor(again), jc_skeleton_asset_descriptor(asset),
		       asset->descriptor_length) == 0);
	assert(strcmp(again->hash, asset->hash) == 0);
	jc_skeleton_asset_destroy(again);
}

/* All bones bent, no two alike. */
static void check_worn(const struct jc_skeleton_asset *asset)
{
	struct jc_pose pose = { 0 };
	struct jc_skeleton_pose worn;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		float angle = 0.02f * (float)bone - 0.5f;

		pose.rotations[bone] =
			(struct jc_quat){ 0.6f * sinf(angle), 0.8f * sinf(angle), 0, cosf(angle) };
		pose.states[bone] = JC_TRACKED;
	}
	pose.hips_translation = (struct jc_vec3){ 0.1f, -0.2f, 0.3f };
	jc_retargeter_apply(asset->retargeter, &pose, &worn);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat q = worn.rotations[bone];
		float norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

		assert(fabsf(norm - 1.0f) < 1e-3f);
	}
	assert(isfinite(worn.hips_translation.x) && isfinite(worn.hips_translation.y) &&
		isfinite(worn.hips_translation.z));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint lint = { 0 };
	struct jc_skeleton_asset *asset = NULL;
	int status =
		jc_skeleton_upload_read((const char *)bytes, length, 0, &asset, &lint, &diagnostic);

	if (status != JC_OK) {
		/* A refusal has a reason. */
		assert(!asset && diagnostic.what[0]);
		return 0;
	}
	check_again(asset);
	check_worn(asset);
	jc_skeleton_asset_destroy(asset);
	return 0;
}
