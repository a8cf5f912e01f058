/* The WebSocket frame reader. The first byte selects how the rest is cut into
 * pieces; every cut must give the same messages. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "net/frame.h"
#include "target.h"

#define MAXIMUM 4096

struct outcome {
	int code;
	uint64_t digest; /* of kinds, lengths and bytes */
};

static struct outcome read_all(const uint8_t *bytes, size_t length, size_t piece)
{
	struct outcome outcome = { 0, 14695981039346656037u };
	struct jc_frame_reader reader;
	size_t at = 0;

	jc_frame_reader_init(&reader, MAXIMUM);
	while (at < length && outcome.code == 0) {
		size_t take = length - at < piece ? length - at : piece;
		size_t consumed = 0;
		struct jc_frame frame;

		outcome.code = jc_frame_read(&reader, bytes + at, take, &consumed, &frame);
		if (outcome.code != 0)
			break;
		assert(consumed > 0 && consumed <= take);
		at += consumed;
		if (frame.kind == JC_FRAME_NONE)
			continue;
		assert(frame.length <= MAXIMUM);
		outcome.digest = (outcome.digest ^ (uint64_t)frame.kind) * 1099511628211u;
		for (size_t i = 0; i < frame.length; i++)
			outcome.digest = (outcome.digest ^ frame.bytes[i]) * 1099511628211u;
	}
	jc_frame_reader_finish(&reader);
	return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	struct outcome whole = read_all(data + 1, size - 1, size);
	struct outcome pieces = read_all(data + 1, size - 1, 1u + data[0] % 32);

	assert(whole.code == pieces.code && whole.digest == pieces.digest);
	return 0;
}
