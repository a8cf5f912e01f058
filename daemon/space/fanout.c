/* The loop over all subscribers in each tick: no allocation, and no copying where views are
 * shared. */
#include "space/fanout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shared_text.h"
#include "maxima.h"
#include "space/relay/space_relay.h"

static uint32_t hz_of(const struct jc_fanout *fanout)
{
	return jc_space_options(fanout->space)->hz;
}

static enum jc_delivery deliver(struct jc_view *view, const struct jc_bundle *bundle)
{
	struct jc_subscriber *subscriber = view->subscriber;
	uint64_t changed[JC_LIMIT_BUNDLE_PACKETS / 64] = { 0 };
	/* A subscriber whose last, recent bundle was of this space needs one byte of head. */
	bool is_short = subscriber->last_view == view && view->is_reported &&
			bundle->first_tick - view->sent_at <= JC_BUNDLE_REACH;
	size_t head = jc_bundle_put_head(bundle, is_short);

	if (view->missed_cut) {
		/* The subscriber missed the packet of a jump and must not interpolate over it. */
		jc_bundle_set_cuts(bundle, changed, true);
	}
	enum jc_delivery delivery =
		subscriber->ops->bundle(subscriber, bundle->bytes - head, head + bundle->length);
	if (view->missed_cut) {
		jc_bundle_set_cuts(bundle, changed, false);
	}
	if (delivery == JC_DELIVERED) {
		subscriber->last_view = view;
		view->is_reported = true;
		view->sent_at = bundle->tick;
		jc_ack_credit_sent(&view->credit, bundle->tick);
	}
	return delivery;
}

static bool is_ready(const struct jc_view *view, uint32_t hz, uint32_t tick)
{
	return jc_ack_credit_allows(&view->credit, hz, tick) &&
	       view->subscriber->ops->is_ready(view->subscriber);
}

static bool needs_rejoin(const struct jc_view *view, uint32_t hz, uint32_t tick)
{
	return view->is_behind ||
	       (view->rejoin_requested &&
		       tick - view->rejoined_at >= hz / JC_MAX_KEYFRAMES_PER_SECOND);
}

/* Whether a subscriber that is ready for this tick needs a rejoin. */
static bool wants_rejoin(const struct jc_shared_view *shared_view, uint32_t hz, uint32_t tick)
{
	for (const struct jc_view *view = shared_view->views; view; view = view->next) {
		if (needs_rejoin(view, hz, tick) && is_ready(view, hz, tick)) {
			return true;
		}
	}
	return false;
}

void jc_view_flush(struct jc_view *view)
{
	struct jc_private_view *private_view = view->private_view;

	if (private_view->is_held) {
		bool is_sent = view->subscriber->ops->is_ready(view->subscriber) &&
			       deliver(view, &private_view->held) == JC_DELIVERED;

		view->fanout->delivered += is_sent;
		view->fanout->skipped += !is_sent;
		jc_private_view_unhold(private_view, is_sent);
	}
}

/* Whether the bundle that a view holds is too old for a pair. */
static bool is_stale(const struct jc_bundle *held, uint32_t tick)
{
	return tick - held->tick > JC_BUNDLE_REACH;
}

/* The views of a shared one miss the bundle that it holds. */
static void discard_held(struct jc_shared_view *shared_view)
{
	for (struct jc_view *view = shared_view->views; view; view = view->next) {
		view->missed_cut |= shared_view->common.cut;
		view->is_behind |= shared_view->common.packet_count > 0;
	}
	shared_view->is_held = false;
}

static void plan_private_view(struct jc_view *view, uint32_t hz, uint32_t tick)
{
	struct jc_private_view *private_view = view->private_view;

	if (private_view->is_held && is_stale(&private_view->held, tick)) {
		jc_private_view_unhold(private_view, false);
	}
	private_view->is_planned = is_ready(view, hz, tick);
	if (!private_view->is_planned) {
		return;
	}
	if (needs_rejoin(view, hz, tick)) {
		jc_private_view_lose(private_view);
		view->is_behind = view->rejoin_requested = false;
		view->rejoined_at = tick;
	}
	jc_private_view_plan(private_view, view->fanout->space, tick);
	jc_view_show(view);
}

static void on_plan(struct jc_distribution *distribution, uint32_t tick)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;
	uint32_t hz = hz_of(fanout);

	fanout->tick = tick;
	jc_fanout_drop_unused(fanout);
	fanout->is_walked = true;
	for (size_t i = 0; i < fanout->shared_view_count; i++) {
		struct jc_shared_view *shared_view = fanout->shared_views[i];

		if (shared_view->is_held && is_stale(&shared_view->common, tick)) {
			discard_held(shared_view);
		}
		jc_shared_view_schedule(shared_view, fanout->space, tick);
		if (shared_view->due) {
			jc_shared_view_plan(shared_view, fanout->space,
				!shared_view->holds && wants_rejoin(shared_view, hz, tick));
		}
	}
	for (struct jc_view *view = fanout->private_view; view; view = view->next) {
		plan_private_view(view, hz, tick);
	}
	fanout->is_walked = false;
}

/* The bundle of the tick that the view can decode; NULL: neither. */
static const struct jc_bundle *choose(
	const struct jc_view *view, const struct jc_shared_view *shared_view, uint32_t hz)
{
	if (!shared_view->spec.chains || !needs_rejoin(view, hz, shared_view->common.tick)) {
		return &shared_view->common;
	}
	return shared_view->rejoins ? &shared_view->rejoin : NULL;
}

static void count_delivered(struct jc_fanout *fanout, const struct jc_bundle *bundle)
{
	fanout->delivered += 1u + bundle->is_pair;
	fanout->pairs += bundle->is_pair;
}

static void send_shared(struct jc_fanout *fanout, struct jc_view *view,
	const struct jc_shared_view *shared_view, uint32_t hz)
{
	const struct jc_bundle *common = &shared_view->common;
	const struct jc_bundle *bundle = choose(view, shared_view, hz);

	if (bundle && jc_ack_credit_allows(&view->credit, hz, bundle->tick) &&
		deliver(view, bundle) == JC_DELIVERED) {
		view->missed_cut = false;
		if (bundle == &shared_view->rejoin) {
			view->is_behind = false;
			view->rejoin_requested = false;
			view->rejoined_at = bundle->tick;
		}
		count_delivered(fanout, bundle);
	} else {
		view->missed_cut |= common->cut;
		view->is_behind |= common->packet_count > 0;
		view->skipped++;
		fanout->skipped += 1u + common->is_pair;
	}
}

static void send_private(struct jc_fanout *fanout, struct jc_view *view,
	const struct jc_bundle_head *head, struct jc_bundle *scratch)
{
	struct jc_private_view *private_view = view->private_view;
	const struct jc_bundle *bundle = NULL;

	if (private_view->is_planned) {
		bundle = jc_private_view_compose(
			private_view, fanout->space, head, fanout->scratch, scratch);
		if (!bundle) {
			return;
		}
	}
	if (bundle && deliver(view, bundle) == JC_DELIVERED) {
		count_delivered(fanout, bundle);
		jc_private_view_delivered(private_view, bundle->head_length + bundle->length);
	} else {
		fanout->skipped += 1u + private_view->is_held;
		jc_private_view_missed(private_view);
		view->skipped++;
	}
}

static void on_send(struct jc_distribution *distribution, uint32_t tick)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;
	struct jc_bundle_head head = { jc_space_options(fanout->space)->id, tick };
	uint32_t hz = hz_of(fanout);
	struct jc_bundle bundle;

	fanout->is_walked = true;
	for (size_t i = 0; i < fanout->shared_view_count; i++) {
		struct jc_shared_view *shared_view = fanout->shared_views[i];

		if (!shared_view->due ||
			!jc_shared_view_compose(shared_view, fanout->space, &head)) {
			continue;
		}
		for (struct jc_view *view = shared_view->views; view; view = view->next) {
			send_shared(fanout, view, shared_view, hz);
		}
	}
	for (struct jc_view *view = fanout->private_view; view; view = view->next) {
		send_private(fanout, view, &head, &bundle);
	}
	fanout->is_walked = false;
}

static void on_body_entered(struct jc_distribution *distribution, const struct jc_body *body)
{
	jc_fanout_meet((struct jc_fanout *)distribution, body);
}

static void on_body_left(struct jc_distribution *distribution, uint32_t id, size_t slot)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;

	(void)id;
	for (size_t i = 0; i < fanout->shared_view_count; i++) {
		jc_shared_view_leave(fanout->shared_views[i], slot);
	}
	for (struct jc_view *view = fanout->private_view; view; view = view->next) {
		jc_private_view_leave(view->private_view, slot);
	}
}

static void on_roster_due(struct jc_distribution *distribution)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;

	if (fanout->due_ns) {
		*fanout->due_ns += fanout->announced_ns;
	}
}

static void announce_to(struct jc_view *view, const struct jc_announcement *announcement)
{
	struct jc_fanout *fanout = view->fanout;

	if (view->private_view) {
		for (size_t i = 0; i < announcement->joined_count; i++) {
			jc_private_view_aim(view->private_view, fanout->space,
				announcement->joined[i], fanout->tick);
		}
		/* A private view announces them with its next bundle. */
		if (view->subscriber->ops->is_ready(view->subscriber)) {
			jc_view_show(view);
		}
	}
	view->subscriber->ops->roster_changed(view->subscriber, view, announcement);
}

static void on_announce(
	struct jc_distribution *distribution, const struct jc_announcement *announcement)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;
	int64_t begun_ns = jc_clock_thread_ns();

	fanout->is_walked = true;
	for (size_t i = 0; i < jc_fanout_list_count(fanout); i++) {
		for (struct jc_view *view = jc_fanout_list(fanout, i); view; view = view->next) {
			announce_to(view, announcement);
		}
	}
	fanout->is_walked = false;
	fanout->announced_ns = jc_clock_thread_ns() - begun_ns;
}

static const struct jc_distribution_ops fanout_ops = {
	.plan = on_plan,
	.cast = on_send,
	.body_entered = on_body_entered,
	.body_left = on_body_left,
	.roster_due = on_roster_due,
	.announce = on_announce,
};

void jc_fanout_init(struct jc_fanout *fanout)
{
	*fanout = (struct jc_fanout){ .distribution.ops = &fanout_ops };
}

void jc_fanout_finish(struct jc_fanout *fanout)
{
	assert(fanout->view_count == 0);
	jc_fanout_drop_unused(fanout);
	jc_space_destroy(fanout->space);
	fanout->space = NULL;
	jc_ignores_finish(&fanout->ignores);
	free(fanout->scratch);
	jc_shared_text_drop(fanout->props);
	fanout->props = NULL;
}

void jc_fanout_restart(struct jc_fanout *fanout)
{
	for (size_t i = 0; i < jc_fanout_list_count(fanout); i++) {
		for (struct jc_view *view = jc_fanout_list(fanout, i); view; view = view->next) {
			view->is_reported = false;
			view->rejoined_at = 0;
			view->is_behind = view->missed_cut = view->shared_view != NULL;
			jc_ack_credit_restart(&view->credit);
			if (view->private_view) {
				view->private_view->weighed = 0;
				jc_private_view_unhold(view->private_view, false);
			}
		}
	}
	for (size_t i = 0; i < fanout->shared_view_count; i++) {
		fanout->shared_views[i]->is_held = false;
	}
	fanout->tick = 0;
}

void jc_fanout_set_props(struct jc_fanout *fanout, struct jc_shared_text *props)
{
	if (fanout->props &&
		strcmp(jc_shared_text_chars(fanout->props), jc_shared_text_chars(props)) == 0) {
		jc_shared_text_drop(props);
		return;
	}
	jc_shared_text_drop(fanout->props);
	fanout->props = props;
	fanout->props_revision++;
	jc_fanout_change_text(fanout, JC_SPACE_TEXT_PROPS, props);
}

struct jc_shared_text *jc_fanout_text(struct jc_fanout *fanout, enum jc_space_text which)
{
	if (which == JC_SPACE_TEXT_PROPS) {
		return fanout->props ? jc_shared_text_hold(fanout->props) : NULL;
	}
	return fanout->texts && fanout->texts->compose
		       ? fanout->texts->compose(fanout->texts->context, fanout, which)
		       : NULL;
}

void jc_fanout_change_text(
	struct jc_fanout *fanout, enum jc_space_text which, struct jc_shared_text *change)
{
	bool was_walked = fanout->is_walked;

	fanout->is_walked = true;
	for (size_t i = 0; i < jc_fanout_list_count(fanout); i++) {
		for (struct jc_view *view = jc_fanout_list(fanout, i); view; view = view->next) {
			if (view->subscriber->ops->text_changed) {
				view->subscriber->ops->text_changed(
					view->subscriber, view, which, change);
			}
		}
	}
	fanout->is_walked = was_walked;
}

size_t jc_fanout_subscribers(const struct jc_fanout *fanout)
{
	return fanout->subscriber_count;
}
