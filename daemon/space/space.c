/* The bodies of a space and their state. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_text.h"
#include "jointcast/transform.h"
#include "jointcast_private/text.h"
#include "source/capture_intake.h"
#include "space/space_private.h"

#define FARTHEST_STEP  1.0f /* a larger distance in metres between two placements is a jump */
#define LEAVE_AFTER_NS (JC_LEAVE_AFTER_S * INT64_C(1000000000))

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
	jc_space_set_leave_after(space, options->leave_after_ns);
	space->next_id = 1;
	space->announced_ns = INT64_MIN / 2;
	*out_space = space;
	return JC_OK;
}

/* The bodies in the space and the waiting ones. */
static size_t count_all(const struct jc_space *space)
{
	return space->body_count + space->waiting_count;
}

void jc_space_destroy(struct jc_space *space)
{
	if (!space) {
		return;
	}
	for (size_t i = 0; i < count_all(space); i++) {
		free(space->bodies[i].about);
		free(space->bodies[i].entry);
		space->bodies[i].source->ops->destroy(space->bodies[i].source);
		jc_contact_keeper_release(
			&space->streams.keepers[space->bodies[i].slot], space->bodies[i].keeper);
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
	free(space->waiting);
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

void jc_space_note_waiting(struct jc_space *space)
{
	space->waiting_changed = true;
	note_news(space);
}

/* Moves the body to another index; those between make room. */
static void move(struct jc_space *space, size_t from, size_t to)
{
	struct jc_body body = space->bodies[from];

	if (from < to) {
		memmove(&space->bodies[from], &space->bodies[from + 1], (to - from) * sizeof(body));
	} else {
		memmove(&space->bodies[to + 1], &space->bodies[to], (from - to) * sizeof(body));
	}
	space->bodies[to] = body;
}

/* The body, which no list contains any more, leaves the roster and the streams. */
static void retract(struct jc_space *space, struct jc_body *body)
{
	struct jc_distribution *distribution = space->options.distribution;

	free(body->entry);
	body->entry = NULL;
	if (body->is_announced) {
		space->left[space->left_count++] = body->id;
		note_news(space);
	}
	body->is_announced = false;
	space->changes++;
	distribution->ops->body_left(distribution, body->id, body->slot);
	jc_stream_table_vacate(&space->streams, body->slot);
}

/* Prepares contacts on the skeleton of the body. In a relayed space its origin keeps them. */
static int keep_contacts(
	struct jc_space *space, struct jc_body *body, struct jc_skeleton_asset *asset)
{
	struct jc_contact_keeper **keepers = &space->streams.keepers[body->slot], *keeper = NULL;

	if (space->options.contacts && !space->relay &&
		jc_contact_keeper_acquire(keepers, body->source->figure, asset, JC_PRECISION_FINE,
			&keeper) != JC_OK) {
		return JC_ERROR_MEMORY;
	}
	jc_contact_keeper_release(keepers, body->keeper);
	body->keeper = keeper;
	return JC_OK;
}

static void let_go(struct jc_space *space, size_t index)
{
	struct jc_body body = space->bodies[index];
	bool is_waiting = index >= space->body_count;

	move(space, index, count_all(space) - 1);
	space->waiting_count -= is_waiting;
	space->body_count -= !is_waiting;
	if (is_waiting) {
		jc_space_note_waiting(space);
	}
	if (body.spot) {
		body.spot->is_taken = false;
	}
	jc_source_totals_add(space->past_totals, body.source, &body.latency, &body.age, true);
	body.source->ops->destroy(body.source);
	free(body.about);
	jc_skeleton_asset_unuse(body.asset);
	if (!is_waiting) {
		retract(space, &body);
	}
	jc_contact_keeper_release(&space->streams.keepers[body.slot], body.keeper);
	space->is_taken[body.slot] = false;
}

void jc_space_let_leavers_go(struct jc_space *space)
{
	for (size_t i = count_all(space); i-- > 0;) {
		if (space->bodies[i].leaving) {
			let_go(space, i);
		}
	}
}

/* Another person may be tracked next, so the source forgets this one. */
void jc_space_let_away_wait(struct jc_space *space)
{
	for (size_t i = space->body_count; i-- > 0;) {
		if (!space->bodies[i].is_away) {
			continue;
		}
		struct jc_body *body = &space->bodies[--space->body_count];

		move(space, i, space->body_count);
		space->waiting_count++;
		jc_space_note_waiting(space);
		body->is_away = false;
		retract(space, body);
		if (body->source->intake) {
			jc_capture_intake_reset(body->source->intake);
		}
	}
}

void jc_space_appear(struct jc_space *space, size_t index)
{
	struct jc_distribution *distribution = space->options.distribution;
	struct jc_body *body = &space->bodies[space->body_count];

	move(space, index, space->body_count++);
	space->waiting_count--;
	jc_space_note_waiting(space);
	body->id = body->id == 0 ? body->first_id : space->next_id++;
	body->noted_channels = body->source->channels.revision;
	body->channels_revision = 0;
	body->channels = 0;
	jc_space_note(space, body);
	distribution->ops->body_entered(distribution, body);
}

struct jc_body *jc_space_reappear(
	struct jc_space *space, struct jc_body *body, struct jc_skeleton_asset *asset)
{
	size_t last = --space->body_count;

	move(space, (size_t)(body - space->bodies), last);
	space->waiting_count++;
	body = &space->bodies[last];
	retract(space, body);
	/* Without memory for contacts those of the new skeleton are not kept. */
	if (keep_contacts(space, body, asset) != JC_OK) {
		jc_contact_keeper_release(&space->streams.keepers[body->slot], body->keeper);
		body->keeper = NULL;
	}
	jc_skeleton_asset_use(asset);
	jc_skeleton_asset_unuse(body->asset);
	body->asset = asset;
	jc_space_appear(space, last);
	body->first_id = body->id;
	return body;
}

void jc_space_remove(struct jc_space *space, uint32_t first_id)
{
	for (size_t i = 0; i < count_all(space); i++) {
		if (space->bodies[i].first_id == first_id) {
			space->bodies[i].leaving = true;
		}
	}
}

/* Finds a place for a body without a placement. */
static void take_spot(struct jc_space *space, struct jc_body *body)
{
	const struct jc_source *source = body->source;
	float hips_height = jc_skeleton_hips_height(body->asset->skeleton);
	float pace = jc_body_pace(body);

	body->spot = jc_arrangement_take(&space->arrangement, source->reach * pace);
	body->placement = jc_placement_compensate(body->spot->placement,
		jc_vec3_scale(source->start_translation, pace), source->start_yaw);
	/* As far below the hips of a sitting body as in the source. */
	if (source->seat_height > 0.0f) {
		body->seat_height = hips_height + pace * (source->seat_height - 1.0f);
	}
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
	for (size_t i = 0; i < count_all(space); i++) {
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
	if (count_all(space) >= space->options.bodies) {
		return JC_ERROR_LIMIT;
	}

	struct jc_body *body = &space->bodies[count_all(space)];
	char name[JC_MAX_BODY_NAME];

	name_apart(space, entry->name, name);
	*body = (struct jc_body){ .first_id = space->next_id++,
		.slot = take_slot(space),
		.asset = jc_skeleton_asset_use(entry->asset),
		.avatar = entry->avatar ? *entry->avatar : (struct jc_worn_avatar){ .bytes = 0 },
		.live = !entry->source->is_awaited,
		.is_waiting = entry->source->is_awaited,
		.about = entry->about,
		.source = entry->source };
	if (keep_contacts(space, body, body->asset) != JC_OK) {
		jc_skeleton_asset_unuse(body->asset);
		space->is_taken[body->slot] = false;
		return JC_ERROR_MEMORY;
	}
	strcpy(body->name, name);
	strncpy(body->display, entry->display ? entry->display : "", sizeof(body->display) - 1);
	if (entry->placement) {
		body->placement = *entry->placement;
		body->seat_height = entry->seat_height;
	} else {
		take_spot(space, body);
	}
	body->position = body->placement.position;
	*out_id = body->first_id;
	space->waiting_count++;
	if (entry->source->comes_and_goes) {
		jc_space_note_waiting(space);
	} else {
		jc_space_appear(space, count_all(space) - 1);
	}
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
	return jc_stream_table_acquire(
		&space->streams, body->slot, body->source->figure, asset, spec, is_reserved);
}

bool jc_space_has(struct jc_space *space, const struct jc_body *body,
	const struct jc_skeleton_asset *asset, const struct jc_stream_spec *spec)
{
	return !space->relay || asset != body->asset ||
	       space->relay->ops->has(space->relay, body, spec);
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
	for (size_t i = 0; i < count_all(space); i++) {
		const struct jc_body *body = &space->bodies[i];

		jc_source_totals_add(out_tallies, body->source, &body->latency, &body->age, false);
	}
}

void jc_space_set_leave_after(struct jc_space *space, int64_t leave_after_ns)
{
	space->options.leave_after_ns = leave_after_ns > 0 ? leave_after_ns : LEAVE_AFTER_NS;
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
	return count_all(space) == 0 && !space->players;
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

float jc_body_pace(const struct jc_body *body)
{
	float stride = body->keeper ? body->keeper->stride : 1.0f;

	return stride * jc_skeleton_hips_height(body->asset->skeleton);
}

bool jc_body_is_shown(const struct jc_body *body)
{
	return !body->is_hidden && !body->is_waiting;
}

size_t jc_space_waiting_count(const struct jc_space *space)
{
	return space->waiting_count;
}

const struct jc_body *jc_space_waiting(const struct jc_space *space, size_t index)
{
	assert(index < space->waiting_count);
	return &space->bodies[space->body_count + index];
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
