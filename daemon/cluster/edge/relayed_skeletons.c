/* Requests skeletons of the bodies of a relayed space from its origin. */
#include "cluster/edge/relayed_skeletons.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/edge/relayed_space.h"

#define SECOND INT64_C(1000000000)

static struct jc_skeleton_asset *read_skeleton(
	const struct jc_fetched_skeleton *fetched, const json_t *answer)
{
	const json_t *descriptor = json_object_get(answer, "descriptor");
	struct jc_skeleton_asset *asset = NULL, *held = NULL;
	struct jc_skeleton *skeleton = NULL;
	struct jc_diagnostic diagnostic;

	if (!json_is_string(descriptor) ||
		jc_skeleton_read(json_string_value(descriptor), json_string_length(descriptor), 0,
			NULL, &skeleton, NULL, &diagnostic) != JC_OK) {
		return NULL;
	}
	if (jc_skeleton_asset_create(skeleton, &asset, &diagnostic) != JC_OK) {
		jc_skeleton_destroy(skeleton);
		return NULL;
	}
	if (strcmp(asset->hash, fetched->hash) != 0 ||
		jc_skeleton_table_retain(
			&fetched->space->context->spaces->skeleton_table, asset, &held) != JC_OK) {
		jc_skeleton_asset_destroy(asset);
		return NULL;
	}
	return held;
}

static void on_skeleton(void *context, const struct jc_nats_message *message)
{
	struct jc_fetched_skeleton *fetched = context;
	struct jc_relayed_space *space = fetched->space;
	json_t *answer = jc_relayed_request_answer(message);

	fetched->is_asked = false;
	fetched->asset = answer ? read_skeleton(fetched, answer) : NULL;
	if (message && !fetched->asset) {
		space->refused++;
		/* The body may have left meanwhile: a newer state does not name it. */
		json_decref(space->arrived);
		space->arrived = NULL;
		space->needs_state = true;
	}
	json_decref(answer);
	if (fetched->asset) {
		jc_relayed_space_advance(space, jc_clock_now_ns());
	}
}

static struct jc_fetched_skeleton *find_fetched(
	const struct jc_relayed_space *space, const char *hash)
{
	for (size_t i = 0; i < space->skeleton_count; i++) {
		if (strcmp(space->skeletons[i]->hash, hash) == 0) {
			return space->skeletons[i];
		}
	}
	return NULL;
}

static struct jc_fetched_skeleton *begin_fetch(struct jc_relayed_space *space, const char *hash)
{
	struct jc_fetched_skeleton *fetched = space->skeleton_count < JC_MAX_RELAYED_SKELETONS
						      ? calloc(1, sizeof(*fetched))
						      : NULL;

	if (fetched) {
		fetched->space = space;
		memcpy(fetched->hash, hash, JC_HASH_TEXT);
		space->skeletons[space->skeleton_count++] = fetched;
	}
	return fetched;
}

struct jc_skeleton_asset *jc_relayed_skeletons_get(
	struct jc_relayed_space *space, const char *hash, int64_t now_ns)
{
	struct jc_skeleton_asset *asset =
		jc_skeleton_table_find(&space->context->spaces->skeleton_table, hash);
	struct jc_fetched_skeleton *fetched = asset ? NULL : find_fetched(space, hash);

	if (asset) {
		return asset;
	}
	if (!fetched) {
		fetched = begin_fetch(space, hash);
	}
	if (fetched && !fetched->is_asked &&
		(fetched->asked_ns == 0 || now_ns - fetched->asked_ns >= SECOND)) {
		fetched->asked_ns = now_ns;
		fetched->is_asked = jc_relayed_request(space,
					    json_pack("{ss ss}", "type", "skeleton", "hash", hash),
					    on_skeleton, fetched) == JC_OK;
	}
	return NULL;
}

void jc_relayed_skeletons_release(struct jc_relayed_space *space)
{
	for (size_t i = 0; i < space->skeleton_count; i++) {
		jc_nats_link_forget(space->context->link, space->skeletons[i]);
		if (space->skeletons[i]->asset) {
			jc_skeleton_asset_release(space->skeletons[i]->asset);
		}
		free(space->skeletons[i]);
	}
	space->skeleton_count = 0;
}

void jc_relayed_skeletons_restart(struct jc_relayed_space *space)
{
	for (size_t i = 0; i < space->skeleton_count; i++) {
		struct jc_fetched_skeleton *fetched = space->skeletons[i];

		jc_nats_link_forget(space->context->link, fetched);
		fetched->is_asked = false;
		fetched->asked_ns = 0;
	}
}
