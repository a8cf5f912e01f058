/* Tests messages in parts, and the head of messages of frames, with literal bytes. */
#include <stdlib.h>
#include <string.h>

#include "cluster/frame_message.h"
#include "cluster/parts.h"
#include "jointcast/error.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)

struct joined {
	const char *bytes;
	size_t length;
};

static int take(struct jc_parts *parts, const char *part, size_t length, int64_t now_ns,
	struct joined *out_joined)
{
	/* On the heap with its exact size: the address sanitizer sees reads past the end. */
	uint8_t *copy = malloc(length ? length : 1);

	memcpy(copy, part, length);
	int status =
		jc_parts_take(parts, copy, length, now_ns, &out_joined->bytes, &out_joined->length);

	free(copy);
	return status;
}

#define TAKE(parts, text, now_ns, joined) take(parts, text, sizeof(text) - 1, now_ns, joined)

static void short_message_is_one_part(void **)
{
	static const uint8_t expected[] = { 7, 0, 0, 0, 0, 0, 1, 0, '{', '}' };
	struct jc_parts_split split;
	struct jc_parts parts = { 0 };
	struct joined joined;
	uint8_t part[JC_PART_BYTES];

	assert_int_equal(jc_parts_split_init(&split, 7, "{}", 2, 1 << 20), JC_OK);
	assert_int_equal(jc_parts_split_next(&split, part), sizeof(expected));
	assert_memory_equal(part, expected, sizeof(expected));
	assert_int_equal(jc_parts_split_next(&split, part), 0);
	assert_int_equal(take(&parts, (char *)part, sizeof(expected), 0, &joined), JC_OK);
	assert_string_equal(joined.bytes, "{}");
	assert_int_equal(joined.length, 2);
	jc_parts_finish(&parts);
}

/* All lengths around the borders of parts, for small and large parts. */
static void every_length_comes_back(void **)
{
	static const size_t most[] = { 9, 10, 100, 65536, 1 << 20 };
	uint8_t part[JC_PART_BYTES];
	uint8_t *bytes = malloc(300000);

	for (size_t i = 0; i < 300000; i++) {
		bytes[i] = (uint8_t)(i * 7 + i / 251);
	}
	for (size_t m = 0; m < sizeof(most) / sizeof(most[0]); m++) {
		size_t payload =
			(most[m] < JC_PART_BYTES ? most[m] : JC_PART_BYTES) - JC_PARTS_HEAD;

		for (size_t i = 0; i < 9; i++) {
			size_t length = i / 3 * payload + i % 3;
			struct jc_parts_split split;
			struct jc_parts parts = { 0 };
			struct joined joined = { 0 };
			size_t size, count = 0;

			assert_int_equal(
				jc_parts_split_init(&split, 1, bytes, length, most[m]), JC_OK);
			while ((size = jc_parts_split_next(&split, part)) > 0) {
				assert_null(joined.bytes);
				assert_true(size <= most[m]);
				assert_int_equal(
					take(&parts, (char *)part, size, 0, &joined), JC_OK);
				count++;
			}
			assert_int_equal(count, length ? (length + payload - 1) / payload : 1);
			assert_non_null(joined.bytes);
			assert_int_equal(joined.length, length);
			assert_memory_equal(joined.bytes, bytes, length);
			assert_int_equal(parts.length, 0);
			jc_parts_finish(&parts);
		}
	}
	free(bytes);
}

static void parts_may_come_in_any_order_and_mixed(void **)
{
	struct jc_parts parts = { 0 };
	struct joined joined;

	assert_int_equal(TAKE(&parts, "\1\0\0\0\2\0\3\0c", 0, &joined), JC_OK);
	assert_null(joined.bytes);
	assert_int_equal(TAKE(&parts, "\2\0\0\0\1\0\2\0y", 0, &joined), JC_OK);
	assert_null(joined.bytes);
	assert_int_equal(TAKE(&parts, "\1\0\0\0\0\0\3\0a", 0, &joined), JC_OK);
	assert_null(joined.bytes);
	assert_int_equal(TAKE(&parts, "\2\0\0\0\0\0\2\0x", 0, &joined), JC_OK);
	assert_string_equal(joined.bytes, "xy");
	assert_int_equal(TAKE(&parts, "\1\0\0\0\1\0\3\0b", 0, &joined), JC_OK);
	assert_string_equal(joined.bytes, "abc");
	jc_parts_finish(&parts);
}

static void damaged_parts_are_refused(void **)
{
	static const struct {
		const char *bytes;
		size_t length;
		int status;
	} cases[] = {
		{ "", 0, JC_ERROR_TRUNCATED }, { "\1\0\0\0\0\0\1", 7, JC_ERROR_TRUNCATED },
		{ "\1\0\0\0\0\0\0\0", 8, JC_ERROR_INVALID },         /* of no parts */
		{ "\1\0\0\0\1\0\1\0", 8, JC_ERROR_INVALID },         /* part 1 of 1 */
		{ "\1\0\0\0\xff\xff\xff\xff", 8, JC_ERROR_INVALID }, /* beyond the last one */
		{ "\1\0\0\0\0\0\1\x10", 8, JC_ERROR_INVALID },       /* of 4097 */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_parts parts = { 0 };
		struct joined joined;

		assert_int_equal(
			take(&parts, cases[i].bytes, cases[i].length, 0, &joined), cases[i].status);
		assert_null(joined.bytes);
		assert_int_equal(parts.length, 0);
		jc_parts_finish(&parts);
	}
}

static void contradiction_ends_its_message(void **)
{
	struct jc_parts parts = { 0 };
	struct joined joined;

	/* The same part twice, then another number of parts. */
	assert_int_equal(TAKE(&parts, "\1\0\0\0\0\0\2\0a", 0, &joined), JC_OK);
	assert_int_equal(TAKE(&parts, "\1\0\0\0\0\0\2\0a", 0, &joined), JC_ERROR_INVALID);
	assert_int_equal(parts.length, 0);
	assert_int_equal(TAKE(&parts, "\1\0\0\0\0\0\2\0a", 0, &joined), JC_OK);
	assert_int_equal(TAKE(&parts, "\1\0\0\0\1\0\3\0b", 0, &joined), JC_ERROR_INVALID);
	assert_int_equal(parts.length, 0);
	/* The number is free again. */
	assert_int_equal(TAKE(&parts, "\1\0\0\0\0\0\1\0ok", 0, &joined), JC_OK);
	assert_string_equal(joined.bytes, "ok");
	jc_parts_finish(&parts);
}

static void unfinished_message_ends_after_five_seconds(void **)
{
	struct jc_parts parts = { 0 };
	struct joined joined;

	assert_int_equal(TAKE(&parts, "\1\0\0\0\0\0\2\0a", 0, &joined), JC_OK);
	assert_int_equal(TAKE(&parts, "\2\0\0\0\0\0\2\0c", SECOND, &joined), JC_OK);
	assert_int_equal(TAKE(&parts, "\1\0\0\0\1\0\2\0b", 5 * SECOND, &joined), JC_OK);
	assert_string_equal(joined.bytes, "ab");
	assert_int_equal(TAKE(&parts, "\2\0\0\0\1\0\2\0d", 6 * SECOND + 1, &joined), JC_OK);
	assert_null(joined.bytes); /* the first part is gone */
	assert_int_equal(parts.abandoned, 1);
	jc_parts_finish(&parts);
}

static void memory_is_bounded(void **)
{
	struct jc_parts parts = { 0 };
	struct joined joined;
	uint8_t *part = calloc(1, JC_PARTS_HEAD + 65536);
	int status = JC_OK;
	size_t count = 0;

	/* One message that would be too long. */
	for (; status == JC_OK && count < 1000; count++) {
		part[4] = (uint8_t)count;
		part[7] = 0x10;
		status = take(&parts, (char *)part, JC_PARTS_HEAD + 65536, 0, &joined);
	}
	assert_int_equal(status, JC_ERROR_LIMIT);
	assert_int_equal(count, JC_MAX_PARTS_BYTES / 65536 + 1);
	assert_int_equal(parts.length, 0);

	/* Many messages: the oldest make room. */
	for (count = 0; count < 100; count++) {
		part[0] = (uint8_t)count;
		part[4] = 0;
		assert_int_equal(
			take(&parts, (char *)part, JC_PARTS_HEAD + 1000, (int64_t)count, &joined),
			JC_OK);
		assert_true(parts.length <= JC_MAX_PARTS_UNFINISHED * 1000);
	}
	assert_int_equal(parts.abandoned, 100 - JC_MAX_PARTS_UNFINISHED);
	jc_parts_finish(&parts);
	free(part);
}

static void too_long_messages_are_not_split(void **)
{
	struct jc_parts_split split;

	assert_int_equal(jc_parts_split_init(&split, 1, "", JC_MAX_PARTS_BYTES + 1, 1 << 20),
		JC_ERROR_LIMIT);
	assert_int_equal(jc_parts_split_init(&split, 1, "", 65536, 9), JC_ERROR_LIMIT);
	assert_int_equal(jc_parts_split_init(&split, 1, "", 1, 8), JC_ERROR_LIMIT);
}

/* Kind 1, version 1, space 0x04030201, tick 5, revision 2^32 + 6, sent 2^40 us, two bytes. */
static const uint8_t frame[] = { 1, 1, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 0, 0,
	0, 0, 0, 1, 0, 0, 0xaa, 0xbb };

static void head_of_a_frame_has_its_bytes(void **)
{
	struct jc_frame_message message;
	uint8_t head[JC_FRAME_MESSAGE_HEAD];

	assert_int_equal(jc_frame_message_read(frame, sizeof(frame), &message), JC_OK);
	assert_int_equal(message.kind, JC_FRAME_TICK);
	assert_int_equal(message.space, 0x04030201);
	assert_int_equal(message.tick, 5);
	assert_true(message.revision == (UINT64_C(1) << 32) + 6);
	assert_true(message.sent_us == INT64_C(1) << 40);
	assert_int_equal(message.packets_length, 2);
	assert_int_equal(message.packets[0], 0xaa);
	jc_frame_message_write(&message, head);
	assert_memory_equal(head, frame, sizeof(head));
}

static void damaged_heads_are_refused(void **)
{
	struct jc_frame_message message = { .tick = 99 };
	uint8_t bytes[sizeof(frame)];

	for (size_t length = 0; length < JC_FRAME_MESSAGE_HEAD; length++) {
		assert_int_equal(
			jc_frame_message_read(frame, length, &message), JC_ERROR_TRUNCATED);
	}
	static const struct {
		size_t at;
		uint8_t value;
		int status;
	} cases[] = { { 0, 0, JC_ERROR_UNSUPPORTED }, { 0, 3, JC_ERROR_UNSUPPORTED },
		{ 1, 2, JC_ERROR_UNSUPPORTED }, { 2, 1, JC_ERROR_INVALID },
		{ 3, 0x80, JC_ERROR_INVALID }, { 27, 0x80, JC_ERROR_INVALID } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memcpy(bytes, frame, sizeof(frame));
		bytes[cases[i].at] = cases[i].value;
		assert_int_equal(
			jc_frame_message_read(bytes, sizeof(bytes), &message), cases[i].status);
	}
	assert_int_equal(message.tick, 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_message_is_one_part),
		cmocka_unit_test(every_length_comes_back),
		cmocka_unit_test(parts_may_come_in_any_order_and_mixed),
		cmocka_unit_test(damaged_parts_are_refused),
		cmocka_unit_test(contradiction_ends_its_message),
		cmocka_unit_test(unfinished_message_ends_after_five_seconds),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(too_long_messages_are_not_split),
		cmocka_unit_test(head_of_a_frame_has_its_bytes),
		cmocka_unit_test(damaged_heads_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
