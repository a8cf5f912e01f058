/* Rosters are scanned, not parsed: a buffer may hold thousands, and this runs on the loop. */
#include "replay/rewind_erasure.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/recording_reader.h"

#define BODIES "\"bodies\":["
#define ID     "{\"id\":"

/* Returns the position after the object that begins at `at`. */
static char *skip_object(char *at, char *end)
{
	bool is_text = false;
	int depth = 0;

	for (; at < end; at++) {
		if (is_text && *at == '\\') {
			at++;
		} else if (is_text) {
			is_text = *at != '"';
		} else if (*at == '"') {
			is_text = true;
		} else if (*at == '{') {
			depth++;
		} else if (*at == '}' && --depth == 0) {
			return at + 1;
		}
	}
	return end;
}

/* The entry of a body begins with its id. */
static bool is_withdrawn(
	const char *at, const char *end, const struct jc_rewind_bodies *rewind_bodies)
{
	size_t key = strlen(ID);

	/* A comma ends the number, so reading stops before the end. */
	return (size_t)(end - at) > key && memcmp(at, ID, key) == 0 &&
	       jc_rewind_bodies_is_withdrawn(rewind_bodies, (uint32_t)strtoul(at + key, NULL, 10));
}

size_t jc_rewind_erasure_of_roster(
	char *text, size_t length, const struct jc_rewind_bodies *rewind_bodies)
{
	char *end = text + length;
	char *begin = memmem(text, length, BODIES, strlen(BODIES));
	char *at = begin ? begin + strlen(BODIES) : end;
	char *kept = at;

	begin = at;
	while (at < end && *at == '{') {
		char *next = skip_object(at, end);

		if (!is_withdrawn(at, end, rewind_bodies)) {
			if (kept > begin) {
				*kept++ = ',';
			}
			memmove(kept, at, (size_t)(next - at));
			kept += next - at;
		}
		at = next < end && *next == ',' ? next + 1 : next;
	}
	memmove(kept, at, (size_t)(end - at));
	return (size_t)(kept - text) + (size_t)(end - at);
}

size_t jc_rewind_erasure_of_captures(
	uint8_t *bytes, size_t length, const struct jc_rewind_bodies *rewind_bodies)
{
	struct jc_recorded_capture capture;
	struct jc_captures captures;
	uint8_t *kept, *begin;

	if (!jc_captures_begin(bytes, length, &captures)) {
		return length;
	}
	begin = kept = bytes + (captures.at - bytes);
	for (;;) {
		const uint8_t *at = captures.at;

		if (!jc_captures_next(&captures, &capture)) {
			break;
		}
		if (!jc_rewind_bodies_is_withdrawn(rewind_bodies, capture.body)) {
			memmove(kept, at, (size_t)(captures.at - at));
			kept += captures.at - at;
		}
	}
	return kept > begin ? (size_t)(kept - bytes) : 0;
}
