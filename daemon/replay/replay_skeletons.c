/* Makes skeleton assets when a recording is opened, because making them is slow. */
#include "replay/replay_skeletons.h"

#include <string.h>

static bool has(const struct jc_replay_skeletons *assets, const char *hash)
{
	for (size_t i = 0; i < assets->count; i++) {
		if (strcmp(assets->list[i]->hash, hash) == 0) {
			return true;
		}
	}
	return false;
}

static void read_one(
	const struct jc_recording *recording, const char *hash, struct jc_replay_skeletons *assets)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton = NULL;
	struct jc_skeleton_asset *asset = NULL;
	int error = jc_recording_read_skeleton(recording, hash, &skeleton, &diagnostic);

	error = error ? error : jc_skeleton_asset_create(skeleton, &asset, &diagnostic);
	if (!error) {
		assets->list[assets->count++] = asset;
		return;
	}
	jc_skeleton_destroy(skeleton);
	if (assets->unusable++ == 0) {
		assets->problem = diagnostic;
	}
}

void jc_replay_skeletons_read(
	const struct jc_recording *recording, struct jc_replay_skeletons *out_assets)
{
	*out_assets = (struct jc_replay_skeletons){ 0 };
	for (size_t i = 0; i < jc_recording_body_count(recording); i++) {
		const char *hash = jc_recording_body(recording, i)->skeleton;

		if (hash[0] && out_assets->count < JC_MAX_BODIES && !has(out_assets, hash)) {
			read_one(recording, hash, out_assets);
		}
	}
}

void jc_replay_skeletons_keep(
	struct jc_replay_skeletons *assets, struct jc_skeleton_table *skeleton_table)
{
	size_t kept = 0;

	for (size_t i = 0; i < assets->count; i++) {
		struct jc_skeleton_asset *asset = assets->list[i];

		if (jc_skeleton_table_retain(skeleton_table, asset, &assets->list[kept]) == JC_OK) {
			kept++;
		} else {
			jc_skeleton_asset_destroy(asset);
		}
	}
	assets->count = kept;
}

void jc_replay_skeletons_finish(struct jc_replay_skeletons *assets)
{
	for (size_t i = 0; i < assets->count; i++) {
		if (assets->list[i]->skeleton_table) {
			jc_skeleton_asset_release(assets->list[i]);
		} else {
			jc_skeleton_asset_destroy(assets->list[i]);
		}
	}
	assets->count = 0;
}
