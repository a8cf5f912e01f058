/* What clients make of a daemon: four of them connect, send, stop reading and hang up while
 * time passes. The input is text, one step a line:
 *
 *     SESSION {"type":…}    the session sends this text; a session that is not connected
 *                           connects first and says hello, where that is not its text
 *     SESSION #HEX          it sends captures
 *     SESSION VERB          connect, hangup, close (a Close frame), ping (a Ping frame),
 *                           stall (it reads nothing more), resume
 *     wait MS               time passes
 *     tick, sweep           time passes until the next tick, or sweep of the connections
 *     nokeys, keys, revoke  tokens are not demanded, are, or their key is revoked
 *     reload                the configuration is read again
 *     remember              the last seconds of each space are kept for rewinds
 *
 * SESSION is 0 to 3. "*N " before a step repeats it N times; neighbours with the same "*N "
 * are repeated together. Messages that one session sends in a row come in one read.
 *
 * Of the answers every text is an object with a type, every error one that proto/CORE.md
 * lists, every close one that may be sent, nothing follows a close, and every other message
 * is a bundle. */
#include <assert.h>
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/daemon/support/crowd.h"
#include "support/situations.h"
#include "target.h"

#define BINARY       2
#define TEXT         1
#define CLOSE        8
#define PING         9
#define MOST_REPEATS 200u
#define MOST_STEPS   600u /* of one input */
#define MOST_WAIT_MS 100000u
#define MS           INT64_C(1000000)

static struct crowd crowd;
static bool upgraded[CROWD_GUESTS], closed[CROWD_GUESTS];
static struct crowd_guest *last_read; /* the session of the read under way; NULL: none */
static size_t steps;

static void judge_error(const char *code)
{
	static const char *const codes[] = { "bad-message", "unknown-type", "bad-field", "banned",
		"no-hello", "unknown-space", "not-joined", "too-many", "unsupported", "refused",
		"not-allowed", "unknown-body", "unknown-publication", "bad-capture",
		"cannot-record", "cannot-replay", "unknown-replay", "bad-skeleton",
		"unknown-skeleton", "unknown-avatar", "failed" };
	bool known = false;

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		known = known || strcmp(code, codes[i]) == 0;
	}
	assert(known);
}

/* Most texts are sent again and again; to judge them takes longer than to make them. */
static bool was_judged(const uint8_t *bytes, size_t length)
{
	static uint64_t judged[65536];
	uint64_t hash = situations_hash(bytes, length, 0);
	uint64_t *slot = &judged[hash % (sizeof(judged) / sizeof(judged[0]))];
	bool found = *slot == hash;

	*slot = hash;
	return found;
}

static void judge_text(const uint8_t *bytes, size_t length)
{
	if (was_judged(bytes, length)) {
		return;
	}
	json_t *message = json_loadb((const char *)bytes, length, JSON_REJECT_DUPLICATES, NULL);
	const char *type = json_string_value(json_object_get(message, "type"));

	assert(type);
	if (strcmp(type, "error") == 0) {
		judge_error(json_string_value(json_object_get(message, "code")));
	}
	json_decref(message);
}

/* The bytes of its payload; those of the frame are before them. */
static size_t payload_length(const uint8_t *bytes, size_t length, size_t *out_head)
{
	size_t payload = bytes[1], count = payload < 126 ? 0 : payload == 126 ? 2 : 8;

	assert(length >= 2 + count && bytes[1] < 128);
	*out_head = 2 + count;
	payload = count > 0 ? 0 : payload;
	for (size_t i = 0; i < count; i++) {
		payload = payload << 8 | bytes[2 + i];
	}
	assert(payload <= length - *out_head);
	return payload;
}

/* One frame; returns its length. */
static size_t judge_frame(const uint8_t *bytes, size_t length, bool *out_closed)
{
	size_t head;
	size_t payload = length < 2 ? 0 : payload_length(bytes, length, &head);
	unsigned code;

	assert(length >= 2);
	switch (bytes[0]) {
	case 0x81:
		judge_text(bytes + head, payload);
		break;
	case 0x82:
		assert(payload > 0 && (bytes[head] == 0x11 || bytes[head] & 0x80));
		break;
	case 0x88:
		code = payload >= 2 ? (unsigned)(bytes[2] << 8 | bytes[3]) : JC_CLOSE_NORMAL;
		assert(code >= 1000 && code != JC_CLOSE_NO_STATUS && code < 5000);
		*out_closed = true;
		break;
	default:
		assert(bytes[0] == 0x89 || bytes[0] == 0x8a);
	}
	return head + payload;
}

static void hear(struct crowd_guest *guest, const uint8_t *bytes, size_t length)
{
	size_t i = (size_t)(guest - crowd.guests);

	if (!upgraded[i]) {
		assert(length > 12 && memcmp(bytes, "HTTP/1.1 101", 12) == 0);
		upgraded[i] = true;
		return;
	}
	while (length > 0) {
		assert(!closed[i]);
		size_t used = judge_frame(bytes, length, &closed[i]);

		bytes += used;
		length -= used;
	}
}

/* Cuts a word and the space behind it from a line. */
static struct text cut_word(struct text *line)
{
	struct text word = { line->bytes, 0 };

	while (word.length < line->length && line->bytes[word.length] != ' ') {
		word.length++;
	}
	size_t skipped = word.length < line->length ? word.length + 1 : word.length;

	line->bytes += skipped;
	line->length -= skipped;
	return word;
}

static bool is_word(struct text word, const char *expected)
{
	return word.length == strlen(expected) && memcmp(word.bytes, expected, word.length) == 0;
}

static size_t read_number(struct text digits, size_t most)
{
	size_t number = 0;

	for (size_t i = 0; i < digits.length; i++) {
		if (digits.bytes[i] < '0' || digits.bytes[i] > '9') {
			break;
		}
		number = 10 * number + (size_t)(digits.bytes[i] - '0');
		number = number < most ? number : most;
	}
	return number;
}

static int hex_digit(char digit)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = digit ? strchr(digits, digit) : NULL;

	return found ? (int)(found - digits) : -1;
}

/* As many bytes as there are pairs of digits. */
static void send_captures(struct crowd_guest *guest, struct text hex)
{
	uint8_t *bytes = malloc(hex.length / 2 + 1);
	size_t length = 0;

	assert(bytes);
	while (2 * length + 1 < hex.length && hex_digit(hex.bytes[2 * length]) >= 0 &&
		hex_digit(hex.bytes[2 * length + 1]) >= 0) {
		bytes[length] = (uint8_t)(hex_digit(hex.bytes[2 * length]) << 4 |
					  hex_digit(hex.bytes[2 * length + 1]));
		length++;
	}
	crowd_send(guest, BINARY, bytes, length);
	free(bytes);
}

static void connect_guest(size_t i)
{
	if (!crowd.guests[i].connection) {
		upgraded[i] = closed[i] = false;
		crowd_connect(&crowd.guests[i]);
	}
}

/* True: the next step may be read with this one. */
static bool take_step_of(size_t i, struct text step)
{
	static const char hello[] = "{\"type\":\"hello\"}";
	struct crowd_guest *guest = &crowd.guests[i];

	if (is_word(step, "hangup") || is_word(step, "stall") || is_word(step, "resume")) {
		crowd_deliver(guest, false);
		if (!guest->connection) {
			return false;
		}
		if (is_word(step, "hangup")) {
			crowd_hang_up(guest);
		} else {
			crowd_stall(guest, is_word(step, "stall"));
		}
		return false;
	}
	bool is_new = !guest->connection;

	connect_guest(i);
	if (is_word(step, "connect")) {
		return false;
	}
	if (is_new && !is_word(situations_type(step), "hello")) {
		crowd_send(guest, TEXT, hello, sizeof(hello) - 1);
	}
	if (is_word(step, "close")) {
		crowd_send(guest, CLOSE, "\3\350", 2);
	} else if (is_word(step, "ping")) {
		crowd_send(guest, PING, "ping", 4);
	} else if (step.length > 0 && step.bytes[0] == '#') {
		send_captures(guest, (struct text){ step.bytes + 1, step.length - 1 });
	} else {
		crowd_send(guest, TEXT, step.bytes, step.length);
	}
	return true;
}

static void take_step_of_daemon(struct text word, struct text rest)
{
	if (is_word(word, "wait")) {
		crowd_wait(&crowd, (int64_t)read_number(rest, MOST_WAIT_MS) * MS);
	} else if (is_word(word, "tick")) {
		crowd_wait_for_tick(&crowd);
	} else if (is_word(word, "sweep")) {
		crowd_wait_for_sweep(&crowd);
	} else if (is_word(word, "nokeys")) {
		crowd_set_keys(&crowd, CROWD_NO_KEY);
	} else if (is_word(word, "keys")) {
		crowd_set_keys(&crowd, CROWD_KEY);
	} else if (is_word(word, "revoke")) {
		crowd_set_keys(&crowd, CROWD_REVOKED_KEY);
	} else if (is_word(word, "reload")) {
		crowd_reload(&crowd);
	} else if (is_word(word, "remember")) {
		crowd.remembers = true;
	}
}

static void read_from(struct crowd_guest *guest)
{
	crowd_deliver(guest, last_read == guest);
	last_read = guest;
}

/* sender: of the messages before this step that may be read with it; NULL: none. */
static struct crowd_guest *take_step(struct text line, struct crowd_guest *sender)
{
	struct text rest = line;
	struct text word = cut_word(&rest);
	bool is_guest = word.length == 1 && word.bytes[0] >= '0' &&
			word.bytes[0] < (char)('0' + CROWD_GUESTS);
	size_t i = is_guest ? (size_t)(word.bytes[0] - '0') : 0;
	struct crowd_guest *guest = is_guest ? &crowd.guests[i] : NULL;

	if (sender && sender != guest) {
		read_from(sender);
	}
	if (last_read != guest) {
		last_read = NULL;
	}
	if (!is_guest) {
		take_step_of_daemon(word, rest);
		situations_note(&crowd, word, NULL);
		return NULL;
	}
	bool goes_on = take_step_of(i, rest);

	if (!goes_on) {
		last_read = NULL;
	}
	situations_note(&crowd, situations_type(rest), guest);
	return goes_on ? guest : NULL;
}

/* "*N " before a step. */
static size_t cut_repeats(struct text *line)
{
	if (line->length == 0 || line->bytes[0] != '*') {
		return 1;
	}
	struct text word = cut_word(line);

	return read_number((struct text){ word.bytes + 1, word.length - 1 }, MOST_REPEATS);
}

static struct text cut_line(struct text *input)
{
	const char *end = memchr(input->bytes, '\n', input->length);
	struct text line = { input->bytes, end ? (size_t)(end - input->bytes) : input->length };

	input->bytes += line.length + (end != NULL);
	input->length -= line.length + (end != NULL);
	return line;
}

static size_t repeats_of(struct text line)
{
	return cut_repeats(&line);
}

/* The lines that are repeated together, or one that is not repeated. */
static struct text cut_group(struct text *input)
{
	struct text group = *input, rest = *input;
	struct text first = cut_line(&rest);
	bool is_repeated = first.length > 0 && first.bytes[0] == '*';
	size_t repeats = repeats_of(first);
	struct text next = rest;

	while (is_repeated && next.length > 0 && next.bytes[0] == '*' &&
		repeats_of(cut_line(&next)) == repeats) {
		rest = next;
	}
	group.length = input->length - rest.length;
	*input = rest;
	return group;
}

static void take_group(struct text group, size_t repeats)
{
	struct crowd_guest *sender = NULL;

	for (size_t i = 0; i < repeats; i++) {
		struct text rest = group;

		while (rest.length > 0 && steps++ < MOST_STEPS) {
			struct text line = cut_line(&rest);

			cut_repeats(&line);
			sender = take_step(line, sender);
		}
	}
	if (sender) {
		read_from(sender);
	}
}

static void take_input(struct text input)
{
	while (input.length > 0) {
		struct text group = cut_group(&input);

		take_group(group, repeats_of(group));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	crowd = (struct crowd){ .hear = hear };
	steps = 0;
	last_read = NULL;
	crowd_open(&crowd);
	situations_watch(&crowd);
	take_input((struct text){ (const char *)data, size });
	/* Runs the consequences of the last step. */
	crowd_wait(&crowd, 600 * MS);
	situations_note(&crowd, (struct text){ "end", 3 }, NULL);
	crowd_close(&crowd);
	return 0;
}
