/* Makes new inputs of fuzz_control from old ones, step by step in its format, because random
 * changes of bytes seldom give valid messages. */
#include "../../unit/daemon/support/crowd.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MOST_LINES  400u
#define MANY_LINES  24u /* an input that has more becomes shorter */
#define ARENA_BYTES (1u << 17)
#define MOST_TEXT   4096u /* of a line that is changed */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
	size_t size2, uint8_t *out, size_t max_size, unsigned seed);

struct line {
	const char *bytes;
	size_t length;
};

struct script {
	uint64_t random;
	size_t count;
	struct line lines[MOST_LINES];
	size_t used;
	char arena[ARENA_BYTES]; /* the texts of lines that were changed */
};

static struct script script;

static const char *const messages[] = {
	"{\"type\":\"hello\"}",
	"{\"type\":\"hello\",\"codings\":[2,1],\"credit\":true}",
	"{\"type\":\"join\",\"space\":\"lobby\"}",
	"{\"type\":\"join\",\"space\":\"lobby~4\"}",
	"{\"type\":\"leave\",\"space\":\"lobby\"}",
	"{\"type\":\"subscribe\",\"space\":\"lobby\"}",
	"{\"type\":\"subscribe\",\"space\":\"lobby\",\"skeleton\":\"humanoid\",\"budget\":20000}",
	"{\"type\":\"subscribe\",\"space\":\"lobby\",\"bodies\":[1,2],\"ignore\":[3]}",
	"{\"type\":\"subscribe\",\"space\":\"lobby\",\"precision\":\"coarse\",\"rate\":2,"
	"\"sections\":[\"body\",\"hips\"],\"viewpoints\":[{\"position\":[0,1,0]}]}",
	"{\"type\":\"unsubscribe\",\"space\":\"lobby\"}",
	"{\"type\":\"keyframe\",\"space\":\"lobby\"}",
	"{\"type\":\"ack\",\"space\":\"lobby\",\"tick\":1}",
	"{\"type\":\"viewpoint\",\"space\":\"lobby\",\"viewpoints\":[{\"position\":[1,1,1]}],"
	"\"priority\":[1]}",
	"{\"type\":\"ignore\",\"space\":\"lobby\",\"body\":1}",
	"{\"type\":\"ignore\",\"space\":\"lobby\",\"body\":1,\"ignore\":false}",
	"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":0,\"name\":\"Ada\","
	"\"kind\":\"poses\"}",
	"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":0,\"name\":\"Bob\","
	"\"kind\":\"body-frames\",\"mayRecord\":true}",
	"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":1,\"name\":\"Eve\","
	"\"kind\":\"poses\",\"channels\":[\"lookAt\"]}",
	"{\"type\":\"consent\",\"publication\":0,\"mayRecord\":true}",
	"{\"type\":\"consent\",\"publication\":0}",
	"{\"type\":\"amend\",\"publication\":0,\"display\":\"A\"}",
	"{\"type\":\"amend\",\"publication\":0,\"meta\":{\"a\":1}}",
	"{\"type\":\"unpublish\",\"publication\":0}",
	"{\"type\":\"place\",\"space\":\"lobby\",\"body\":1,\"position\":[1,0,1],\"yaw\":1}",
	"{\"type\":\"place\",\"space\":\"lobby\",\"body\":1,\"position\":[9,0,1],\"yaw\":0,"
	"\"teleport\":true}",
	"{\"type\":\"stage\",\"space\":\"lobby\",\"body\":1}",
	"{\"type\":\"stage\",\"space\":\"lobby\",\"body\":1,\"stage\":false}",
	"{\"type\":\"calibrate\",\"space\":\"lobby\",\"body\":1,\"height\":1.7}",
	"{\"type\":\"calibrate\",\"space\":\"lobby\",\"body\":1,\"height\":1.7,\"countdown\":0}",
	"{\"type\":\"calibrate\",\"space\":\"lobby\",\"body\":1,\"undo\":true}",
	"{\"type\":\"skeleton\",\"name\":\"own\",\"descriptor\":{\"nodes\":[{\"name\":\"hips\","
	"\"translation\":[0,1,0]},{\"name\":\"spine\",\"parent\":0,\"translation\":[0,0.1,0]}],"
	"\"bones\":{\"hips\":0,\"spine\":1}}}",
	"{\"type\":\"skeletons\"}",
	"{\"type\":\"unregister\",\"name\":\"own\"}",
	"{\"type\":\"record\",\"space\":\"lobby\",\"action\":\"start\"}",
	"{\"type\":\"record\",\"space\":\"lobby\",\"action\":\"state\"}",
	"{\"type\":\"replay\",\"space\":\"lobby\",\"action\":\"rewind\",\"seconds\":2}",
	"{\"type\":\"replay\",\"space\":\"lobby\",\"action\":\"list\"}",
	"{\"type\":\"replay\",\"space\":\"lobby\",\"action\":\"state\"}",
	"{\"type\":\"replay\",\"space\":\"lobby~4\",\"action\":\"play\",\"id\":1}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"mute\",\"body\":1}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"unmute\",\"body\":1}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"hide\",\"body\":1}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"show\",\"body\":1}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"kick\",\"body\":1}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"ban\",\"body\":1,\"seconds\":1}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"mute\",\"name\":\"Ada\"}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"hide\",\"address\":\"127.0.0.2\"}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"ban\",\"subject\":\"ada\"}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"list\"}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"block\",\"body\":1}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"unblock\",\"avatar\":"
	"\"" CROWD_AVATAR "\"}",
	"{\"type\":\"amend\",\"publication\":0,\"avatar\":\"" CROWD_AVATAR "\"}",
	"{\"type\":\"amend\",\"publication\":0,\"avatar\":null}",
	"{\"type\":\"administer\",\"space\":\"lobby\",\"action\":\"limit\",\"bodies\":1,"
	"\"subscribers\":1}",
	"{\"type\":\"administer\",\"space\":\"lobby\",\"action\":\"close\"}",
	"{\"type\":\"ping\",\"t\":1}",
	"{\"type\":\"nothing\"}",
};

/* Those that begin and end what others have to do with. The numbers of the publications are
 * no others', which would be refused. */
static const char *const movers[] = {
	"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":2,\"name\":\"Ada\","
	"\"kind\":\"body-frames\"}",
	"{\"type\":\"publish\",\"space\":\"lobby\",\"publication\":3,\"name\":\"Bob\","
	"\"kind\":\"body-frames\"}",
	"{\"type\":\"unpublish\",\"publication\":0}",
	"{\"type\":\"join\",\"space\":\"lobby\"}",
	"{\"type\":\"leave\",\"space\":\"lobby\"}",
	"{\"type\":\"subscribe\",\"space\":\"lobby\",\"bodies\":[1]}",
	"{\"type\":\"ignore\",\"space\":\"lobby\",\"body\":1}",
	"{\"type\":\"ignore\",\"space\":\"lobby\",\"body\":2}",
	"{\"type\":\"calibrate\",\"space\":\"lobby\",\"body\":1,\"height\":1.7}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"mute\",\"name\":\"Bob\"}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"hide\",\"body\":1}",
	"{\"type\":\"moderate\",\"space\":\"lobby\",\"action\":\"kick\",\"body\":1}",
	"{\"type\":\"administer\",\"space\":\"lobby\",\"action\":\"close\"}",
};

static const char *const verbs[] = { "connect", "hangup", "close", "ping", "stall", "stall",
	"resume" };

static const char *const events[] = { "wait 10", "wait 40", "wait 40", "wait 250", "wait 250",
	"wait 600", "wait 600", "wait 3000", "wait 3000", "wait 30000", "tick", "tick", "tick",
	"tick", "sweep", "sweep", "sweep", "sweep", "nokeys", "keys", "revoke", "reload",
	"remember" };

static const char *const spaces[] = { "lobby", "attic", "hall" };

static void begin(unsigned seed)
{
	script.random = seed;
	script.used = 0;
}

static uint32_t draw(uint32_t below)
{
	script.random =
		script.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(script.random >> 33) % below;
}

#define PICK(list) ((list)[draw((uint32_t)(sizeof(list) / sizeof((list)[0])))])

/* Copies a text; an empty line where there is no room for it. */
static struct line keep(const char *bytes, size_t length)
{
	struct line line = { script.arena + script.used, length };

	if (length > sizeof(script.arena) - script.used) {
		line.length = 0;
	} else {
		memcpy(script.arena + script.used, bytes, length);
		script.used += length;
	}
	return line;
}

/* Keeps the text of lines that were parsed before. */
static void read_lines(const uint8_t *data, size_t size)
{
	script.count = 0;
	while (size > 0 && script.count < MOST_LINES) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t length = end ? (size_t)(end - data) : size;

		script.lines[script.count++] = keep((const char *)data, length);
		data += length + (end != NULL);
		size -= length + (end != NULL);
	}
}

static size_t write_lines(uint8_t *out, size_t max_size)
{
	size_t size = 0;

	for (size_t i = 0; i < script.count; i++) {
		struct line line = script.lines[i];

		if (line.length + 1 > max_size - size) {
			break;
		}
		memcpy(out + size, line.bytes, line.length);
		size += line.length;
		out[size++] = '\n';
	}
	return size;
}

static void insert(size_t at, struct line line)
{
	if (script.count < MOST_LINES) {
		memmove(&script.lines[at + 1], &script.lines[at],
			(script.count - at) * sizeof(line));
		script.lines[at] = line;
		script.count++;
	}
}

static void erase(size_t at)
{
	memmove(&script.lines[at], &script.lines[at + 1],
		(script.count - at - 1) * sizeof(script.lines[0]));
	script.count--;
}

/* Where the step begins behind "*N ". */
static size_t repeats_end(struct line line)
{
	const char *space = line.length > 0 && line.bytes[0] == '*'
				    ? memchr(line.bytes, ' ', line.length)
				    : NULL;

	return space ? (size_t)(space - line.bytes) + 1 : 0;
}

/* Where the session stands; the end of the line: nowhere. */
static size_t session_at(struct line line)
{
	size_t at = repeats_end(line);

	return at + 1 < line.length && isdigit((unsigned char)line.bytes[at]) &&
			       line.bytes[at + 1] == ' '
		       ? at
		       : line.length;
}

/* Mostly one that does something already. */
static char choose_session(void)
{
	struct line line = script.lines[draw((uint32_t)script.count)];
	size_t at = session_at(line);

	return draw(4) > 0 && at < line.length ? line.bytes[at] : (char)('0' + draw(4));
}

static struct line make_step(const char *text)
{
	char step[MOST_TEXT];
	int length = snprintf(step, sizeof(step), "%c %s", choose_session(), text);

	return keep(step, (size_t)length);
}

/* The space that some line names; NULL: it names none. */
static const char *space_of(struct line line)
{
	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
		if (memmem(line.bytes, line.length, spaces[i], strlen(spaces[i]))) {
			return spaces[i];
		}
	}
	return NULL;
}

/* Where it stands in a line for the first time. */
static void replace_text(size_t at, const char *from, const char *to)
{
	struct line line = script.lines[at];
	size_t length = strlen(from);
	const char *found = memmem(line.bytes, line.length, from, length);
	char text[MOST_TEXT];

	if (found && line.length < sizeof(text) - 16) {
		size_t before = (size_t)(found - line.bytes);
		int changed = snprintf(text, sizeof(text), "%.*s%s%.*s", (int)before, line.bytes,
			to, (int)(line.length - before - length), found + length);

		script.lines[at] = keep(text, (size_t)changed);
	}
}

/* Into a space of which there is talk. */
static void insert_message(size_t at)
{
	const char *space = space_of(script.lines[draw((uint32_t)script.count)]);

	insert(at, make_step(draw(2) ? PICK(messages) : PICK(movers)));
	if (space) {
		replace_text(at, spaces[0], space);
	}
	if (draw(3) == 0) {
		const char *const bodies[] = { "\"body\":2", "\"body\":3" };

		replace_text(at, "\"body\":1", PICK(bodies));
	}
}

static void insert_verb(size_t at)
{
	insert(at, make_step(PICK(verbs)));
}

static void insert_event(size_t at)
{
	const char *event = PICK(events);

	insert(at, keep(event, strlen(event)));
}

/* A client that comes and watches. */
static void insert_arrival(size_t at)
{
	static const size_t greeting[] = { 5, 2, 0 }; /* of the messages */
	uint32_t session = draw(4);
	char step[MOST_TEXT];

	for (size_t i = 0; i < sizeof(greeting) / sizeof(greeting[0]); i++) {
		int length = snprintf(step, sizeof(step), "%u %s", session, messages[greeting[i]]);

		insert(at, keep(step, (size_t)length));
	}
}

static void copy_lines(size_t at)
{
	size_t to = draw((uint32_t)script.count + 1), count = 1 + draw(4);

	for (size_t i = 0; i < count && at + i < script.count; i++) {
		insert(to + i < script.count ? to + i : script.count, script.lines[at + i]);
	}
}

static void move_line(size_t at)
{
	struct line line = script.lines[at];

	erase(at);
	insert(draw((uint32_t)script.count + 1), line);
}

static void erase_lines(size_t at)
{
	for (size_t count = 1 + draw(3); count > 0 && at < script.count; count--) {
		erase(at);
	}
}

static void set_session(size_t at, char session)
{
	struct line line = script.lines[at];
	size_t digit = session_at(line);

	if (digit < line.length) {
		line = keep(line.bytes, line.length);
		if (line.length > 0) {
			script.arena[(size_t)(line.bytes - script.arena) + digit] = session;
		}
		script.lines[at] = line;
	}
}

static void change_session(size_t at)
{
	set_session(at, (char)('0' + draw(4)));
}

static void swap_sessions(size_t from)
{
	char a = (char)('0' + draw(4)), b = (char)('0' + draw(4));

	for (size_t i = from; i < script.count; i++) {
		size_t at = session_at(script.lines[i]);
		char is = at < script.lines[i].length ? script.lines[i].bytes[at] : 0;

		if (is == a || is == b) {
			set_session(i, is == a ? b : a);
		}
	}
}

static unsigned choose_repeats(struct line line)
{
	static const unsigned many[] = { 2, 4, 8, 16, 30, 32, 60, 62, 63, 64, 65, 100, 120, 126,
		127, 128, 129, 130 };
	unsigned now = 0;

	for (size_t i = 1; i + 1 < repeats_end(line) && isdigit((unsigned char)line.bytes[i]);
		i++) {
		now = 10 * now + (unsigned)(line.bytes[i] - '0');
	}
	if (now > 0 && now < 1000 && draw(3) > 0) {
		unsigned step = 1 + draw(4);

		return draw(2) ? now + step : now > step ? now - step : 1;
	}
	return draw(3) > 0 ? PICK(many) : 1 + draw(130);
}

/* Some lines are repeated, or those that are repeated with this one are, as often. */
static void repeat_lines(size_t at)
{
	struct line old = script.lines[at];
	size_t old_end = repeats_end(old), end = at + 1 + draw(3);
	unsigned repeats = choose_repeats(old);
	char text[MOST_TEXT];

	while (old_end > 0 && at > 0 && repeats_end(script.lines[at - 1]) == old_end &&
		memcmp(script.lines[at - 1].bytes, old.bytes, old_end) == 0) {
		at--;
	}
	for (; at < script.count; at++) {
		struct line line = script.lines[at];
		size_t begin = repeats_end(line);

		if (old_end > 0 ? begin != old_end || memcmp(line.bytes, old.bytes, begin) != 0
				: at >= end) {
			break;
		}
		if (line.length < sizeof(text) - 16) {
			int length = snprintf(text, sizeof(text), "*%u %.*s", repeats,
				(int)(line.length - begin), line.bytes + begin);

			script.lines[at] = keep(text, (size_t)length);
		}
	}
}

/* The same message again and again, in the other sense every second time. */
static void insert_toggles(size_t at)
{
	char text[256];
	unsigned repeats = 1 + draw(70);
	char session = choose_session();
	static const char *const toggles[][2] = {
		{ "{\"type\":\"consent\",\"publication\":0,\"mayRecord\":true}",
			"{\"type\":\"consent\",\"publication\":0}" },
		{ "{\"type\":\"stage\",\"space\":\"lobby\",\"body\":1}",
			"{\"type\":\"stage\",\"space\":\"lobby\",\"body\":1,\"stage\":false}" },
		{ "{\"type\":\"subscribe\",\"space\":\"lobby\",\"skeleton\":\"humanoid\"}",
			"{\"type\":\"subscribe\",\"space\":\"lobby\"}" },
		{ "{\"type\":\"ping\",\"t\":1}", "{\"type\":\"skeletons\"}" },
	};
	const char *const *toggle = PICK(toggles);
	const char *const lines[] = { toggle[0], toggle[1], NULL };

	for (size_t i = 0; lines[i]; i++) {
		int length = snprintf(text, sizeof(text), "*%u %c %s", repeats, session, lines[i]);

		insert(at, keep(text, (size_t)length));
	}
	if (draw(2)) {
		insert(at,
			keep(text, (size_t)snprintf(text, sizeof(text), "*%u wait 40", repeats)));
	}
}

/* A session stops reading when much is about to be sent to it: of each order about a body
 * its publisher is told, and so is the session that gave it. */
static void insert_flood(size_t at)
{
	static const char *const actions[] = { "hide", "show", "mute", "unmute" };
	const char *space = space_of(script.lines[draw((uint32_t)script.count)]);
	unsigned body = 1 + draw(3);
	char victim = choose_session(), moderator = draw(4) > 0 ? victim : choose_session();
	unsigned repeats = (victim == moderator ? 60 : 124) + draw(8);
	char text[256];

	insert(at, keep(text, (size_t)snprintf(text, sizeof(text), "%c stall", victim)));
	int length = snprintf(text, sizeof(text),
		"*%u %c {\"type\":\"moderate\",\"space\":\"%s\",\"action\":\"%s\",\"body\":%u}",
		repeats, moderator, space ? space : spaces[0], PICK(actions), body);

	insert(at + 1, keep(text, (size_t)length));
	if (victim != moderator) {
		length = snprintf(text, sizeof(text), "*%u wait 20", repeats);
		insert(at + 2, keep(text, (size_t)length));
	}
}

/* A session gets a message more or two before it does something: queues are limited by the
 * message. */
static void insert_answered(size_t at)
{
	struct line line = script.lines[at];
	size_t session = session_at(line);
	char step[MOST_TEXT];

	for (uint32_t left = session < line.length ? 1 + draw(2) : 0; left > 0; left--) {
		int length = snprintf(
			step, sizeof(step), "%c {\"type\":\"ping\",\"t\":1}", line.bytes[session]);

		insert(at, keep(step, (size_t)length));
	}
}

/* Steps of a session whose repeated messages have filled a queue. */
static void follow_repeat(size_t at)
{
	for (size_t i = 0; i < script.count; i++) {
		size_t found = (at + i) % script.count;
		struct line line = script.lines[found];
		size_t session = session_at(line);
		char step[MOST_TEXT];

		if (repeats_end(line) > 0 && session < line.length) {
			size_t after = found + 1 + draw(3);
			int length = snprintf(
				step, sizeof(step), "%c %s", line.bytes[session], PICK(movers));

			insert(after < script.count ? after : script.count,
				keep(step, (size_t)length));
			return;
		}
	}
}

/* In that line, or in all. */
static void change_space(size_t at)
{
	const char *from = PICK(spaces), *to = PICK(spaces);
	bool everywhere = draw(2) > 0;

	for (size_t i = everywhere ? 0 : at; i < (everywhere ? script.count : at + 1); i++) {
		replace_text(i, from, to);
	}
}

/* A number in a message becomes another small one. */
static void change_number(size_t at)
{
	struct line line = script.lines[at];
	size_t begin = repeats_end(line) + 2;
	size_t chosen = 0, seen = 0;

	for (size_t i = begin; i < line.length; i++) {
		if (isdigit((unsigned char)line.bytes[i]) && draw((uint32_t)++seen) == 0) {
			chosen = i;
		}
	}
	if (chosen > 0) {
		line = keep(line.bytes, line.length);
		if (line.length > 0) {
			script.arena[(size_t)(line.bytes - script.arena) + chosen] =
				(char)('0' + draw(draw(4) > 0 ? 4 : 10));
		}
		script.lines[at] = line;
	}
}

static void change_message(size_t at)
{
	struct line line = script.lines[at];
	size_t digit = session_at(line);
	char text[MOST_TEXT];

	if (digit < 16 && digit < line.length) {
		int length = snprintf(
			text, sizeof(text), "%.*s %s", (int)digit + 1, line.bytes, PICK(messages));

		script.lines[at] = keep(text, (size_t)length);
	}
}

/* As libFuzzer does it, with its dictionary. */
static void change_bytes(size_t at)
{
	struct line line = script.lines[at];
	size_t digit = session_at(line);
	size_t begin = digit < line.length ? digit + 2 : 0;
	uint8_t text[MOST_TEXT];

	if (line.length < sizeof(text) / 2 && begin < line.length) {
		memcpy(text, line.bytes, line.length);
		size_t length = LLVMFuzzerMutate(
			text + begin, line.length - begin, sizeof(text) / 2 - begin);

		script.lines[at] = keep((const char *)text, begin + length);
	}
}

static void append(uint32_t session, const char *text, const char *space)
{
	char step[MOST_TEXT];
	int length = snprintf(step, sizeof(step), "%u %s", session, text);

	insert(script.count, keep(step, (size_t)length));
	replace_text(script.count - 1, spaces[0], space);
}

/* Some sessions come, and do this and that in one space. */
static void write_anew(void)
{
	static void (*const kinds[])(size_t at) = { insert_message, insert_message, insert_message,
		insert_message, insert_message, insert_message, insert_verb, insert_event,
		insert_event, insert_toggles, insert_flood };
	uint32_t sessions = 2 + draw(3), steps = 4 + draw(12);
	const char *space = spaces[draw(8) > 0 ? draw(2) : 2];

	script.count = 0;
	for (uint32_t i = 0; i < sessions; i++) {
		append(i, messages[draw(2)], space);
		if (draw(2)) {
			append(i, movers[0], space);
		}
		if (draw(2)) {
			append(i, "{\"type\":\"join\",\"space\":\"lobby\"}", space);
			append(i,
				draw(2) ? "{\"type\":\"subscribe\",\"space\":\"lobby\"}"
					: "{\"type\":\"subscribe\",\"space\":\"lobby\",\"bodies\":["
					  "1]}",
				space);
		}
	}
	while (steps-- > 0) {
		PICK(kinds)(script.count);
	}
}

static void change_once(void)
{
	/* Duplicates weight the choice. */
	static void (*const changes[])(size_t at) = { insert_message, follow_repeat, insert_message,
		insert_verb, insert_verb, insert_event, insert_event, insert_arrival,
		insert_toggles, insert_flood, insert_answered, copy_lines, move_line, erase_lines,
		erase_lines, change_session, swap_sessions, repeat_lines, repeat_lines,
		repeat_lines, change_space, change_number, change_number, change_message,
		change_bytes };

	if (script.count == 0) {
		insert_arrival(0);
	} else {
		/* The last lines of a new input are the most likely reason for its new coverage. */
		size_t last = script.count - 1;

		PICK(changes)(draw(3) > 0 ? draw((uint32_t)script.count) : last);
		while (script.count > MANY_LINES) {
			erase_lines(draw((uint32_t)script.count));
		}
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	begin(seed);
	if (draw(16) == 0) {
		return LLVMFuzzerMutate(data, size, max_size);
	}
	read_lines(data, size);
	if (draw(8) == 0) {
		write_anew();
	}
	/* Mostly one change: a queue is filled to the brim one message at a time. */
	for (uint32_t left = draw(3) > 0 ? 1 : 2 + draw(3); left > 0; left--) {
		change_once();
	}
	return write_lines(data, max_size);
}

/* Some lines of the second stand in the first, its sessions being others at times. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
	size_t size2, uint8_t *out, size_t max_size, unsigned seed)
{
	static struct line taken[MOST_LINES];

	begin(seed);
	read_lines(data2, size2);
	if (draw(2)) {
		swap_sessions(0);
	}
	size_t count = script.count;

	memcpy(taken, script.lines, count * sizeof(taken[0]));
	read_lines(data1, size1);
	size_t from = count > 0 ? draw((uint32_t)count) : 0;
	size_t most = draw(4) > 0 ? 8 : MOST_LINES;
	size_t some =
		count > 0 ? 1 + draw((uint32_t)(count - from < most ? count - from : most)) : 0;
	size_t at = draw(2) ? script.count : draw((uint32_t)script.count + 1);

	for (size_t i = 0; i < some; i++) {
		insert(at + i < script.count ? at + i : script.count, taken[from + i]);
	}
	return write_lines(out, max_size);
}
