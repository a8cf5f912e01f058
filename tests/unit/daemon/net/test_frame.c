/* The frame reader against literal bytes; numbers are sections of RFC 6455. */
#include <string.h>

#include "net/frame.h"
#include "unit_test.h"

/* 5.7: a single-frame masked text message, "Hello". */
static const uint8_t hello[] = { 0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58 };

static int read_one(const uint8_t *bytes, size_t length, struct jc_frame *out_frame)
{
	struct jc_frame_reader reader;
	size_t consumed = 0;

	jc_frame_reader_init(&reader, 1024);
	int code = jc_frame_read(&reader, bytes, length, &consumed, out_frame);
	/* The bytes of the frame belong to the reader. */
	out_frame->bytes = NULL;
	jc_frame_reader_finish(&reader);
	return code;
}

static void reads_the_example_of_the_specification(void **)
{
	struct jc_frame_reader reader;
	struct jc_frame frame;
	size_t consumed;

	jc_frame_reader_init(&reader, 1024);
	assert_int_equal(jc_frame_read(&reader, hello, sizeof(hello), &consumed, &frame), 0);
	assert_int_equal(consumed, sizeof(hello));
	assert_int_equal(frame.kind, JC_FRAME_TEXT);
	assert_int_equal(frame.length, 5);
	assert_memory_equal(frame.bytes, "Hello", 5);
	jc_frame_reader_finish(&reader);
}

static void reads_the_example_byte_by_byte(void **)
{
	struct jc_frame_reader reader;
	struct jc_frame frame;
	size_t consumed;

	jc_frame_reader_init(&reader, 1024);
	for (size_t i = 0; i < sizeof(hello); i++) {
		assert_int_equal(jc_frame_read(&reader, &hello[i], 1, &consumed, &frame), 0);
		assert_int_equal(consumed, 1);
		assert_int_equal(frame.kind, i + 1 < sizeof(hello) ? JC_FRAME_NONE : JC_FRAME_TEXT);
	}
	assert_memory_equal(frame.bytes, "Hello", 5);
	jc_frame_reader_finish(&reader);
}

/* 5.7: "Hel" and "lo" in two frames, here with a ping between them (5.4). */
static void joins_fragments_around_a_control_frame(void **)
{
	static const uint8_t bytes[] = { 0x01, 0x83, 0, 0, 0, 0, 'H', 'e', 'l', 0x89, 0x81, 0, 0, 0,
		0, '?', 0x80, 0x82, 0, 0, 0, 0, 'l', 'o' };
	struct jc_frame_reader reader;
	struct jc_frame frame;
	size_t consumed;

	jc_frame_reader_init(&reader, 1024);
	assert_int_equal(jc_frame_read(&reader, bytes, sizeof(bytes), &consumed, &frame), 0);
	assert_int_equal(frame.kind, JC_FRAME_PING);
	assert_int_equal(consumed, 16);
	assert_memory_equal(frame.bytes, "?", 1);
	assert_int_equal(jc_frame_read(&reader, bytes + consumed, sizeof(bytes) - consumed,
				 &consumed, &frame),
		0);
	assert_int_equal(frame.kind, JC_FRAME_TEXT);
	assert_int_equal(frame.length, 5);
	assert_memory_equal(frame.bytes, "Hello", 5);
	jc_frame_reader_finish(&reader);
}

static void refuses_frames_that_the_specification_forbids(void **)
{
	static const struct {
		uint8_t bytes[16];
		size_t length;
		int code;
	} cases[] = {
		{ { 0x81, 0x05, 'H', 'e', 'l', 'l', 'o' }, 7, 1002 }, /* no mask */
		{ { 0xc1, 0x80 }, 2, 1002 },                          /* RSV1 */
		{ { 0x83, 0x80 }, 2, 1002 },                          /* opcode 3 */
		{ { 0x8b, 0x80 }, 2, 1002 },                          /* opcode 11 */
		{ { 0x09, 0x80 }, 2, 1002 },                          /* ping in parts */
		{ { 0x89, 0xfe }, 2, 1002 },                          /* long ping */
		{ { 0x80, 0x80 }, 2, 1002 },                          /* nothing to continue */
		{ { 0x81, 0xfe, 0x00, 0x7d, 1, 2, 3, 4 }, 8, 1002 },  /* 125 in two bytes */
		{ { 0x81, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 1, 2, 3, 4 }, 14, 1002 },
		{ { 0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4 }, 14, 1002 },
		{ { 0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4 }, 14,
			1009 },
		{ { 0x81, 0xfe, 0x04, 0x01, 1, 2, 3, 4 }, 8, 1009 }, /* 1025 of 1024 */
		{ { 0x81, 0x81, 0, 0, 0, 0, 0xff }, 7, 1007 },
		{ { 0x88, 0x81, 0, 0, 0, 0, 0x03 }, 7, 1002 },       /* half a code */
		{ { 0x88, 0x82, 0, 0, 0, 0, 0x03, 0xee }, 8, 1002 }, /* 1006 */
		{ { 0x88, 0x82, 0, 0, 0, 0, 0x13, 0x88 }, 8, 1002 }, /* 5000 */
		{ { 0x88, 0x83, 0, 0, 0, 0, 0x03, 0xe8, 0x80 }, 9, 1007 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_frame frame;
		int code = read_one(cases[i].bytes, cases[i].length, &frame);
		if (code != cases[i].code)
			fail_msg("case %zu: %d, not %d", i, code, cases[i].code);
	}
}

static void accepts_messages_up_to_the_maximum(void **)
{
	uint8_t bytes[8 + 1024] = { 0x82, 0xfe, 0x04, 0x00 };
	struct jc_frame frame;

	assert_int_equal(read_one(bytes, sizeof(bytes), &frame), 0);
	assert_int_equal(frame.kind, JC_FRAME_BINARY);
	assert_int_equal(frame.length, 1024);
}

static void counts_fragments_together(void **)
{
	uint8_t bytes[2 * (8 + 600)] = { 0x02, 0xfe, 0x02, 0x58 };
	struct jc_frame frame;

	memcpy(bytes + 608, "\x80\xfe\x02\x58", 4);
	assert_int_equal(read_one(bytes, sizeof(bytes), &frame), 1009);
}

static void returns_the_close_code_and_reads_nothing_after_it(void **)
{
	static const uint8_t bytes[] = { 0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe9, 0x81, 0x80 };
	struct jc_frame_reader reader;
	struct jc_frame frame;
	size_t consumed;

	jc_frame_reader_init(&reader, 1024);
	assert_int_equal(jc_frame_read(&reader, bytes, sizeof(bytes), &consumed, &frame), 0);
	assert_int_equal(frame.kind, JC_FRAME_CLOSE);
	assert_int_equal(frame.close_code, 1001);
	assert_int_equal(jc_frame_read(&reader, bytes + consumed, sizeof(bytes) - consumed,
				 &consumed, &frame),
		1002);
	jc_frame_reader_finish(&reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_example_of_the_specification),
		cmocka_unit_test(reads_the_example_byte_by_byte),
		cmocka_unit_test(joins_fragments_around_a_control_frame),
		cmocka_unit_test(refuses_frames_that_the_specification_forbids),
		cmocka_unit_test(accepts_messages_up_to_the_maximum),
		cmocka_unit_test(counts_fragments_together),
		cmocka_unit_test(returns_the_close_code_and_reads_nothing_after_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
