/* The bundle of a shared view is made once, for all its subscribers. */
#include "space/shared_view.h"

#include <stdlib.h>

#include "space/relay/space_relay.h"

int jc_shared_view_create(
	const struct jc_stream_spec *spec, bool is_paired, struct jc_shared_view **out_shared_view)
{
	size_t common = is_paired ? JC_BUNDLE_PAIR_BUFFER : JC_BUNDLE_BUFFER;
	struct jc_shared_view *shared_view = calloc(1, sizeof(*shared_view));

	if (!shared_view) {
		return JC_ERROR_MEMORY;
	}
	shared_view->spec = *spec;
	shared_view->is_paired = is_paired;
	shared_view->buffers = malloc(common + (spec->chains ? JC_BUNDLE_BUFFER : 0));
	if (!shared_view->buffers) {
		free(shared_view);
		return JC_ERROR_MEMORY;
	}
	*out_shared_view = shared_view;
	return JC_OK;
}

void jc_shared_view_destroy(struct jc_shared_view *shared_view)
{
	if (!shared_view) {
		return;
	}
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		jc_shared_view_leave(shared_view, slot);
	}
	free(shared_view->buffers);
	free(shared_view);
}

void jc_shared_view_leave(struct jc_shared_view *shared_view, size_t slot)
{
	if (shared_view->body_streams[slot]) {
		jc_space_release(shared_view->body_streams[slot]);
		shared_view->body_streams[slot] = NULL;
	}
}

void jc_shared_view_schedule(
	struct jc_shared_view *shared_view, const struct jc_space *space, uint32_t tick)
{
	uint32_t rate = shared_view->spec.rate;

	shared_view->due = tick % rate == 0 && jc_space_is_here(space, &shared_view->spec);
	shared_view->holds = shared_view->due && shared_view->is_paired && !shared_view->is_held &&
			     jc_bundle_waits(rate, tick);
}

void jc_shared_view_plan(struct jc_shared_view *shared_view, struct jc_space *space, bool rejoins)
{
	shared_view->rejoins = rejoins && shared_view->spec.chains;
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct jc_body_stream **body_stream = &shared_view->body_streams[body->slot];

		if (!jc_body_is_shown(body) || !body->is_announced) {
			jc_shared_view_leave(shared_view, body->slot);
			continue;
		}
		if (!*body_stream) {
			/* Without memory the body is left out until there is some. */
			*body_stream = jc_space_acquire(
				space, body, body->asset, &shared_view->spec, true);
		}
		if (*body_stream) {
			jc_body_stream_want(*body_stream, shared_view->rejoins);
		}
	}
}

static void open_bundles(struct jc_shared_view *shared_view, const struct jc_bundle_head *head)
{
	size_t common = shared_view->is_paired ? JC_BUNDLE_PAIR_BUFFER : JC_BUNDLE_BUFFER;

	if (shared_view->is_held) {
		jc_bundle_continue(&shared_view->common, head->tick);
	} else {
		jc_bundle_open(&shared_view->common, shared_view->buffers, head);
	}
	if (shared_view->rejoins) {
		jc_bundle_open(&shared_view->rejoin, shared_view->buffers + common, head);
	}
}

bool jc_shared_view_compose(struct jc_shared_view *shared_view, const struct jc_space *space,
	const struct jc_bundle_head *head)
{
	struct jc_bundle *common = &shared_view->common, *rejoin = &shared_view->rejoin;
	bool lacks = false;

	open_bundles(shared_view, head);
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body_stream *body_stream =
			shared_view->body_streams[jc_space_body(space, i)->slot];

		if (!body_stream || !body_stream->is_fresh) {
			continue;
		}
		if (body_stream->common.length > 0) {
			jc_bundle_put(common, &body_stream->common, false);
		}
		/* A relayed stream may have only one of the two packets. */
		if (shared_view->rejoins && body_stream->rejoin.length > 0) {
			jc_bundle_put(rejoin, &body_stream->rejoin, false);
		} else if (body_stream->common.length > 0) {
			lacks |= shared_view->rejoins;
		}
	}
	shared_view->rejoins &= !lacks;

	jc_bundle_close(common);
	shared_view->is_held = shared_view->holds;
	if (shared_view->holds) {
		return false;
	}
	bool empty = common->packet_count == 0;
	bool news =
		!empty || !shared_view->quiet || shared_view->rejoins || !shared_view->spec.chains;

	shared_view->quiet = empty;
	if (empty) {
		/* In place of a pair without packets. */
		jc_bundle_open(common, shared_view->buffers, head);
	}
	if (shared_view->rejoins) {
		jc_bundle_close(rejoin);
	}
	return news;
}
