/* Decodes a stream of bundles and prints the bones that are away from the T-pose.
 *
 * usage: decode <MESSAGES
 *
 * Each line of MESSAGES is one binary message of a subscriber, in hexadecimal, in the order of
 * arrival from the first one on. Output, one line for each body and bone:
 * TICK BODY BONE X Y Z W, the normalised rotation of the bone (struct jc_pose). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bundle_reader.h"

static void print(void *context, const struct bundle_reader *reader, uint32_t body,
	const struct jc_stream_frame *frame)
{
	(void)context;
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat n = frame->rotations[bone];

		if (fabsf(n.w) < 1.0f) {
			printf("%" PRIu32 " %" PRIu32 " %s %.6f %.6f %.6f %.6f\n",
				reader->head.tick, body, jc_bone_name((enum jc_bone)bone), n.x, n.y,
				n.z, n.w);
		}
	}
}

/* Returns the number of bytes, or 0 if the text is not hexadecimal. */
static size_t read_hex(const char *text, uint8_t *out_bytes, size_t capacity)
{
	size_t length = 0;
	unsigned byte;
	int used;

	while (length < capacity && sscanf(text, "%2x%n", &byte, &used) == 1 && used == 2) {
		out_bytes[length++] = (uint8_t)byte;
		text += used;
	}
	return *text == '\n' || *text == '\0' ? length : 0;
}

int main(void)
{
	static char line[2 * JC_LIMIT_BUNDLE_BYTES + 2];
	static uint8_t bytes[JC_LIMIT_BUNDLE_BYTES];
	static struct bundle_reader reader = { .moved = print };
	int error = JC_OK;

	while (!error && fgets(line, sizeof(line), stdin)) {
		error = bundle_reader_take(&reader, bytes, read_hex(line, bytes, sizeof(bytes)));
	}
	if (error) {
		fprintf(stderr, "decode: a message is damaged: %s\n", jc_error_name(error));
	}
	bundle_reader_finish(&reader);
	return error ? 1 : 0;
}
