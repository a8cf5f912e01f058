/* See bridge.h. */
#include "bridge.h"

#include <stdlib.h>
#include <string.h>

#include "base/shared_text.h"

static bool is_ready(const struct jc_subscriber *subscriber)
{
	(void)subscriber;
	return true;
}

static enum jc_delivery on_bundle(struct jc_subscriber *base, uint8_t *bytes, size_t length)
{
	struct bridge_export *export = (struct bridge_export *)base;
	struct jc_bundle_head head = { 0, 0 };
	int used = jc_bundle_read_head(bytes, length, &head, &head);

	assert_true(used > 0);
	export->has_bundle = true;
	export->length = length - (size_t)used;
	memcpy(export->packets, bytes + used, export->length);
	return JC_DELIVERED;
}

static void on_roster_changed(struct jc_subscriber *base, struct jc_view *view,
	const struct jc_announcement *announcement)
{
	(void)base;
	(void)view;
	(void)announcement;
}

static const struct jc_subscriber_ops export_ops = {
	.is_ready = is_ready, .bundle = on_bundle, .roster_changed = on_roster_changed
};

static void start(
	struct bridge *bridge, struct bridge_export *export, const struct jc_awaited_view *awaited)
{
	const struct jc_view_options options = { .spec = awaited->view->spec };

	memset(&export->view, 0, sizeof(export->view));
	export->base = (struct jc_subscriber){ .ops = &export_ops };
	export->number = awaited->number;
	export->spec = awaited->view->spec;
	jc_view_join(&export->view, &bridge->origin.fanout, &export->base);
	export->view.finest = export->spec.finest;
	assert_int_equal(jc_view_subscribe(&export->view, &options, false), JC_OK);
	assert_non_null(export->view.shared_view);
}

static void exempt(struct jc_relayed_views *views, struct jc_awaited_view *awaited)
{
	struct bridge *bridge = (struct bridge *)((char *)views - offsetof(struct bridge, views));

	for (size_t i = 0; i < bridge->export_count; i++) {
		if (bridge->exports[i].number == awaited->number) {
			jc_view_leave(&bridge->exports[i].view);
			bridge->exports[i] = bridge->exports[--bridge->export_count];
			/* The list of its shared view leads to the moved view. */
			struct jc_view *moved = &bridge->exports[i].view;

			if (i < bridge->export_count && moved->fanout) {
				*moved->at = moved;
				if (moved->next) {
					moved->next->at = &moved->next;
				}
				moved->subscriber = &bridge->exports[i].base;
			}
			return;
		}
	}
}

static bool is_exported(const struct bridge *bridge, uint32_t number)
{
	for (size_t i = 0; i < bridge->export_count; i++) {
		if (bridge->exports[i].number == number) {
			return true;
		}
	}
	return false;
}

void bridge_sweep(struct bridge *bridge)
{
	jc_relayed_views_sweep(&bridge->views, bridge->now_ns);
	for (size_t i = 0; i < bridge->views.count; i++) {
		if (!is_exported(bridge, bridge->views.list[i]->number)) {
			assert_true(bridge->export_count < BRIDGE_VIEWS);
			start(bridge, &bridge->exports[bridge->export_count++],
				bridge->views.list[i]);
		}
	}
}

void bridge_open(struct bridge *bridge, uint32_t id)
{
	const struct jc_relay_epoch epoch = { .id = id, .epoch = 7, .hz = LOBBY_HZ };

	memset(bridge, 0, sizeof(*bridge));
	lobby_open(&bridge->origin, 0);
	lobby_open(&bridge->edge, 0);
	bridge->answers = true;
	jc_relayed_views_init(&bridge->views);
	bridge->views.on_unused = exempt;
	jc_space_relay_begin(bridge->edge.fanout.space, &bridge->views.relay, &epoch);
	jc_relayed_views_restart(&bridge->views, &bridge->edge.fanout);
}

void bridge_close(struct bridge *bridge)
{
	while (bridge->export_count > 0) {
		jc_view_leave(&bridge->exports[--bridge->export_count].view);
	}
	bridge->views.on_unused = NULL;
	jc_relayed_views_finish(&bridge->views);
	lobby_close(&bridge->edge);
	lobby_close(&bridge->origin);
}

void bridge_announce(struct bridge *bridge)
{
	const struct jc_space *origin = bridge->origin.fanout.space;
	struct jc_shared_text *change = jc_shared_text_create("{}", 2);

	for (size_t i = 0; i < jc_space_body_count(origin); i++) {
		const struct jc_body *body = jc_space_body(origin, i);
		struct jc_relayed_body relayed = { .id = body->id,
			.name = body->name,
			.asset = jc_skeleton_table_find(
				&bridge->edge.skeleton_table, body->asset->hash),
			.placement = body->placement,
			.is_live = body->live,
			.party = body->id,
			.entry = strdup("{}") };

		assert_non_null(relayed.asset);
		assert_int_equal(jc_space_relay_put(bridge->edge.fanout.space, &relayed), JC_OK);
	}
	assert_int_equal(
		jc_space_relay_announce(bridge->edge.fanout.space, ++bridge->revision, change),
		JC_OK);
	jc_shared_text_drop(change);
}

void bridge_deliver(struct bridge *bridge, size_t view, uint32_t tick)
{
	struct bridge_export *export = &bridge->exports[view];
	struct jc_awaited_view *awaited = jc_relayed_views_find(&bridge->views, export->number);
	const struct jc_relayed_frame frame = { .tick = tick,
		.sent_ns = bridge->sent_ns ? bridge->sent_ns : INT64_MAX,
		.packets = export->packets,
		.length = export->has_bundle ? export->length : 0 };

	assert_non_null(awaited);
	jc_relayed_views_take(&bridge->views, awaited, &frame, bridge->now_ns);
}

/* Views that need packets of the origin get them with its next tick. */
static size_t ask(struct bridge *bridge)
{
	size_t count = 0;

	for (size_t i = 0; i < bridge->views.count; i++) {
		struct jc_awaited_view *awaited = bridge->views.list[i];

		if (awaited->view->wants_rejoin && awaited->view->has_tick) {
			awaited->view->wants_rejoin = false;
			bridge->asked++;
			if (bridge->answers) {
				start(bridge, &bridge->rejoins[count++], awaited);
			}
		}
	}
	return count;
}

static void answer(struct bridge *bridge, struct bridge_export *rejoin, uint32_t tick)
{
	struct jc_awaited_view *awaited = jc_relayed_views_find(&bridge->views, rejoin->number);

	if (rejoin->has_bundle && awaited) {
		jc_relayed_view_take_rejoin(awaited->view, tick, rejoin->packets, rejoin->length);
	}
	jc_view_leave(&rejoin->view);
}

void bridge_run(struct bridge *bridge, int ticks)
{
	for (int n = 0; n < ticks; n++) {
		uint32_t tick = bridge->origin.tick;

		bridge->now_ns += 1000000000 / LOBBY_HZ;
		bridge_sweep(bridge);
		size_t rejoins = ask(bridge);

		for (size_t i = 0; i < bridge->export_count; i++) {
			bridge->exports[i].has_bundle = false;
		}
		for (size_t i = 0; i < rejoins; i++) {
			bridge->rejoins[i].has_bundle = false;
		}
		lobby_run(&bridge->origin, 1);
		for (size_t i = 0; i < rejoins; i++) {
			answer(bridge, &bridge->rejoins[i], tick);
		}
		for (size_t i = 0; i < bridge->export_count; i++) {
			if (tick % bridge->exports[i].spec.rate == 0 &&
				(!bridge->passes || bridge->passes(bridge, tick, i))) {
				bridge_deliver(bridge, i, tick);
			}
		}
		jc_relayed_views_flush(&bridge->views, bridge->now_ns);
	}
}
