/* Collects the frames of one tick. An origin publishes those of a tick together, so the wait is
 * short; a missing one is not worth more. */
#include "cluster/edge/relayed_views.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "jointcast/error.h"
#include "space/fanout.h"
#include "space/spaces.h"

/* The rest is for the views from which streams are encoded that are not forwarded. */
#define MOST_OF_OTHERS (JC_MAX_RELAYED_VIEWS - 2u)
/* After the origin has refused a view, no other one is requested for a while. */
#define REFUSED_NS INT64_C(10000000000)
/* A view that had no frame for so many ticks is not waited for. */
#define SILENT_TICKS 16u

static struct jc_awaited_view *find_spec(
	const struct jc_relayed_views *views, const struct jc_stream_spec *spec)
{
	for (size_t i = 0; i < views->count; i++) {
		if (jc_stream_spec_equal(&views->list[i]->view->spec, spec)) {
			return views->list[i];
		}
	}
	return NULL;
}

static void destroy(struct jc_awaited_view *awaited)
{
	jc_relayed_view_destroy(awaited->view);
	free(awaited->packets);
	free(awaited);
}

static struct jc_awaited_view *create(
	struct jc_relayed_views *views, const struct jc_stream_spec *spec)
{
	struct jc_awaited_view *awaited = calloc(1, sizeof(*awaited));

	if (!awaited) {
		return NULL;
	}
	awaited->packets = malloc(JC_LIMIT_BUNDLE_BYTES);
	if (!awaited->packets || jc_relayed_view_create(spec, &awaited->view) != JC_OK) {
		destroy(awaited);
		return NULL;
	}
	awaited->number = ++views->last_number;
	views->list[views->count++] = awaited;
	views->is_changed = true;
	return awaited;
}

/* Notes a use of the view. NULL at the maximum or without memory, and where the origin refuses
 * it. */
static struct jc_awaited_view *use(
	struct jc_relayed_views *views, const struct jc_stream_spec *spec)
{
	struct jc_awaited_view *awaited = find_spec(views, spec);
	bool is_source = jc_stream_spec_is_source(spec);
	size_t most = is_source ? JC_MAX_RELAYED_VIEWS : MOST_OF_OTHERS;

	if (!awaited && views->count < most &&
		(is_source || views->now_ns >= views->refused_until_ns)) {
		awaited = create(views, spec);
	}
	if (awaited) {
		awaited->used_ns = views->now_ns;
	}
	return awaited;
}

static struct jc_relayed_views *views_of(struct jc_relay *relay)
{
	return (struct jc_relayed_views *)relay;
}

/* The stream with the finest hips that a decoder has. */
static const struct jc_relayed_stream *find_hips(
	const struct jc_relayed_views *views, uint32_t body)
{
	const struct jc_relayed_stream *best = NULL;
	enum jc_precision precision = JC_PRECISION_COUNT;

	for (size_t i = 0; i < views->count; i++) {
		const struct jc_relayed_view *view = views->list[i]->view;
		const struct jc_relayed_stream *stream = jc_relayed_view_find(view, body);

		if (stream && view->spec.chains && stream->is_current && !stream->is_opaque &&
			view->spec.sections & JC_STREAM_SECTION(JC_SECTION_HIPS) &&
			view->spec.precision < precision) {
			best = stream;
			precision = view->spec.precision;
		}
	}
	return best;
}

static void on_state(
	struct jc_relay *relay, const struct jc_body *body, struct jc_relayed_state *out_state)
{
	struct jc_relayed_views *views = views_of(relay);
	const struct jc_relayed_stream *hips =
		views->fanout->private_view ? find_hips(views, body->id) : NULL;

	*out_state = (struct jc_relayed_state){ .cut = false };
	for (size_t i = 0; i < views->count; i++) {
		const struct jc_relayed_stream *stream =
			jc_relayed_view_find(views->list[i]->view, body->id);

		if (stream && stream->length > 0) {
			out_state->cut |= stream->newest.cut;
			out_state->has_age = true;
			out_state->capture_age_us = stream->newest.capture_age_us;
		}
	}
	if (hips) {
		struct jc_stream_frame frame;

		jc_stream_frame(&hips->decoder, &frame);
		out_state->has_hips = true;
		out_state->hips_translation = frame.hips_translation;
		out_state->has_placement = frame.has_placement;
		out_state->placement = frame.placement;
	}
}

static void on_packets(struct jc_relay *relay, const struct jc_body *body,
	const struct jc_stream_spec *spec, bool is_new, bool wants_rejoin,
	struct jc_body_stream_packet *out_common, struct jc_body_stream_packet *out_rejoin)
{
	struct jc_relayed_views *views = views_of(relay);
	struct jc_awaited_view *awaited = use(views, spec);

	if (awaited) {
		if (is_new) {
			jc_relayed_view_begin(awaited->view, body->id);
		}
		jc_relayed_view_packets(awaited->view, body->id, wants_rejoin, awaited->relay_us,
			out_common, out_rejoin);
	}
}

/* The values of channels come in triples. */
static void fill(struct jc_body_sample *sample, const struct jc_body *body,
	const struct jc_relayed_stream *stream, const struct jc_stream_frame *frame)
{
	jc_retargeter_unfold(body->asset->retargeter, frame->rotations, frame->states,
		frame->hips_translation, &sample->pose);
	sample->motion = NULL;
	sample->placement = stream->decoder.has_placement ? &stream->decoder.placement : NULL;
	sample->channels_revision = body->channels_revision;
	sample->value_count = body->channels;
	memset(sample->values, 0, sizeof(sample->values));
	memcpy(sample->values, frame->values,
		(frame->value_count < body->channels ? frame->value_count : body->channels) *
			sizeof(sample->values[0]));
	sample->head = (struct jc_packet_head){ .cut = stream->length > 0 && stream->newest.cut,
		.capture_age_us = stream->newest.capture_age_us,
		.relay_age_us = stream->newest.relay_age_us };
}

static bool on_sample(struct jc_relay *relay, const struct jc_body *body, enum jc_precision finest,
	struct jc_body_sample *out_sample)
{
	struct jc_relayed_views *views = views_of(relay);
	struct jc_stream_spec spec = jc_stream_spec_source(finest);
	struct jc_awaited_view *awaited = use(views, &spec);
	struct jc_relayed_stream *stream =
		awaited ? jc_relayed_view_find(awaited->view, body->id) : NULL;
	struct jc_stream_frame frame;

	if (!stream || !stream->is_current || stream->is_opaque) {
		if (awaited) {
			awaited->view->wants_rejoin = true;
		}
		return false;
	}
	jc_stream_frame(&stream->decoder, &frame);
	fill(out_sample, body, stream, &frame);
	out_sample->head.relay_age_us += awaited->relay_us;
	return true;
}

static bool on_forwards(struct jc_relay *relay, const struct jc_stream_spec *spec)
{
	return use(views_of(relay), spec) != NULL;
}

/* Streams that are not forwarded are made from the tick. */
static bool on_is_here(struct jc_relay *relay, const struct jc_stream_spec *spec)
{
	const struct jc_awaited_view *awaited = use(views_of(relay), spec);

	return !awaited || awaited->view->is_live;
}

static bool on_has(
	struct jc_relay *relay, const struct jc_body *body, const struct jc_stream_spec *spec)
{
	struct jc_relayed_views *views = views_of(relay);
	struct jc_awaited_view *awaited = use(views, spec);
	const struct jc_relayed_stream *stream =
		awaited ? jc_relayed_view_find(awaited->view, body->id) : NULL;

	if (!awaited || (stream && stream->is_current)) {
		return true;
	}
	if (!awaited->view->spec.chains) {
		return awaited->view->has_tick;
	}
	awaited->view->wants_rejoin |= awaited->view->has_tick;
	return false;
}

static void on_subscribed(struct jc_relay *relay)
{
	struct jc_relayed_views *views = views_of(relay);

	if (views->on_subscribed) {
		views->on_subscribed(views);
	}
}

static const struct jc_relay_ops relay_ops = {
	.state = on_state,
	.packets = on_packets,
	.sample = on_sample,
	.forwards = on_forwards,
	.is_here = on_is_here,
	.has = on_has,
	.subscribed = on_subscribed,
};

void jc_relayed_views_init(struct jc_relayed_views *views)
{
	*views = (struct jc_relayed_views){ .relay.ops = &relay_ops };
}

void jc_relayed_views_finish(struct jc_relayed_views *views)
{
	for (size_t i = 0; i < views->count; i++) {
		if (views->on_unused) {
			views->on_unused(views, views->list[i]);
		}
		destroy(views->list[i]);
	}
	views->count = 0;
}

static bool lists_none(const void *context, uint32_t body)
{
	(void)context;
	(void)body;
	return false;
}

void jc_relayed_views_restart(struct jc_relayed_views *views, struct jc_fanout *fanout)
{
	for (size_t i = 0; i < views->count; i++) {
		struct jc_awaited_view *awaited = views->list[i];

		jc_relayed_view_settle(awaited->view);
		jc_relayed_view_prune(awaited->view, lists_none, NULL);
		awaited->view->has_tick = awaited->view->has_rejoin = awaited->has_frame = false;
	}
	views->fanout = fanout;
	views->has_ticked = views->is_waiting = false;
}

struct jc_awaited_view *jc_relayed_views_find(const struct jc_relayed_views *views, uint32_t number)
{
	for (size_t i = 0; i < views->count; i++) {
		if (views->list[i]->number == number) {
			return views->list[i];
		}
	}
	return NULL;
}

static uint32_t relay_age(const struct jc_awaited_view *awaited, int64_t now_ns)
{
	int64_t us = awaited->sent_ns == INT64_MAX ? 0 : (now_ns - awaited->sent_ns) / 1000;

	return us < JC_RELAY_COUNTS_US ? 0 : us > INT32_MAX ? INT32_MAX : (uint32_t)us;
}

static void run(struct jc_relayed_views *views, int64_t now_ns)
{
	uint32_t tick = views->waiting;

	for (size_t i = 0; i < views->count; i++) {
		struct jc_awaited_view *awaited = views->list[i];

		awaited->relay_us = 0;
		if (awaited->has_frame) {
			awaited->relay_us = relay_age(awaited, now_ns);
			jc_relayed_view_apply(awaited->view, awaited->tick, awaited->packets,
				awaited->length, false);
		}
	}
	views->is_waiting = false;
	views->has_ticked = true;
	views->ticked = tick;
	views->ticks++;
	views->now_ns = now_ns;
	jc_spaces_tick_relayed(views->fanout, tick);
	now_ns = jc_clock_now_ns();
	for (size_t i = 0; i < views->count; i++) {
		struct jc_awaited_view *awaited = views->list[i];

		if (views->added && awaited->has_frame && awaited->sent_ns != INT64_MAX) {
			jc_histogram_add(views->added, now_ns - awaited->sent_ns);
		}
		awaited->has_frame = false;
		jc_relayed_view_settle(awaited->view);
	}
}

void jc_relayed_views_flush(struct jc_relayed_views *views, int64_t now_ns)
{
	if (views->is_waiting) {
		run(views, now_ns);
	}
}

/* Whether a frame of the view for the waiting tick can still come. */
static bool is_missing(const struct jc_relayed_views *views, const struct jc_awaited_view *awaited)
{
	const struct jc_relayed_view *view = awaited->view;

	return !awaited->has_frame && view->has_tick && views->waiting % view->spec.rate == 0 &&
	       views->waiting - view->tick <= SILENT_TICKS;
}

static bool is_complete(const struct jc_relayed_views *views)
{
	for (size_t i = 0; i < views->count; i++) {
		if (is_missing(views, views->list[i])) {
			return false;
		}
	}
	return true;
}

/* Only decoders take the packets. */
static void take_late(struct jc_relayed_views *views, struct jc_awaited_view *awaited,
	const struct jc_relayed_frame *frame)
{
	views->late++;
	jc_relayed_view_apply(awaited->view, frame->tick, frame->packets, frame->length, true);
}

void jc_relayed_views_take(struct jc_relayed_views *views, struct jc_awaited_view *awaited,
	const struct jc_relayed_frame *frame, int64_t now_ns)
{
	views->frames++;
	if (!views->fanout || frame->length > JC_LIMIT_BUNDLE_BYTES) {
		awaited->view->damaged++;
		return;
	}
	if ((awaited->view->has_tick && frame->tick <= awaited->view->tick) ||
		(awaited->has_frame && frame->tick <= awaited->tick)) {
		views->repeated++;
		return;
	}
	if (views->is_waiting && frame->tick > views->waiting) {
		run(views, now_ns);
	}
	if (frame->is_early || (views->has_ticked && frame->tick <= views->ticked) ||
		(views->is_waiting && frame->tick < views->waiting)) {
		take_late(views, awaited, frame);
		return;
	}
	if (!views->is_waiting) {
		views->is_waiting = true;
		views->waiting = frame->tick;
		views->since_ns = now_ns;
	}
	awaited->has_frame = true;
	awaited->tick = frame->tick;
	awaited->sent_ns = frame->sent_ns;
	awaited->length = frame->length;
	memcpy(awaited->packets, frame->packets, frame->length);
	if (is_complete(views)) {
		run(views, now_ns);
	}
}

/* Uses a view, or else the one from which its streams are encoded. */
static void use_either(struct jc_relayed_views *views, const struct jc_stream_spec *spec)
{
	struct jc_stream_spec source = jc_stream_spec_source(spec->finest);

	if (!use(views, spec)) {
		use(views, &source);
	}
}

/* Uses what subscribers have asked for, whether or not a tick runs. */
static void use_all(struct jc_relayed_views *views)
{
	const struct jc_fanout *fanout = views->fanout;

	for (size_t i = 0; fanout && i < fanout->shared_view_count; i++) {
		if (fanout->shared_views[i]->views) {
			use_either(views, &fanout->shared_views[i]->spec);
		}
	}
	for (struct jc_view *view = fanout ? fanout->private_view : NULL; view; view = view->next) {
		const struct jc_view_options *options = &view->private_view->options;
		struct jc_stream_spec spec = options->asset
						     ? jc_stream_spec_source(options->spec.finest)
						     : options->spec;

		use_either(views, &spec);
	}
}

/* Removes the view at that index. */
static void drop(struct jc_relayed_views *views, size_t at)
{
	struct jc_awaited_view *awaited = views->list[at];

	views->gaps += awaited->view->gaps;
	if (views->on_unused) {
		views->on_unused(views, awaited);
	}
	destroy(awaited);
	views->list[at] = views->list[--views->count];
	views->is_changed = true;
}

void jc_relayed_views_sweep(struct jc_relayed_views *views, int64_t now_ns)
{
	views->now_ns = now_ns;
	use_all(views);
	for (size_t i = views->count; i-- > 0;) {
		if (now_ns - views->list[i]->used_ns >= JC_INTEREST_LASTS_NS) {
			drop(views, i);
		}
	}
}

void jc_relayed_views_refuse(struct jc_relayed_views *views, size_t at, int64_t now_ns)
{
	if (!jc_stream_spec_is_source(&views->list[at]->view->spec)) {
		drop(views, at);
		views->refused_until_ns = now_ns + REFUSED_NS;
	}
}
