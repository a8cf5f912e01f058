/* Messages as a recorder makes them, in a list that loses its oldest; what those said that
 * still holds is kept aside: skeletons and the roster. */
#include "replay/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/record_captures.h"
#include "record/record_queue.h"
#include "record/record_roster.h"

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
	/* What holds at the beginning of these. */
	size_t skeleton_count;
	struct jc_record_entry *skeletons[JC_MAX_RECORDED_SKELETONS]; /* owned */
	struct jc_record_entry *last_roster;                          /* owned; NULL: none */
	uint32_t agreed[JC_MAX_BODIES]; /* by slot: who is in there and is remembered */
};

struct jc_recollection {
	struct jc_record_queue entries; /* those of before first */
	int64_t from_us;
	char space[JC_MAX_SPACE_NAME];
	char epoch[24];
	uint32_t hz;
	uint64_t epoch_unix_ns;
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
	return memory->recent.bytes + memory->entry_count * ENTRY_BYTES > memory->capacity;
}

static void forget_old(struct jc_memory *memory, int64_t now_us)
{
	while (memory->recent.first &&
		(memory->recent.first->time_us < now_us - memory->span_us || is_full(memory))) {
		memory->entry_count--;
		absorb(memory, jc_record_queue_take(&memory->recent));
	}
}

static void forget_all(struct jc_memory *memory)
{
	struct jc_record_entry *entry;

	while ((entry = jc_record_queue_take(&memory->recent)) != NULL) {
		free(entry);
	}
	forget_skeletons(memory);
	free(memory->last_roster);
	memory->last_roster = NULL;
	memory->entry_count = 0;
	memory->roster = (struct jc_record_roster){ 0 };
}

/* Whether somebody who is still there agrees no longer. */
static bool has_withdrawn(struct jc_memory *memory, const struct jc_space *space)
{
	bool has = false;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		bool agrees = jc_record_roster_judge(&memory->roster, body) != JC_RECORDED_NOTHING;

		has |= !agrees && memory->agreed[body->slot] == body->id;
		memory->agreed[body->slot] = agrees ? body->id : 0;
	}
	return has;
}

static size_t count(const struct jc_record_entry *entry)
{
	size_t entries = 0;

	for (; entry; entry = entry->next) {
		entries++;
	}
	return entries;
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

	if (has_withdrawn(memory, space)) {
		forget_all(memory);
	}
	struct jc_record_entry **end = memory->recent.end;

	if (jc_record_roster_is_due(&memory->roster, space)) {
		jc_record_roster_tell(&memory->roster, space, time_us, &memory->recent);
	}
	jc_record_captures_put(memory->captures, tick, time_us, &memory->recent);
	memory->entry_count += count(*end);
	forget_old(memory, time_us);
}

static void on_space_gone(struct jc_sink *sink)
{
	struct jc_memory *memory = (struct jc_memory *)sink;

	forget_all(memory);
	jc_record_captures_destroy(memory->captures);
	free(memory);
}

static const struct jc_sink_ops memory_ops = {
	.sample = on_sample,
	.ticked = on_ticked,
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

/* A copy of an entry at the end of what is recalled, told at that time. */
static bool recall(
	struct jc_recollection *recollection, const struct jc_record_entry *entry, int64_t time_us)
{
	struct jc_record_entry head = *entry;

	head.time_us = time_us;
	return jc_record_queue_put(&recollection->entries, &head, entry->bytes);
}

/* The first that is young enough; what is before it and still holds is recalled too. */
static bool recall_all(
	const struct jc_memory *memory, int64_t from_us, struct jc_recollection *recollection)
{
	const struct jc_record_entry *roster = memory->last_roster;
	const struct jc_record_entry *first = memory->recent.first;
	bool is_whole = true;

	for (size_t i = 0; i < memory->skeleton_count; i++) {
		is_whole = recall(recollection, memory->skeletons[i], from_us) && is_whole;
	}
	for (; first && first->time_us < from_us; first = first->next) {
		if (first->topic == JC_TOPIC_SKELETON) {
			is_whole = recall(recollection, first, from_us) && is_whole;
		} else if (first->topic == JC_TOPIC_ROSTER) {
			roster = first;
		}
	}
	if (roster) {
		is_whole = recall(recollection, roster, from_us) && is_whole;
	}
	for (; first; first = first->next) {
		is_whole = recall(recollection, first, first->time_us) && is_whole;
	}
	return is_whole;
}

int jc_memory_recall(
	const struct jc_memory *memory, double seconds, struct jc_recollection **out_recollection)
{
	const struct jc_space_options *space = jc_space_options(memory->space);
	struct jc_recollection *recollection;
	int64_t newest_us = 0;

	for (const struct jc_record_entry *at = memory->recent.first; at; at = at->next) {
		newest_us = at->time_us;
	}
	if (!memory->recent.first) {
		return JC_ERROR_ABSENT;
	}
	recollection = calloc(1, sizeof(*recollection));
	if (!recollection) {
		return JC_ERROR_MEMORY;
	}
	jc_record_queue_init(&recollection->entries);
	recollection->from_us = newest_us - (int64_t)(seconds * 1e6);
	if (recollection->from_us < memory->recent.first->time_us) {
		recollection->from_us = memory->recent.first->time_us;
	}
	recollection->hz = space->hz;
	recollection->epoch_unix_ns = (uint64_t)memory->clock->wall_us * 1000;
	snprintf(recollection->space, sizeof(recollection->space), "%s", space->name);
	snprintf(recollection->epoch, sizeof(recollection->epoch), "%" PRIx64, space->epoch);
	if (!recall_all(memory, recollection->from_us, recollection)) {
		jc_recollection_destroy(recollection);
		return JC_ERROR_MEMORY;
	}
	*out_recollection = recollection;
	return JC_OK;
}

void jc_recollection_destroy(struct jc_recollection *recollection)
{
	struct jc_record_entry *entry;

	if (!recollection) {
		return;
	}
	while ((entry = jc_record_queue_take(&recollection->entries)) != NULL) {
		free(entry);
	}
	free(recollection);
}

static int write_bytes(void *context, const void *bytes, size_t length)
{
	const int *fd = context;
	const char *at = bytes;

	while (length > 0) {
		ssize_t written = write(*fd, at, length);

		if (written < 0 && errno == EINTR) {
			continue;
		}
		if (written < 0) {
			return JC_ERROR_SPACE;
		}
		at += written;
		length -= (size_t)written;
	}
	return JC_OK;
}

static int write_recording(struct jc_recollection *recollection, int fd)
{
	const struct jc_recording_options options = {
		.library = "jointcastd",
		.space = recollection->space,
		.epoch = recollection->epoch,
		.tick_hz = recollection->hz,
		.epoch_unix_ns = recollection->epoch_unix_ns,
		.level = 1,
	};
	struct jc_mcap_sink sink = { write_bytes, &fd };
	struct jc_recording_writer *writer;
	struct jc_record_entry *entry;
	int error = jc_recording_create(&options, recollection->from_us, &sink, &writer);

	if (error) {
		return error;
	}
	while ((entry = jc_record_queue_take(&recollection->entries)) != NULL) {
		error = error ? error
			      : jc_recording_write(writer, entry->topic, entry->time_us,
					entry->bytes, entry->length);
		free(entry);
	}
	error = error ? error : jc_recording_end(writer);
	jc_recording_destroy(writer);
	return error;
}

int jc_recollection_open(struct jc_recollection *recollection, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic)
{
	int fd = memfd_create("jointcast-rewind", MFD_CLOEXEC);
	int error;

	if (fd < 0) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "%s", strerror(errno));
	}
	error = write_recording(recollection, fd);
	if (error) {
		close(fd);
		return jc_diagnose(diagnostic, error, NULL, "%s", jc_error_name(error));
	}
	return jc_replay_file_open_descriptor(fd, "rewind", out_file, diagnostic);
}
