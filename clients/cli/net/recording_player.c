/* Plays a recording into a space. Captures are sent as they were recorded except for their time,
 * without decoding. If more were recorded than a daemon accepts, the newest of each body is
 * sent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error_report.h"
#include "files/recording_file.h"
#include "jointcast/limits.h"
#include "net/link.h"
#include "net/played_body.h"
#include "net/recording_player.h"
#include "terminal_text.h"

#define SECOND      INT64_C(1000000000)
#define PROGRESS_NS (SECOND / 5)
#define STEP_NS     (SECOND / 60)
#define SLACK_US    2 /* the difference between two roundings to microseconds */

struct player {
	const struct jc_play_options *options;
	struct jc_recording_file file;
	const struct jc_recording *recording; /* borrowed from `file` */
	struct jc_recording_page *page;       /* owned; NULL: none */
	size_t message, roster; /* index of the next message of the page, and of the next roster */
	int64_t begin_us, from_us, until_us; /* time in the recording */
	struct jc_link *link;
	bool has_begun, is_leaving;
	int64_t begin_ns; /* time at which from_us is played */
	struct jc_played_body parts[JC_LINK_PUBLICATIONS];
	uint64_t made, left_out;
	int64_t shown_ns;
};

static struct jc_played_body *find(struct player *player, uint16_t group, uint32_t id)
{
	for (size_t i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		struct jc_played_body *part = &player->parts[i];

		if (part->state != JC_PLAYED_FREE && part->state != JC_PLAYED_LEAVING &&
			part->group == group && part->id == id) {
			return part;
		}
	}
	return NULL;
}

static void enter(struct player *player, uint16_t group, const struct jc_recorded_body *body)
{
	for (unsigned i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		struct jc_played_body *part = &player->parts[i];

		if (part->state == JC_PLAYED_FREE) {
			*part = (struct jc_played_body){
				.group = group, .id = body->id, .body = body, .stays = true
			};
			jc_played_body_ask(part, player->options, player->link, i);
			return;
		}
	}
	player->left_out++;
}

static void unpublish(struct player *player, struct jc_played_body *part)
{
	jc_played_body_leave(
		part, player->link, (unsigned)(part - player->parts), JC_PLAYED_LEAVING);
}

static void apply_roster(struct player *player, const struct jc_recorded_roster *roster)
{
	for (size_t i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		player->parts[i].stays = player->parts[i].group != roster->group;
	}
	for (size_t i = 0; i < roster->body_count; i++) {
		struct jc_played_body *part = find(player, roster->group, roster->bodies[i].id);

		if (part && roster->bodies[i].recorded != JC_RECORDED_NOTHING) {
			part->stays = true;
			part->body = &roster->bodies[i];
		}
	}
	/* A publication that is not answered yet is ended after the answer. */
	for (size_t i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		if (player->parts[i].state == JC_PLAYED_OPEN && !player->parts[i].stays) {
			unpublish(player, &player->parts[i]);
		}
	}
	for (size_t i = 0; i < roster->body_count; i++) {
		const struct jc_recorded_body *body = &roster->bodies[i];

		if (body->recorded != JC_RECORDED_NOTHING &&
			!find(player, roster->group, body->id)) {
			enter(player, roster->group, body);
		}
	}
}

static void take_message(
	struct player *player, const struct jc_recorded_message *message, bool only_rests)
{
	struct jc_recorded_capture capture;
	struct jc_captures captures;

	if (!jc_captures_begin(message->bytes, message->length, &captures)) {
		return;
	}
	while (jc_captures_next(&captures, &capture)) {
		struct jc_played_body *part = find(player, message->group, capture.body);

		if (part) {
			jc_played_body_take(part, &capture, only_rests);
		}
	}
}

/* Returns the next message up to a time, or NULL. */
static const struct jc_recorded_message *next_message(struct player *player, int64_t until_us)
{
	size_t index = player->page->index;

	while (player->message == player->page->message_count) {
		if (index + 1 == jc_recording_page_count(player->recording) ||
			jc_recording_page_from(player->recording, index + 1) > until_us) {
			return NULL;
		}
		jc_recording_page_destroy(player->page);
		player->page = NULL;
		if (jc_recording_read_page(player->recording, ++index, &player->page) != JC_OK) {
			return NULL;
		}
		player->message = 0;
	}
	return player->page->messages[player->message].time_us <= until_us
		       ? &player->page->messages[player->message++]
		       : NULL;
}

static void apply_rosters(struct player *player, int64_t until_us)
{
	while (player->roster < jc_recording_roster_count(player->recording)) {
		const struct jc_recorded_roster *roster =
			jc_recording_roster(player->recording, player->roster);

		if (roster->time_us > until_us) {
			return;
		}
		apply_roster(player, roster);
		player->roster++;
	}
}

/* Applies everything up to a time of the recording. False when a page cannot be read. */
static bool advance(struct player *player, int64_t until_us, int64_t now_ns)
{
	int64_t server_us = jc_link_server_us(player->link, now_ns);
	const struct jc_recorded_message *message;

	while (player->page && (message = next_message(player, until_us)) != NULL) {
		apply_rosters(player, message->time_us);
		take_message(player, message, false);
	}
	apply_rosters(player, until_us);
	for (unsigned i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		jc_played_body_update(
			&player->parts[i], player->options->space, player->link, i, now_ns);
		player->made += jc_played_body_send(&player->parts[i], player->link, i, server_us);
	}
	return player->page;
}

/* Reads the T-poses that were written beside a roster. */
static bool take_rests(struct player *player, const struct jc_recorded_roster *roster)
{
	struct jc_recording_page *page;
	size_t index = jc_recording_page_at(player->recording, roster->time_us);

	if (jc_recording_read_page(player->recording, index, &page) != JC_OK) {
		return false;
	}
	for (size_t i = 0; i < page->message_count; i++) {
		if (page->messages[i].group == roster->group &&
			llabs(page->messages[i].time_us - roster->time_us) <= SLACK_US) {
			take_message(player, &page->messages[i], true);
		}
	}
	jc_recording_page_destroy(page);
	return true;
}

/* Publishes the bodies that the newest roster of each group has at from_us. */
static bool apply_rosters_at_begin(struct player *player)
{
	size_t count = jc_recording_roster_count(player->recording);
	uint64_t seen = 0;

	_Static_assert(JC_LIMIT_RECORDED_SPACES <= 64, "a bit for each group");
	player->roster = 0;
	while (player->roster < count &&
		jc_recording_roster(player->recording, player->roster)->time_us <=
			player->from_us) {
		player->roster++;
	}
	for (size_t i = player->roster; i-- > 0;) {
		const struct jc_recorded_roster *roster = jc_recording_roster(player->recording, i);
		uint64_t bit = UINT64_C(1) << roster->group;

		if (!(seen & bit)) {
			seen |= bit;
			apply_roster(player, roster);
			if (!take_rests(player, roster)) {
				return false;
			}
		}
	}
	for (uint16_t group = 0; group < JC_LIMIT_RECORDED_SPACES; group++) {
		struct jc_recorded_roster none = { .group = group };

		if (!(seen >> group & 1)) {
			apply_roster(player, &none);
		}
	}
	return true;
}

/* Starts at from_us, at first or in a loop. */
static bool go_to_begin(struct player *player)
{
	jc_recording_page_destroy(player->page);
	player->page = NULL;
	player->message = 0;
	for (size_t i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		player->parts[i].cut = true;
	}
	if (jc_recording_read_page(player->recording,
		    jc_recording_page_at(player->recording, player->from_us),
		    &player->page) != JC_OK) {
		return false;
	}
	while (player->message < player->page->message_count &&
		player->page->messages[player->message].time_us < player->from_us) {
		player->message++;
	}
	return apply_rosters_at_begin(player);
}

static void leave(void *context, struct jc_link *link)
{
	struct player *player = context;
	bool is_empty = true;

	player->is_leaving = true;
	for (size_t i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		struct jc_played_body *part = &player->parts[i];

		if (part->state == JC_PLAYED_OPEN) {
			unpublish(player, part);
		}
		is_empty = is_empty && part->state == JC_PLAYED_FREE;
	}
	if (is_empty) {
		jc_link_end(link, JC_EXIT_DONE);
	}
}

static void fail(struct player *player)
{
	jc_link_end(player->link, jc_report(JC_EXIT_IO, player->options->motion, "out of memory"));
}

static void show_progress(struct player *player, int64_t position_us, int64_t now_ns)
{
	unsigned bodies = 0;

	if (now_ns - player->shown_ns < PROGRESS_NS || !isatty(STDERR_FILENO)) {
		return;
	}
	for (size_t i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		bodies += player->parts[i].state == JC_PLAYED_OPEN;
	}
	player->shown_ns = now_ns;
	fputs("\r\033[K", stderr);
	jc_terminal_write(stderr, player->options->motion);
	fprintf(stderr, ": %.1f s of %.1f s, %u bodies, %llu captures",
		(double)(position_us - player->begin_us) * 1e-6,
		(double)(player->until_us - player->begin_us) * 1e-6, bodies,
		(unsigned long long)player->made);
}

static void on_ready(void *context, struct jc_link *link)
{
	struct player *player = context;

	player->link = link;
	if (go_to_begin(player)) {
		jc_link_wake(link, jc_link_now_ns());
	} else {
		fail(player);
	}
}

/* Whether a publication is not answered yet. */
static bool is_awaited(const struct player *player)
{
	for (size_t i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		if (player->parts[i].state == JC_PLAYED_ASKED) {
			return true;
		}
	}
	return false;
}

static void on_timer(void *context, struct jc_link *link, int64_t now_ns)
{
	struct player *player = context;

	if (player->is_leaving) {
		return;
	}
	/* The clock starts when all bodies of the start are published, so that nothing is
	 * missed. */
	if (!player->has_begun && is_awaited(player)) {
		jc_link_wake(link, now_ns + STEP_NS);
		return;
	}
	if (!player->has_begun) {
		player->has_begun = true;
		player->begin_ns = now_ns;
	}
	double elapsed = (double)(now_ns - player->begin_ns) * 1e-3 * player->options->speed;
	int64_t position_us = player->from_us + (int64_t)fmin(elapsed, 4e15);
	bool is_over = position_us >= player->until_us;

	if (!advance(player, is_over ? player->until_us : position_us, now_ns)) {
		fail(player);
		return;
	}
	show_progress(player, is_over ? player->until_us : position_us, now_ns);
	if (is_over && !player->options->loop) {
		leave(player, link);
		return;
	}
	if (is_over) {
		player->begin_ns = now_ns;
		if (!go_to_begin(player)) {
			fail(player);
			return;
		}
	}
	jc_link_wake(link, now_ns + STEP_NS);
}

static void on_message(void *context, struct jc_link *link, const json_t *message)
{
	struct player *player = context;
	const char *type = json_string_value(json_object_get(message, "type"));
	json_int_t number = json_integer_value(json_object_get(message, "publication"));
	struct jc_played_body *part = number >= 0 && number < (json_int_t)JC_LINK_PUBLICATIONS
					      ? &player->parts[number]
					      : NULL;

	if (strcmp(type, "error") == 0) {
		jc_link_refused(link, message);
	} else if (part && strcmp(type, "published") == 0 && part->state == JC_PLAYED_ASKED) {
		part->state = JC_PLAYED_OPEN;
		part->there = json_integer_value(json_object_get(message, "body"));
		if (player->is_leaving || !part->stays) {
			unpublish(player, part);
		}
	} else if (part && strcmp(type, "unpublished") == 0) {
		bool returns =
			part->state == JC_PLAYED_CHANGING && part->stays && !player->is_leaving;

		part->state = JC_PLAYED_FREE;
		if (returns) {
			jc_played_body_ask(part, player->options, link, (unsigned)number);
		}
		if (player->is_leaving) {
			leave(player, link);
		}
	}
}

static const struct jc_link_ops player_ops = {
	.ready = on_ready,
	.message = on_message,
	.timer = on_timer,
	.interrupted = leave,
};

static int plan(struct player *player)
{
	const struct jc_play_options *options = player->options;
	const struct jc_recording_session *session = jc_recording_session(player->recording);
	struct jc_diagnostic diagnostic = { 0 };
	double length = (double)(session->until_us - session->from_us) * 1e-6;
	double until = fmin(options->until, length);
	int error = jc_recording_expect_bodies(player->recording, &diagnostic);

	if (error) {
		return jc_report_diagnostic(error, options->motion, &diagnostic);
	}
	if (options->from > until) {
		return jc_report(JC_EXIT_INPUT, options->motion,
			"contains nothing from %g to %g s: its length is %g s", options->from,
			options->until, length);
	}
	player->begin_us = session->from_us;
	player->from_us = session->from_us + llround(options->from * 1e6);
	player->until_us = session->from_us + llround(until * 1e6);
	return JC_EXIT_DONE;
}

static void conclude(const struct player *player, int status)
{
	const struct jc_play_options *options = player->options;

	if (player->shown_ns > 0) {
		fputc('\n', stderr);
	}
	if (player->left_out > 0) {
		jc_report(status, options->motion,
			"%llu bodies were not played: a connection publishes at most %u at a time",
			(unsigned long long)player->left_out, JC_LINK_PUBLICATIONS);
	}
}

int jc_recording_player_run(const struct jc_play_options *options)
{
	struct player *player = calloc(1, sizeof(*player));
	int status;

	if (!player) {
		return jc_report(JC_EXIT_IO, options->motion, "out of memory");
	}
	player->options = options;
	status = jc_recording_file_open(options->motion, &player->file);
	if (status != JC_EXIT_DONE) {
		free(player);
		return status;
	}
	player->recording = player->file.recording;
	status = plan(player);
	if (status == JC_EXIT_DONE) {
		status = jc_link_run(&(struct jc_link_options){ .url = options->url,
					     .credentials = &options->credentials },
			&player_ops, player);
		conclude(player, status);
	}
	jc_recording_page_destroy(player->page);
	jc_recording_file_close(&player->file);
	free(player);
	return status;
}
