/* Replaces sources and encoders of a relayed space by what its owner has received. */
#include "space/relay/space_relay.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_text.h"
#include "base/ticker.h"
#include "jointcast/transform.h"
#include "space/space_private.h"

/* The source of a relayed body: it delivers nothing, and holds the roster's entry of the body. */
struct relayed_source {
	struct jc_source base;
	bool is_live;
	char names[]; /* of its channels, each with a NUL */
};

static void sample_nothing(
	struct jc_source *source, int64_t now_ns, struct jc_source_sample *out_sample)
{
	(void)source;
	(void)now_ns;
	*out_sample = (struct jc_source_sample){ .held = true };
}

static void report(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct relayed_source *source = (const struct relayed_source *)base;

	*out_status = (struct jc_source_status){ .kind = "relay",
		.condition = source->is_live ? JC_SOURCE_LIVE : JC_SOURCE_STALE };
}

static void destroy_source(struct jc_source *source)
{
	free(source);
}

static const struct jc_source_ops source_ops = {
	.sample = sample_nothing, .status = report, .destroy = destroy_source
};

static struct relayed_source *create_source(
	const struct jc_relayed_body *relayed, unsigned revision)
{
	size_t bytes = 0;
	struct relayed_source *source;

	for (size_t i = 0; i < relayed->channel_count; i++) {
		bytes += strlen(relayed->channels[i]) + 1;
	}
	source = calloc(1, sizeof(*source) + bytes);
	if (!source) {
		return NULL;
	}
	source->base.ops = &source_ops;
	source->base.party = relayed->party;
	source->base.is_unrecorded = !relayed->may_record;
	source->base.is_unrelayed = !relayed->may_rebroadcast;
	source->is_live = relayed->is_live;
	for (size_t i = 0, at = 0; i < relayed->channel_count; i++) {
		const char *name = relayed->channels[i];

		strcpy(source->names + at, name);
		jc_source_add_channel(
			&source->base, source->names + at, jc_channel_value_count(name));
		at += strlen(name) + 1;
	}
	source->base.channels.revision = revision;
	return source;
}

bool jc_space_is_relayed(const struct jc_space *space)
{
	return space->relay != NULL;
}

bool jc_space_is_here(const struct jc_space *space, const struct jc_stream_spec *spec)
{
	return !space->relay || space->relay->ops->is_here(space->relay, spec);
}

void jc_space_subscribed(struct jc_space *space)
{
	if (space->relay) {
		space->relay->ops->subscribed(space->relay);
	}
}

/* No change is pending: the origin numbers the changes. */
static void settle(struct jc_space *space)
{
	space->has_news = space->waiting_changed = space->recording_changed = false;
	space->left_count = 0;
	for (size_t i = 0; i < space->body_count; i++) {
		space->bodies[i].has_news = false;
	}
	jc_shared_text_drop(space->roster);
	space->roster = NULL;
}

void jc_space_relay_begin(
	struct jc_space *space, struct jc_relay *relay, const struct jc_relay_epoch *epoch)
{
	assert(!space->players && space->waiting_count == 0);
	for (size_t i = 0; i < space->body_count; i++) {
		space->bodies[i].leaving = true;
	}
	jc_space_let_leavers_go(space);
	jc_space_relay_set_waiting(space, NULL);
	space->relay = relay;
	space->is_recorded = space->was_recorded = false;
	space->revision = 0;
	space->options.id = epoch->id;
	space->options.epoch = epoch->epoch;
	space->options.hz = epoch->hz;
	space->options.bodies = JC_MAX_BODIES;
	jc_space_relay_set_start(space, epoch->start_ns, epoch->start_us);
	settle(space);
}

void jc_space_relay_set_start(struct jc_space *space, int64_t start_ns, int64_t start_us)
{
	space->options.start_ns = start_ns;
	space->options.start_us = start_us;
	jc_shared_text_drop(space->roster);
	space->roster = NULL;
}

static struct jc_body *find(struct jc_space *space, uint32_t id)
{
	return (struct jc_body *)jc_space_find(space, id);
}

/* A body is on another skeleton only with another id; what breaks the rule leaves first. */
static struct jc_body *find_same(struct jc_space *space, const struct jc_relayed_body *relayed)
{
	struct jc_body *body = find(space, relayed->id);

	if (body && body->asset != relayed->asset) {
		jc_space_relay_remove(space, relayed->id);
		body = NULL;
	}
	return body;
}

static int enter(struct jc_space *space, const struct jc_relayed_body *relayed,
	struct relayed_source *source, struct jc_body **out_body)
{
	const struct jc_entry entry = { .name = relayed->name,
		.display = relayed->display,
		.asset = relayed->asset,
		.source = &source->base,
		.placement = &relayed->placement };
	uint32_t id;

	space->next_id = relayed->id;
	int status = jc_space_enter(space, &entry, &id);

	if (status == JC_OK) {
		*out_body = &space->bodies[space->body_count - 1];
	}
	return status;
}

int jc_space_relay_put(struct jc_space *space, const struct jc_relayed_body *relayed)
{
	struct jc_body *body = find_same(space, relayed);
	unsigned revision = body ? body->source->channels.revision + 1 : 1;
	struct relayed_source *source = create_source(relayed, revision);
	int status = JC_OK;

	if (!source) {
		return JC_ERROR_MEMORY;
	}
	if (body) {
		body->source->ops->destroy(body->source);
		body->source = &source->base;
		memset(body->display, 0, sizeof(body->display));
		strncpy(body->display, relayed->display ? relayed->display : "",
			sizeof(body->display) - 1);
	} else {
		status = enter(space, relayed, source, &body);
	}
	if (status != JC_OK) {
		free(source);
		return status;
	}
	body->avatar = relayed->avatar;
	body->placement = relayed->placement;
	body->seat_height = relayed->seat_height;
	body->incarnation = relayed->incarnation;
	body->live = relayed->is_live;
	body->is_hidden = relayed->is_hidden;
	body->is_muted = relayed->is_muted;
	body->is_waiting = relayed->is_waiting;
	body->priority = relayed->is_on_stage;
	body->channels = source->base.channels.value_count;
	body->channels_revision = revision;
	free(body->entry);
	body->entry = relayed->entry;
	return JC_OK;
}

void jc_space_relay_remove(struct jc_space *space, uint32_t id)
{
	struct jc_body *body = find(space, id);

	if (body) {
		body->leaving = true;
		jc_space_let_leavers_go(space);
	}
}

void jc_space_relay_set_live(struct jc_space *space, uint32_t id, bool is_live, char *entry)
{
	struct jc_body *body = find(space, id);

	if (!body) {
		free(entry);
		return;
	}
	body->live = is_live;
	((struct relayed_source *)body->source)->is_live = is_live;
	free(body->entry);
	body->entry = entry;
}

void jc_space_relay_set_recorded(struct jc_space *space, bool is_recorded)
{
	space->is_recorded = space->was_recorded = is_recorded;
}

void jc_space_relay_set_waiting(struct jc_space *space, char *waiting)
{
	free(space->waiting);
	space->waiting = waiting;
}

int jc_space_relay_announce(
	struct jc_space *space, uint64_t revision, struct jc_shared_text *change)
{
	struct jc_distribution *distribution = space->options.distribution;
	struct jc_announcement announcement = { .change = change };

	space->revision = revision;
	space->changes++;
	for (size_t i = 0; i < space->body_count; i++) {
		struct jc_body *body = &space->bodies[i];

		/* A complete roster may be the first text of a subscriber that names the body. */
		if (!body->is_announced || !change) {
			announcement.joined[announcement.joined_count++] = body;
		}
		body->is_announced = true;
	}
	settle(space);
	if (!change) {
		announcement.change = jc_space_roster(space);
	}
	if (!announcement.change) {
		return JC_ERROR_MEMORY;
	}
	distribution->ops->announce(distribution, &announcement);
	if (!change) {
		jc_shared_text_drop(announcement.change);
	}
	return JC_OK;
}

/* The position of the hips, for the level of detail; without packets above the placement. */
static void take_state(struct jc_space *space, struct jc_body *body, int64_t nominal_ns)
{
	struct jc_relayed_state state = { .cut = false };
	struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
	struct jc_vec3 hips = jc_vec3_scale(up, jc_skeleton_hips_height(body->asset->skeleton));

	space->relay->ops->state(space->relay, body, &state);
	if (state.cut) {
		jc_stream_table_cut(&space->streams, body->slot);
	}
	if (state.has_placement) {
		body->placement = state.placement;
	}
	if (state.has_hips) {
		hips = jc_vec3_add(hips, state.hips_translation);
	}
	if (state.has_age) {
		body->captured_ns = nominal_ns - (int64_t)state.capture_age_us * 1000;
	}
	body->position = jc_vec3_add(body->placement.position,
		jc_quat_rotate(jc_quat_from_axis_angle(up, body->placement.yaw), hips));
}

/* Whether the packets come from the origin. A stream that changes sides starts anew. */
static bool is_forwarded(
	struct jc_space *space, const struct jc_body *body, struct jc_body_stream *stream)
{
	bool is_forwarded = stream->asset == body->asset &&
			    space->relay->ops->forwards(space->relay, &stream->spec);

	if (stream->is_forwarded && !is_forwarded) {
		jc_body_stream_restart(stream);
	}
	return is_forwarded;
}

static void forward(struct jc_space *space, const struct jc_body *body,
	struct jc_body_stream *stream, uint32_t tick)
{
	stream->common.length = stream->rejoin.length = 0;
	space->relay->ops->packets(space->relay, body, &stream->spec, !stream->is_forwarded,
		stream->wants_rejoin, &stream->common, &stream->rejoin);
	jc_body_stream_forward(stream, tick, space->options.hz);
}

/* Prepares the encoding of streams on one skeleton. False: there is no sample. */
static bool fit(struct jc_space *space, const struct jc_body *body,
	const struct jc_body_stream *stream, int64_t nominal_ns, struct jc_fit *out_fit)
{
	struct jc_body_sample *sample = &space->body_samples[body->slot];

	if (!space->relay->ops->sample(space->relay, body, stream->spec.finest, sample)) {
		return false;
	}
	sample->head.body = body->id;
	sample->head.incarnation = body->incarnation;
	sample->instant = (struct jc_contact_instant){ .time_ns = nominal_ns,
		.captured_ns = nominal_ns - (int64_t)sample->head.capture_age_us * 1000 };
	jc_fit_init(out_fit, sample, stream);
	return true;
}

/* Streams with equal fits stand together. */
static void make_packets(
	struct jc_space *space, const struct jc_body *body, uint32_t tick, int64_t nominal_ns)
{
	const struct jc_body_stream *before = NULL;
	struct jc_fit shared;
	bool has_fit = false;

	for (struct jc_body_stream *stream = space->streams.body_streams[body->slot]; stream;
		stream = stream->next) {
		if (!stream->is_wanted) {
			continue;
		}
		if (is_forwarded(space, body, stream)) {
			if (jc_space_is_here(space, &stream->spec)) {
				forward(space, body, stream, tick);
				stream->is_forwarded = true;
			}
			continue;
		}
		if (!before || !jc_body_stream_shares_fit(before, stream)) {
			has_fit = fit(space, body, stream, nominal_ns, &shared);
		}
		before = stream;
		stream->is_forwarded = false;
		if (has_fit) {
			jc_body_stream_encode(stream, &shared, tick, space->options.hz);
		}
	}
}

void jc_space_relay_tick(struct jc_space *space, uint32_t tick)
{
	const struct jc_space_options *options = &space->options;
	struct jc_distribution *distribution = options->distribution;
	int64_t nominal_ns = jc_tick_time_ns(options->start_ns, options->hz, tick);

	jc_stream_table_begin(&space->streams);
	for (size_t i = 0; i < space->body_count; i++) {
		take_state(space, &space->bodies[i], nominal_ns);
	}
	distribution->ops->plan(distribution, tick);
	for (size_t i = 0; i < space->body_count; i++) {
		make_packets(space, &space->bodies[i], tick, nominal_ns);
	}
	distribution->ops->cast(distribution, tick);
}
