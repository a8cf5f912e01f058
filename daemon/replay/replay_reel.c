/* Pages and rosters of a recording in the order of time, delivered to its cast. */
#include "replay/replay_reel.h"

/* Ticks are at whole microseconds, rounded down: two grids are off by that much. */
#define SLACK_US     2
#define PREROLL_US   1000000 /* before a place that is jumped to: what is known there */
#define CAPTURE_REST 0x02    /* PROTOCOL.md, 12: flag of a capture */

static void apply_rosters(struct jc_replay_reel *reel, int64_t until_us)
{
	while (reel->roster < jc_recording_roster_count(reel->recording)) {
		const struct jc_recorded_roster *roster =
			jc_recording_roster(reel->recording, reel->roster);

		if (roster->time_us > until_us) {
			return;
		}
		jc_replay_cast_apply(&reel->cast, roster);
		reel->roster++;
	}
}

static bool is_rest(const struct jc_recorded_capture *capture)
{
	return capture->length > 1 && (capture->bytes[1] & CAPTURE_REST);
}

/* What was captured for one tick of then, or of that the T-poses alone. */
static void deliver(
	struct jc_replay_reel *reel, const struct jc_recorded_message *message, bool only_rests)
{
	struct jc_recorded_capture capture;
	struct jc_captures captures;

	if (!jc_captures_begin(message->bytes, message->length, &captures)) {
		return;
	}
	while (jc_captures_next(&captures, &capture)) {
		struct jc_source *source =
			jc_replay_cast_find(&reel->cast, message->group, capture.body);

		if (source && (!only_rests || is_rest(&capture))) {
			jc_replay_body_put(source, capture.bytes, capture.length);
		}
	}
}

/* A tick of then is over: every body was looked at. */
static void pass(struct jc_replay_reel *reel, int64_t time_us)
{
	for (size_t i = 0; i < reel->cast.count; i++) {
		jc_replay_body_pass(reel->cast.members[i].source, time_us);
	}
}

/* The next message up to an instant. *out_waits: it is on its way. */
static const struct jc_recorded_message *next_message(
	struct jc_replay_reel *reel, int64_t until_us, bool *out_waits)
{
	size_t count = jc_recording_page_count(reel->recording);

	*out_waits = false;
	while (reel->page < count &&
		jc_recording_page_from(reel->recording, reel->page) <= until_us) {
		const struct jc_recording_page *page = jc_replay_file_page(reel->file, reel->page);

		if (!page) {
			*out_waits = true;
			return NULL;
		}
		if (reel->message < page->message_count) {
			return page->messages[reel->message].time_us <= until_us
				       ? &page->messages[reel->message]
				       : NULL;
		}
		reel->page++;
		reel->message = 0;
	}
	return NULL;
}

void jc_replay_reel_expect(struct jc_replay_reel *reel, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		jc_replay_file_expect(reel->file, reel->page + i);
	}
}

bool jc_replay_reel_play(struct jc_replay_reel *reel, int64_t until_us, int64_t *out_edge_us)
{
	const struct jc_recorded_message *message;
	int64_t passed_us = INT64_MIN;
	bool waits;

	while ((message = next_message(reel, until_us + SLACK_US, &waits)) != NULL) {
		/* More than one tick of then in one of now. */
		if (passed_us != INT64_MIN && message->time_us != passed_us) {
			pass(reel, passed_us);
		}
		apply_rosters(reel, message->time_us);
		deliver(reel, message, false);
		passed_us = message->time_us;
		reel->message++;
	}
	if (waits) {
		*out_edge_us = jc_recording_page_from(reel->recording, reel->page);
	} else {
		apply_rosters(reel, until_us + SLACK_US);
	}
	return !waits;
}

/* Whether everything is there that a jump needs; else it is on its way. */
static bool has_pages(struct jc_replay_reel *reel, size_t first, size_t last)
{
	bool has = true;

	for (size_t page = first; page <= last; page++) {
		has = jc_replay_file_page(reel->file, page) && has;
	}
	return has;
}

/* When the newest roster up to an instant is from, else the beginning. */
static int64_t roster_time(const struct jc_replay_reel *reel, int64_t time_us)
{
	int64_t found_us = jc_recording_session(reel->recording)->from_us;

	for (size_t i = 0; i < jc_recording_roster_count(reel->recording); i++) {
		int64_t roster_us = jc_recording_roster(reel->recording, i)->time_us;

		if (roster_us > time_us) {
			break;
		}
		found_us = roster_us;
	}
	return found_us;
}

/* The rosters that hold at an instant, one of each group. */
static void apply_rosters_at(struct jc_replay_reel *reel, int64_t time_us)
{
	size_t count = jc_recording_roster_count(reel->recording);
	uint64_t seen = 0;

	_Static_assert(JC_LIMIT_RECORDED_SPACES <= 64, "a bit for each group");
	for (reel->roster = 0; reel->roster < count; reel->roster++) {
		if (jc_recording_roster(reel->recording, reel->roster)->time_us > time_us) {
			break;
		}
	}
	for (size_t i = reel->roster; i-- > 0;) {
		const struct jc_recorded_roster *roster = jc_recording_roster(reel->recording, i);
		uint64_t bit = UINT64_C(1) << roster->group;

		if (!(seen & bit)) {
			seen |= bit;
			jc_replay_cast_apply(&reel->cast, roster);
		}
	}
	/* Groups that have not begun yet have nobody. */
	for (uint16_t group = 0; group < JC_LIMIT_RECORDED_SPACES; group++) {
		struct jc_recorded_roster none = { .group = group };

		if (!(seen >> group & 1)) {
			jc_replay_cast_apply(&reel->cast, &none);
		}
	}
}

/* The T-poses that hold: they stand beside the roster. */
static void deliver_rests(struct jc_replay_reel *reel, int64_t roster_us)
{
	const struct jc_recorded_message *message;
	bool waits;

	reel->page = jc_recording_page_at(reel->recording, roster_us);
	reel->message = 0;
	while ((message = next_message(reel, roster_us + SLACK_US, &waits)) != NULL) {
		if (message->time_us >= roster_us) {
			deliver(reel, message, true);
		}
		reel->message++;
	}
}

bool jc_replay_reel_settle(struct jc_replay_reel *reel, int64_t target_us)
{
	int64_t begin_us = target_us - PREROLL_US;
	int64_t roster_us = roster_time(reel, target_us + SLACK_US);
	size_t first = jc_recording_page_at(reel->recording, begin_us);
	size_t last = jc_recording_page_at(reel->recording, target_us);
	const struct jc_recorded_message *message;
	int64_t passed_us = INT64_MIN;
	bool waits;

	/* With the roster's no more than are kept. */
	first = last - first > JC_REPLAY_FILE_PAGES - 2 ? last - (JC_REPLAY_FILE_PAGES - 2) : first;
	if (!has_pages(reel, first, last) ||
		!jc_replay_file_page(
			reel->file, jc_recording_page_at(reel->recording, roster_us))) {
		return false;
	}
	for (size_t i = 0; i < reel->cast.count; i++) {
		jc_replay_body_reset(reel->cast.members[i].source);
	}
	apply_rosters_at(reel, target_us + SLACK_US);
	deliver_rests(reel, roster_us);
	reel->page = first;
	reel->message = 0;
	while ((message = next_message(reel, target_us - 1, &waits)) != NULL) {
		/* A tick may have more than one message: T-poses, then captures. */
		if (passed_us != INT64_MIN && message->time_us != passed_us) {
			pass(reel, passed_us);
		}
		if (message->time_us >= begin_us) {
			deliver(reel, message, false);
			passed_us = message->time_us;
		}
		reel->message++;
	}
	if (passed_us != INT64_MIN) {
		pass(reel, passed_us);
	}
	return !waits;
}
