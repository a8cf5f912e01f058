/* Tests the repair of files that are truncated or damaged at any byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/mcap_reader.h"
#include "jointcast/mcap_recovery.h"
#include "make_file.h"
#include "unit_test.h"

#define PERIOD UINT64_C(100000000)
#define CHUNKS 4u

static const struct file_plan plan = {
	.parts = JC_MCAP_ALL_PARTS,
	.compression = JC_MCAP_ZSTD,
	.chunks = CHUNKS,
	.data_length = 16,
	.period = PERIOD,
	.closed = true,
};

/* Offsets at which the chunk records of a file begin and end. */
struct places {
	uint64_t begin[CHUNKS], end[CHUNKS];
	uint64_t data_end; /* past the data end record */
};

static void find_places(const struct memory_sink *file, struct places *out_places)
{
	struct jc_mcap_slice slice = { file->bytes, file->length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	size_t count = 0;

	assert_int_equal(jc_mcap_scanner_create(&input, &scanner, NULL), JC_OK);
	while (jc_mcap_scanner_next(scanner, &record, NULL) == JC_OK) {
		if (record.opcode == JC_MCAP_CHUNK) {
			out_places->begin[count] = record.offset;
			out_places->end[count++] = jc_mcap_scanner_offset(scanner);
		}
		if (record.opcode == JC_MCAP_DATA_END) {
			out_places->data_end = jc_mcap_scanner_offset(scanner);
		}
	}
	assert_int_equal(count, CHUNKS);
	jc_mcap_scanner_destroy(scanner);
}

static int recover(const void *bytes, size_t length, struct memory_sink *out_file,
	struct jc_mcap_recovery *out_recovery)
{
	struct jc_mcap_slice slice = { bytes, length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_mcap_sink sink = memory_sink(out_file);

	*out_file = (struct memory_sink){ 0 };
	return jc_mcap_recover(&input, "tests", &sink, out_recovery, NULL);
}

/* Reads a mended file as a whole; its messages have to be the first ones of the
 * plan, without those in [from, until). Returns how many. */
static uint64_t check(const struct memory_sink *file, uint64_t from, uint64_t until)
{
	struct jc_mcap_slice slice = { file->bytes, file->length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	struct jc_mcap_index *index;
	uint64_t count = 0;
	uint64_t expected = 0;
	char text[65];
	int error;

	assert_int_equal(jc_mcap_scanner_create(&input, &scanner, &diagnostic), JC_OK);
	while ((error = jc_mcap_scanner_next(scanner, &record, &diagnostic)) == JC_OK) {
		if (record.opcode != JC_MCAP_MESSAGE) {
			continue;
		}
		expected = expected == from ? until : expected;
		snprintf(text, sizeof(text), "%064u", (unsigned)expected);
		assert_int_equal(record.message.sequence, expected);
		assert_int_equal(record.message.log_time, (expected + 1) * PERIOD);
		assert_memory_equal(record.message.data.bytes, text, 16);
		expected++;
		count++;
	}
	assert_int_equal(error, JC_ERROR_ABSENT);
	jc_mcap_scanner_destroy(scanner);
	assert_int_equal(jc_mcap_index_read(&input, &index, &diagnostic), JC_OK);
	jc_mcap_index_destroy(index);
	return count;
}

static void recovers_a_complete_file_without_loss(void **)
{
	struct memory_sink file, mended;
	struct jc_mcap_recovery recovery;

	make_file(&plan, &file);
	assert_int_equal(recover(file.bytes, file.length, &mended, &recovery), JC_OK);
	assert_true(recovery.closed);
	assert_int_equal(recovery.messages, 10 * CHUNKS);
	assert_int_equal(recovery.attachments, 2);
	assert_int_equal(recovery.damages, 0);
	assert_int_equal(recovery.lost_ns, 0);
	assert_int_equal(check(&mended, UINT64_MAX, 0), 10 * CHUNKS);
	free(mended.bytes);
	free(file.bytes);
}

/* Every complete chunk in the first `length` bytes is kept completely and read back; nothing
 * else is reported as kept. */
static void check_cut(const struct memory_sink *file, const struct places *places, size_t length)
{
	struct memory_sink mended;
	struct jc_mcap_recovery recovery;
	uint64_t whole = 0;
	int error = recover(file->bytes, length, &mended, &recovery);

	for (size_t i = 0; i < CHUNKS; i++) {
		whole += places->end[i] <= length ? 10 : 0;
	}
	if (error) {
		assert_int_equal(error, length < 8 ? JC_ERROR_SYNTAX : JC_ERROR_ABSENT);
		assert_int_equal(whole, 0);
	} else {
		assert_true(recovery.messages >= whole);
		assert_true(recovery.messages < whole + 10 || whole == 10 * CHUNKS);
		assert_int_equal(check(&mended, UINT64_MAX, 0), recovery.messages);
		assert_int_equal(recovery.closed, length >= places->data_end);
		if (length >= places->begin[0] && length < places->end[CHUNKS - 1] &&
			recovery.damages > 0 && !recovery.is_estimate) {
			/* To the end of the chunk at which the file is cut off. */
			assert_int_equal(
				recovery.lost_ns, (whole + 10 - recovery.messages) * PERIOD);
		}
	}
	free(mended.bytes);
}

static void truncation_at_any_byte_keeps_every_complete_chunk(void **)
{
	struct memory_sink file;
	struct places places;

	make_file(&plan, &file);
	find_places(&file, &places);
	for (size_t length = 0; length < file.length; length++) {
		check_cut(&file, &places, length);
	}
	free(file.bytes);
}

static void keeps_the_complete_messages_of_a_cut_off_chunk(void **)
{
	struct file_plan plain = plan;
	struct memory_sink file, mended;
	struct jc_mcap_recovery recovery;
	struct places places;
	/* Frame, head, then records of 31 + 16 bytes. */
	const uint64_t head = 9 + 8 + 8 + 8 + 4 + 4 + 8;

	plain.compression = JC_MCAP_UNCOMPRESSED;
	make_file(&plain, &file);
	find_places(&file, &places);
	for (uint64_t kept = 0; kept < 10; kept++) {
		size_t length = (size_t)(places.begin[2] + head + kept * 47 + 46);

		assert_int_equal(recover(file.bytes, length, &mended, &recovery), JC_OK);
		assert_int_equal(recovery.messages, 20 + kept);
		assert_int_equal(recovery.parts, kept > 0);
		assert_int_equal(recovery.lost_ns, (10 - kept) * PERIOD);
		assert_false(recovery.is_estimate);
		assert_int_equal(check(&mended, UINT64_MAX, 0), 20 + kept);
		free(mended.bytes);
	}
	free(file.bytes);
}

static void damaged_chunk_loses_only_its_own_messages(void **)
{
	struct memory_sink file, mended;
	struct jc_mcap_recovery recovery;
	struct places places;

	make_file(&plan, &file);
	find_places(&file, &places);
	file.bytes[places.end[1] - 12] ^= 0x10;
	assert_int_equal(recover(file.bytes, file.length, &mended, &recovery), JC_OK);
	assert_true(recovery.closed);
	assert_int_equal(recovery.messages, 30);
	assert_int_equal(recovery.damages, 1);
	assert_int_equal(recovery.first_damage, places.begin[1]);
	/* From message 9 to message 20, the ones between them lost. */
	assert_int_equal(recovery.lost_ns, 11 * PERIOD);
	assert_int_equal(check(&mended, 10, 20), 30);
	free(mended.bytes);
	free(file.bytes);
}

static void continues_with_the_next_intact_chunk_after_damage(void **)
{
	struct memory_sink file, mended;
	struct jc_mcap_recovery recovery;
	struct places places;

	make_file(&plan, &file);
	find_places(&file, &places);
	memset(file.bytes + places.begin[1] - 3, 0, 40);
	assert_int_equal(recover(file.bytes, file.length, &mended, &recovery), JC_OK);
	assert_int_equal(recovery.messages, 30);
	assert_int_equal(recovery.lost_ns, 11 * PERIOD);
	assert_int_equal(check(&mended, 10, 20), 30);
	free(mended.bytes);
	free(file.bytes);
}

static void recovered_file_is_readable_after_any_flipped_bit(void **)
{
	struct memory_sink file;

	make_file(&plan, &file);
	for (size_t bit = 0; bit < 8 * file.length; bit += 3) {
		struct memory_sink mended;
		struct jc_mcap_recovery recovery;
		struct jc_mcap_slice slice;
		struct jc_mcap_input input;
		struct jc_mcap_scanner *scanner;
		struct jc_mcap_record record;
		int error;

		file.bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
		error = recover(file.bytes, file.length, &mended, &recovery);
		file.bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
		if (error) {
			assert_true(bit < 64); /* the magic */
			continue;
		}
		/* At most a chunk is lost, and of a complete file never a channel. */
		if (recovery.messages < 10 * (CHUNKS - 1)) {
			fail_msg("bit %zu: %u messages", bit, (unsigned)recovery.messages);
		}
		assert_int_equal(recovery.lost_messages, 0);
		slice = (struct jc_mcap_slice){ mended.bytes, mended.length };
		input = jc_mcap_input_memory(&slice);
		assert_int_equal(jc_mcap_scanner_create(&input, &scanner, NULL), JC_OK);
		do {
			error = jc_mcap_scanner_next(scanner, &record, NULL);
		} while (!error);
		assert_int_equal(error, JC_ERROR_ABSENT);
		jc_mcap_scanner_destroy(scanner);
		free(mended.bytes);
	}
	free(file.bytes);
}

/* A file of which a part cannot be read. */
struct worn_file {
	const struct memory_sink *file;
	uint64_t from, until;
};

static int read_worn(void *context, uint64_t offset, void *bytes, size_t length)
{
	const struct worn_file *worn = context;

	if (offset < worn->until && offset + length > worn->from) {
		return JC_ERROR_READ;
	}
	memcpy(bytes, worn->file->bytes + offset, length);
	return JC_OK;
}

/* How many chunks lie between two places of the file. */
static uint64_t count_chunks(const struct memory_sink *file, uint64_t from, uint64_t until)
{
	struct jc_mcap_slice slice = { file->bytes, file->length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	uint64_t count = 0;

	assert_int_equal(jc_mcap_scanner_create(&input, &scanner, NULL), JC_OK);
	while (jc_mcap_scanner_next(scanner, &record, NULL) == JC_OK) {
		count += record.opcode == JC_MCAP_CHUNK && record.offset >= from &&
			 jc_mcap_scanner_offset(scanner) <= until;
	}
	jc_mcap_scanner_destroy(scanner);
	return count;
}

/* A sector in the middle, and the chunks that reach into it. */
static void unreadable_part_loses_only_its_own_messages(void **)
{
	const struct file_plan large = {
		.parts = JC_MCAP_ALL_PARTS,
		.chunks = 100,
		.data_length = 64,
		.period = PERIOD,
		.closed = true,
	};
	struct memory_sink file, mended = { 0 };
	struct worn_file worn = { &file, 8 * 4096, 9 * 4096 };
	struct jc_mcap_input input = { read_worn, &worn, 0 };
	struct jc_mcap_sink sink = memory_sink(&mended);
	struct jc_mcap_recovery recovery;
	uint64_t before, after;

	make_file(&large, &file);
	input.size = file.length;
	before = count_chunks(&file, 0, worn.from);
	after = count_chunks(&file, worn.until, file.length);
	assert_true(before > 0 && after > 10 && before + after < 100);
	assert_int_equal(jc_mcap_recover(&input, "tests", &sink, &recovery, NULL), JC_OK);
	assert_int_equal(recovery.damages, 1);
	assert_int_equal(recovery.messages, 10 * (before + after));
	assert_int_equal(check(&mended, 10 * before, 1000 - 10 * after), recovery.messages);
	free(mended.bytes);
	free(file.bytes);
}

/* A reader that takes it for the end would lose the rest. */
static void an_unreadable_part_does_not_end_the_file(void **)
{
	const struct jc_mcap_range all = JC_MCAP_EVERYTHING;
	struct memory_sink file;
	struct places places;

	make_file(&plan, &file);
	find_places(&file, &places);

	struct worn_file worn = { &file, places.begin[1] + 20, places.begin[1] + 21 };
	struct jc_mcap_input input = { read_worn, &worn, file.length };
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	struct jc_mcap_index *index;
	unsigned messages = 0, refused = 0;
	int error;

	assert_int_equal(jc_mcap_scanner_create(&input, &scanner, NULL), JC_OK);
	do {
		error = jc_mcap_scanner_next(scanner, &record, NULL);
	} while (error == JC_OK);
	assert_int_equal(error, JC_ERROR_READ);
	jc_mcap_scanner_destroy(scanner);

	assert_int_equal(jc_mcap_index_read(&input, &index, NULL), JC_OK);
	assert_int_equal(jc_mcap_cursor_create(&input, index, &all, &cursor), JC_OK);
	while ((error = jc_mcap_cursor_next(cursor, &message, NULL)) != JC_ERROR_ABSENT) {
		messages += error == JC_OK;
		refused += error == JC_ERROR_READ;
	}
	assert_int_equal(refused, 1);
	assert_int_equal(messages, 10 * (CHUNKS - 1));
	jc_mcap_cursor_destroy(cursor);
	jc_mcap_index_destroy(index);
	free(file.bytes);
}

static void rejects_a_file_with_only_a_header(void **)
{
	struct memory_sink file, mended;
	struct jc_mcap_recovery recovery;

	make_file(&plan, &file);
	assert_int_equal(recover(file.bytes, 40, &mended, &recovery), JC_ERROR_ABSENT);
	free(mended.bytes);
	assert_int_equal(recover("not an MCAP file", 16, &mended, &recovery), JC_ERROR_SYNTAX);
	free(file.bytes);
}

/* A file that was never closed has no end time; the loss is estimated from the bytes. */
static void estimates_a_loss_without_a_readable_head(void **)
{
	struct memory_sink file, mended;
	struct jc_mcap_recovery recovery;
	struct places places;

	make_file(&plan, &file);
	find_places(&file, &places);
	assert_int_equal(recover(file.bytes, places.begin[3] + 12, &mended, &recovery), JC_OK);
	assert_int_equal(recovery.messages, 30);
	assert_true(recovery.is_estimate);
	assert_true(recovery.lost_ns > 0 && recovery.lost_ns < 10 * PERIOD);
	free(mended.bytes);
	free(file.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recovers_a_complete_file_without_loss),
		cmocka_unit_test(truncation_at_any_byte_keeps_every_complete_chunk),
		cmocka_unit_test(keeps_the_complete_messages_of_a_cut_off_chunk),
		cmocka_unit_test(damaged_chunk_loses_only_its_own_messages),
		cmocka_unit_test(continues_with_the_next_intact_chunk_after_damage),
		cmocka_unit_test(recovered_file_is_readable_after_any_flipped_bit),
		cmocka_unit_test(unreadable_part_loses_only_its_own_messages),
		cmocka_unit_test(an_unreadable_part_does_not_end_the_file),
		cmocka_unit_test(rejects_a_file_with_only_a_header),
		cmocka_unit_test(estimates_a_loss_without_a_readable_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
