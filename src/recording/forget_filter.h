/* Filter that rewrites the messages of a recording without a removed body. */
#ifndef JC_RECORDING_FORGET_FILTER_H
#define JC_RECORDING_FORGET_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/limits.h"
#include "jointcast/mcap_reader.h"
#include "jointcast/mcap_writer.h"
#include "jointcast/recording.h"
#include "jointcast_private/mcap_bytes.h"
#include "topics.h"

struct json_t;

/* The number of a body or stream, with its space. */
struct jc_entry {
	uint32_t space, number;
};

/* A set of numbers; lookups need a settled set. */
struct jc_forget_entries {
	struct jc_entry *list; /* owned */
	size_t count, capacity;
};

/* JC_ERROR_LIMIT, JC_ERROR_MEMORY. Adding a number twice is harmless. */
int jc_forget_entries_add(struct jc_forget_entries *entries, uint32_t space, uint32_t number);
void jc_forget_entries_settle(struct jc_forget_entries *entries);
bool jc_forget_entries_has(
	const struct jc_forget_entries *entries, uint32_t space, uint32_t number);

struct jc_forget_filter {
	const char *name;
	struct jc_mcap_index *index; /* owned */
	size_t space_count;
	struct jc_mcap_slice spaces[JC_LIMIT_RECORDED_SPACES]; /* "/SPACE/" */
	struct jc_forget_entries bodies, streams;
	struct json_t *worn, *others;  /* owned: skeletons of the removed body, of all others */
	struct json_t *called;         /* owned: display names of the removed body */
	struct jc_mcap_writer *writer; /* owned */
	struct jc_mcap_buffer scratch;
	struct jc_forgotten *report;
};

/* Topic of a channel; JC_TOPIC_COUNT: unknown. */
enum jc_recording_topic jc_forget_topic(
	const struct jc_forget_filter *forgetting, uint16_t channel_id);

/* The index of the space of a topic; space_count: unknown. */
uint32_t jc_forget_space(const struct jc_forget_filter *forgetting, uint16_t channel_id);

/* The number of a body or stream in JSON. */
uint32_t jc_forget_number(const struct json_t *object, const char *key);

/* Writes the remaining part of a message; the context is a struct jc_forget_filter. */
int jc_forget_pass(
	void *context, const struct jc_mcap_message *message, struct jc_diagnostic *diagnostic);

#endif
