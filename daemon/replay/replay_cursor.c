/* Reads the pages and rosters of a recording in order of time and delivers them to the
 * bodies. */
#include "replay/replay_cursor.h"

/* Recorded ticks have times in whole microseconds, rounded down: the times of two ticks differ
 * by up to this. */
#define SLACK_US     2
#define PREROLL_US   1000000 /* captures before the target of a jump that are read too */
#define CAPTURE_REST 0x02    /* proto/PUBLISHING.md, "Captures": a flag */

static void apply_rosters(struct jc_replay_cursor *cursor, int64_t until_us)
{
	while (cursor->roster < jc_recording_roster_count(cursor->recording)) {
		const struct jc_recorded_roster *roster =
			jc_recording_roster(cursor->recording, cursor->roster);

		if (roster->time_us > until_us) {
			return;
		}
		jc_replay_roster_apply(&cursor->replay_roster, roster);
		cursor->roster++;
	}
}

static bool is_rest(const struct jc_recorded_capture *capture)
{
	return capture->length > 1 && (capture->bytes[1] & CAPTURE_REST);
}

/* Delivers the captures of one recorded tick, or only its T-poses. */
static void deliver(
	struct jc_replay_cursor *cursor, const struct jc_recorded_message *message, bool only_rests)
{
	struct jc_recorded_capture capture;
	struct jc_captures captures;

	if (!jc_captures_begin(message->bytes, message->length, &captures)) {
		return;
	}
	while (jc_captures_next(&captures, &capture)) {
		struct jc_source *source =
			jc_replay_roster_find(&cursor->replay_roster, message->group, capture.body);

		if (source && (!only_rests || is_rest(&capture))) {
			jc_replay_body_put(source, capture.bytes, capture.length);
		}
	}
}

/* Ends a recorded tick for every body. */
static void pass(struct jc_replay_cursor *cursor, int64_t time_us)
{
	for (size_t i = 0; i < cursor->replay_roster.count; i++) {
		jc_replay_body_pass(cursor->replay_roster.members[i].source, time_us);
	}
}

/* The next message up to a time; sets *out_waits while its page is being read. */
static const struct jc_recorded_message *next_message(
	struct jc_replay_cursor *cursor, int64_t until_us, bool *out_waits)
{
	size_t count = jc_recording_page_count(cursor->recording);

	*out_waits = false;
	while (cursor->page < count &&
		jc_recording_page_from(cursor->recording, cursor->page) <= until_us) {
		const struct jc_recording_page *page =
			jc_replay_file_page(cursor->file, cursor->page);

		if (!page) {
			*out_waits = true;
			return NULL;
		}
		if (cursor->message < page->message_count) {
			return page->messages[cursor->message].time_us <= until_us
				       ? &page->messages[cursor->message]
				       : NULL;
		}
		cursor->page++;
		cursor->message = 0;
	}
	return NULL;
}

void jc_replay_cursor_expect(struct jc_replay_cursor *cursor, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		jc_replay_file_expect(cursor->file, cursor->page + i);
	}
}

bool jc_replay_cursor_play(struct jc_replay_cursor *cursor, int64_t until_us, int64_t *out_edge_us)
{
	const struct jc_recorded_message *message;
	int64_t passed_us = INT64_MIN;
	bool waits;

	while ((message = next_message(cursor, until_us + SLACK_US, &waits)) != NULL) {
		/* One tick covers several recorded ticks. */
		if (passed_us != INT64_MIN && message->time_us != passed_us) {
			pass(cursor, passed_us);
		}
		apply_rosters(cursor, message->time_us);
		deliver(cursor, message, false);
		passed_us = message->time_us;
		cursor->message++;
	}
	if (waits) {
		*out_edge_us = jc_recording_page_from(cursor->recording, cursor->page);
	} else {
		apply_rosters(cursor, until_us + SLACK_US);
	}
	return !waits;
}

/* Whether all pages of a jump are in memory; requests the missing ones. */
static bool has_pages(struct jc_replay_cursor *cursor, size_t first, size_t last)
{
	bool has = true;

	for (size_t page = first; page <= last; page++) {
		has = jc_replay_file_page(cursor->file, page) && has;
	}
	return has;
}

/* The time of the newest roster up to a time, else the beginning. */
static int64_t roster_time(const struct jc_replay_cursor *cursor, int64_t time_us)
{
	int64_t found_us = jc_recording_session(cursor->recording)->from_us;

	for (size_t i = 0; i < jc_recording_roster_count(cursor->recording); i++) {
		int64_t roster_us = jc_recording_roster(cursor->recording, i)->time_us;

		if (roster_us > time_us) {
			break;
		}
		found_us = roster_us;
	}
	return found_us;
}

/* Applies the rosters that are valid at a time, one per group. */
static void apply_rosters_at(struct jc_replay_cursor *cursor, int64_t time_us)
{
	size_t count = jc_recording_roster_count(cursor->recording);
	uint64_t seen = 0;

	_Static_assert(JC_LIMIT_RECORDED_SPACES <= 64, "a bit for each group");
	for (cursor->roster = 0; cursor->roster < count; cursor->roster++) {
		if (jc_recording_roster(cursor->recording, cursor->roster)->time_us > time_us) {
			break;
		}
	}
	for (size_t i = cursor->roster; i-- > 0;) {
		const struct jc_recorded_roster *roster = jc_recording_roster(cursor->recording, i);
		uint64_t bit = UINT64_C(1) << roster->group;

		if (!(seen & bit)) {
			seen |= bit;
			jc_replay_roster_apply(&cursor->replay_roster, roster);
		}
	}
	/* Groups that begin later have no bodies. */
	for (uint16_t group = 0; group < JC_LIMIT_RECORDED_SPACES; group++) {
		struct jc_recorded_roster none = { .group = group };

		if (!(seen >> group & 1)) {
			jc_replay_roster_apply(&cursor->replay_roster, &none);
		}
	}
}

/* Delivers the valid T-poses, which are recorded beside the roster. */
static void deliver_rests(struct jc_replay_cursor *cursor, int64_t roster_us)
{
	const struct jc_recorded_message *message;
	bool waits;

	cursor->page = jc_recording_page_at(cursor->recording, roster_us);
	cursor->message = 0;
	while ((message = next_message(cursor, roster_us + SLACK_US, &waits)) != NULL) {
		if (message->time_us >= roster_us) {
			deliver(cursor, message, true);
		}
		cursor->message++;
	}
}

bool jc_replay_cursor_settle(struct jc_replay_cursor *cursor, int64_t target_us)
{
	int64_t begin_us = target_us - PREROLL_US;
	int64_t roster_us = roster_time(cursor, target_us + SLACK_US);
	size_t first = jc_recording_page_at(cursor->recording, begin_us);
	size_t last = jc_recording_page_at(cursor->recording, target_us);
	const struct jc_recorded_message *message;
	int64_t passed_us = INT64_MIN;
	bool waits;

	/* Keeps the number of pages, with the roster's page, within the cache. */
	first = last - first > JC_REPLAY_FILE_PAGES - 2 ? last - (JC_REPLAY_FILE_PAGES - 2) : first;
	if (!has_pages(cursor, first, last) ||
		!jc_replay_file_page(
			cursor->file, jc_recording_page_at(cursor->recording, roster_us))) {
		return false;
	}
	for (size_t i = 0; i < cursor->replay_roster.count; i++) {
		jc_replay_body_reset(cursor->replay_roster.members[i].source);
	}
	apply_rosters_at(cursor, target_us + SLACK_US);
	deliver_rests(cursor, roster_us);
	cursor->page = first;
	cursor->message = 0;
	while ((message = next_message(cursor, target_us - 1, &waits)) != NULL) {
		/* One tick may have several messages: T-poses, then captures. */
		if (passed_us != INT64_MIN && message->time_us != passed_us) {
			pass(cursor, passed_us);
		}
		if (message->time_us >= begin_us) {
			deliver(cursor, message, false);
			passed_us = message->time_us;
		}
		cursor->message++;
	}
	if (passed_us != INT64_MIN) {
		pass(cursor, passed_us);
	}
	return !waits;
}
