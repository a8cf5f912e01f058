/* A list of messages as a recorder makes them, from which the oldest are dropped. The
 * skeletons and the last roster among the dropped messages are kept: they apply at the start. */
#include "replay/rewind_buffer.h"

#include <stdlib.h>

#include "jointcast/limits.h"
#include "record/record_captures.h"
#include "record/record_queue.h"
#include "record/record_roster.h"
#include "replay/rewind_bodies.h"
#include "replay/rewind_erasure.h"
#include "space/relay/space_relay.h"

/* Maximum number of bodies in all rosters, except the first, of one recording. */
#define LISTED (JC_LIMIT_ROSTER_ENTRIES - JC_MAX_BODIES - 1)

/* The overhead of an entry. */
#define ENTRY_BYTES (sizeof(struct jc_record_entry) + 16)

struct jc_rewind_buffer {
	struct jc_sink base;
	struct jc_space *space; /* borrowed; owns this buffer */
	const struct jc_clock *clock;
	int64_t span_us;
	size_t capacity;
	struct jc_record_roster roster;
	struct jc_record_captures *captures; /* owned */
	struct jc_record_queue recent;
	size_t entry_count;
	size_t listed; /* bodies in all rosters of `recent` */
	/* The state at the beginning of `recent`. */
	size_t skeleton_count;
	struct jc_record_entry *skeletons[JC_MAX_RECORDED_SKELETONS]; /* owned */
	struct jc_record_entry *last_roster;                          /* owned; NULL: none */
	struct jc_rewind_bodies rewind_bodies;
};

static int64_t server_us(const struct jc_rewind_buffer *rewind_buffer, int64_t now_ns)
{
	int64_t time_us = jc_clock_server_us(rewind_buffer->clock, now_ns);

	return time_us > 0 ? time_us : 0;
}

static void forget_skeletons(struct jc_rewind_buffer *rewind_buffer)
{
	while (rewind_buffer->skeleton_count > 0) {
		free(rewind_buffer->skeletons[--rewind_buffer->skeleton_count]);
	}
}

/* Keeps the state of an entry that is too old; steals it. */
static void absorb(struct jc_rewind_buffer *rewind_buffer, struct jc_record_entry *entry)
{
	if (entry->role == JC_RECORD_ANEW) {
		forget_skeletons(rewind_buffer);
	}
	if (entry->topic == JC_TOPIC_SKELETON &&
		rewind_buffer->skeleton_count < JC_MAX_RECORDED_SKELETONS) {
		rewind_buffer->skeletons[rewind_buffer->skeleton_count++] = entry;
	} else if (entry->topic == JC_TOPIC_ROSTER) {
		free(rewind_buffer->last_roster);
		rewind_buffer->last_roster = entry;
	} else {
		free(entry);
	}
}

static bool is_full(const struct jc_rewind_buffer *rewind_buffer)
{
	return rewind_buffer->recent.bytes + rewind_buffer->entry_count * ENTRY_BYTES >
		       rewind_buffer->capacity ||
	       rewind_buffer->listed > LISTED;
}

static size_t listed_in(const struct jc_record_entry *entry)
{
	return entry->topic == JC_TOPIC_ROSTER ? entry->bodies + 1u : 0;
}

static void forget_old(struct jc_rewind_buffer *rewind_buffer, int64_t now_us)
{
	const struct jc_record_entry *first;

	while ((first = rewind_buffer->recent.first) != NULL &&
		(first->time_us < now_us - rewind_buffer->span_us || is_full(rewind_buffer))) {
		rewind_buffer->entry_count--;
		rewind_buffer->listed -= listed_in(first);
		absorb(rewind_buffer, jc_record_queue_take(&rewind_buffer->recent));
	}
	/* The last roster may still list bodies without remaining motion. */
	if (rewind_buffer->last_roster) {
		jc_rewind_bodies_drop(
			&rewind_buffer->rewind_bodies, rewind_buffer->last_roster->time_us);
	}
}

/* Erases withdrawn bodies from an entry. Returns false if it is then empty. */
static bool cut(struct jc_rewind_buffer *rewind_buffer, struct jc_record_entry *entry)
{
	if (entry->topic == JC_TOPIC_ROSTER) {
		entry->length = jc_rewind_erasure_of_roster(
			(char *)entry->bytes, entry->length, &rewind_buffer->rewind_bodies);
	} else if (entry->topic == JC_TOPIC_CAPTURES) {
		entry->length = jc_rewind_erasure_of_captures(
			entry->bytes, entry->length, &rewind_buffer->rewind_bodies);
	}
	return entry->length > 0;
}

/* Removes the entry from the list. */
static void drop(struct jc_rewind_buffer *rewind_buffer, struct jc_record_entry **at)
{
	struct jc_record_entry *entry = *at;

	*at = entry->next;
	rewind_buffer->recent.bytes -= entry->length;
	rewind_buffer->entry_count--;
	free(entry);
}

static void cut_recent(struct jc_rewind_buffer *rewind_buffer, int64_t from_us)
{
	struct jc_record_queue *recent = &rewind_buffer->recent;
	struct jc_record_entry **at = &recent->first;

	while (*at) {
		struct jc_record_entry *entry = *at;
		size_t before = entry->length;
		bool is_left = entry->time_us < from_us || cut(rewind_buffer, entry);

		recent->bytes -= before - entry->length;
		if (!is_left) {
			drop(rewind_buffer, at);
			continue;
		}
		if (entry->length < before) {
			entry = realloc(entry, sizeof(*entry) + entry->length);
			*at = entry ? entry : *at;
		}
		at = &(*at)->next;
	}
	recent->end = at;
}

/* The skeleton is added again when a later body uses it. */
static void unlearn(struct jc_record_roster *roster, uint32_t asset)
{
	size_t kept = 0;

	for (size_t i = 0; i < roster->skeleton_count; i++) {
		if (roster->skeletons[i] != asset) {
			roster->skeletons[kept++] = roster->skeletons[i];
		}
	}
	roster->skeleton_count = kept;
}

/* Drops skeletons that no body of the buffer uses. */
static void drop_skeletons(struct jc_rewind_buffer *rewind_buffer)
{
	struct jc_record_entry **at = &rewind_buffer->recent.first;
	bool begins_anew = false;
	size_t kept = 0;

	for (size_t i = 0; i < rewind_buffer->skeleton_count; i++) {
		struct jc_record_entry *skeleton = rewind_buffer->skeletons[i];

		if (jc_rewind_bodies_use(&rewind_buffer->rewind_bodies, skeleton->asset)) {
			rewind_buffer->skeletons[kept++] = skeleton;
		} else {
			unlearn(&rewind_buffer->roster, skeleton->asset);
			free(skeleton);
		}
	}
	rewind_buffer->skeleton_count = kept;
	while (*at) {
		struct jc_record_entry *entry = *at;

		if (entry->topic != JC_TOPIC_SKELETON) {
			at = &entry->next;
		} else if (jc_rewind_bodies_use(&rewind_buffer->rewind_bodies, entry->asset)) {
			entry->role = begins_anew ? JC_RECORD_ANEW : entry->role;
			begins_anew = false;
			at = &entry->next;
		} else {
			unlearn(&rewind_buffer->roster, entry->asset);
			begins_anew |= entry->role == JC_RECORD_ANEW;
			drop(rewind_buffer, at);
		}
	}
	rewind_buffer->recent.end = at;
}

/* Erases all withdrawn bodies from `recent` in one pass. */
static void forget_withdrawn(struct jc_rewind_buffer *rewind_buffer)
{
	if (!rewind_buffer->rewind_bodies.has_withdrawn) {
		return;
	}
	cut_recent(rewind_buffer, jc_rewind_bodies_withdrawn_from(&rewind_buffer->rewind_bodies));
	if (rewind_buffer->last_roster) {
		cut(rewind_buffer, rewind_buffer->last_roster);
	}
	jc_rewind_bodies_drop(&rewind_buffer->rewind_bodies, INT64_MIN);
	drop_skeletons(rewind_buffer);
}

/* Notes which bodies have motion in this tick. */
static void note_bodies(
	struct jc_rewind_buffer *rewind_buffer, const struct jc_space *space, int64_t time_us)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (jc_record_roster_form(&rewind_buffer->roster, body) != JC_RECORDED_NOTHING) {
			jc_rewind_bodies_note(&rewind_buffer->rewind_bodies, body, time_us);
		}
	}
}

/* Counts the entries that a tick has appended. */
static void count(struct jc_rewind_buffer *rewind_buffer, const struct jc_record_entry *entry)
{
	for (; entry; entry = entry->next) {
		rewind_buffer->entry_count++;
		rewind_buffer->listed += listed_in(entry);
	}
}

static void on_withdrawn(
	struct jc_sink *sink, const struct jc_space *space, const struct jc_body *body)
{
	jc_rewind_bodies_withdraw(&((struct jc_rewind_buffer *)sink)->rewind_bodies, space, body);
}

static void on_sample(
	struct jc_sink *sink, const struct jc_body *body, const struct jc_source_sample *sample)
{
	struct jc_rewind_buffer *rewind_buffer = (struct jc_rewind_buffer *)sink;

	jc_record_captures_take(rewind_buffer->captures, &rewind_buffer->roster, body, sample);
}

static void on_ticked(
	struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns)
{
	struct jc_rewind_buffer *rewind_buffer = (struct jc_rewind_buffer *)sink;
	int64_t time_us = server_us(rewind_buffer, now_ns);

	if (rewind_buffer->rewind_bodies.count + jc_space_body_count(space) >
		JC_MAX_REWIND_BODIES) {
		jc_rewind_bodies_make_room(&rewind_buffer->rewind_bodies, space, JC_MAX_BODIES);
	}
	forget_withdrawn(rewind_buffer);
	note_bodies(rewind_buffer, space, time_us);
	struct jc_record_entry **end = rewind_buffer->recent.end;

	if (jc_record_roster_is_due(&rewind_buffer->roster, space)) {
		jc_record_roster_report(
			&rewind_buffer->roster, space, time_us, &rewind_buffer->recent);
	}
	jc_record_captures_put(rewind_buffer->captures, tick, time_us, &rewind_buffer->recent);
	count(rewind_buffer, *end);
	forget_old(rewind_buffer, time_us);
}

static void on_space_gone(struct jc_sink *sink)
{
	struct jc_rewind_buffer *rewind_buffer = (struct jc_rewind_buffer *)sink;
	struct jc_record_entry *entry;

	while ((entry = jc_record_queue_take(&rewind_buffer->recent)) != NULL) {
		free(entry);
	}
	forget_skeletons(rewind_buffer);
	free(rewind_buffer->last_roster);
	jc_record_captures_destroy(rewind_buffer->captures);
	free(rewind_buffer);
}

static const struct jc_sink_ops rewind_buffer_ops = {
	.sample = on_sample,
	.ticked = on_ticked,
	.withdrawn = on_withdrawn,
	.destroy = on_space_gone,
};

int jc_rewind_buffer_create(struct jc_space *space, const struct jc_clock *clock, unsigned seconds,
	size_t bytes, struct jc_rewind_buffer **out_rewind_buffer)
{
	struct jc_rewind_buffer *rewind_buffer = calloc(1, sizeof(*rewind_buffer));

	if (!rewind_buffer || jc_record_captures_create(clock, &rewind_buffer->captures) != JC_OK) {
		free(rewind_buffer);
		return JC_ERROR_MEMORY;
	}
	rewind_buffer->base.ops = &rewind_buffer_ops;
	rewind_buffer->base.is_aside = true;
	rewind_buffer->space = space;
	rewind_buffer->clock = clock;
	jc_record_queue_init(&rewind_buffer->recent);
	jc_rewind_buffer_limit(rewind_buffer, seconds, bytes);
	jc_space_add_sink(space, &rewind_buffer->base);
	*out_rewind_buffer = rewind_buffer;
	return JC_OK;
}

void jc_rewind_buffer_limit(struct jc_rewind_buffer *rewind_buffer, unsigned seconds, size_t bytes)
{
	rewind_buffer->span_us = (int64_t)seconds * 1000000;
	rewind_buffer->capacity = bytes;
}

unsigned jc_rewind_buffer_seconds(const struct jc_rewind_buffer *rewind_buffer)
{
	return (unsigned)(rewind_buffer->span_us / 1000000);
}

void jc_rewind_buffer_end(struct jc_rewind_buffer *rewind_buffer)
{
	jc_space_remove_sink(rewind_buffer->space, &rewind_buffer->base);
	on_space_gone(&rewind_buffer->base);
}

void jc_rewind_buffer_follow(struct jc_spaces *spaces, unsigned seconds, size_t bytes)
{
	for (size_t i = 0; i < spaces->count; i++) {
		struct jc_fanout *fanout = spaces->fanouts[i];

		bool is_wanted =
			seconds > 0 && !fanout->rewind_of[0] && !jc_space_is_relayed(fanout->space);

		if (fanout->rewind_buffer && !is_wanted) {
			jc_rewind_buffer_end(fanout->rewind_buffer);
			fanout->rewind_buffer = NULL;
		} else if (fanout->rewind_buffer) {
			jc_rewind_buffer_limit(fanout->rewind_buffer, seconds, bytes);
		} else if (is_wanted) {
			/* After a failure for lack of memory the next call tries again. */
			jc_rewind_buffer_create(fanout->space, &spaces->clock, seconds, bytes,
				&fanout->rewind_buffer);
		}
	}
}

/* Copies the entries from a time on, after the skeletons and the roster that are valid then. */
static bool recall_all(
	const struct jc_rewind_buffer *rewind_buffer, int64_t from_us, struct jc_snapshot *snapshot)
{
	const struct jc_record_entry *roster = rewind_buffer->last_roster;
	const struct jc_record_entry *first = rewind_buffer->recent.first;
	bool is_whole = true;

	for (size_t i = 0; i < rewind_buffer->skeleton_count; i++) {
		is_whole =
			jc_snapshot_put(snapshot, rewind_buffer->skeletons[i], from_us) && is_whole;
	}
	for (; first && first->time_us < from_us; first = first->next) {
		if (first->topic == JC_TOPIC_SKELETON) {
			is_whole = jc_snapshot_put(snapshot, first, from_us) && is_whole;
		} else if (first->topic == JC_TOPIC_ROSTER) {
			roster = first;
		}
	}
	if (roster) {
		is_whole = jc_snapshot_put(snapshot, roster, from_us) && is_whole;
	}
	for (; first; first = first->next) {
		is_whole = jc_snapshot_put(snapshot, first, first->time_us) && is_whole;
	}
	return is_whole;
}

int jc_rewind_buffer_snapshot(struct jc_rewind_buffer *rewind_buffer, double seconds,
	struct jc_snapshot **out_snapshot, struct jc_withdrawals **out_withdrawals)
{
	struct jc_snapshot *snapshot;
	int64_t newest_us = 0;

	/* Erases now, because no tick has run since the withdrawal. */
	forget_withdrawn(rewind_buffer);
	for (const struct jc_record_entry *at = rewind_buffer->recent.first; at; at = at->next) {
		newest_us = at->time_us;
	}
	if (!rewind_buffer->recent.first) {
		return JC_ERROR_ABSENT;
	}
	int64_t from_us = newest_us - (int64_t)(seconds * 1e6);

	if (from_us < rewind_buffer->recent.first->time_us) {
		from_us = rewind_buffer->recent.first->time_us;
	}
	if (jc_snapshot_create(rewind_buffer->space, rewind_buffer->clock, from_us, &snapshot) !=
		JC_OK) {
		return JC_ERROR_MEMORY;
	}
	if (!recall_all(rewind_buffer, from_us, snapshot) ||
		jc_withdrawals_create(rewind_buffer->space, &rewind_buffer->rewind_bodies,
			out_withdrawals) != JC_OK) {
		jc_snapshot_destroy(snapshot);
		return JC_ERROR_MEMORY;
	}
	*out_snapshot = snapshot;
	return JC_OK;
}
