/* Writes values of Foxglove's schemas as JSON into a buffer. */
#include "foxglove_text.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST      1.0e6f
#define SECOND_NS    UINT64_C(1000000000)
#define NUMBER_BYTES 24

void jc_foxglove_put(struct jc_mcap_buffer *buffer, const char *text)
{
	jc_mcap_put_bytes(buffer, text, strlen(text));
}

void jc_foxglove_put_number(struct jc_mcap_buffer *buffer, float value, long steps)
{
	long count = fabsf(value) <= LARGEST ? lround((double)value * (double)steps) : 0;
	long part = labs(count) % steps;
	char text[NUMBER_BYTES];
	int length =
		snprintf(text, sizeof(text), "%s%ld", count < 0 ? "-" : "", labs(count) / steps);

	if (part > 0) {
		text[length++] = '.';
	}
	while (part > 0) {
		steps /= 10;
		text[length++] = (char)('0' + part / steps);
		part %= steps;
	}
	jc_mcap_put_bytes(buffer, text, (size_t)length);
}

void jc_foxglove_put_time(struct jc_mcap_buffer *buffer, uint64_t unix_ns)
{
	char text[64];

	snprintf(text, sizeof(text), "{\"sec\":%" PRIu64 ",\"nsec\":%" PRIu64 "}",
		unix_ns / SECOND_NS, unix_ns % SECOND_NS);
	jc_foxglove_put(buffer, text);
}

static void put_members(
	struct jc_mcap_buffer *buffer, const float *values, size_t count, long steps)
{
	static const char *const names[] = { "{\"x\":", ",\"y\":", ",\"z\":", ",\"w\":" };

	for (size_t i = 0; i < count; i++) {
		jc_foxglove_put(buffer, names[i]);
		jc_foxglove_put_number(buffer, values[i], steps);
	}
	jc_foxglove_put(buffer, "}");
}

void jc_foxglove_put_vector(struct jc_mcap_buffer *buffer, struct jc_vec3 v, long steps)
{
	put_members(buffer, (const float[]){ v.x, v.y, v.z }, 3, steps);
}

void jc_foxglove_put_rotation(struct jc_mcap_buffer *buffer, struct jc_quat q, long steps)
{
	put_members(buffer, (const float[]){ q.x, q.y, q.z, q.w }, 4, steps);
}

char *jc_foxglove_escape(const char *text)
{
	json_t *string = json_string(text);
	char *quoted = json_dumps(string, JSON_ENCODE_ANY | JSON_COMPACT);
	size_t length = quoted ? strlen(quoted) : 0;

	json_decref(string);
	if (quoted) {
		memmove(quoted, quoted + 1, length - 2);
		quoted[length - 2] = '\0';
	}
	return quoted;
}
