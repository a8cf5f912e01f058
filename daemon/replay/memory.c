/* Messages as a recorder makes them, in a list that loses its oldest. Skeletons and the last
 * roster of those that it lost are kept aside: they hold at its beginning. */
#include "replay/memory.h"

#include <stdlib.h>

#include "jointcast/limits.h"
#include "record/record_captures.h"
#include "record/record_queue.h"
#include "record/record_roster.h"
#include "replay/erasure.h"
#include "replay/remembered.h"

/* What one recording lists at most, the roster that holds at its beginning left out. */
#define LISTED (JC_LIMIT_ROSTER_ENTRIES - JC_MAX_BODIES - 1)

/* What an entry takes beside its bytes. */
#define ENTRY_BYTES (sizeof(struct jc_record_entry) + 16)

struct jc_memory {
	struct jc_sink base;
	struct jc_space *space; /* borrowed: it owns this */
	const struct jc_clock *clock;
	int64_t span_us;
	size_t capacity;
	struct jc_record_roster roster;
	struct jc_record_captures *captures; /* owned */
	struct jc_record_queue recent;
	size_t entry_count;
	size_t listed; /* bodies of all rosters in it, and these */
	/* What holds at the beginning of these. */
	size_t skeleton_count;
	struct jc_record_entry *skeletons[JC_MAX_RECORDED_SKELETONS]; /* owned */
	struct jc_record_entry *last_roster;                          /* owned; NULL: none */
	struct jc_remembered remembered;
};

static int64_t server_us(const struct jc_memory *memory, int64_t now_ns)
{
	int64_t time_us = jc_clock_server_us(memory->clock, now_ns);

	return time_us > 0 ? time_us : 0;
}

static void forget_skeletons(struct jc_memory *memory)
{
	while (memory->skeleton_count > 0) {
		free(memory->skeletons[--memory->skeleton_count]);
	}
}

/* An entry that is too old: stolen. */
static void absorb(struct jc_memory *memory, struct jc_record_entry *entry)
{
	if (entry->role == JC_RECORD_ANEW) {
		forget_skeletons(memory);
	}
	if (entry->topic == JC_TOPIC_SKELETON &&
		memory->skeleton_count < JC_MAX_RECORDED_SKELETONS) {
		memory->skeletons[memory->skeleton_count++] = entry;
	} else if (entry->topic == JC_TOPIC_ROSTER) {
		free(memory->last_roster);
		memory->last_roster = entry;
	} else {
		free(entry);
	}
}

static bool is_full(const struct jc_memory *memory)
{
	return memory->recent.bytes + memory->entry_count * ENTRY_BYTES > memory->capacity ||
	       memory->listed > LISTED;
}

static size_t listed_in(const struct jc_record_entry *entry)
{
	return entry->topic == JC_TOPIC_ROSTER ? entry->bodies + 1u : 0;
}

static void forget_old(struct jc_memory *memory, int64_t now_us)
{
	const struct jc_record_entry *first;

	while ((first = memory->recent.first) != NULL &&
		(first->time_us < now_us - memory->span_us || is_full(memory))) {
		memory->entry_count--;
		memory->listed -= listed_in(first);
		absorb(memory, jc_record_queue_take(&memory->recent));
	}
	/* Whose motion is gone may still be in the roster that holds at the beginning. */
	if (memory->last_roster) {
		jc_remembered_drop(&memory->remembered, memory->last_roster->time_us);
	}
}

/* Without the bodies that are withdrawn. False where nothing is left. */
static bool cut(struct jc_memory *memory, struct jc_record_entry *entry)
{
	if (entry->topic == JC_TOPIC_ROSTER) {
		entry->length = jc_erasure_of_roster(
			(char *)entry->bytes, entry->length, &memory->remembered);
	} else if (entry->topic == JC_TOPIC_CAPTURES) {
		entry->length =
			jc_erasure_of_captures(entry->bytes, entry->length, &memory->remembered);
	}
	return entry->length > 0;
}

/* Takes the entry at that place out of the list. */
static void drop(struct jc_memory *memory, struct jc_record_entry **at)
{
	struct jc_record_entry *entry = *at;

	*at = entry->next;
	memory->recent.bytes -= entry->length;
	memory->entry_count--;
	free(entry);
}

static void cut_recent(struct jc_memory *memory, int64_t from_us)
{
	struct jc_record_queue *recent = &memory->recent;
	struct jc_record_entry **at = &recent->first;

	while (*at) {
		struct jc_record_entry *entry = *at;
		size_t before = entry->length;
		bool is_left = entry->time_us < from_us || cut(memory, entry);

		recent->bytes -= before - entry->length;
		if (!is_left) {
			drop(memory, at);
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

/* A body that comes to wear it has it told again. */
static void unlearn(struct jc_record_roster *roster, uint32_t outfit)
{
	size_t kept = 0;

	for (size_t i = 0; i < roster->skeleton_count; i++) {
		if (roster->skeletons[i] != outfit) {
			roster->skeletons[kept++] = roster->skeletons[i];
		}
	}
	roster->skeleton_count = kept;
}

/* Skeletons that no remembered body wears. */
static void drop_skeletons(struct jc_memory *memory)
{
	struct jc_record_entry **at = &memory->recent.first;
	bool begins_anew = false;
	size_t kept = 0;

	for (size_t i = 0; i < memory->skeleton_count; i++) {
		struct jc_record_entry *skeleton = memory->skeletons[i];

		if (jc_remembered_is_worn(&memory->remembered, skeleton->outfit)) {
			memory->skeletons[kept++] = skeleton;
		} else {
			unlearn(&memory->roster, skeleton->outfit);
			free(skeleton);
		}
	}
	memory->skeleton_count = kept;
	while (*at) {
		struct jc_record_entry *entry = *at;

		if (entry->topic != JC_TOPIC_SKELETON) {
			at = &entry->next;
		} else if (jc_remembered_is_worn(&memory->remembered, entry->outfit)) {
			entry->role = begins_anew ? JC_RECORD_ANEW : entry->role;
			begins_anew = false;
			at = &entry->next;
		} else {
			unlearn(&memory->roster, entry->outfit);
			begins_anew |= entry->role == JC_RECORD_ANEW;
			drop(memory, at);
		}
	}
	memory->recent.end = at;
}

/* All that is there of withdrawn bodies, in one pass however many these are. */
static void forget_withdrawn(struct jc_memory *memory)
{
	if (!memory->remembered.has_withdrawn) {
		return;
	}
	cut_recent(memory, jc_remembered_withdrawn_from(&memory->remembered));
	if (memory->last_roster) {
		cut(memory, memory->last_roster);
	}
	jc_remembered_drop(&memory->remembered, INT64_MIN);
	drop_skeletons(memory);
}

/* What goes into this tick is of these. */
static void note_bodies(struct jc_memory *memory, const struct jc_space *space, int64_t time_us)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (jc_record_roster_judge(&memory->roster, body) != JC_RECORDED_NOTHING) {
			jc_remembered_note(&memory->remembered, body, time_us);
		}
	}
}

/* Accounts for what a tick has put behind the last entry. */
static void count(struct jc_memory *memory, const struct jc_record_entry *entry)
{
	for (; entry; entry = entry->next) {
		memory->entry_count++;
		memory->listed += listed_in(entry);
	}
}

static void on_withdrawn(
	struct jc_sink *sink, const struct jc_space *space, const struct jc_body *body)
{
	jc_remembered_withdraw(&((struct jc_memory *)sink)->remembered, space, body);
}

static void on_sample(
	struct jc_sink *sink, const struct jc_body *body, const struct jc_source_sample *sample)
{
	struct jc_memory *memory = (struct jc_memory *)sink;

	jc_record_captures_take(memory->captures, &memory->roster, body, sample);
}

static void on_ticked(
	struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns)
{
	struct jc_memory *memory = (struct jc_memory *)sink;
	int64_t time_us = server_us(memory, now_ns);

	if (memory->remembered.count + jc_space_body_count(space) > JC_MAX_REWIND_BODIES) {
		jc_remembered_make_room(&memory->remembered, space, JC_MAX_BODIES);
	}
	forget_withdrawn(memory);
	note_bodies(memory, space, time_us);
	struct jc_record_entry **end = memory->recent.end;

	if (jc_record_roster_is_due(&memory->roster, space)) {
		jc_record_roster_tell(&memory->roster, space, time_us, &memory->recent);
	}
	jc_record_captures_put(memory->captures, tick, time_us, &memory->recent);
	count(memory, *end);
	forget_old(memory, time_us);
}

static void on_space_gone(struct jc_sink *sink)
{
	struct jc_memory *memory = (struct jc_memory *)sink;
	struct jc_record_entry *entry;

	while ((entry = jc_record_queue_take(&memory->recent)) != NULL) {
		free(entry);
	}
	forget_skeletons(memory);
	free(memory->last_roster);
	jc_record_captures_destroy(memory->captures);
	free(memory);
}

static const struct jc_sink_ops memory_ops = {
	.sample = on_sample,
	.ticked = on_ticked,
	.withdrawn = on_withdrawn,
	.destroy = on_space_gone,
};

int jc_memory_create(struct jc_space *space, const struct jc_clock *clock, unsigned seconds,
	size_t bytes, struct jc_memory **out_memory)
{
	struct jc_memory *memory = calloc(1, sizeof(*memory));

	if (!memory || jc_record_captures_create(clock, &memory->captures) != JC_OK) {
		free(memory);
		return JC_ERROR_MEMORY;
	}
	memory->base.ops = &memory_ops;
	memory->base.is_aside = true;
	memory->space = space;
	memory->clock = clock;
	jc_record_queue_init(&memory->recent);
	jc_memory_limit(memory, seconds, bytes);
	jc_space_add_sink(space, &memory->base);
	*out_memory = memory;
	return JC_OK;
}

void jc_memory_limit(struct jc_memory *memory, unsigned seconds, size_t bytes)
{
	memory->span_us = (int64_t)seconds * 1000000;
	memory->capacity = bytes;
}

unsigned jc_memory_seconds(const struct jc_memory *memory)
{
	return (unsigned)(memory->span_us / 1000000);
}

void jc_memory_end(struct jc_memory *memory)
{
	jc_space_remove_sink(memory->space, &memory->base);
	on_space_gone(&memory->base);
}

void jc_memory_follow(struct jc_spaces *spaces, unsigned seconds, size_t bytes)
{
	for (size_t i = 0; i < spaces->count; i++) {
		struct jc_fanout *fanout = spaces->fanouts[i];

		if (fanout->memory && seconds == 0) {
			jc_memory_end(fanout->memory);
			fanout->memory = NULL;
		} else if (fanout->memory) {
			jc_memory_limit(fanout->memory, seconds, bytes);
		} else if (seconds > 0 && !fanout->past_of[0]) {
			/* Without memory for it now it is tried again. */
			jc_memory_create(
				fanout->space, &spaces->clock, seconds, bytes, &fanout->memory);
		}
	}
}

/* The first that is young enough; what is before it and still holds is recalled too. */
static bool recall_all(
	const struct jc_memory *memory, int64_t from_us, struct jc_recollection *recollection)
{
	const struct jc_record_entry *roster = memory->last_roster;
	const struct jc_record_entry *first = memory->recent.first;
	bool is_whole = true;

	for (size_t i = 0; i < memory->skeleton_count; i++) {
		is_whole = jc_recollection_put(recollection, memory->skeletons[i], from_us) &&
			   is_whole;
	}
	for (; first && first->time_us < from_us; first = first->next) {
		if (first->topic == JC_TOPIC_SKELETON) {
			is_whole = jc_recollection_put(recollection, first, from_us) && is_whole;
		} else if (first->topic == JC_TOPIC_ROSTER) {
			roster = first;
		}
	}
	if (roster) {
		is_whole = jc_recollection_put(recollection, roster, from_us) && is_whole;
	}
	for (; first; first = first->next) {
		is_whole = jc_recollection_put(recollection, first, first->time_us) && is_whole;
	}
	return is_whole;
}

int jc_memory_recall(struct jc_memory *memory, double seconds,
	struct jc_recollection **out_recollection, struct jc_withdrawals **out_withdrawals)
{
	struct jc_recollection *recollection;
	int64_t newest_us = 0;

	/* The tick that would do it has not come yet. */
	forget_withdrawn(memory);
	for (const struct jc_record_entry *at = memory->recent.first; at; at = at->next) {
		newest_us = at->time_us;
	}
	if (!memory->recent.first) {
		return JC_ERROR_ABSENT;
	}
	int64_t from_us = newest_us - (int64_t)(seconds * 1e6);

	if (from_us < memory->recent.first->time_us) {
		from_us = memory->recent.first->time_us;
	}
	if (jc_recollection_create(memory->space, memory->clock, from_us, &recollection) != JC_OK) {
		return JC_ERROR_MEMORY;
	}
	if (!recall_all(memory, from_us, recollection) ||
		jc_withdrawals_create(memory->space, &memory->remembered, out_withdrawals) !=
			JC_OK) {
		jc_recollection_destroy(recollection);
		return JC_ERROR_MEMORY;
	}
	*out_recollection = recollection;
	return JC_OK;
}
