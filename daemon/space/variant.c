/* What its subscribers share costs once, however many they are. */
#include "space/variant.h"

#include <stdlib.h>

int jc_variant_create(const struct jc_wish *wish, struct jc_variant **out_variant)
{
	struct jc_variant *variant = calloc(1, sizeof(*variant));

	if (!variant) {
		return JC_ERROR_MEMORY;
	}
	variant->wish = *wish;
	variant->buffers = malloc((wish->chains ? 2 : 1) * (size_t)JC_BUNDLE_BUFFER);
	if (!variant->buffers) {
		free(variant);
		return JC_ERROR_MEMORY;
	}
	*out_variant = variant;
	return JC_OK;
}

void jc_variant_destroy(struct jc_variant *variant)
{
	if (!variant) {
		return;
	}
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		jc_variant_leave(variant, slot);
	}
	free(variant->buffers);
	free(variant);
}

void jc_variant_leave(struct jc_variant *variant, size_t slot)
{
	if (variant->feeds[slot]) {
		jc_space_release(variant->feeds[slot]);
		variant->feeds[slot] = NULL;
	}
}

void jc_variant_plan(struct jc_variant *variant, struct jc_space *space, bool rejoins)
{
	variant->rejoins = rejoins && variant->wish.chains;
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct jc_feed **feed = &variant->feeds[body->slot];

		if (body->is_hidden || !body->is_announced) {
			jc_variant_leave(variant, body->slot);
			continue;
		}
		if (!*feed) {
			/* Without memory the body is left out until there is some. */
			*feed = jc_space_acquire(space, body, body->outfit, &variant->wish, true);
		}
		if (*feed) {
			jc_feed_want(*feed, variant->rejoins);
		}
	}
}

bool jc_variant_compose(
	struct jc_variant *variant, const struct jc_space *space, const struct jc_bundle_head *head)
{
	struct jc_bundle *common = &variant->common, *rejoin = &variant->rejoin;

	jc_bundle_open(common, variant->buffers, head);
	if (variant->rejoins) {
		jc_bundle_open(rejoin, variant->buffers + JC_BUNDLE_BUFFER, head);
	}
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_feed *feed = variant->feeds[jc_space_body(space, i)->slot];

		if (feed && feed->is_fresh && feed->common.length > 0) {
			jc_bundle_put(common, &feed->common, false);
			if (variant->rejoins) {
				jc_bundle_put(rejoin, &feed->rejoin, false);
			}
		}
	}

	bool empty = common->packet_count == 0;
	bool news = !empty || !variant->quiet || variant->rejoins || !variant->wish.chains;

	variant->quiet = empty;
	jc_bundle_close(common);
	if (variant->rejoins) {
		jc_bundle_close(rejoin);
	}
	return news;
}
