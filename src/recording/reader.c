/* Opens a recording and returns the contents of its index. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "reader.h"

int64_t jc_recording_time_us(const struct jc_recording *recording, uint64_t log_time)
{
	uint64_t epoch = recording->session.epoch_unix_ns;
	bool is_after = log_time >= epoch;
	uint64_t distance = (is_after ? log_time - epoch : epoch - log_time) / 1000;

	/* Later arithmetic counts in nanoseconds, which 64 bits hold for 292 years. */
	if (distance > JC_LIMIT_RECORDED_TIME_US) {
		distance = JC_LIMIT_RECORDED_TIME_US;
	}
	return is_after ? (int64_t)distance : -(int64_t)distance;
}

size_t jc_recording_group_of(const struct jc_recording *recording, uint16_t captures)
{
	size_t group = 0;

	while (group < recording->group_count && recording->groups[group].captures != captures) {
		group++;
	}
	return group;
}

/* A page begins where a block does. */
static int find_pages(struct jc_recording *recording)
{
	const struct jc_mcap_index *index = recording->index;

	recording->pages = calloc(index->block_count + 1, sizeof(*recording->pages));
	if (!recording->pages) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < index->block_count; i++) {
		uint64_t start = index->blocks[i].start_time;

		if (recording->page_count == 0 ||
			start > recording->pages[recording->page_count - 1]) {
			recording->pages[recording->page_count++] = start;
		}
	}
	if (recording->page_count == 0) {
		recording->page_count = 1;
	}
	return JC_OK;
}

int jc_recording_open(const struct jc_mcap_input *input, struct jc_recording **out_recording,
	struct jc_diagnostic *diagnostic)
{
	struct jc_recording *recording = calloc(1, sizeof(*recording));
	int error;

	if (!recording) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	recording->input = input;
	recording->session.library = "";
	recording->session.space = "";
	recording->session.epoch = "";
	recording->messages = json_array();
	error = recording->messages
			? jc_mcap_index_read(input, &recording->index, diagnostic)
			: jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	error = error ? error : jc_recording_read_index(recording, diagnostic);
	if (!error && find_pages(recording) != JC_OK) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (error) {
		jc_recording_close(recording);
		return error;
	}
	recording->session.from_us = jc_recording_time_us(recording, recording->index->start_time);
	recording->session.until_us = jc_recording_time_us(recording, recording->index->end_time);
	*out_recording = recording;
	return JC_OK;
}

void jc_recording_close(struct jc_recording *recording)
{
	if (!recording) {
		return;
	}
	jc_recording_finish_index(recording);
	free(recording->pages);
	json_decref(recording->messages);
	jc_mcap_index_destroy(recording->index);
	free(recording);
}

const struct jc_recording_session *jc_recording_session(const struct jc_recording *recording)
{
	return &recording->session;
}

int jc_recording_expect_bodies(
	const struct jc_recording *recording, struct jc_diagnostic *diagnostic)
{
	if (recording->body_count > 0) {
		return JC_OK;
	}
	if (recording->session.damage_count > 0) {
		*diagnostic = recording->session.damage;
		return JC_ERROR_INVALID;
	}
	return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL, "a recording of no body");
}

size_t jc_recording_body_count(const struct jc_recording *recording)
{
	return recording->body_count;
}

const struct jc_recorded_body *jc_recording_body(const struct jc_recording *recording, size_t index)
{
	return recording->bodies[index].body;
}

size_t jc_recording_roster_count(const struct jc_recording *recording)
{
	return recording->roster_count;
}

const struct jc_recorded_roster *jc_recording_roster(
	const struct jc_recording *recording, size_t index)
{
	return &recording->rosters[index].roster;
}

size_t jc_recording_event_count(const struct jc_recording *recording)
{
	return recording->event_count;
}

const struct jc_recorded_event *jc_recording_event(
	const struct jc_recording *recording, size_t index)
{
	return &recording->events[index];
}

int jc_recording_read_skeleton(const struct jc_recording *recording, const char *hash,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic)
{
	for (size_t i = 0; i < recording->skeleton_count; i++) {
		char *text;
		int error;

		if (strcmp(recording->skeletons[i].hash, hash) != 0) {
			continue;
		}
		text = json_dumps(recording->skeletons[i].descriptor, JSON_COMPACT);
		if (!text) {
			return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		}
		error = jc_skeleton_read(
			text, strlen(text), 0, NULL, out_skeleton, NULL, diagnostic);
		free(text);
		return error;
	}
	return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL, "no skeleton '%.16s…'", hash);
}
