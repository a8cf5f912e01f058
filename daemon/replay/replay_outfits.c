/* Making one takes a while, so it is done before anybody needs it. */
#include "replay/replay_outfits.h"

#include <string.h>

static bool has(const struct jc_replay_outfits *outfits, const char *hash)
{
	for (size_t i = 0; i < outfits->count; i++) {
		if (strcmp(outfits->list[i]->hash, hash) == 0) {
			return true;
		}
	}
	return false;
}

static void read_one(
	const struct jc_recording *recording, const char *hash, struct jc_replay_outfits *outfits)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton = NULL;
	struct jc_outfit *outfit = NULL;
	int error = jc_recording_read_skeleton(recording, hash, &skeleton, &diagnostic);

	error = error ? error : jc_outfit_create(skeleton, &outfit, &diagnostic);
	if (!error) {
		outfits->list[outfits->count++] = outfit;
		return;
	}
	jc_skeleton_destroy(skeleton);
	if (outfits->unusable++ == 0) {
		outfits->problem = diagnostic;
	}
}

void jc_replay_outfits_read(
	const struct jc_recording *recording, struct jc_replay_outfits *out_outfits)
{
	*out_outfits = (struct jc_replay_outfits){ 0 };
	for (size_t i = 0; i < jc_recording_body_count(recording); i++) {
		const char *hash = jc_recording_body(recording, i)->skeleton;

		if (hash[0] && out_outfits->count < JC_MAX_BODIES && !has(out_outfits, hash)) {
			read_one(recording, hash, out_outfits);
		}
	}
}

void jc_replay_outfits_keep(struct jc_replay_outfits *outfits, struct jc_wardrobe *wardrobe)
{
	size_t kept = 0;

	for (size_t i = 0; i < outfits->count; i++) {
		struct jc_outfit *outfit = outfits->list[i];

		if (jc_wardrobe_keep(wardrobe, outfit, &outfits->list[kept]) == JC_OK) {
			kept++;
		} else {
			jc_outfit_destroy(outfit);
		}
	}
	outfits->count = kept;
}

void jc_replay_outfits_finish(struct jc_replay_outfits *outfits)
{
	for (size_t i = 0; i < outfits->count; i++) {
		if (outfits->list[i]->wardrobe) {
			jc_outfit_drop(outfits->list[i]);
		} else {
			jc_outfit_destroy(outfits->list[i]);
		}
	}
	outfits->count = 0;
}
