/* Composes the roster from the entries of bodies, which are kept as JSON text. */
#include "space/roster.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"
#include "space/space_private.h"

/* Single precision reads back exactly from nine digits. */
#define ENTRY_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(9))

/* NULL where the body has no channels. */
static json_t *pack_channels(const struct jc_source_channels *channels)
{
	json_t *names = channels->count > 0 ? json_array() : NULL;

	for (size_t i = 0; i < channels->count; i++) {
		json_t *name = json_string(channels->names[i]);

		/* A name that is not UTF-8 still gets an entry. */
		json_array_append_new(names, name ? name : json_string(""));
	}
	return names;
}

/* NULL where the body wears no avatar. */
static json_t *pack_avatar(const struct jc_worn_avatar *avatar)
{
	return avatar->hash[0]
		       ? json_pack("{ss sI sI}", "hash", avatar->hash, "bytes",
				 (json_int_t)avatar->bytes, "index", (json_int_t)avatar->index)
		       : NULL;
}

/* Returns NULL when there is nothing to announce. */
static json_t *pack_meta(const struct jc_body *body)
{
	json_t *meta = body->about ? json_loads(body->about, 0, NULL) : NULL;

	if (meta && json_object_size(meta) == 0) {
		json_decref(meta);
		return NULL;
	}
	return meta;
}

static json_t *pack_body(const struct jc_body *body)
{
	const struct jc_placement *placement = &body->placement;
	json_t *seat =
		body->seat_height > 0.0f ? json_pack("{sf}", "height", body->seat_height) : NULL;

	return json_pack(
		"{sI ss ss so* so* si s{s[fff] sf} so* so* ss so* so* so* so* so* so* ss* so*}",
		"id", (json_int_t)body->id, "name", body->name, "skeleton", body->asset->hash,
		"avatar", body->is_bare ? NULL : pack_avatar(&body->avatar), "contacts",
		body->keeper ? json_true() : NULL, "incarnation", body->incarnation, "placement",
		"position", placement->position.x, placement->position.y, placement->position.z,
		"yaw", placement->yaw, "seat", seat, "channels",
		pack_channels(&body->source->channels), "state", body->live ? "live" : "stale",
		"mayRecord", body->source->is_unrecorded ? NULL : json_true(), "mayRebroadcast",
		body->source->is_unrelayed ? NULL : json_true(), "hidden",
		body->is_hidden ? json_true() : NULL, "muted", body->is_muted ? json_true() : NULL,
		"waiting", body->is_waiting ? json_true() : NULL, "stage",
		body->priority > 0 ? json_true() : NULL, "display",
		body->display[0] ? body->display : NULL, "meta", pack_meta(body));
}

/* False without memory. */
static bool write_entry(struct jc_body *body)
{
	json_t *entry = pack_body(body);
	char *text = entry ? json_dumps(entry, ENTRY_FLAGS) : NULL;

	json_decref(entry);
	if (text) {
		free(body->entry);
		body->entry = text;
	}
	return text != NULL;
}

static json_t *pack_waiting(const struct jc_body *body)
{
	struct jc_source_status status = { 0 };

	body->source->ops->status(body->source, &status);
	return json_pack("{ss ss ss*}", "name", body->name, "source", status.kind, "reason",
		body->source->reason);
}

/* Formats the list of waiting bodies, and clears its mark if it is as announced. False without
 * memory. */
static bool write_waiting(struct jc_space *space)
{
	const char *announced = space->waiting ? space->waiting : "[]";
	json_t *list = space->waiting_changed ? json_array() : NULL;
	char *text = NULL;

	if (!space->waiting_changed) {
		return true;
	}
	for (size_t i = 0; i < jc_space_waiting_count(space); i++) {
		json_array_append_new(list, pack_waiting(jc_space_waiting(space, i)));
	}
	text = list ? json_dumps(list, ENTRY_FLAGS) : NULL;
	json_decref(list);
	if (!text) {
		return false;
	}
	if (strcmp(text, announced) == 0) {
		space->waiting_changed = false;
		free(text);
		return true;
	}
	free(space->waiting);
	space->waiting = text;
	return true;
}

static bool write_entries(struct jc_space *space)
{
	for (size_t i = 0; i < space->body_count; i++) {
		if (space->bodies[i].has_news && !write_entry(&space->bodies[i])) {
			return false;
		}
	}
	return true;
}

/* The lists of a roster message. */
enum list { JOINED, CHANGED, BODIES };

static bool is_listed(const struct jc_body *body, enum list list)
{
	switch (list) {
	case JOINED:
		return body->has_news && !body->is_announced;
	case CHANGED:
		return body->has_news && body->is_announced;
	default:
		return body->is_announced;
	}
}

/* Appends the entries of a list with commas. Returns their number. */
static size_t put_entries(FILE *stream, const struct jc_space *space, enum list list)
{
	size_t count = 0;

	for (size_t i = 0; i < space->body_count; i++) {
		if (is_listed(&space->bodies[i], list)) {
			fputs(count++ > 0 ? "," : "", stream);
			fputs(space->bodies[i].entry, stream);
		}
	}
	return count;
}

static bool has_any(const struct jc_space *space, enum list list)
{
	for (size_t i = 0; i < space->body_count; i++) {
		if (is_listed(&space->bodies[i], list)) {
			return true;
		}
	}
	return false;
}

static void put_list(FILE *stream, const struct jc_space *space, const char *key, enum list list)
{
	if (has_any(space, list)) {
		fprintf(stream, ",\"%s\":[", key);
		put_entries(stream, space, list);
		fputc(']', stream);
	}
}

static void put_change(FILE *stream, const struct jc_space *space)
{
	fprintf(stream, "{\"type\":\"roster\",\"space\":\"%s\",\"revision\":%" PRIu64, space->name,
		space->revision + 1);
	put_list(stream, space, "joined", JOINED);
	for (size_t i = 0; i < space->left_count; i++) {
		fprintf(stream, "%s%" PRIu32, i == 0 ? ",\"left\":[" : ",", space->left[i]);
	}
	fputs(space->left_count > 0 ? "]" : "", stream);
	put_list(stream, space, "changed", CHANGED);
	if (space->recording_changed) {
		fprintf(stream, ",\"recording\":%s", space->is_recorded ? "true" : "false");
	}
	if (space->waiting_changed) {
		fprintf(stream, ",\"waiting\":%s", space->waiting);
	}
	fputc('}', stream);
}

static void put_complete(FILE *stream, const struct jc_space *space)
{
	const struct jc_space_options *options = &space->options;

	fprintf(stream,
		"{\"type\":\"roster\",\"space\":\"%s\",\"id\":%" PRIu32 ",\"epoch\":\"%" PRIx64
		"\",\"revision\":%" PRIu64 ",\"tickHz\":%" PRIu32 ",\"tickTime\":%" PRId64
		",\"recording\":%s,\"bodies\":[",
		space->name, options->id, options->epoch, space->revision, options->hz,
		options->start_us, space->was_recorded ? "true" : "false");
	put_entries(stream, space, BODIES);
	fputc(']', stream);
	if (space->waiting) {
		fprintf(stream, ",\"waiting\":%s", space->waiting);
	}
	fputc('}', stream);
}

/* NULL without memory. */
static struct jc_shared_text *write_text(
	const struct jc_space *space, void (*put)(FILE *stream, const struct jc_space *space))
{
	struct jc_shared_text *text = NULL;
	char *bytes = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&bytes, &length);

	if (!stream) {
		return NULL;
	}
	put(stream, space);
	if (fclose(stream) == 0) {
		text = jc_shared_text_create(bytes, length);
	}
	free(bytes);
	return text;
}

/* Clears all pending changes after the announcement. */
static void settle(struct jc_space *space, struct jc_announcement *out_announcement)
{
	space->revision++;
	space->changes += space->has_movers;
	space->has_movers = false;
	for (size_t i = 0; i < space->body_count; i++) {
		struct jc_body *body = &space->bodies[i];

		if (is_listed(body, JOINED)) {
			out_announcement->joined[out_announcement->joined_count++] = body;
		}
		if (body->has_news) {
			body->is_announced = true;
			body->has_news = false;
			body->channels = body->source->channels.value_count;
			body->channels_revision = body->source->channels.revision;
		}
	}
	space->left_count = 0;
	space->was_recorded = space->is_recorded;
	space->recording_changed = false;
	space->waiting_changed = false;
	space->has_news = false;
	jc_shared_text_drop(space->roster);
	space->roster = NULL;
}

/* Returns false if all changes cancel out, for example a body that entered and left between two
 * announcements. */
static bool differs(const struct jc_space *space)
{
	return has_any(space, JOINED) || has_any(space, CHANGED) || space->left_count > 0 ||
	       space->recording_changed || space->waiting_changed;
}

int jc_roster_announce(struct jc_space *space, struct jc_announcement *out_announcement)
{
	struct jc_shared_text *change;

	if (!write_waiting(space)) {
		return JC_ERROR_MEMORY;
	}
	if (!differs(space)) {
		space->has_news = space->has_movers = false;
		return JC_ERROR_ABSENT;
	}
	change = write_entries(space) ? write_text(space, put_change) : NULL;
	if (!change) {
		return JC_ERROR_MEMORY;
	}
	out_announcement->change = change;
	out_announcement->joined_count = 0;
	settle(space, out_announcement);
	return JC_OK;
}

void jc_space_catch_up(struct jc_space *space)
{
	struct jc_announcement announcement;

	if (space->has_news && jc_roster_announce(space, &announcement) == JC_OK) {
		struct jc_distribution *distribution = space->options.distribution;

		/* Views that do not count as subscribers. */
		distribution->ops->announce(distribution, &announcement);
		jc_shared_text_drop(announcement.change);
	}
}

struct jc_shared_text *jc_space_roster(struct jc_space *space)
{
	if (!space->roster) {
		space->roster = write_text(space, put_complete);
	}
	return space->roster ? jc_shared_text_hold(space->roster) : NULL;
}
