/* Unpacks gzip. VRML files are often gzipped, also without a file name ending in .gz. */
#include "scene_private.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "jointcast/limits.h"
#include "jointcast_private/array.h"

struct output {
	unsigned char *bytes;
	size_t length, capacity;
};

static int grow(struct output *output, struct jc_diagnostic *diagnostic)
{
	if (output->length == JC_LIMIT_FILE_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, "gzip",
			"unpacks to more than %u MiB", JC_LIMIT_FILE_BYTES >> 20);
	}
	return jc_array_grow(&output->bytes, &output->capacity, output->length + 1,
		       JC_LIMIT_FILE_BYTES, 1)
		       ? JC_OK
		       : jc_diagnose(diagnostic, JC_ERROR_MEMORY, "gzip", "out of memory");
}

/* One call of inflate(); *out_ended after the last member. */
static int inflate_some(
	z_stream *stream, struct output *output, bool *out_ended, struct jc_diagnostic *diagnostic)
{
	size_t room = output->capacity - output->length;
	int status;

	stream->next_out = output->bytes + output->length;
	stream->avail_out = room < UINT_MAX ? (unsigned)room : UINT_MAX;
	status = inflate(stream, Z_NO_FLUSH);
	output->length = (size_t)(stream->next_out - output->bytes);
	*out_ended = false;
	if (status == Z_STREAM_END) {
		/* Another member follows where its magic does; else padding. */
		*out_ended = stream->avail_in < 2 || stream->next_in[0] != 0x1f ||
			     stream->next_in[1] != 0x8b;
		if (!*out_ended) {
			inflateReset(stream);
		}
		return JC_OK;
	}
	if (status == Z_MEM_ERROR) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, "gzip", "out of memory");
	}
	if (status == Z_OK || (status == Z_BUF_ERROR && stream->avail_out == 0)) {
		return JC_OK;
	}
	if (status == Z_BUF_ERROR) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, "gzip", "ends too early");
	}
	return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, "gzip", "%s",
		stream->msg ? stream->msg : "is damaged");
}

int jc_gzip_inflate(const void *bytes, size_t length, void **out_bytes, size_t *out_length,
	struct jc_diagnostic *diagnostic)
{
	z_stream stream = { .next_in = (unsigned char *)bytes, .avail_in = (unsigned)length };
	struct output output = { 0 };
	bool ended = false;
	int error = JC_OK;

	if (inflateInit2(&stream, 15 + 16) != Z_OK) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, "gzip", "out of memory");
	}
	while (!error && !ended) {
		error = grow(&output, diagnostic);
		if (!error) {
			error = inflate_some(&stream, &output, &ended, diagnostic);
		}
	}
	inflateEnd(&stream);
	if (error) {
		free(output.bytes);
		return error;
	}
	*out_bytes = output.bytes;
	*out_length = output.length;
	return JC_OK;
}
