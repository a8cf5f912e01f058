/* Nothing is allocated per tick: variants have all that they need from the
 * moment that somebody wishes for them. */
#include "space/space.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticker.h"
#include "jointcast/retarget.h"
#include "jointcast/transform.h"

struct jc_space {
	struct jc_space_options options;
	char name[JC_MAX_SPACE_NAME];
	uint64_t revision;
	uint32_t next_id;
	size_t body_count;
	struct jc_body bodies[JC_MAX_BODIES];
	struct jc_arrangement arrangement;
	struct jc_tally gone[JC_TALLIES]; /* of who has left */
	struct jc_sink *sinks;            /* owned */
	struct jc_player *players;        /* owned */
	struct jc_variant *plain;         /* owned: coding 1 */
	size_t variant_count;
	struct jc_variant *variants[JC_MAX_VARIANTS]; /* owned: with chains */
};

int jc_space_create(const struct jc_space_options *options, struct jc_space **out_space)
{
	assert(strlen(options->name) < JC_MAX_SPACE_NAME);
	static const struct jc_wish plain = { .rate = 1 };
	struct jc_space *space = calloc(1, sizeof(*space));

	if (!space) {
		return JC_ERROR_MEMORY;
	}
	int status = jc_variant_create(&plain, &space->plain);

	if (status != JC_OK) {
		free(space);
		return status;
	}
	space->options = *options;
	strcpy(space->name, options->name);
	space->options.name = space->name;
	space->next_id = 1;
	*out_space = space;
	return JC_OK;
}

void jc_space_destroy(struct jc_space *space)
{
	if (!space) {
		return;
	}
	for (size_t i = 0; i < space->body_count; i++) {
		space->bodies[i].source->ops->destroy(space->bodies[i].source);
		jc_outfit_take_off(space->bodies[i].outfit);
	}
	while (space->sinks) {
		struct jc_sink *sink = space->sinks;

		space->sinks = sink->next;
		sink->ops->destroy(sink);
	}
	while (space->players) {
		struct jc_player *player = space->players;

		space->players = player->next;
		player->ops->destroy(player);
	}
	for (size_t i = 0; i < space->variant_count; i++) {
		jc_variant_destroy(space->variants[i]);
	}
	jc_variant_destroy(space->plain);
	free(space);
}

static void announce(struct jc_space *space, const struct jc_body *body, bool joined)
{
	struct jc_distribution *distribution = space->options.distribution;

	space->revision++;
	distribution->ops->body_changed(distribution, body, joined);
}

static void let_go(struct jc_space *space, size_t index)
{
	struct jc_distribution *distribution = space->options.distribution;
	struct jc_body body = space->bodies[index];

	space->body_count--;
	memmove(&space->bodies[index], &space->bodies[index + 1],
		(space->body_count - index) * sizeof(body));
	jc_variant_remove(space->plain, index);
	for (size_t i = 0; i < space->variant_count; i++) {
		jc_variant_remove(space->variants[i], index);
	}
	if (body.spot) {
		body.spot->is_taken = false;
	}
	jc_tally_add(space->gone, body.source, &body.latency, true);
	body.source->ops->destroy(body.source);
	jc_outfit_take_off(body.outfit);
	space->revision++;
	distribution->ops->body_left(distribution, body.id);
}

void jc_space_let_leavers_go(struct jc_space *space)
{
	for (size_t i = space->body_count; i-- > 0;) {
		if (space->bodies[i].leaving) {
			let_go(space, i);
		}
	}
}

void jc_space_remove(struct jc_space *space, uint32_t id)
{
	for (size_t i = 0; i < space->body_count; i++) {
		if (space->bodies[i].id == id) {
			space->bodies[i].leaving = true;
		}
	}
}

/* Where a body stands that nobody placed. */
static void take_spot(struct jc_space *space, struct jc_body *body)
{
	const struct jc_source *source = body->source;
	float hips_height = jc_skeleton_hips_height(body->outfit->skeleton);

	body->spot = jc_arrangement_take(&space->arrangement, source->reach * hips_height);
	body->placement = jc_placement_compensate(body->spot->placement,
		jc_vec3_scale(source->start_translation, hips_height), source->start_yaw);
	body->seat_height = source->seat_height * hips_height;
}

int jc_space_enter(struct jc_space *space, const struct jc_entry *entry, uint32_t *out_id)
{
	jc_space_let_leavers_go(space);
	if (space->body_count == JC_MAX_BODIES) {
		return JC_ERROR_LIMIT;
	}

	struct jc_body *body = &space->bodies[space->body_count];

	assert(entry->id == 0 || entry->id >= space->next_id);
	*body = (struct jc_body){ .id = entry->id ? entry->id : space->next_id,
		.outfit = jc_outfit_wear(entry->outfit),
		.live = !entry->source->is_awaited,
		.source = entry->source };
	space->next_id = body->id + 1;
	strncpy(body->name, entry->name, sizeof(body->name) - 1);
	if (entry->placement) {
		body->placement = *entry->placement;
		body->seat_height = entry->seat_height;
	} else {
		take_spot(space, body);
	}
	space->body_count++;
	body->channels_revision = body->source->channels.revision;
	*out_id = body->id;
	announce(space, body, true);
	return JC_OK;
}

int jc_space_add(struct jc_space *space, const char *name, struct jc_outfit *outfit,
	struct jc_source *source)
{
	struct jc_entry entry = { .name = name, .outfit = outfit, .source = source };
	uint32_t id;

	return jc_space_enter(space, &entry, &id);
}

void jc_space_add_player(struct jc_space *space, struct jc_player *player)
{
	player->next = space->players;
	space->players = player;
}

void jc_space_remove_player(struct jc_space *space, struct jc_player *player)
{
	struct jc_player **at = &space->players;

	while (*at != player) {
		at = &(*at)->next;
	}
	*at = player->next;
	player->ops->destroy(player);
}

void jc_space_add_sink(struct jc_space *space, struct jc_sink *sink)
{
	sink->next = space->sinks;
	space->sinks = sink;
}

static void drop_unused(struct jc_space *space)
{
	size_t kept = 0;

	for (size_t i = 0; i < space->variant_count; i++) {
		if (space->variants[i]->users > 0) {
			space->variants[kept++] = space->variants[i];
		} else {
			jc_variant_destroy(space->variants[i]);
		}
	}
	space->variant_count = kept;
}

static struct jc_variant *find_variant(struct jc_space *space, const struct jc_wish *wish)
{
	struct jc_variant *variant;

	if (!wish->chains) {
		return space->plain;
	}
	for (size_t i = 0; i < space->variant_count; i++) {
		if (jc_wish_equal(&space->variants[i]->wish, wish)) {
			return space->variants[i];
		}
	}
	drop_unused(space);
	if (space->variant_count == JC_MAX_VARIANTS || jc_variant_create(wish, &variant) != JC_OK) {
		return space->plain;
	}
	space->variants[space->variant_count++] = variant;
	return variant;
}

struct jc_variant *jc_space_acquire(struct jc_space *space, const struct jc_wish *wish)
{
	struct jc_variant *variant = find_variant(space, wish);

	variant->users++;
	return variant;
}

void jc_space_release(struct jc_variant *variant)
{
	assert(variant->users > 0);
	variant->users--;
}

size_t jc_space_variant_count(const struct jc_space *space)
{
	return space->variant_count;
}

static void begin_variant(struct jc_space *space, struct jc_variant *variant,
	const struct jc_bundle_head *head, int64_t now_ns)
{
	struct jc_distribution *distribution = space->options.distribution;

	variant->due = variant->users > 0 && head->tick % variant->wish.rate == 0;
	if (variant->due) {
		jc_variant_begin(variant, head, now_ns,
			variant->wish.chains &&
				distribution->ops->wants_rejoin(distribution, variant, head->tick));
	}
}

static void end_variant(struct jc_space *space, struct jc_variant *variant)
{
	struct jc_distribution *distribution = space->options.distribution;

	if (variant->due && jc_variant_end(variant)) {
		distribution->ops->bundle(distribution, variant, &variant->common,
			variant->rejoins ? &variant->rejoin : NULL);
	}
}

static int32_t clamp_us(int64_t us)
{
	return (int32_t)(us > INT32_MAX ? INT32_MAX : us < -INT32_MAX ? -INT32_MAX : us);
}

static void tick_body(struct jc_space *space, size_t index, int64_t nominal_ns)
{
	struct jc_body *body = &space->bodies[index];
	struct jc_source_sample sample;
	struct jc_skeleton_pose pose;

	body->source->ops->sample(body->source, nominal_ns, &sample);
	if (sample.live != body->live ||
		body->source->channels.revision != body->channels_revision) {
		body->live = sample.live;
		body->channels_revision = body->source->channels.revision;
		announce(space, body, false);
	}
	if (!sample.held && sample.live) {
		body->captured_ns = sample.capture_ns;
	}
	jc_retargeter_apply(body->outfit->retargeter, &sample.pose, &pose);
	body->values = sample.values;
	for (struct jc_sink *sink = space->sinks; sink; sink = sink->next) {
		if (sink->ops->sample) {
			sink->ops->sample(sink, body, &sample);
		}
		if (sink->ops->pose) {
			sink->ops->pose(sink, body, &pose, nominal_ns);
		}
	}
	body->values = NULL;

	int64_t age_us = (nominal_ns - sample.capture_ns) / 1000;
	struct jc_moment moment = { .body = index,
		.outfit = body->outfit,
		.pose = &pose,
		.channels = &body->source->channels,
		.values = sample.values,
		.head = { .body = body->id,
			.incarnation = body->incarnation,
			.cut = sample.cut,
			.capture_age_us = clamp_us(age_us) } };

	jc_variant_add(space->plain, &moment, space->options.hz);
	for (size_t i = 0; i < space->variant_count; i++) {
		jc_variant_add(space->variants[i], &moment, space->options.hz);
	}
}

void jc_space_tick(struct jc_space *space, uint32_t tick, int64_t now_ns)
{
	const struct jc_space_options *options = &space->options;
	int64_t nominal_ns = jc_tick_time_ns(options->start_ns, options->hz, tick);
	struct jc_bundle_head head = { .space = options->id, .tick = tick };

	assert(now_ns >= nominal_ns);
	for (struct jc_player *player = space->players; player; player = player->next) {
		player->ops->tick(player, space, tick, nominal_ns);
	}
	jc_space_let_leavers_go(space);
	drop_unused(space);
	begin_variant(space, space->plain, &head, now_ns);
	for (size_t i = 0; i < space->variant_count; i++) {
		begin_variant(space, space->variants[i], &head, now_ns);
	}
	for (size_t i = 0; i < space->body_count; i++) {
		tick_body(space, i, nominal_ns);
	}
	for (struct jc_sink *sink = space->sinks; sink; sink = sink->next) {
		if (sink->ops->ticked) {
			sink->ops->ticked(sink, space, tick, nominal_ns);
		}
	}
	end_variant(space, space->plain);
	for (size_t i = 0; i < space->variant_count; i++) {
		end_variant(space, space->variants[i]);
	}
}

void jc_space_written(struct jc_space *space, int64_t now_ns)
{
	for (size_t i = 0; i < space->body_count; i++) {
		struct jc_body *body = &space->bodies[i];

		if (body->captured_ns > body->written_ns) {
			jc_histogram_add(&body->latency, now_ns - body->captured_ns);
			body->written_ns = body->captured_ns;
		}
	}
}

void jc_space_tally(const struct jc_space *space, struct jc_tally out_tallies[JC_TALLIES])
{
	memcpy(out_tallies, space->gone, sizeof(space->gone));
	for (size_t i = 0; i < space->body_count; i++) {
		jc_tally_add(
			out_tallies, space->bodies[i].source, &space->bodies[i].latency, false);
	}
}

const struct jc_space_options *jc_space_options(const struct jc_space *space)
{
	return &space->options;
}

uint64_t jc_space_revision(const struct jc_space *space)
{
	return space->revision;
}

size_t jc_space_body_count(const struct jc_space *space)
{
	return space->body_count;
}

const struct jc_body *jc_space_body(const struct jc_space *space, size_t index)
{
	assert(index < space->body_count);
	return &space->bodies[index];
}

const struct jc_body *jc_space_find(const struct jc_space *space, int64_t id)
{
	for (size_t i = 0; i < space->body_count; i++) {
		if (space->bodies[i].id == id && !space->bodies[i].leaving) {
			return &space->bodies[i];
		}
	}
	return NULL;
}
