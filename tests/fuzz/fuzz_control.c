/* What a client says on a WebSocket: each line of the input is a message, of text, or of
 * captures where it begins as they do, in the last of which line ends may stand. They go
 * the whole way from the bytes of a socket to the spaces and back; of what is answered
 * every text is an object with a type, every error one that PROTOCOL.md lists, every close
 * one that may be sent, and every other message a bundle. */
#include <assert.h>
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../unit/daemon/line.h"

#define CAPTURES 0x21
#define TEXT     1
#define BINARY   2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct line line;
static bool upgraded;

static void judge_error(const char *code)
{
	static const char *const codes[] = { "bad-message", "unknown-type", "bad-field", "banned",
		"no-hello", "unknown-space", "not-joined", "too-many", "unsupported", "refused",
		"not-allowed", "unknown-body", "unknown-publication", "bad-capture",
		"cannot-record", "cannot-replay", "unknown-replay", "bad-skeleton",
		"unknown-skeleton", "failed" };
	bool known = false;

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		known = known || strcmp(code, codes[i]) == 0;
	}
	assert(known);
}

static void judge_text(const uint8_t *bytes, size_t length)
{
	json_t *message = json_loadb((const char *)bytes, length, JSON_REJECT_DUPLICATES, NULL);
	const char *type = json_string_value(json_object_get(message, "type"));

	assert(type);
	if (strcmp(type, "error") == 0) {
		judge_error(json_string_value(json_object_get(message, "code")));
	}
	json_decref(message);
}

static void judge_frame(void *context, const uint8_t *bytes, size_t length)
{
	size_t head = length < 2 || bytes[1] < 126 ? 2 : bytes[1] == 126 ? 4 : 10;
	unsigned code;

	(void)context;
	if (!upgraded) {
		assert(length > 12 && memcmp(bytes, "HTTP/1.1 101", 12) == 0);
		upgraded = true;
		return;
	}
	assert(length >= head);
	switch (bytes[0]) {
	case 0x81:
		judge_text(bytes + head, length - head);
		break;
	case 0x82:
		assert(length > head && (bytes[head] == 0x11 || bytes[head] & 0x80));
		break;
	case 0x88:
		code = length >= 4 ? (unsigned)(bytes[2] << 8 | bytes[3]) : JC_CLOSE_NORMAL;
		assert(code >= 1000 && code != JC_CLOSE_NO_STATUS && code < 5000);
		break;
	default:
		assert(bytes[0] == 0x89 || bytes[0] == 0x8a);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at = 0;
	bool goes_on = true;

	if (!line.server.loop) {
		line.hear = judge_frame;
		line_open(&line);
	}
	/* Whom an earlier conversation banned may come again. */
	line_forgive(&line);
	upgraded = false;
	line_connect(&line);
	line_shake_hands(&line);
	while (at < size && goes_on) {
		bool captures = data[at] == CAPTURES;
		const uint8_t *end = captures ? NULL : memchr(data + at, '\n', size - at);
		size_t length = end ? (size_t)(end - data) - at : size - at;

		goes_on = line_send(&line, captures ? BINARY : TEXT, data + at, length) &&
			  !line.connection->session->close_code;
		at += length + (end != NULL);
		jc_spaces_tick(&line.spaces, jc_spaces_due_ns(&line.spaces));
	}
	/* What the pool was asked for. */
	uv_run(&line.loop, UV_RUN_DEFAULT);
	line_hang_up(&line);
	uv_run(&line.loop, UV_RUN_DEFAULT);
	jc_spaces_sweep(&line.spaces, INT64_MAX);
	assert(jc_spaces_find(&line.spaces, "lobby"));
	return 0;
}
