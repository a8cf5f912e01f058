/* The one loop that runs for every subscriber, every tick: no allocation, no
 * copying where views are shared, one call. */
#include "space/fanout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "maxima.h"
#include "space/view_private.h"

static uint32_t hz_of(const struct jc_fanout *fanout)
{
	return jc_space_options(fanout->space)->hz;
}

/* Who got a bundle of the space last, not long ago, needs one byte of head. */
static size_t put_head(const struct jc_view *view, const struct jc_bundle *bundle)
{
	if (view->subscriber->told == view && view->is_told &&
		bundle->tick - view->told <= JC_BUNDLE_REACH) {
		bundle->bytes[-1] = jc_bundle_short_head(bundle->tick);
		return 1;
	}
	memcpy(bundle->bytes - bundle->head_length, bundle->head, bundle->head_length);
	return bundle->head_length;
}

static enum jc_delivery deliver(struct jc_view *view, const struct jc_bundle *bundle)
{
	struct jc_subscriber *subscriber = view->subscriber;
	uint64_t changed[JC_LIMIT_BUNDLE_PACKETS / 64] = { 0 };
	size_t head = put_head(view, bundle);

	if (view->missed_cut) {
		/* It must not interpolate over a jump whose packet it never saw. */
		jc_bundle_set_cuts(bundle, changed, true);
	}
	enum jc_delivery delivery =
		subscriber->ops->bundle(subscriber, bundle->bytes - head, head + bundle->length);
	if (view->missed_cut) {
		jc_bundle_set_cuts(bundle, changed, false);
	}
	if (delivery == JC_DELIVERED) {
		subscriber->told = view;
		view->is_told = true;
		view->told = bundle->tick;
		jc_credit_sent(&view->credit, bundle->tick);
	}
	return delivery;
}

static bool is_ready(const struct jc_view *view, uint32_t hz, uint32_t tick)
{
	return jc_credit_allows(&view->credit, hz, tick) &&
	       view->subscriber->ops->is_ready(view->subscriber);
}

static bool needs_rejoin(const struct jc_view *view, uint32_t hz, uint32_t tick)
{
	return view->is_behind ||
	       (view->asked && tick - view->rejoined_at >= hz / JC_MAX_KEYFRAMES_PER_SECOND);
}

/* Whether somebody who can take a bundle of this tick needs a rejoin. */
static bool wants_rejoin(const struct jc_variant *variant, uint32_t hz, uint32_t tick)
{
	for (const struct jc_view *view = variant->views; view; view = view->next) {
		if (needs_rejoin(view, hz, tick) && is_ready(view, hz, tick)) {
			return true;
		}
	}
	return false;
}

static void plan_personal(struct jc_view *view, uint32_t hz, uint32_t tick)
{
	struct jc_personal *personal = view->personal;

	personal->is_planned = is_ready(view, hz, tick);
	if (!personal->is_planned) {
		return;
	}
	if (needs_rejoin(view, hz, tick)) {
		jc_personal_lose(personal);
		view->is_behind = view->asked = false;
		view->rejoined_at = tick;
	}
	jc_personal_plan(personal, view->fanout->space, tick);
	jc_view_show(view);
}

static void on_plan(struct jc_distribution *distribution, uint32_t tick)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;
	uint32_t hz = hz_of(fanout);

	fanout->tick = tick;
	jc_fanout_drop_unused(fanout);
	fanout->is_walked = true;
	for (size_t i = 0; i < fanout->variant_count; i++) {
		struct jc_variant *variant = fanout->variants[i];

		variant->due = tick % variant->wish.rate == 0;
		if (variant->due) {
			jc_variant_plan(variant, fanout->space, wants_rejoin(variant, hz, tick));
		}
	}
	for (struct jc_view *view = fanout->personal; view; view = view->next) {
		plan_personal(view, hz, tick);
	}
	fanout->is_walked = false;
}

/* The one of a tick's two bundles that the view can follow; NULL: neither. */
static const struct jc_bundle *choose(
	const struct jc_view *view, const struct jc_variant *variant, uint32_t hz)
{
	if (!variant->wish.chains || !needs_rejoin(view, hz, variant->common.tick)) {
		return &variant->common;
	}
	return variant->rejoins ? &variant->rejoin : NULL;
}

static void cast_shared(struct jc_fanout *fanout, struct jc_view *view,
	const struct jc_variant *variant, uint32_t hz)
{
	const struct jc_bundle *common = &variant->common;
	const struct jc_bundle *bundle = choose(view, variant, hz);

	if (bundle && jc_credit_allows(&view->credit, hz, bundle->tick) &&
		deliver(view, bundle) == JC_DELIVERED) {
		view->missed_cut = false;
		if (bundle == &variant->rejoin) {
			view->is_behind = false;
			view->asked = false;
			view->rejoined_at = bundle->tick;
		}
		fanout->delivered++;
	} else {
		view->missed_cut |= common->cut;
		view->is_behind |= common->packet_count > 0;
		view->skipped++;
		fanout->skipped++;
	}
}

static void cast_personal(struct jc_fanout *fanout, struct jc_view *view,
	const struct jc_bundle_head *head, struct jc_bundle *bundle)
{
	struct jc_personal *personal = view->personal;

	if (personal->is_planned &&
		!jc_personal_compose(personal, fanout->space, head, fanout->scratch, bundle)) {
		return;
	}
	bool delivered = personal->is_planned && deliver(view, bundle) == JC_DELIVERED;

	fanout->delivered += delivered;
	fanout->skipped += !delivered;
	if (delivered) {
		jc_personal_delivered(personal, bundle->head_length + bundle->length);
	} else {
		jc_personal_missed(personal);
		view->skipped++;
	}
}

static void on_cast(struct jc_distribution *distribution, uint32_t tick)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;
	struct jc_bundle_head head = { jc_space_options(fanout->space)->id, tick };
	uint32_t hz = hz_of(fanout);
	struct jc_bundle bundle;

	fanout->is_walked = true;
	for (size_t i = 0; i < fanout->variant_count; i++) {
		struct jc_variant *variant = fanout->variants[i];

		if (!variant->due || !jc_variant_compose(variant, fanout->space, &head)) {
			continue;
		}
		for (struct jc_view *view = variant->views; view; view = view->next) {
			cast_shared(fanout, view, variant, hz);
		}
	}
	for (struct jc_view *view = fanout->personal; view; view = view->next) {
		cast_personal(fanout, view, &head, &bundle);
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
	for (size_t i = 0; i < fanout->variant_count; i++) {
		jc_variant_leave(fanout->variants[i], slot);
	}
	for (struct jc_view *view = fanout->personal; view; view = view->next) {
		jc_personal_leave(view->personal, slot);
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

	if (view->personal) {
		for (size_t i = 0; i < announcement->joined_count; i++) {
			jc_personal_aim(view->personal, fanout->space, announcement->joined[i],
				fanout->tick);
		}
		/* Else the plan of its next bundle shows them. */
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
	.cast = on_cast,
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
}

size_t jc_fanout_subscribers(const struct jc_fanout *fanout)
{
	return fanout->subscriber_count;
}
