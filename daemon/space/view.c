/* Joins and leaves subscribers, and gives each a shared view or, where its options are
 * personal, a private view. */
#include "space/fanout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticker.h"
#include "maxima.h"
#include "space/people/people.h"
#include "space/relay/space_relay.h"

/* Estimated processor time to encode and send one rejoin packet. */
#define REJOIN_NS INT64_C(10000)

size_t jc_fanout_list_count(const struct jc_fanout *fanout)
{
	return 2 + fanout->shared_view_count;
}

struct jc_view *jc_fanout_list(const struct jc_fanout *fanout, size_t index)
{
	return index == 0   ? fanout->joined
	       : index == 1 ? fanout->private_view
			    : fanout->shared_views[index - 2]->views;
}

static void link_view(struct jc_view *view, struct jc_view **list)
{
	assert(!view->fanout->is_walked);
	view->next = *list;
	view->at = list;
	if (view->next) {
		view->next->at = &view->next;
	}
	*list = view;
}

static void unlink_view(struct jc_view *view)
{
	assert(!view->fanout->is_walked);
	*view->at = view->next;
	if (view->next) {
		view->next->at = view->at;
	}
}

void jc_fanout_drop_unused(struct jc_fanout *fanout)
{
	size_t kept = 0;

	for (size_t i = 0; i < fanout->shared_view_count; i++) {
		if (fanout->shared_views[i]->views) {
			size_t from = i, to = kept++;

			fanout->shared_views[to] = fanout->shared_views[from];
		} else {
			jc_shared_view_destroy(fanout->shared_views[i]);
		}
	}
	fanout->shared_view_count = kept;
}

/* The shared view of these options; NULL at the maximum number. */
static struct jc_shared_view *find_shared_view(
	struct jc_fanout *fanout, const struct jc_stream_spec *spec, bool is_paired)
{
	struct jc_shared_view *shared_view;

	for (size_t i = 0; i < fanout->shared_view_count; i++) {
		if (fanout->shared_views[i]->is_paired == is_paired &&
			jc_stream_spec_equal(&fanout->shared_views[i]->spec, spec)) {
			return fanout->shared_views[i];
		}
	}
	if (fanout->shared_view_count == JC_MAX_SHARED_VIEWS) {
		jc_fanout_drop_unused(fanout);
	}
	if (fanout->shared_view_count == JC_MAX_SHARED_VIEWS ||
		jc_shared_view_create(spec, is_paired, &shared_view) != JC_OK) {
		return NULL;
	}
	fanout->shared_views[fanout->shared_view_count++] = shared_view;
	return shared_view;
}

static bool is_subscribed(const struct jc_view *view)
{
	return view->shared_view || view->private_view;
}

static bool ignores(const struct jc_view *view, const struct jc_body *body)
{
	uint64_t party = body->source->party;

	return view->fanout->ignores.count > 0 && party != 0 &&
	       jc_ignores_between(&view->fanout->ignores,
		       jc_fanout_party(view->fanout, view->subscriber), party);
}

static bool ignores_any(const struct jc_view *view)
{
	const struct jc_space *space = view->fanout->space;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		if (ignores(view, jc_space_body(space, i))) {
			return true;
		}
	}
	return false;
}

void jc_view_show(struct jc_view *view)
{
	struct jc_shown shown[JC_MAX_BODIES];
	size_t count = jc_private_view_show(view->private_view, view->fanout->space, shown);

	if (count > 0) {
		jc_view_flush(view);
		view->subscriber->ops->shown(view->subscriber, view, shown, count);
	}
}

/* Ends the private view and the skeletons that it announced. */
static void end_private_view(struct jc_view *view)
{
	struct jc_shown shown[JC_MAX_BODIES];
	struct jc_private_view *private_view = view->private_view;
	size_t count = jc_private_view_unshow(private_view, view->fanout->space, shown);

	view->private_view = NULL;
	jc_private_view_destroy(private_view);
	if (count > 0) {
		view->subscriber->ops->shown(view->subscriber, view, shown, count);
	}
}

/* Accounts for the rejoin packets of a new view, one per body, in the next tick. */
static void charge(const struct jc_view *view)
{
	if (view->fanout->due_ns) {
		*view->fanout->due_ns +=
			REJOIN_NS * (int64_t)jc_space_body_count(view->fanout->space);
	}
}

/* Makes a private view that continues the streams of the shared view. */
static int make_private_view(struct jc_view *view, const struct jc_view_options *options)
{
	struct jc_fanout *fanout = view->fanout;
	const struct jc_space *space = fanout->space;
	const struct jc_shared_view *shared_view = view->shared_view;
	struct jc_private_view *private_view;

	if (!fanout->scratch) {
		fanout->scratch = malloc(JC_BUNDLE_BUFFER);
	}
	if (!fanout->scratch ||
		jc_private_view_create(options, fanout->phase, &private_view) != JC_OK) {
		return JC_ERROR_MEMORY;
	}
	fanout->phase++;
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct jc_body_stream *body_stream =
			shared_view ? shared_view->body_streams[body->slot] : NULL;

		jc_private_view_enter(private_view, body, ignores(view, body));
		/* A bundle that the shared view holds does not reach the private one. */
		if (body_stream && !view->is_behind && !shared_view->is_held) {
			jc_private_view_follow(private_view, body, body_stream, view->missed_cut);
		}
	}
	unlink_view(view);
	link_view(view, &fanout->private_view);
	view->shared_view = NULL;
	view->private_view = private_view;
	view->missed_cut = view->is_behind = false;
	charge(view);
	return JC_OK;
}

static void make_shared(struct jc_view *view, struct jc_shared_view *shared_view)
{
	unlink_view(view);
	link_view(view, &shared_view->views);
	charge(view);
	view->shared_view = shared_view;
	/* The subscriber has no earlier packets. */
	view->missed_cut = true;
	view->is_behind = true;
	if (view->private_view) {
		end_private_view(view);
	}
}

/* Announces the skeletons of the private view before a packet uses them. */
static void begin_private_view(struct jc_view *view)
{
	jc_private_view_plan(view->private_view, view->fanout->space, view->fanout->tick);
	jc_view_show(view);
}

int jc_view_subscribe(struct jc_view *view, const struct jc_view_options *requested, bool credit)
{
	struct jc_fanout *fanout = view->fanout;
	bool first = !is_subscribed(view);
	struct jc_view_options limited = *requested;
	const struct jc_view_options *options = &limited;
	int status = JC_OK;

	limited.spec.finest = view->finest;
	if (limited.spec.precision < view->finest) {
		limited.spec.precision = view->finest;
	}
	struct jc_shared_view *shared_view =
		jc_view_options_are_common(options) && !ignores_any(view)
			? find_shared_view(fanout, &options->spec, options->is_paired)
			: NULL;

	if (shared_view && shared_view != view->shared_view) {
		make_shared(view, shared_view);
	} else if (!shared_view && view->private_view) {
		status = jc_private_view_change(view->private_view, options);
	} else if (!shared_view) {
		status = make_private_view(view, options);
	}
	if (status != JC_OK) {
		return status;
	}
	view->requested = requested->spec.precision;
	if (first) {
		fanout->subscriber_count += !view->subscriber->is_aside;
		jc_ack_credit_init(&view->credit, credit);
	}
	if (view->private_view) {
		begin_private_view(view);
	}
	jc_space_subscribed(fanout->space);
	return JC_OK;
}

/* Moves the view to the list of views without bundles. */
static void stop(struct jc_view *view)
{
	if (is_subscribed(view)) {
		view->fanout->subscriber_count -= !view->subscriber->is_aside;
		view->shared_view = NULL;
		unlink_view(view);
		link_view(view, &view->fanout->joined);
	}
}

void jc_view_unsubscribe(struct jc_view *view)
{
	stop(view);
	if (view->private_view) {
		end_private_view(view);
	}
}

void jc_view_join(struct jc_view *view, struct jc_fanout *fanout, struct jc_subscriber *subscriber)
{
	assert(!view->fanout);
	*view = (struct jc_view){ .fanout = fanout, .subscriber = subscriber };
	link_view(view, &fanout->joined);
	fanout->view_count += !subscriber->is_aside;
}

void jc_view_leave(struct jc_view *view)
{
	if (!view->fanout) {
		return;
	}
	stop(view);
	unlink_view(view);
	jc_private_view_destroy(view->private_view);
	view->private_view = NULL;
	view->fanout->view_count -= !view->subscriber->is_aside;
	view->fanout = NULL;
}

/* The options as they were requested. */
static void copy_options(const struct jc_view *view, struct jc_view_options *out_options)
{
	if (view->private_view) {
		*out_options = view->private_view->options;
	} else {
		*out_options = (struct jc_view_options){ .spec = view->shared_view->spec,
			.is_paired = view->shared_view->is_paired };
	}
	out_options->spec.precision = view->requested;
}

int jc_view_limit(struct jc_view *view, enum jc_precision finest)
{
	struct jc_view_options options;

	view->finest = finest;
	if (!is_subscribed(view)) {
		return JC_OK;
	}
	copy_options(view, &options);
	int status = jc_view_subscribe(view, &options, view->credit.enabled);

	if (status != JC_OK) {
		/* Rather nothing than more than it may have. */
		jc_view_unsubscribe(view);
	}
	return status;
}

bool jc_view_spec(const struct jc_view *view, struct jc_stream_spec *out_spec)
{
	if (!is_subscribed(view)) {
		return false;
	}
	*out_spec = view->private_view ? view->private_view->options.spec : view->shared_view->spec;
	return true;
}

bool jc_view_is_paired(const struct jc_view *view)
{
	return view->private_view ? view->private_view->options.is_paired
				  : view->shared_view && view->shared_view->is_paired;
}

int jc_view_look(struct jc_view *view, const struct jc_viewpoint *viewpoints, size_t count)
{
	struct jc_view_options options;

	assert(count <= JC_MAX_VIEWPOINTS);
	if (!is_subscribed(view)) {
		return JC_OK;
	}
	/* Usually only the viewpoints change. */
	if (view->private_view && view->private_view->options.viewpoint_count > 0 && count > 0) {
		struct jc_view_options *own = &view->private_view->options;

		memcpy(own->viewpoints, viewpoints, count * sizeof(viewpoints[0]));
		own->viewpoint_count = count;
		return JC_OK;
	}
	copy_options(view, &options);
	options.viewpoint_count = count;
	for (size_t i = 0; i < count; i++) {
		options.viewpoints[i] = viewpoints[i];
	}
	return jc_view_subscribe(view, &options, view->credit.enabled);
}

int jc_view_favour(struct jc_view *view, const uint32_t *bodies, size_t count)
{
	struct jc_view_options options;

	assert(count <= JC_MAX_NAMED_BODIES);
	if (!is_subscribed(view)) {
		return JC_OK;
	}
	copy_options(view, &options);
	options.favoured_count = count;
	for (size_t i = 0; i < count; i++) {
		options.favoured[i] = bodies[i];
	}
	if (view->private_view && !jc_view_options_are_common(&options)) {
		struct jc_view_options *own = &view->private_view->options;

		memcpy(own->favoured, bodies, count * sizeof(bodies[0]));
		own->favoured_count = count;
		return JC_OK;
	}
	return jc_view_subscribe(view, &options, view->credit.enabled);
}

/* The ignores of a subscriber changed: updates all views that this affects. */
static void update_ignores(struct jc_view *view)
{
	const struct jc_space *space = view->fanout->space;
	struct jc_view_options options;

	if (!is_subscribed(view)) {
		return;
	}
	copy_options(view, &options);
	if (view->private_view) {
		for (size_t i = 0; i < jc_space_body_count(space); i++) {
			const struct jc_body *body = jc_space_body(space, i);

			view->private_view->view_bodies[body->slot].is_ignored =
				ignores(view, body);
		}
	}
	bool turns = view->private_view ? jc_view_options_are_common(&options) : ignores_any(view);

	if (turns && jc_view_subscribe(view, &options, view->credit.enabled) != JC_OK) {
		/* Without memory the view ends: it must not send an ignored body. */
		jc_view_unsubscribe(view);
	}
}

/* The views of one party; 0: all views. */
void jc_fanout_update_ignores(struct jc_fanout *fanout, uint64_t party)
{
	struct jc_view *next;

	/* A view that moves to the list of private views is visited again there, without effect. */
	for (size_t i = jc_fanout_list_count(fanout); i-- > 0;) {
		for (struct jc_view *view = jc_fanout_list(fanout, i); view; view = next) {
			next = view->next;
			if (party == 0 || jc_fanout_party(fanout, view->subscriber) == party) {
				update_ignores(view);
			}
		}
	}
}

int jc_fanout_ignore(struct jc_fanout *fanout, struct jc_subscriber *subscriber,
	const struct jc_body *body, bool ignore)
{
	uint64_t own = jc_fanout_party(fanout, subscriber), party = body->source->party;
	bool changed;

	if (party == 0 || party == JC_PARTY_ELSEWHERE || party == own) {
		return JC_ERROR_INVALID;
	}
	if (ignore && (subscriber->ignoring == JC_MAX_IGNORED ||
			      fanout->ignores.count >= JC_MAX_IGNORES)) {
		return JC_ERROR_LIMIT;
	}
	if (ignore) {
		changed = jc_ignores_add(&fanout->ignores, own, party, subscriber);
		subscriber->ignoring += changed;
	} else {
		changed = jc_ignores_remove(&fanout->ignores, own, party, subscriber);
		subscriber->ignoring -= changed;
	}
	if (changed) {
		jc_fanout_update_ignores(fanout, own);
		jc_fanout_update_ignores(fanout, party);
	}
	return JC_OK;
}

void jc_fanout_forget(struct jc_fanout *fanout, struct jc_subscriber *subscriber)
{
	if (jc_ignores_forget(&fanout->ignores, subscriber)) {
		jc_fanout_update_ignores(fanout, 0);
	}
}

void jc_fanout_rename(struct jc_fanout *fanout, uint64_t from, uint64_t to)
{
	bool is_about_somebody = fanout->ignores.count > 0;

	for (size_t i = 0; i < jc_space_body_count(fanout->space); i++) {
		struct jc_source *source = jc_space_body(fanout->space, i)->source;

		source->party = source->party == from ? to : source->party;
	}
	jc_ignores_rename(&fanout->ignores, from, to);
	if (is_about_somebody) {
		jc_fanout_update_ignores(fanout, 0);
	}
}

void jc_fanout_meet(struct jc_fanout *fanout, const struct jc_body *body)
{
	struct jc_view *next;

	for (struct jc_view *view = fanout->private_view; view; view = view->next) {
		jc_private_view_enter(view->private_view, body, ignores(view, body));
	}
	for (size_t i = 0; i < fanout->shared_view_count; i++) {
		for (struct jc_view *view = fanout->shared_views[i]->views; view; view = next) {
			next = view->next;
			if (ignores(view, body)) {
				update_ignores(view);
			}
		}
	}
}

void jc_view_ask_keyframe(struct jc_view *view)
{
	view->rejoin_requested = is_subscribed(view);
}

bool jc_view_acknowledge(struct jc_view *view, uint32_t tick, int64_t now_ns)
{
	const struct jc_space_options *options = jc_space_options(view->fanout->space);
	int64_t due_ns = jc_tick_time_ns(options->start_ns, options->hz, tick);

	return !view->credit.enabled ||
	       jc_ack_credit_acknowledge(&view->credit, tick, (now_ns - due_ns) / 1000);
}
