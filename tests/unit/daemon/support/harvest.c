/* See harvest.h. */
#include "harvest.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_at(void *context, uint64_t offset, void *bytes, size_t length)
{
	struct harvest_file *opened = context;

	return pread(opened->fd, bytes, length, (off_t)offset) == (ssize_t)length ? JC_OK
										  : JC_ERROR_READ;
}

void harvest_open(struct harvest_file *opened, const char *path)
{
	struct jc_diagnostic diagnostic;

	opened->fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(opened->fd >= 0);
	opened->input =
		(struct jc_mcap_input){ read_at, opened, (uint64_t)lseek(opened->fd, 0, SEEK_END) };
	assert_int_equal(jc_recording_open(&opened->input, &opened->recording, &diagnostic), JC_OK);
}

void harvest_close(struct harvest_file *opened)
{
	jc_recording_close(opened->recording);
	close(opened->fd);
}

static bool is_rest(const struct jc_recorded_capture *capture)
{
	return capture->bytes[1] & 0x02;
}

static void harvest_pages(struct harvest *harvest, const struct jc_recording *recording)
{
	for (size_t i = 0; i < jc_recording_page_count(recording); i++) {
		struct jc_recording_page *page;

		assert_int_equal(jc_recording_read_page(recording, i, &page), JC_OK);
		assert_int_equal(page->error, JC_OK);
		for (size_t k = 0; k < page->message_count; k++) {
			const struct jc_recorded_message *message = &page->messages[k];
			struct jc_recorded_capture capture;
			struct jc_captures captures;

			assert_true(jc_captures_begin(message->bytes, message->length, &captures));
			while (jc_captures_next(&captures, &capture)) {
				if (is_rest(&capture)) {
					harvest->rests[harvest->files]++;
				} else {
					harvest->captures[captures.tick - BEGIN]++;
				}
			}
			assert_ptr_equal(captures.at, captures.end);
		}
		jc_recording_page_destroy(page);
	}
}

static void harvest_events(struct harvest *harvest, const struct jc_recording *recording)
{
	for (size_t i = 0; i < jc_recording_event_count(recording); i++) {
		const struct jc_recorded_event *event = jc_recording_event(recording, i);

		if (strcmp(event->event, "marker") == 0) {
			harvest->markers++;
			harvest->marker_us = event->time_us;
		}
	}
}

/* Counts of "dropped" are for people: they stand in the JSON alone. */
static void harvest_drops(struct harvest *harvest, const struct jc_mcap_input *input)
{
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_diagnostic diagnostic;
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	struct jc_mcap_index *index;

	assert_int_equal(jc_mcap_index_read(input, &index, &diagnostic), JC_OK);
	assert_int_equal(jc_mcap_cursor_create(input, index, &range, &cursor), JC_OK);
	while (jc_mcap_cursor_next(cursor, &message, &diagnostic) == JC_OK) {
		static const char key[] = "\"count\":";
		const char *at = memmem(message.data.bytes, message.data.length, "\"dropped\"", 9);
		const char *end = (const char *)message.data.bytes + message.data.length;
		const char *count = at ? memmem(at, (size_t)(end - at), key, strlen(key)) : NULL;

		harvest->dropped += count ? strtoull(count + strlen(key), NULL, 10) : 0;
	}
	jc_mcap_cursor_destroy(cursor);
	jc_mcap_index_destroy(index);
}

/* Each file has roster and skeletons before the first capture. */
static void check_whole(const struct jc_recording *recording)
{
	const struct jc_recording_session *session = jc_recording_session(recording);
	const struct jc_recorded_roster *roster = jc_recording_roster(recording, 0);
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton;

	assert_string_equal(session->space, "lobby");
	assert_int_equal(session->tick_hz, TICKS);
	assert_int_equal(session->epoch_unix_ns, (uint64_t)EPOCH * 1000);
	assert_int_equal(session->damage_count, 0);
	assert_true(jc_recording_roster_count(recording) > 0);
	assert_int_equal(roster->time_us, session->from_us);
	assert_true(roster->body_count > 0);
	assert_int_equal(jc_recording_read_skeleton(
				 recording, roster->bodies[0].skeleton, &skeleton, &diagnostic),
		JC_OK);
	jc_skeleton_destroy(skeleton);
}

void harvest_reap(const char *folder, struct harvest *harvest)
{
	char pattern[96];
	glob_t found;

	memset(harvest, 0, sizeof(*harvest));
	snprintf(pattern, sizeof(pattern), "%s/*.mcap", folder);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct harvest_file opened;

		assert_true(harvest->files < FILES);
		harvest_open(&opened, found.gl_pathv[i]);
		check_whole(opened.recording);
		harvest->parts[harvest->files] = jc_recording_session(opened.recording)->part;
		harvest_pages(harvest, opened.recording);
		harvest_events(harvest, opened.recording);
		harvest_drops(harvest, &opened.input);
		harvest_close(&opened);
		harvest->files++;
	}
	globfree(&found);
}

void harvest_check_parts(const struct harvest *harvest)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < harvest->files; i++) {
		seen |= UINT64_C(1) << harvest->parts[i];
	}
	assert_int_equal(seen, (UINT64_C(1) << harvest->files) - 1);
}

uint64_t harvest_sum(const struct harvest *harvest)
{
	uint64_t all = 0;

	for (size_t i = 0; i < END - BEGIN; i++) {
		all += harvest->captures[i];
	}
	return all;
}
