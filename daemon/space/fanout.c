/* The one loop that runs for every subscriber, every tick: no allocation, no
 * copying, one call. */
#include "space/fanout.h"

#include <assert.h>
#include <string.h>

#include "base/ticker.h"
#include "maxima.h"

#define CUT_FLAG 0x01 /* PROTOCOL.md, 4 */

/* Sets the cut flag of every packet that needs no state and notes in `changed` where it was
 * not, or takes it from those again. Whoever missed a cut gets only such packets. */
static void set_cuts(const struct jc_bundle *bundle, uint64_t *changed, bool on)
{
	for (size_t i = 0; i < bundle->flags_count; i++) {
		uint8_t *flags = bundle->bytes + bundle->flags_at[i];
		uint64_t bit = UINT64_C(1) << (i % 64);
		if (on && !(*flags & CUT_FLAG)) {
			*flags |= CUT_FLAG;
			changed[i / 64] |= bit;
		} else if (!on && (changed[i / 64] & bit)) {
			*flags &= (uint8_t)~CUT_FLAG;
		}
	}
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
		set_cuts(bundle, changed, true);
	}
	enum jc_delivery delivery =
		subscriber->ops->bundle(subscriber, bundle->bytes - head, head + bundle->length);
	if (view->missed_cut) {
		set_cuts(bundle, changed, false);
	}
	if (delivery == JC_DELIVERED) {
		subscriber->told = view;
		view->is_told = true;
		view->told = bundle->tick;
	}
	return delivery;
}

static bool needs_rejoin(const struct jc_view *view, uint32_t hz, uint32_t tick)
{
	return view->is_behind ||
	       (view->asked && tick - view->rejoined_at >= hz / JC_MAX_KEYFRAMES_PER_SECOND);
}

static bool on_wants_rejoin(
	struct jc_distribution *distribution, const struct jc_variant *variant, uint32_t tick)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;
	uint32_t hz = jc_space_options(fanout->space)->hz;

	for (struct jc_view *view = fanout->views; view; view = view->next) {
		if (view->variant == variant && needs_rejoin(view, hz, tick) &&
			jc_credit_allows(&view->credit, hz, tick) &&
			view->subscriber->ops->is_ready(view->subscriber)) {
			return true;
		}
	}
	return false;
}

/* The one of a tick's two bundles that the view can follow; NULL: neither. */
static const struct jc_bundle *choose(const struct jc_view *view, uint32_t hz,
	const struct jc_bundle *common, const struct jc_bundle *rejoin)
{
	return common->needs_state && needs_rejoin(view, hz, common->tick) ? rejoin : common;
}

static void on_bundle(struct jc_distribution *distribution, const struct jc_variant *variant,
	const struct jc_bundle *common, const struct jc_bundle *rejoin)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;
	uint32_t hz = jc_space_options(fanout->space)->hz;
	struct jc_view *next;

	for (struct jc_view *view = fanout->views; view; view = next) {
		next = view->next;
		if (view->variant != variant) {
			continue;
		}
		const struct jc_bundle *bundle = choose(view, hz, common, rejoin);

		if (bundle && jc_credit_allows(&view->credit, hz, bundle->tick) &&
			deliver(view, bundle) == JC_DELIVERED) {
			jc_credit_sent(&view->credit, bundle->tick);
			view->missed_cut = false;
			if (bundle == rejoin) {
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
}

static void on_body_changed(
	struct jc_distribution *distribution, const struct jc_body *body, bool joined)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;
	struct jc_view *next;

	for (struct jc_view *view = fanout->views; view; view = next) {
		next = view->next;
		view->subscriber->ops->body_changed(view->subscriber, view, body, joined);
	}
}

static void on_body_left(struct jc_distribution *distribution, uint32_t id)
{
	struct jc_fanout *fanout = (struct jc_fanout *)distribution;
	struct jc_view *next;

	for (struct jc_view *view = fanout->views; view; view = next) {
		next = view->next;
		view->subscriber->ops->body_left(view->subscriber, view, id);
	}
}

static const struct jc_distribution_ops fanout_ops = {
	.wants_rejoin = on_wants_rejoin,
	.bundle = on_bundle,
	.body_changed = on_body_changed,
	.body_left = on_body_left,
};

void jc_fanout_init(struct jc_fanout *fanout)
{
	*fanout = (struct jc_fanout){ .distribution.ops = &fanout_ops };
}

void jc_fanout_finish(struct jc_fanout *fanout)
{
	assert(!fanout->views);
	jc_space_destroy(fanout->space);
	fanout->space = NULL;
}

size_t jc_fanout_subscribers(const struct jc_fanout *fanout)
{
	size_t count = 0;

	for (const struct jc_view *view = fanout->views; view; view = view->next) {
		count += view->variant != NULL;
	}
	return count;
}

void jc_view_join(struct jc_view *view, struct jc_fanout *fanout, struct jc_subscriber *subscriber)
{
	assert(!view->fanout);
	*view = (struct jc_view){
		.fanout = fanout, .next = fanout->views, .subscriber = subscriber
	};
	if (fanout->views) {
		fanout->views->previous = view;
	}
	fanout->views = view;
	fanout->view_count++;
}

void jc_view_leave(struct jc_view *view)
{
	struct jc_fanout *fanout = view->fanout;

	if (!fanout) {
		return;
	}
	if (view->previous) {
		view->previous->next = view->next;
	} else {
		fanout->views = view->next;
	}
	if (view->next) {
		view->next->previous = view->previous;
	}
	fanout->view_count--;
	jc_view_unsubscribe(view);
	view->fanout = NULL;
}

void jc_view_subscribe(struct jc_view *view, const struct jc_wish *wish, bool credit)
{
	struct jc_variant *variant = jc_space_acquire(view->fanout->space, wish);

	if (!view->variant) {
		jc_credit_init(&view->credit, credit);
	} else if (view->variant == variant) {
		jc_space_release(variant);
		return;
	} else {
		jc_space_release(view->variant);
	}
	view->variant = variant;
	/* Whatever came before, it did not see it. */
	view->missed_cut = true;
	view->is_behind = true;
}

void jc_view_unsubscribe(struct jc_view *view)
{
	if (view->variant) {
		jc_space_release(view->variant);
		view->variant = NULL;
	}
}

void jc_view_ask_keyframe(struct jc_view *view)
{
	view->asked = view->variant != NULL;
}

bool jc_view_acknowledge(struct jc_view *view, uint32_t tick, int64_t now_ns)
{
	const struct jc_space_options *options = jc_space_options(view->fanout->space);
	int64_t due_ns = jc_tick_time_ns(options->start_ns, options->hz, tick);

	return !view->credit.enabled ||
	       jc_credit_acknowledge(&view->credit, tick, (now_ns - due_ns) / 1000);
}
