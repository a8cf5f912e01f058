/* Searches intact chunks in damaged files. A chunk head is easy to recognise: its two lengths and
 * the name of its compression must agree. Only such candidates are unpacked. */
#include "chunk_search.h"

#include <string.h>

#include "chunk.h"
#include "framing.h"
#include "jointcast/limits.h"

#define HEAD_BYTES   (JC_MCAP_FRAME_BYTES + 8 + 8 + 8 + 4 + 4 + 4 + 8) /* with "zstd" */
#define WINDOW_BYTES 65536u
#define SECTOR_BYTES 4096u

/* Forged heads may overlap. The search ends after this many bytes of false chunks per byte of
 * the file. */
#define TRIES 4u

void jc_mcap_chunk_search_finish(struct jc_mcap_chunk_search *search)
{
	jc_mcap_buffer_finish(&search->record);
	jc_mcap_buffer_finish(&search->chunk);
}

bool jc_mcap_chunk_search_head(const uint8_t *bytes, size_t length, struct jc_mcap_chunk *out_chunk)
{
	struct jc_mcap_take take = jc_mcap_take_begin((struct jc_mcap_slice){ bytes, length });
	struct jc_mcap_chunk chunk;
	uint64_t content, records;
	size_t left;

	if (jc_mcap_take_number(&take, 1) != JC_MCAP_CHUNK) {
		return false;
	}
	content = jc_mcap_take_number(&take, 8);
	chunk.start_time = jc_mcap_take_number(&take, 8);
	chunk.end_time = jc_mcap_take_number(&take, 8);
	chunk.uncompressed_size = jc_mcap_take_number(&take, 8);
	chunk.uncompressed_crc = (uint32_t)jc_mcap_take_number(&take, 4);
	chunk.compression = jc_mcap_take_string(&take);
	records = jc_mcap_take_number(&take, 8);
	if (take.failed || chunk.start_time > chunk.end_time ||
		chunk.uncompressed_size > JC_LIMIT_MCAP_CHUNK_BYTES ||
		records > JC_LIMIT_MCAP_RECORD_BYTES ||
		content != 40 + chunk.compression.length + records) {
		return false;
	}
	left = (size_t)(take.end - take.at);
	chunk.records = jc_mcap_take_slice(&take, left < records ? left : records);
	*out_chunk = chunk;
	return true;
}

/* Whether a complete chunk is at this place. */
static int try_chunk(struct jc_mcap_chunk_search *search, uint64_t offset, bool *out_whole)
{
	struct jc_mcap_record record;
	int error = jc_mcap_framing_read(search->input, offset, &search->record, &record, NULL);

	search->tried += search->record.length;
	if (!error) {
		error = jc_mcap_chunk_unpack(&record.chunk, &search->chunk, NULL);
	}
	*out_whole = error == JC_OK;
	return error == JC_ERROR_MEMORY ? error : JC_OK;
}

/* The same for every place of a window, which begins at `offset` of the file. */
static int search_window(struct jc_mcap_chunk_search *search, const uint8_t *window, size_t length,
	uint64_t offset, uint64_t *out_found)
{
	struct jc_mcap_chunk chunk;
	bool whole;

	for (size_t i = 0; i + HEAD_BYTES - 4 <= length; i++) {
		const uint8_t *at = memchr(window + i, JC_MCAP_CHUNK, length - i);
		int error;

		if (!at) {
			break;
		}
		i = (size_t)(at - window);
		if (!jc_mcap_chunk_search_head(at, length - i, &chunk)) {
			continue;
		}
		error = try_chunk(search, offset + i, &whole);
		if (error || whole) {
			*out_found = offset + i;
			return error;
		}
		if (search->tried / TRIES > search->input->size) {
			break;
		}
	}
	return JC_OK;
}

/* The next sector boundary after `length` bytes with unreadable ones, if sectors are that large. */
static uint64_t next_sector(uint64_t from, size_t length)
{
	uint64_t border = (from + length) / SECTOR_BYTES * SECTOR_BYTES;

	return border > from ? border : from + length;
}

int jc_mcap_chunk_search_next(
	struct jc_mcap_chunk_search *search, uint64_t from, uint64_t *out_offset)
{
	uint8_t window[WINDOW_BYTES];
	uint64_t size = search->input->size;
	size_t reach = WINDOW_BYTES;

	search->record.maximum = JC_LIMIT_MCAP_RECORD_BYTES;
	search->chunk.maximum = JC_LIMIT_MCAP_CHUNK_BYTES;
	while (from < size && search->tried / TRIES <= size) {
		size_t length = size - from < reach ? (size_t)(size - from) : reach;
		uint64_t found = size;
		int error = search->input->read_at(search->input->context, from, window, length);

		/* Unreadable bytes are skipped in small steps. */
		if (error == JC_ERROR_READ) {
			if (length <= SECTOR_BYTES) {
				from = next_sector(from, length);
			}
			reach = SECTOR_BYTES;
			continue;
		}
		reach = WINDOW_BYTES;
		error = error ? error : search_window(search, window, length, from, &found);
		if (error || found < size) {
			*out_offset = found;
			return error;
		}
		if (length == size - from) {
			break;
		}
		/* The next window contains a head across the border completely. */
		from += length - HEAD_BYTES;
	}
	*out_offset = size;
	return JC_OK;
}
