/* The bodies of a space and their state. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_text.h"
#include "jointcast/transform.h"
#include "jointcast_private/text.h"
#include "space/space_private.h"

#define FARTHEST_STEP 1.0f /* a larger distance in metres between two placements is a jump */

int jc_space_create(const struct jc_space_options *options, struct jc_space **out_space)
{
	assert(strlen(options->name) < JC_MAX_SPACE_NAME);
	struct jc_space *space = calloc(1, sizeof(*space));

	if (!space) {
		return JC_ERROR_MEMORY;
	}
	space->options = *options;
	strcpy(space->name, options->name);
	space->options.name = space->name;
	jc_space_limit(space, options->bodies, options->stream_cap);
	space->next_id = 1;
	space->announced_ns = INT64_MIN / 2;
	*out_space = space;
	return JC_OK;
}

void jc_space_destroy(struct jc_space *space)
{
	if (!space) {
		return;
	}
	for (size_t i = 0; i < space->body_count; i++) {
		free(space->bodies[i].about);
		free(space->bodies[i].entry);
		space->bodies[i].source->ops->destroy(space->bodies[i].source);
		jc_skeleton_asset_unuse(space->bodies[i].asset);
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
	jc_stream_table_finish(&space->streams);
	jc_shared_text_drop(space->roster);
	free(space);
}

/* Marks a pending change of the roster. */
static void note_news(struct jc_space *space)
{
	struct jc_distribution *distribution = space->options.distribution;

	if (!space->has_news) {
		space->has_news = true;
		distribution->ops->roster_due(distribution);
	}
}

void jc_space_note(struct jc_space *space, struct jc_body *body)
{
	body->has_news = true;
	space->changes++;
	note_news(space);
}

static void let_go(struct jc_space *space, size_t index)
{
	struct jc_distribution *distribution = space->options.distribution;
	struct jc_body body = space->bodies[index];

	space->body_count--;
	memmove(&space->bodies[index], &space->bodies[index + 1],
		(space->body_count - index) * sizeof(body));
	if (body.spot) {
		body.spot->is_taken = false;
	}
	jc_source_totals_add(space->past_totals, body.source, &body.latency, &body.age, true);
	body.source->ops->destroy(body.source);
	free(body.about);
	free(body.entry);
	jc_skeleton_asset_unuse(body.asset);
	if (body.is_announced) {
		space->left[space->left_count++] = body.id;
		note_news(space);
	}
	space->changes++;
	distribution->ops->body_left(distribution, body.id, body.slot);
	jc_stream_table_vacate(&space->streams, body.slot);
	space->is_taken[body.slot] = false;
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

/* Finds a place for a body without a placement. */
static void take_spot(struct jc_space *space, struct jc_body *body)
{
	const struct jc_source *source = body->source;
	float hips_height = jc_skeleton_hips_height(body->asset->skeleton);

	body->spot = jc_arrangement_take(&space->arrangement, source->reach * hips_height);
	body->placement = jc_placement_compensate(body->spot->placement,
		jc_vec3_scale(source->start_translation, hips_height), source->start_yaw);
	body->seat_height = source->seat_height * hips_height;
}

static size_t take_slot(struct jc_space *space)
{
	size_t slot = 0;

	while (space->is_taken[slot]) {
		slot++;
	}
	space->is_taken[slot] = true;
	return slot;
}

const struct jc_body *jc_space_named(const struct jc_space *space, const char *name)
{
	for (size_t i = 0; i < space->body_count; i++) {
		if (!space->bodies[i].leaving && strcmp(space->bodies[i].name, name) == 0) {
			return &space->bodies[i];
		}
	}
	return NULL;
}

/* Makes the name unique: "Ada", else "Ada (2)" and so on; does not cut a UTF-8 character. */
static void name_apart(
	const struct jc_space *space, const char *name, char out_name[JC_MAX_BODY_NAME])
{
	char suffix[8] = "";

	for (unsigned number = 2;; number++) {
		size_t length = jc_utf8_cut(name, JC_MAX_BODY_NAME - 1 - strlen(suffix));

		snprintf(out_name, JC_MAX_BODY_NAME, "%.*s%s", (int)length, name, suffix);
		if (!jc_space_named(space, out_name)) {
			return;
		}
		snprintf(suffix, sizeof(suffix), " (%u)", number % 1000);
	}
}

int jc_space_enter(struct jc_space *space, const struct jc_entry *entry, uint32_t *out_id)
{
	jc_space_let_leavers_go(space);
	if (space->body_count >= space->options.bodies) {
		return JC_ERROR_LIMIT;
	}

	struct jc_distribution *distribution = space->options.distribution;
	struct jc_body *body = &space->bodies[space->body_count];
	char name[JC_MAX_BODY_NAME];

	name_apart(space, entry->name, name);
	*body = (struct jc_body){ .id = space->next_id++,
		.slot = take_slot(space),
		.asset = jc_skeleton_asset_use(entry->asset),
		.live = !entry->source->is_awaited,
		.about = entry->about,
		.source = entry->source };
	strcpy(body->name, name);
	strncpy(body->display, entry->display ? entry->display : "", sizeof(body->display) - 1);
	if (entry->placement) {
		body->placement = *entry->placement;
		body->seat_height = entry->seat_height;
	} else {
		take_spot(space, body);
	}
	body->position = body->placement.position;
	space->body_count++;
	body->noted_channels = body->source->channels.revision;
	*out_id = body->id;
	jc_space_note(space, body);
	distribution->ops->body_entered(distribution, body);
	return JC_OK;
}

int jc_space_add(struct jc_space *space, const char *name, struct jc_skeleton_asset *asset,
	struct jc_source *source)
{
	struct jc_entry entry = { .name = name, .asset = asset, .source = source };
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

static bool is_far(struct jc_vec3 a, struct jc_vec3 b)
{
	return !(jc_vec3_length(jc_vec3_subtract(a, b)) <= FARTHEST_STEP);
}

void jc_space_place(struct jc_space *space, uint32_t id, const struct jc_placement *placement,
	float seat_height, bool jumps)
{
	struct jc_body *body = (struct jc_body *)jc_space_find(space, id);

	if (!body || (memcmp(&body->placement, placement, sizeof(*placement)) == 0 &&
			     body->seat_height == seat_height)) {
		return;
	}
	if (body->spot) {
		body->spot->is_taken = false;
		body->spot = NULL;
	}
	jumps |= is_far(body->placement.position, placement->position) ||
		 body->seat_height != seat_height;
	body->placement = *placement;
	body->seat_height = seat_height;
	body->has_moved = true;
	body->jumps |= jumps;
	if (jumps) {
		jc_space_note(space, body);
	} else {
		body->has_news = true;
		space->has_movers = true;
		note_news(space);
	}
}

void jc_space_describe(struct jc_space *space, uint32_t id, const char *display, char *about)
{
	struct jc_body *body = (struct jc_body *)jc_space_find(space, id);

	if (!body) {
		free(about);
		return;
	}
	const char *said = body->about ? body->about : "{}";
	bool is_new = (display && strcmp(display, body->display) != 0) ||
		      (about && strcmp(about, said) != 0);

	if (display) {
		memset(body->display, 0, sizeof(body->display));
		strncpy(body->display, display, sizeof(body->display) - 1);
	}
	if (about) {
		free(body->about);
		body->about = about;
	}
	if (is_new) {
		jc_space_note(space, body);
	}
}

static void report_withdrawal(struct jc_space *space, const struct jc_body *body)
{
	for (struct jc_sink *sink = space->sinks; sink; sink = sink->next) {
		if (sink->ops->withdrawn) {
			sink->ops->withdrawn(sink, space, body);
		}
	}
}

void jc_space_moderate(struct jc_space *space, uint32_t id, bool is_hidden, bool is_muted)
{
	struct jc_body *body = (struct jc_body *)jc_space_find(space, id);

	if (body && (body->is_hidden != is_hidden || body->is_muted != is_muted)) {
		if (is_hidden && !body->is_hidden) {
			report_withdrawal(space, body);
		}
		body->is_hidden = is_hidden;
		body->is_muted = is_muted;
		jc_space_note(space, body);
	}
}

void jc_space_stage(struct jc_space *space, uint32_t id, bool is_on_stage)
{
	struct jc_body *body = (struct jc_body *)jc_space_find(space, id);

	if (body && body->priority != is_on_stage) {
		body->priority = is_on_stage;
		jc_space_note(space, body);
	}
}

void jc_space_consent(struct jc_space *space, uint32_t id, const struct jc_consent *consent)
{
	struct jc_body *body = (struct jc_body *)jc_space_find(space, id);
	struct jc_source *source = body ? body->source : NULL;

	if (!source || (source->is_unrecorded == !consent->may_record &&
			       source->is_anonymous == !consent->may_record_raw &&
			       source->is_unrelayed == !consent->may_rebroadcast)) {
		return;
	}
	if (!source->is_unrecorded && !consent->may_record) {
		report_withdrawal(space, body);
	}
	source->is_unrecorded = !consent->may_record;
	source->is_anonymous = !consent->may_record_raw;
	source->is_unrelayed = !consent->may_rebroadcast;
	jc_space_note(space, body);
}

void jc_space_add_sink(struct jc_space *space, struct jc_sink *sink)
{
	sink->next = space->sinks;
	space->sinks = sink;
}

void jc_space_set_recorded(struct jc_space *space, bool is_recorded)
{
	if (space->is_recorded != is_recorded) {
		space->is_recorded = is_recorded;
		space->recording_changed = is_recorded != space->was_recorded;
		space->changes++;
		note_news(space);
	}
}

void jc_space_remove_sink(struct jc_space *space, struct jc_sink *sink)
{
	struct jc_sink **at = &space->sinks;

	while (*at != sink) {
		at = &(*at)->next;
	}
	*at = sink->next;
}

struct jc_body_stream *jc_space_acquire(struct jc_space *space, const struct jc_body *body,
	struct jc_skeleton_asset *asset, const struct jc_stream_spec *spec, bool is_reserved)
{
	return jc_stream_table_acquire(&space->streams, body->slot, asset, spec, is_reserved);
}

void jc_space_release(struct jc_body_stream *body_stream)
{
	jc_stream_table_release(body_stream);
}

size_t jc_space_stream_count(const struct jc_space *space)
{
	return space->streams.count;
}

const struct jc_body_stream *jc_space_streams(
	const struct jc_space *space, const struct jc_body *body)
{
	return space->streams.body_streams[body->slot];
}

void jc_space_restart_streams(struct jc_space *space, const struct jc_body *body)
{
	jc_stream_table_restart(&space->streams, body->slot);
}

void jc_space_tally(
	const struct jc_space *space, struct jc_source_totals out_tallies[JC_SOURCE_KINDS])
{
	memcpy(out_tallies, space->past_totals, sizeof(space->past_totals));
	for (size_t i = 0; i < space->body_count; i++) {
		const struct jc_body *body = &space->bodies[i];

		jc_source_totals_add(out_tallies, body->source, &body->latency, &body->age, false);
	}
}

void jc_space_limit(struct jc_space *space, size_t bodies, size_t stream_cap)
{
	space->streams.cap = stream_cap > 0 ? stream_cap : JC_MAX_STREAMS;
	space->options.bodies = bodies > 0 && bodies < JC_MAX_BODIES ? bodies : JC_MAX_BODIES;
}

bool jc_space_is_idle(const struct jc_space *space)
{
	for (const struct jc_sink *sink = space->sinks; sink; sink = sink->next) {
		if (!sink->is_aside) {
			return false;
		}
	}
	return space->body_count == 0 && !space->players;
}

const struct jc_space_options *jc_space_options(const struct jc_space *space)
{
	return &space->options;
}

uint64_t jc_space_revision(const struct jc_space *space)
{
	return space->revision;
}

uint64_t jc_space_changes(const struct jc_space *space)
{
	return space->changes;
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
