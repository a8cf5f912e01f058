/* Reads pages of captures, for players that read ahead and seek. */
#include <stdlib.h>

#include "jointcast/limits.h"
#include "jointcast_private/array.h"
#include "jointcast_private/mcap_bytes.h"
#include "reader.h"
#include "topics.h"

size_t jc_recording_page_count(const struct jc_recording *recording)
{
	return recording->page_count;
}

int64_t jc_recording_page_from(const struct jc_recording *recording, size_t index)
{
	return jc_recording_time_us(recording, recording->pages[index]);
}

size_t jc_recording_page_at(const struct jc_recording *recording, int64_t time_us)
{
	size_t low = 0;
	size_t high = recording->page_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (jc_recording_page_from(recording, middle) <= time_us) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

bool jc_captures_begin(const void *bytes, size_t length, struct jc_captures *out_captures)
{
	struct jc_mcap_take take = jc_mcap_take_begin((struct jc_mcap_slice){ bytes, length });

	if (jc_mcap_take_number(&take, 1) != JC_CAPTURES_VERSION) {
		return false;
	}
	out_captures->tick = (uint32_t)jc_mcap_take_number(&take, 4);
	out_captures->at = take.at;
	out_captures->end = take.end;
	return !take.failed;
}

bool jc_captures_next(struct jc_captures *captures, struct jc_recorded_capture *out_capture)
{
	struct jc_mcap_take take = { captures->at, captures->end, false };
	uint32_t body = (uint32_t)jc_mcap_take_number(&take, 4);
	struct jc_mcap_slice bytes = jc_mcap_take_slice(&take, jc_mcap_take_number(&take, 2));

	if (take.failed) {
		return false;
	}
	captures->at = take.at;
	*out_capture = (struct jc_recorded_capture){ body, bytes.bytes, bytes.length };
	return true;
}

/* A page in construction: messages store offsets until the bytes no longer move. */
struct gathering {
	struct jc_recorded_message *messages; /* owned */
	size_t count, capacity;
	struct jc_mcap_buffer bytes;
};

static int gather(struct gathering *gathering, const struct jc_recording *recording,
	const struct jc_mcap_message *message)
{
	if (!jc_array_grow(&gathering->messages, &gathering->capacity, gathering->count + 1,
		    SIZE_MAX, sizeof(gathering->messages[0]))) {
		return JC_ERROR_MEMORY;
	}
	jc_mcap_put_bytes(&gathering->bytes, message->data.bytes, message->data.length);
	if (gathering->bytes.error) {
		return gathering->bytes.error;
	}
	gathering->messages[gathering->count++] = (struct jc_recorded_message){
		.time_us = jc_recording_time_us(recording, message->log_time),
		.group = (uint16_t)jc_recording_group_of(recording, message->channel_id),
		.length = message->data.length,
	};
	return JC_OK;
}

/* Damage is skipped and reported; the rest of the page is kept. */
static int gather_all(struct gathering *gathering, const struct jc_recording *recording,
	struct jc_mcap_cursor *cursor, struct jc_recording_page *page)
{
	struct jc_mcap_message message;

	for (;;) {
		struct jc_diagnostic problem = { 0 };
		int error = jc_mcap_cursor_next(cursor, &message, &problem);

		if (error == JC_ERROR_ABSENT) {
			return JC_OK;
		}
		if (!error) {
			error = gather(gathering, recording, &message);
			if (error == JC_ERROR_LIMIT) {
				page->error = jc_diagnose(&page->problem, error, NULL,
					"more than %u MiB at one time",
					JC_LIMIT_MCAP_CHUNK_BYTES >> 20);
				return JC_OK;
			}
		} else if (!page->error && error != JC_ERROR_MEMORY) {
			page->error = error;
			page->problem = problem;
		}
		if (error == JC_ERROR_MEMORY) {
			return error;
		}
	}
}

int jc_recording_read_page(
	const struct jc_recording *recording, size_t index, struct jc_recording_page **out_page)
{
	uint16_t channels[JC_LIMIT_RECORDED_SPACES];
	struct jc_mcap_range range = { recording->pages[index], UINT64_MAX, channels,
		recording->group_count };
	struct gathering gathering = { .bytes.maximum = JC_LIMIT_MCAP_CHUNK_BYTES };
	struct jc_recording_page *page = calloc(1, sizeof(*page));
	struct jc_mcap_cursor *cursor = NULL;
	int error = page ? JC_OK : JC_ERROR_MEMORY;

	for (size_t i = 0; i < recording->group_count; i++) {
		channels[i] = recording->groups[i].captures;
	}
	if (index + 1 < recording->page_count) {
		range.until = recording->pages[index + 1] - 1;
	}
	if (!error && recording->group_count > 0) {
		error = jc_mcap_cursor_create(recording->input, recording->index, &range, &cursor);
		error = error ? error : gather_all(&gathering, recording, cursor, page);
		jc_mcap_cursor_destroy(cursor);
	}
	if (error) {
		free(gathering.messages);
		jc_mcap_buffer_finish(&gathering.bytes);
		free(page);
		return error;
	}
	page->index = index;
	page->bytes = sizeof(*page) + gathering.bytes.capacity +
		      gathering.capacity * sizeof(*gathering.messages);
	page->message_count = gathering.count;
	page->messages = gathering.messages;
	page->storage = gathering.bytes.bytes;
	for (size_t i = 0, at = 0; i < gathering.count; i++) {
		gathering.messages[i].bytes = page->storage + at;
		at += gathering.messages[i].length;
	}
	*out_page = page;
	return JC_OK;
}

void jc_recording_page_destroy(struct jc_recording_page *page)
{
	if (page) {
		free((void *)page->messages);
		free(page->storage);
		free(page);
	}
}
