/* Tests the readers: contents, order, rejected files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/mcap_reader.h"
#include "make_file.h"
#include "unit_test.h"

static const struct file_plan plan = {
	.parts = JC_MCAP_ALL_PARTS,
	.compression = JC_MCAP_ZSTD,
	.chunks = 3,
	.data_length = 16,
	.period = 100,
	.closed = true,
};

static struct jc_mcap_slice slice_of(const struct memory_sink *file)
{
	return (struct jc_mcap_slice){ file->bytes, file->length };
}

/* Scans a whole file; the error it ends with. */
static int scan(const void *bytes, size_t length, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_slice slice = { bytes, length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	int error = jc_mcap_scanner_create(&input, &scanner, diagnostic);

	if (error) {
		return error;
	}
	do {
		error = jc_mcap_scanner_next(scanner, &record, diagnostic);
	} while (!error);
	jc_mcap_scanner_destroy(scanner);
	return error;
}

/* Sequence numbers of a range, separated by spaces. */
static void list(const struct memory_sink *file, const struct jc_mcap_range *range, char *out_text)
{
	struct jc_mcap_slice slice = slice_of(file);
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	struct jc_mcap_index *index;
	int error;

	assert_int_equal(jc_mcap_index_read(&input, &index, NULL), JC_OK);
	assert_int_equal(jc_mcap_cursor_create(&input, index, range, &cursor), JC_OK);
	*out_text = '\0';
	while ((error = jc_mcap_cursor_next(cursor, &message, NULL)) == JC_OK) {
		out_text += sprintf(out_text, "%u ", (unsigned)message.sequence);
	}
	assert_int_equal(error, JC_ERROR_ABSENT);
	jc_mcap_cursor_destroy(cursor);
	jc_mcap_index_destroy(index);
}

static void cursor_includes_both_ends_of_its_time_span(void **)
{
	struct memory_sink file;
	struct jc_mcap_range range = { 900, 1300, NULL, 0 };
	char text[512];

	make_file(&plan, &file);
	list(&file, &range, text);
	assert_string_equal(text, "8 9 10 11 12 ");
	range = (struct jc_mcap_range){ 3001, UINT64_MAX, NULL, 0 };
	list(&file, &range, text);
	assert_string_equal(text, "");
	free(file.bytes);
}

static void cursor_returns_the_requested_channels(void **)
{
	static const uint16_t second[] = { 2 };
	struct memory_sink file;
	struct jc_mcap_range range = { 900, 1300, second, 1 };
	char text[512];

	make_file(&plan, &file);
	list(&file, &range, text);
	assert_string_equal(text, "9 11 ");
	free(file.bytes);
}

static void files_without_a_summary_give_the_same_messages(void **)
{
	struct file_plan bare = plan;
	struct memory_sink file;
	struct jc_mcap_range range = { 900, 1300, NULL, 0 };
	char text[512];

	bare.parts = JC_MCAP_CHUNKS;
	make_file(&bare, &file);
	list(&file, &range, text);
	assert_string_equal(text, "8 9 10 11 12 ");
	free(file.bytes);
	bare.parts = 0;
	make_file(&bare, &file);
	list(&file, &range, text);
	assert_string_equal(text, "8 9 10 11 12 ");
	free(file.bytes);
}

static void define_channel(struct jc_mcap_writer *writer)
{
	struct jc_mcap_channel channel = { 7, 0, jc_mcap_text("/t"), jc_mcap_text(""),
		{ NULL, 0 } };

	assert_int_equal(jc_mcap_write_channel(writer, &channel), JC_OK);
}

static int write_time(struct jc_mcap_writer *writer, uint64_t time, size_t length)
{
	static uint8_t data[1 << 16];
	struct jc_mcap_message message = { .channel_id = 7,
		.sequence = (uint32_t)time,
		.log_time = time,
		.data = { data, length } };

	return jc_mcap_write_message(writer, &message);
}

static struct jc_mcap_writer *begin(
	struct memory_sink *file, size_t chunk_bytes, uint64_t chunk_ns, unsigned parts)
{
	struct jc_mcap_writer_options options = {
		.profile = "",
		.library = "",
		.parts = parts,
		.chunk_bytes = chunk_bytes,
		.chunk_ns = chunk_ns,
	};
	struct jc_mcap_sink sink = memory_sink(file);
	struct jc_mcap_writer *writer;

	*file = (struct memory_sink){ 0 };
	assert_int_equal(jc_mcap_writer_create(&options, &sink, &writer), JC_OK);
	define_channel(writer);
	return writer;
}

static void merges_overlapping_chunks_by_time(void **)
{
	static const uint64_t times[] = { 10, 50, 90, 20, 60, 30, 40, 80, 70 };
	struct memory_sink file;
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_mcap_writer *writer = begin(&file, 0, 0, JC_MCAP_ALL_PARTS);
	char text[512];

	for (size_t i = 0; i < 9; i++) {
		assert_int_equal(write_time(writer, times[i], 4), JC_OK);
		if (i % 3 == 2) {
			assert_int_equal(jc_mcap_writer_flush(writer), JC_OK);
		}
	}
	assert_int_equal(jc_mcap_writer_end(writer), JC_OK);
	jc_mcap_writer_destroy(writer);
	list(&file, &range, text);
	assert_string_equal(text, "10 20 30 40 50 60 70 80 90 ");
	free(file.bytes);
}

static size_t count_chunks(const struct memory_sink *file)
{
	struct jc_mcap_slice slice = slice_of(file);
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_mcap_index *index;
	size_t count;

	assert_int_equal(jc_mcap_index_read(&input, &index, NULL), JC_OK);
	count = index->block_count;
	jc_mcap_index_destroy(index);
	return count;
}

static void limits_size_and_duration_of_chunks(void **)
{
	struct memory_sink file;
	struct jc_mcap_writer *writer = begin(&file, 1000, 0, JC_MCAP_ALL_PARTS);

	/* A message is 31 bytes and its data: three of 300 fit in 1000. */
	for (uint64_t i = 0; i < 7; i++) {
		assert_int_equal(write_time(writer, i, 300 - 31), JC_OK);
	}
	assert_int_equal(jc_mcap_writer_end(writer), JC_OK);
	jc_mcap_writer_destroy(writer);
	assert_int_equal(count_chunks(&file), 3);
	free(file.bytes);
	writer = begin(&file, 0, 100, JC_MCAP_ALL_PARTS);
	for (uint64_t i = 0; i < 10; i++) {
		assert_int_equal(write_time(writer, 40 * i, 1), JC_OK);
	}
	assert_int_equal(jc_mcap_writer_end(writer), JC_OK);
	jc_mcap_writer_destroy(writer);
	/* 0 40 80 | 120 160 200 | 240 280 320 | 360 */
	assert_int_equal(count_chunks(&file), 4);
	free(file.bytes);
}

static void detects_every_flipped_bit_in_checked_data(void **)
{
	struct memory_sink file;
	struct jc_diagnostic diagnostic;

	make_file(&plan, &file);
	assert_int_equal(scan(file.bytes, file.length, &diagnostic), JC_ERROR_ABSENT);
	for (size_t bit = 0; bit < 8 * file.length; bit++) {
		memset(&diagnostic, 0, sizeof(diagnostic));
		file.bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
		assert_int_not_equal(scan(file.bytes, file.length, &diagnostic), JC_ERROR_ABSENT);
		assert_true(diagnostic.what[0] != '\0');
		file.bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
	}
	free(file.bytes);
}

static void rejects_a_file_truncated_at_any_byte(void **)
{
	struct memory_sink file;
	struct jc_diagnostic diagnostic;

	make_file(&plan, &file);
	for (size_t length = 0; length < file.length; length++) {
		struct jc_mcap_slice slice = { file.bytes, length };
		struct jc_mcap_input input = jc_mcap_input_memory(&slice);
		struct jc_mcap_index *index;
		int error = scan(file.bytes, length, &diagnostic);

		assert_true(error < 0 && error != JC_ERROR_ABSENT);
		assert_true(jc_mcap_index_read(&input, &index, &diagnostic) < 0);
	}
	free(file.bytes);
}

/* A file of a header and one record, whose length the record may lie about. */
static size_t put_record(
	uint8_t *file, uint8_t opcode, uint64_t length, const void *content, size_t content_length)
{
	static const uint8_t head[] = { 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n', 1, 8, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
	size_t at = sizeof(head);

	memcpy(file, head, sizeof(head));
	file[at++] = opcode;
	for (int i = 0; i < 8; i++) {
		file[at++] = (uint8_t)(length >> (8 * i));
	}
	memcpy(file + at, content, content_length);
	return at + content_length;
}

static void rejects_lengths_past_the_end_before_allocating_memory(void **)
{
	uint8_t file[256] = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	size_t length = put_record(file, JC_MCAP_ATTACHMENT, UINT64_MAX, "x", 1);

	assert_int_equal(scan(file, length, &diagnostic), JC_ERROR_TRUNCATED);
	assert_string_equal(diagnostic.what, "ends within: attachment");
	assert_string_equal(diagnostic.where, "at byte 25");
}

static void rejects_chunks_beyond_the_size_limit(void **)
{
	uint8_t file[256] = { 0 };
	uint8_t chunk[48] = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	uint64_t size = UINT64_C(1) << 40;
	size_t length;

	for (int i = 0; i < 8; i++) {
		chunk[16 + i] = (uint8_t)(size >> (8 * i));
	}
	chunk[28] = 4;
	memcpy(chunk + 32, "zstd", 4);
	length = put_record(file, JC_MCAP_CHUNK, 44, chunk, 44);
	assert_int_equal(scan(file, length, &diagnostic), JC_ERROR_LIMIT);
	assert_string_equal(diagnostic.what, "a chunk of more than 64 MiB");
	memcpy(chunk + 32, "lz4 ", 4);
	memset(chunk + 16, 0, 8);
	length = put_record(file, JC_MCAP_CHUNK, 44, chunk, 44);
	assert_int_equal(scan(file, length, &diagnostic), JC_ERROR_UNSUPPORTED);
	assert_string_equal(
		diagnostic.what, "a chunk compressed with 'lz4 '; only zstd is supported");
}

static void skips_unknown_records(void **)
{
	struct jc_mcap_record record;
	uint8_t header[16] = { 2, 0, 0, 0, 'a', 'b', 0, 0, 0, 0, 'n', 'e', 'w' };

	assert_int_equal(jc_mcap_record_parse(0x42, "x", 1, &record, NULL), JC_OK);
	assert_int_equal(record.opcode, 0x42);
	assert_int_equal(jc_mcap_record_parse(JC_MCAP_HEADER, header, 13, &record, NULL), JC_OK);
	assert_int_equal(record.header.profile.length, 2);
	assert_int_equal(record.header.library.length, 0);
	assert_int_equal(record.extra, 3);
	assert_int_equal(
		jc_mcap_record_parse(JC_MCAP_HEADER, header, 9, &record, NULL), JC_ERROR_SYNTAX);
	assert_int_equal(jc_mcap_record_parse(0, "", 0, &record, NULL), JC_ERROR_SYNTAX);
}

static void finds_attachments_and_metadata_by_the_index(void **)
{
	struct memory_sink file;
	struct jc_mcap_slice slice, key, value;
	struct jc_mcap_input input;
	struct jc_mcap_index *index;
	struct jc_mcap_record record;
	void *bytes;

	make_file(&plan, &file);
	slice = slice_of(&file);
	input = jc_mcap_input_memory(&slice);
	assert_int_equal(jc_mcap_index_read(&input, &index, NULL), JC_OK);
	assert_true(jc_mcap_equal(index->profile, jc_mcap_text("test")));
	assert_int_equal(index->start_time, 100);
	assert_int_equal(index->end_time, 3000);
	assert_int_equal(index->message_count, 30);
	assert_int_equal(index->attachment_count, 1);
	assert_int_equal(
		jc_mcap_read_record(&input, index->attachments[0].offset, &bytes, &record, NULL),
		JC_OK);
	assert_true(jc_mcap_equal(record.attachment.data, jc_mcap_text("hello")));
	free(bytes);
	assert_int_equal(index->metadata_count, 1);
	assert_int_equal(
		jc_mcap_read_record(&input, index->metadata[0].offset, &bytes, &record, NULL),
		JC_OK);
	assert_true(jc_mcap_map_next(&record.metadata.pairs, &key, &value));
	assert_true(jc_mcap_equal(key, jc_mcap_text("key")));
	assert_true(jc_mcap_equal(value, jc_mcap_text("value")));
	assert_false(jc_mcap_map_next(&record.metadata.pairs, &key, &value));
	free(bytes);
	jc_mcap_index_destroy(index);
	free(file.bytes);
}

static void writers_reject_invalid_records(void **)
{
	struct memory_sink file;
	struct jc_mcap_writer *writer = begin(&file, 0, 0, JC_MCAP_ALL_PARTS);
	struct jc_mcap_schema schema = { 0, jc_mcap_text("S"), jc_mcap_text(""), jc_mcap_text("") };
	struct jc_mcap_channel channel = { 8, 9, jc_mcap_text("/x"), jc_mcap_text(""),
		{ NULL, 0 } };
	struct jc_mcap_message message = { .channel_id = 8 };

	assert_int_equal(jc_mcap_write_schema(writer, &schema), JC_ERROR_INVALID);
	assert_int_equal(jc_mcap_write_channel(writer, &channel), JC_ERROR_INVALID);
	assert_int_equal(jc_mcap_write_message(writer, &message), JC_ERROR_INVALID);
	channel = (struct jc_mcap_channel){ 7, 0, jc_mcap_text("/other"), jc_mcap_text(""),
		{ NULL, 0 } };
	assert_int_equal(jc_mcap_write_channel(writer, &channel), JC_ERROR_INVALID);
	define_channel(writer); /* the same again is fine */
	assert_int_equal(write_time(writer, 1, 4), JC_OK);
	assert_int_equal(jc_mcap_writer_end(writer), JC_OK);
	assert_int_equal(write_time(writer, 2, 4), JC_ERROR_INVALID);
	assert_int_equal(jc_mcap_writer_end(writer), JC_ERROR_INVALID);
	jc_mcap_writer_destroy(writer);
	assert_int_equal(scan(file.bytes, file.length, NULL), JC_ERROR_ABSENT);
	free(file.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cursor_includes_both_ends_of_its_time_span),
		cmocka_unit_test(cursor_returns_the_requested_channels),
		cmocka_unit_test(files_without_a_summary_give_the_same_messages),
		cmocka_unit_test(merges_overlapping_chunks_by_time),
		cmocka_unit_test(limits_size_and_duration_of_chunks),
		cmocka_unit_test(detects_every_flipped_bit_in_checked_data),
		cmocka_unit_test(rejects_a_file_truncated_at_any_byte),
		cmocka_unit_test(rejects_lengths_past_the_end_before_allocating_memory),
		cmocka_unit_test(rejects_chunks_beyond_the_size_limit),
		cmocka_unit_test(skips_unknown_records),
		cmocka_unit_test(finds_attachments_and_metadata_by_the_index),
		cmocka_unit_test(writers_reject_invalid_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
