/* Unpacks chunks. Their sizes are checked before memory is allocated. */
#include "chunk.h"

#include <zstd.h>

#include "jointcast/limits.h"

/* No compressed frame may want a larger window than the largest chunk. */
#define WINDOW_LOG 26

static bool is_compression(const struct jc_mcap_chunk *chunk, const char *name)
{
	return jc_mcap_equal(chunk->compression, jc_mcap_text(name));
}

static int unpack_zstd(const struct jc_mcap_chunk *chunk, struct jc_mcap_buffer *buffer,
	struct jc_diagnostic *diagnostic)
{
	size_t size = (size_t)chunk->uncompressed_size;
	unsigned long long claimed =
		ZSTD_getFrameContentSize(chunk->records.bytes, chunk->records.length);
	uint8_t *at;
	size_t length;

	if (claimed == ZSTD_CONTENTSIZE_ERROR ||
		(claimed != ZSTD_CONTENTSIZE_UNKNOWN && claimed > size)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"a chunk whose compressed size contradicts it");
	}
	at = jc_mcap_buffer_extend(buffer, size);
	if (!at) {
		return jc_diagnose(diagnostic, buffer->error, NULL, "out of memory");
	}
	length = ZSTD_decompress(at, size, chunk->records.bytes, chunk->records.length);
	if (ZSTD_isError(length) || length != size) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "a chunk that does not decompress");
	}
	return JC_OK;
}

static int unpack_plain(const struct jc_mcap_chunk *chunk, struct jc_mcap_buffer *buffer,
	struct jc_diagnostic *diagnostic)
{
	if (chunk->records.length != chunk->uncompressed_size) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "an uncompressed chunk of two sizes");
	}
	jc_mcap_put_bytes(buffer, chunk->records.bytes, chunk->records.length);
	return buffer->error ? jc_diagnose(diagnostic, buffer->error, NULL, "out of memory")
			     : JC_OK;
}

int jc_mcap_chunk_unpack(const struct jc_mcap_chunk *chunk, struct jc_mcap_buffer *buffer,
	struct jc_diagnostic *diagnostic)
{
	int error;

	jc_mcap_buffer_clear(buffer);
	if (chunk->uncompressed_size > JC_LIMIT_MCAP_CHUNK_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "a chunk of more than %u MiB",
			JC_LIMIT_MCAP_CHUNK_BYTES >> 20);
	}
	if (is_compression(chunk, "zstd")) {
		error = chunk->uncompressed_size > 0 ? unpack_zstd(chunk, buffer, diagnostic)
						     : JC_OK;
	} else if (is_compression(chunk, "")) {
		error = unpack_plain(chunk, buffer, diagnostic);
	} else {
		error = jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"a chunk compressed with '%.*s'; only zstd is supported",
			(int)(chunk->compression.length < 32 ? chunk->compression.length : 32),
			(const char *)chunk->compression.bytes);
	}
	if (error) {
		return error;
	}
	if (chunk->uncompressed_crc != 0 &&
		jc_mcap_crc(0, buffer->bytes, buffer->length) != chunk->uncompressed_crc) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "a chunk whose CRC does not match");
	}
	return JC_OK;
}

static int salvage_zstd(const struct jc_mcap_chunk *chunk, struct jc_mcap_buffer *buffer)
{
	size_t size = (size_t)chunk->uncompressed_size;
	uint8_t *at = jc_mcap_buffer_extend(buffer, size);
	ZSTD_DCtx *context = ZSTD_createDCtx();
	ZSTD_inBuffer in = { chunk->records.bytes, chunk->records.length, 0 };
	ZSTD_outBuffer out = { at, size, 0 };
	int error = at && context ? JC_OK : JC_ERROR_MEMORY;
	size_t before;

	if (error) {
		goto out;
	}
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG);
	do {
		before = in.pos + out.pos;
		if (ZSTD_isError(ZSTD_decompressStream(context, &out, &in))) {
			break;
		}
	} while (in.pos + out.pos > before && out.pos < size);
	buffer->length = out.pos;
out:
	ZSTD_freeDCtx(context);
	return error;
}

int jc_mcap_chunk_salvage(const struct jc_mcap_chunk *chunk, struct jc_mcap_buffer *buffer)
{
	jc_mcap_buffer_clear(buffer);
	if (chunk->uncompressed_size > JC_LIMIT_MCAP_CHUNK_BYTES) {
		return JC_OK;
	}
	if (is_compression(chunk, "zstd")) {
		return salvage_zstd(chunk, buffer);
	}
	if (is_compression(chunk, "") && chunk->records.length <= chunk->uncompressed_size) {
		jc_mcap_put_bytes(buffer, chunk->records.bytes, chunk->records.length);
	}
	return buffer->error;
}

int jc_mcap_chunk_next(const struct jc_mcap_buffer *buffer, size_t *at,
	struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_take take =
		jc_mcap_take_begin((struct jc_mcap_slice){ buffer->bytes, buffer->length });
	uint8_t opcode;
	struct jc_mcap_slice content;
	int error;

	if (*at >= buffer->length) {
		return JC_ERROR_ABSENT;
	}
	take.at += *at;
	opcode = (uint8_t)jc_mcap_take_number(&take, 1);
	content = jc_mcap_take_slice(&take, jc_mcap_take_number(&take, 8));
	if (take.failed) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL,
			"records that end within a %s", jc_mcap_opcode_name(opcode));
	}
	error = jc_mcap_record_parse(opcode, content.bytes, content.length, out_record, diagnostic);
	if (error) {
		return error;
	}
	out_record->in_chunk = true;
	out_record->offset = *at;
	*at = (size_t)(take.at - buffer->bytes);
	return JC_OK;
}
