/* A body changes its level with a rejoin packet of the new stream, in a tick in which that
 * stream has packets. */
#include "space/view/private_view.h"

#include <stdlib.h>
#include <string.h>

#include "space/view/view_budget.h"

#define NO_LEVEL UINT8_MAX
#define UNTOLD   UINT32_MAX /* no skeleton asset has that number */

bool jc_view_options_are_common(const struct jc_view_options *options)
{
	return !options->asset && !options->is_some && options->ignored_count == 0 &&
	       options->favoured_count == 0 && options->budget == 0 &&
	       options->viewpoint_count == 0;
}

static void put_on(struct jc_private_view *private_view, const struct jc_view_options *options)
{
	private_view->options = *options;
	if (options->asset) {
		jc_skeleton_asset_use(options->asset);
	}
}

/* Messages with two bundles need a buffer from one tick to the next. */
static bool make_buffer(struct jc_private_view *private_view, const struct jc_view_options *options)
{
	if (options->is_paired && !private_view->buffer) {
		private_view->buffer = malloc(JC_BUNDLE_PAIR_BUFFER);
	}
	return !options->is_paired || private_view->buffer;
}

int jc_private_view_create(const struct jc_view_options *options, unsigned phase,
	struct jc_private_view **out_private_view)
{
	struct jc_private_view *private_view = calloc(1, sizeof(*private_view));

	if (!private_view) {
		return JC_ERROR_MEMORY;
	}
	private_view->phase = phase;
	if (!make_buffer(private_view, options)) {
		free(private_view);
		return JC_ERROR_MEMORY;
	}
	put_on(private_view, options);
	*out_private_view = private_view;
	return JC_OK;
}

void jc_private_view_destroy(struct jc_private_view *private_view)
{
	if (!private_view) {
		return;
	}
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		jc_private_view_leave(private_view, slot);
	}
	if (private_view->options.asset) {
		jc_skeleton_asset_unuse(private_view->options.asset);
	}
	free(private_view->buffer);
	free(private_view);
}

int jc_private_view_change(
	struct jc_private_view *private_view, const struct jc_view_options *options)
{
	struct jc_skeleton_asset *before = private_view->options.asset;

	if (!make_buffer(private_view, options)) {
		return JC_ERROR_MEMORY;
	}
	jc_private_view_unhold(private_view, false);
	put_on(private_view, options);
	if (before) {
		jc_skeleton_asset_unuse(before);
	}
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		private_view->view_bodies[slot].stream_level = NO_LEVEL;
		private_view->view_bodies[slot].detail.has_level = false;
		private_view->view_bodies[slot].is_rationed = false;
	}
	return JC_OK;
}

void jc_private_view_enter(
	struct jc_private_view *private_view, const struct jc_body *body, bool is_ignored)
{
	const struct jc_skeleton_asset *spec = private_view->options.asset;

	/* A view with a skeleton of its choice has received only that one. */
	private_view->view_bodies[body->slot] = (struct jc_view_body){
		.shown_asset = spec && spec != body->asset ? UNTOLD : body->asset->number,
		.is_ignored = is_ignored,
		.missed_cut = true,
		.stream_level = NO_LEVEL,
	};
}

void jc_private_view_follow(struct jc_private_view *private_view, const struct jc_body *body,
	struct jc_body_stream *body_stream, bool missed_cut)
{
	struct jc_view_body *view_body = &private_view->view_bodies[body->slot];

	body_stream->users++;
	view_body->body_stream = body_stream;
	view_body->follows = true;
	view_body->missed_cut = missed_cut;
}

void jc_private_view_leave(struct jc_private_view *private_view, size_t slot)
{
	if (private_view->view_bodies[slot].body_stream) {
		jc_space_release(private_view->view_bodies[slot].body_stream);
	}
	private_view->view_bodies[slot] = (struct jc_view_body){ .body_stream = NULL };
}

void jc_private_view_lose(struct jc_private_view *private_view)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		private_view->view_bodies[slot].follows = false;
	}
}

static bool names(const uint32_t *ids, size_t count, uint32_t id)
{
	for (size_t i = 0; i < count; i++) {
		if (ids[i] == id) {
			return true;
		}
	}
	return false;
}

/* Adds the priority that the view gives the body. */
uint8_t jc_private_view_priority(
	const struct jc_private_view *private_view, const struct jc_body *body)
{
	const struct jc_view_options *options = &private_view->options;

	return (uint8_t)(body->priority +
			 names(options->favoured, options->favoured_count, body->id));
}

bool jc_private_view_wants(const struct jc_private_view *private_view, const struct jc_body *body)
{
	const struct jc_view_options *options = &private_view->options;

	return body->is_announced && jc_body_is_shown(body) &&
	       !private_view->view_bodies[body->slot].is_ignored &&
	       (!options->is_some || names(options->bodies, options->body_count, body->id)) &&
	       !names(options->ignored, options->ignored_count, body->id);
}

/* Acquires the stream; at the maximum number of streams the same on `humanoid`, which other
 * views are likely to use too; without that, the reserved stream. */
static struct jc_body_stream *find_body_stream(const struct jc_private_view *private_view,
	struct jc_space *space, const struct jc_body *body, unsigned level, bool *out_instead)
{
	const struct jc_view_options *options = &private_view->options;
	struct jc_skeleton_asset *asset = options->asset ? options->asset : body->asset;
	struct jc_skeleton_asset *humanoid = asset->skeleton_table->humanoid;
	struct jc_stream_spec spec = jc_stream_spec_at(&options->spec, level);
	struct jc_body_stream *body_stream = jc_space_acquire(space, body, asset, &spec, false);

	*out_instead = !body_stream;
	if (!body_stream) {
		body_stream = jc_space_acquire(space, body, humanoid, &spec, false);
	}
	if (!body_stream && spec.chains) {
		spec = (struct jc_stream_spec){ .chains = true,
			.contacts = options->spec.contacts,
			.model = options->spec.model,
			.precision = options->spec.precision == JC_PRECISION_COARSE
					     ? JC_PRECISION_COARSE
					     : JC_PRECISION_STANDARD,
			.finest = options->spec.finest,
			.rate = 1,
			.sections = JC_STREAM_ALL };
	}
	return body_stream ? body_stream : jc_space_acquire(space, body, humanoid, &spec, true);
}

static void drop(struct jc_view_body *view_body)
{
	if (view_body->body_stream) {
		jc_space_release(view_body->body_stream);
		view_body->body_stream = NULL;
	}
	view_body->stream_level = NO_LEVEL;
	view_body->follows = false;
	view_body->missed_cut = true;
}

/* Whether a body may stay on its stream until the next one has packets: not where the options
 * no longer permit its precision, or choose other virtual transforms. */
static bool may_stay(const struct jc_private_view *private_view, const struct jc_body_stream *at)
{
	const struct jc_stream_spec *spec = &private_view->options.spec;

	return at->spec.precision >= spec->precision && at->spec.finest >= spec->finest &&
	       at->spec.contacts == spec->contacts &&
	       (!(at->spec.sections & JC_STREAM_SECTION(JC_SECTION_VIRTUALS)) ||
		       memcmp(&at->spec.virtuals, &spec->virtuals, sizeof(spec->virtuals)) == 0);
}

void jc_private_view_aim(struct jc_private_view *private_view, struct jc_space *space,
	const struct jc_body *body, uint32_t tick)
{
	struct jc_view_body *view_body = &private_view->view_bodies[body->slot];
	uint32_t hz = jc_space_options(space)->hz;
	bool instead;

	if (!jc_private_view_wants(private_view, body) || view_body->level == JC_LEVELS) {
		drop(view_body);
		return;
	}
	/* Tries now and then to get the requested stream again. */
	bool again = view_body->is_instead && (tick + 4 * private_view->phase) % (4 * hz) < 4;
	struct jc_stream_spec spec =
		jc_stream_spec_at(&private_view->options.spec, view_body->level);

	if ((view_body->body_stream && view_body->stream_level == view_body->level && !again) ||
		(view_body->body_stream && tick % spec.rate != 0 &&
			may_stay(private_view, view_body->body_stream))) {
		return;
	}
	/* The subscriber stays on its stream until the next one has packets. */
	if (view_body->body_stream && !again && may_stay(private_view, view_body->body_stream) &&
		!jc_space_has(space, body, view_body->body_stream->asset, &spec)) {
		return;
	}
	struct jc_body_stream *body_stream =
		find_body_stream(private_view, space, body, view_body->level, &instead);

	if (!body_stream) {
		drop(view_body);
		return;
	}
	if (body_stream != view_body->body_stream) {
		view_body->follows = false;
		/* Differences between the two streams, for example bones that only one contains. */
		view_body->missed_cut |= !view_body->body_stream || view_body->body_stream->cut ||
					 view_body->body_stream->asset != body_stream->asset ||
					 view_body->body_stream->keeper != body_stream->keeper;
	}
	if (view_body->body_stream) {
		jc_space_release(view_body->body_stream);
	}
	view_body->body_stream = body_stream;
	view_body->stream_level = view_body->level;
	view_body->is_instead = instead;
}

/* Whether a new period of that many ticks has begun since the tick `before`. A late tick ends all
 * the ticks that it skips, so its number alone does not tell. */
static bool has_come(
	const struct jc_private_view *private_view, uint32_t period, uint32_t before, uint32_t tick)
{
	uint32_t phase = private_view->phase % period;

	return ((uint64_t)tick + phase) / period != ((uint64_t)before + phase) / period;
}

/* Sets the level of each body. */
static void look(struct jc_private_view *private_view, const struct jc_space *space, uint32_t tick)
{
	const struct jc_view_options *options = &private_view->options;
	uint32_t hz = jc_space_options(space)->hz;
	uint32_t every = hz > JC_LEVEL_OF_DETAIL_HZ ? hz / JC_LEVEL_OF_DETAIL_HZ : 1;
	uint32_t weighing = every * (JC_LEVEL_OF_DETAIL_HZ / JC_VIEW_BUDGET_HZ);
	bool updates = has_come(private_view, every, private_view->looked, tick);
	bool fresh = false;

	private_view->looked = tick;
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct jc_view_body *view_body = &private_view->view_bodies[body->slot];

		if (!view_body->detail.has_level || updates) {
			fresh |= !view_body->detail.has_level;
			jc_level_of_detail_update(&view_body->detail, options->viewpoints,
				options->viewpoint_count, body->position,
				jc_private_view_priority(private_view, body), tick, hz);
		}
		if (options->budget == 0) {
			view_body->level = view_body->detail.level;
		}
	}
	if (options->budget > 0 &&
		(fresh || has_come(private_view, weighing, private_view->weighed, tick))) {
		jc_view_budget_share(private_view, space, tick);
	}
}

void jc_private_view_plan(
	struct jc_private_view *private_view, struct jc_space *space, uint32_t tick)
{
	if (private_view->options.spec.chains) {
		look(private_view, space, tick);
	}
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct jc_view_body *view_body = &private_view->view_bodies[body->slot];

		jc_private_view_aim(private_view, space, body, tick);
		view_body->is_taken = false;
		if (view_body->body_stream && jc_body_stream_is_due(view_body->body_stream, tick)) {
			jc_body_stream_want(view_body->body_stream,
				!view_body->follows && private_view->options.spec.chains);
		}
	}
}

size_t jc_private_view_show(struct jc_private_view *private_view, const struct jc_space *space,
	struct jc_shown out_shown[JC_MAX_BODIES])
{
	size_t count = 0;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct jc_view_body *view_body = &private_view->view_bodies[body->slot];

		if (!body->is_announced) {
			continue;
		}
		struct jc_skeleton_asset *asset =
			view_body->body_stream ? view_body->body_stream->asset : NULL;
		uint32_t number = asset ? asset->number : 0;

		if (number != view_body->shown_asset) {
			view_body->shown_asset = number;
			out_shown[count++] = (struct jc_shown){ .body = body->id, .asset = asset };
		}
	}
	return count;
}

size_t jc_private_view_unshow(const struct jc_private_view *private_view,
	const struct jc_space *space, struct jc_shown out_shown[JC_MAX_BODIES])
{
	size_t count = 0;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (body->is_announced &&
			private_view->view_bodies[body->slot].shown_asset != body->asset->number) {
			out_shown[count++] =
				(struct jc_shown){ .body = body->id, .asset = body->asset };
		}
	}
	return count;
}

static bool is_due(const struct jc_private_view *private_view)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		const struct jc_body_stream *body_stream =
			private_view->view_bodies[slot].body_stream;

		if (body_stream && body_stream->is_fresh) {
			return true;
		}
	}
	return false;
}

/* The bundle of the tick waits for the next one: its packets count as sent until then. */
static void hold(struct jc_private_view *private_view)
{
	private_view->is_held = true;
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_view_body *view_body = &private_view->view_bodies[slot];

		if (view_body->is_taken) {
			view_body->is_taken = view_body->missed_cut = false;
			view_body->is_held = view_body->follows = true;
		}
	}
}

void jc_private_view_unhold(struct jc_private_view *private_view, bool is_sent)
{
	private_view->is_held = false;
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_view_body *view_body = &private_view->view_bodies[slot];

		if (view_body->is_held && !is_sent) {
			view_body->follows = false;
			view_body->missed_cut |= private_view->held.cut;
		}
		view_body->is_held = false;
	}
}

static void put_packets(struct jc_private_view *private_view, const struct jc_space *space,
	struct jc_bundle *bundle)
{
	bool chains = private_view->options.spec.chains;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		struct jc_view_body *view_body =
			&private_view->view_bodies[jc_space_body(space, i)->slot];
		const struct jc_body_stream *body_stream = view_body->body_stream;

		if (!body_stream || !body_stream->is_fresh) {
			continue;
		}
		const struct jc_body_stream_packet *packet =
			view_body->follows || !chains ? &body_stream->common : &body_stream->rejoin;

		view_body->is_taken = packet->length > 0;
		if (view_body->is_taken) {
			jc_bundle_put(bundle, packet, view_body->missed_cut);
		}
	}
	jc_bundle_close(bundle);
}

const struct jc_bundle *jc_private_view_compose(struct jc_private_view *private_view,
	const struct jc_space *space, const struct jc_bundle_head *head, uint8_t *buffer,
	struct jc_bundle *scratch)
{
	bool is_paired = private_view->options.is_paired;
	struct jc_bundle *bundle = is_paired ? &private_view->held : scratch;

	buffer = is_paired ? private_view->buffer : buffer;
	if (!is_due(private_view)) {
		return NULL;
	}
	if (private_view->is_held) {
		jc_bundle_continue(bundle, head->tick);
	} else {
		jc_bundle_open(bundle, buffer, head);
	}
	put_packets(private_view, space, bundle);
	if (is_paired && !private_view->is_held &&
		jc_bundle_waits(private_view->options.spec.rate, head->tick)) {
		hold(private_view);
		return NULL;
	}
	if (bundle->packet_count == 0) {
		/* In place of a pair without packets. */
		jc_bundle_open(bundle, buffer, head);
		private_view->is_held = false;
	}
	return bundle->packet_count > 0 || !private_view->quiet ? bundle : NULL;
}

void jc_private_view_delivered(struct jc_private_view *private_view, size_t length)
{
	private_view->quiet = true;
	private_view->sent += length;
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_view_body *view_body = &private_view->view_bodies[slot];

		private_view->quiet &= !view_body->is_taken && !view_body->is_held;
		if (view_body->is_taken) {
			view_body->is_taken = false;
			view_body->follows = true;
			view_body->missed_cut = false;
		}
	}
	jc_private_view_unhold(private_view, true);
}

void jc_private_view_missed(struct jc_private_view *private_view)
{
	if (is_due(private_view)) {
		jc_private_view_unhold(private_view, false);
	}
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_view_body *view_body = &private_view->view_bodies[slot];
		const struct jc_body_stream *body_stream = view_body->body_stream;

		view_body->is_taken = false;
		if (body_stream && body_stream->is_fresh && body_stream->common.length > 0) {
			view_body->follows = false;
			view_body->missed_cut |= body_stream->common.cut;
		}
	}
}
