/* OSC packets, byte for byte as the specification has them. */
#include <stdio.h>
#include <string.h>

#include "jointcast_private/osc.h"
#include "unit_test.h"

/* A string literal without its NUL. */
#define BYTES(literal) literal, sizeof(literal) - 1

/* OSC 1.0, "OSC Message Examples": both of them, as printed there. */
static const uint8_t frequency[] = {
	0x2f, 0x6f, 0x73, 0x63, /* / o s c */
	0x69, 0x6c, 0x6c, 0x61, /* i l l a */
	0x74, 0x6f, 0x72, 0x2f, /* t o r / */
	0x34, 0x2f, 0x66, 0x72, /* 4 / f r */
	0x65, 0x71, 0x75, 0x65, /* e q u e */
	0x6e, 0x63, 0x79, 0x00, /* n c y   */
	0x2c, 0x66, 0x00, 0x00, /* , f     */
	0x43, 0xdc, 0x00, 0x00, /* 440.0   */
};
static const uint8_t foo[] = {
	0x2f, 0x66, 0x6f, 0x6f, /* / f o o */
	0x00, 0x00, 0x00, 0x00, /*         */
	0x2c, 0x69, 0x69, 0x73, /* , i i s */
	0x66, 0x66, 0x00, 0x00, /* f f     */
	0x00, 0x00, 0x03, 0xe8, /* 1000    */
	0xff, 0xff, 0xff, 0xff, /* -1      */
	0x68, 0x65, 0x6c, 0x6c, /* h e l l */
	0x6f, 0x00, 0x00, 0x00, /* o       */
	0x3f, 0x9d, 0xf3, 0xb6, /* 1.234   */
	0x40, 0xb5, 0xb2, 0x2d, /* 5.678   */
};

/* Delivered messages as text: "/foo i1000 i-1 shello f1.234 f5.678;". */
static void note(void *context, const struct jc_osc_message *message)
{
	char *text = context;
	size_t at = strlen(text);

	at += (size_t)sprintf(text + at, "%s", message->address);
	for (size_t i = 0; i < message->argument_count; i++) {
		const struct jc_osc_argument *argument = &message->arguments[i];

		at += (size_t)sprintf(text + at, " %c", argument->type);
		if (argument->type == 'i') {
			at += (size_t)sprintf(text + at, "%d", argument->i);
		} else if (argument->type == 'f') {
			at += (size_t)sprintf(text + at, "%g", (double)argument->f);
		} else if (argument->type == 'd') {
			at += (size_t)sprintf(text + at, "%g", argument->d);
		} else if (argument->type == 's') {
			at += (size_t)sprintf(text + at, "%s", argument->s);
		}
	}
	strcpy(text + at, ";");
}

static void expect_read(const void *bytes, size_t length, const char *expected)
{
	struct jc_diagnostic diagnostic = { 0 };
	char text[2048] = "";

	if (jc_osc_read(bytes, length, note, text, &diagnostic) != JC_OK) {
		fail_msg("%s %s", diagnostic.what, diagnostic.where);
	}
	assert_string_equal(text, expected);
}

static void expect_refused(const void *bytes, size_t length, int error, const char *where)
{
	struct jc_diagnostic diagnostic = { 0 };
	char text[2048] = "";

	assert_int_equal(jc_osc_read(bytes, length, note, text, &diagnostic), error);
	assert_string_equal(text, "");
	assert_true(diagnostic.what[0]);
	assert_string_equal(diagnostic.where, where);
}

static void reads_the_examples_of_the_specification(void **)
{
	expect_read(frequency, sizeof(frequency), "/oscillator/4/frequency f440;");
	expect_read(foo, sizeof(foo), "/foo i1000 i-1 shello f1.234 f5.678;");
}

static void writes_the_examples_of_the_specification(void **)
{
	const struct jc_osc_message messages[] = {
		{ "/oscillator/4/frequency", 1, { { 'f', .f = 440.0f } } },
		{ "/foo", 5,
			{ { 'i', .i = 1000 }, { 'i', .i = -1 }, { 's', .s = "hello" },
				{ 'f', .f = 1.234f }, { 'f', .f = 5.678f } } },
	};
	uint8_t bytes[64];

	assert_int_equal(jc_osc_write(&messages[0], bytes, sizeof(bytes)), sizeof(frequency));
	assert_memory_equal(bytes, frequency, sizeof(frequency));
	assert_int_equal(jc_osc_write(&messages[1], bytes, sizeof(bytes)), sizeof(foo));
	assert_memory_equal(bytes, foo, sizeof(foo));
}

/* IEEE 754: 1.1 is 3ff199999999999a, -2 is c000000000000000. */
static void reads_and_writes_float64(void **)
{
	static const char packet[] = "/a\0\0,did\0\0\0\0\x3f\xf1\x99\x99\x99\x99\x99\x9a"
				     "\0\0\0\7\xc0\0\0\0\0\0\0\0";
	const struct jc_osc_message message = { "/a", 3,
		{ { 'd', .d = 1.1 }, { 'i', .i = 7 }, { 'd', .d = -2.0 } } };
	uint8_t bytes[32];

	expect_read(packet, 32, "/a d1.1 i7 d-2;");
	assert_int_equal(jc_osc_write(&message, bytes, sizeof(bytes)), 32);
	assert_memory_equal(bytes, packet, 32);
	/* Four bytes are too few. */
	expect_refused(BYTES("/a\0\0,d\0\0\x3f\xf1\x99\x99"), JC_ERROR_TRUNCATED, "at byte 8");
}

static void strings_end_at_multiples_of_four_bytes(void **)
{
	expect_read(BYTES("/a\0\0,s\0\0\0\0\0\0"), "/a s;");
	expect_read(BYTES("/a\0\0,s\0\0abc\0"), "/a sabc;");
	expect_read(BYTES("/a\0\0,s\0\0abcd\0\0\0\0"), "/a sabcd;");
	expect_read(BYTES("/abc\0\0\0\0,sss\0\0\0\0a\0\0\0bc\0\0def\0"), "/abc sa sbc sdef;");
}

static void true_and_false_have_tags_without_data(void **)
{
	const struct jc_osc_message message = { "/a", 3,
		{ { .type = 'T' }, { .type = 'i', .i = 7 }, { .type = 'F' } } };
	uint8_t bytes[16];

	expect_read(BYTES("/a\0\0,TiF\0\0\0\0\0\0\0\7"), "/a T i7 F;");
	assert_int_equal(jc_osc_write(&message, bytes, sizeof(bytes)), 16);
	assert_memory_equal(bytes, "/a\0\0,TiF\0\0\0\0\0\0\0\7", 16);
}

static void tags_may_be_missing(void **)
{
	expect_read(BYTES("/a\0\0"), "/a;");
	expect_read(BYTES("/a\0\0,\0\0\0"), "/a;");
	/* As older implementations send them: arguments of unknown types. */
	expect_read(BYTES("/a\0\0\0\0\0\7"), "/a;");
}

static void unknown_type_tag_ends_the_arguments(void **)
{
	/* A blob of five bytes, and an int64. */
	expect_read(BYTES("/a\0\0,ibi\0\0\0\0\0\0\0\1\0\0\0\5.....\0\0\0\0\0\0\2"), "/a i1;");
	expect_read(BYTES("/a\0\0,h\0\0........"), "/a;");
}

static void skips_arguments_beyond_the_maximum(void **)
{
	char bytes[4 + 44 + 4 * 40] = "/a";
	char text[2048] = "";

	bytes[4] = ',';
	memset(bytes + 5, 'i', 40);
	assert_int_equal(jc_osc_read(bytes, sizeof(bytes), note, text, NULL), JC_OK);
	assert_int_equal(strlen(text), 3 + 3 * JC_LIMIT_OSC_ARGUMENTS);
}

/* OSC 1.0, "OSC Bundles": the tag, a time tag, then size and contents. */
static void reads_nested_bundles(void **)
{
	expect_read(BYTES("#bundle\0\0\0\0\0\0\0\0\1"), "");
	expect_read(BYTES("#bundle\0\0\0\0\0\0\0\0\1"
			  "\0\0\0\14/a\0\0,i\0\0\0\0\0\1"
			  "\0\0\0\44#bundle\0\0\0\0\0\0\0\0\1"
			  "\0\0\0\4/b\0\0"
			  "\0\0\0\10/c\0\0,T\0\0"
			  "\0\0\0\4/d\0\0"),
		"/a i1;/b;/c T;/d;");
}

static void writes_bundles_with_the_immediate_time_tag(void **)
{
	const struct jc_osc_message a = { "/a", 1, { { 'i', .i = 1 } } };
	const struct jc_osc_message b = { "/b", 0, { { 0 } } };
	uint8_t bytes[48];

	assert_int_equal(jc_osc_bundle_begin(bytes, sizeof(bytes)), 16);
	assert_int_equal(jc_osc_bundle_append(&a, bytes + 16, sizeof(bytes) - 16), 16);
	assert_int_equal(jc_osc_bundle_append(&b, bytes + 32, sizeof(bytes) - 32), 12);
	assert_memory_equal(bytes,
		"#bundle\0\0\0\0\0\0\0\0\1"
		"\0\0\0\14/a\0\0,i\0\0\0\0\0\1"
		"\0\0\0\10/b\0\0,\0\0\0",
		44);
}

static void never_writes_past_the_capacity(void **)
{
	const struct jc_osc_message message = { "/foo", 1, { { 's', .s = "hello" } } };
	uint8_t bytes[64];

	for (size_t capacity = 0; capacity < 24; capacity++) {
		memset(bytes, 0xaa, sizeof(bytes));
		assert_int_equal(jc_osc_bundle_append(&message, bytes, capacity), JC_ERROR_SPACE);
		for (size_t i = 0; i < sizeof(bytes); i++) {
			assert_int_equal(bytes[i], 0xaa);
		}
	}
	assert_int_equal(jc_osc_bundle_append(&message, bytes, 24), 24);
	assert_int_equal(jc_osc_bundle_begin(bytes, 15), JC_ERROR_SPACE);
}

static void rejects_every_truncation_of_an_example(void **)
{
	/* Past the address it is a message without tags, past the tags it is
	 * one that lacks arguments. */
	for (size_t length = 0; length < sizeof(foo); length++) {
		char text[256] = "";
		int status = jc_osc_read(foo, length, note, text, NULL);

		if (length == 8) {
			assert_string_equal(text, "/foo;");
		} else {
			assert_true(status < 0);
			assert_string_equal(text, "");
		}
	}
}

static void rejects_a_damaged_packet_completely_with_its_place(void **)
{
	expect_refused("", 0, JC_ERROR_TRUNCATED, "at byte 0");
	expect_refused(BYTES("abc\0"), JC_ERROR_SYNTAX, "at byte 0");
	expect_refused(BYTES("/a\0\0\0"), JC_ERROR_SYNTAX, "at byte 0");
	expect_refused(BYTES("/abc"), JC_ERROR_TRUNCATED, "at byte 0");
	expect_refused(BYTES("/a\0x"), JC_ERROR_SYNTAX, "at byte 3");
	expect_refused(BYTES("/a\0\0,iii"), JC_ERROR_TRUNCATED, "at byte 4");
	expect_refused(BYTES("/a\0\0,i\0\0"), JC_ERROR_TRUNCATED, "at byte 8");
	expect_refused(BYTES("/a\0\0,s\0\0abcd"), JC_ERROR_TRUNCATED, "at byte 8");
	expect_refused(BYTES("/a\0\0,i\0\0\0\0\0\1more"), JC_ERROR_SYNTAX, "at byte 12");
	expect_refused(BYTES("#bundle\0"), JC_ERROR_TRUNCATED, "at byte 0");
	expect_refused(BYTES("#bungle\0\0\0\0\0\0\0\0\1"), JC_ERROR_SYNTAX, "at byte 0");
	/* The first message is complete, the next one is not. */
	expect_refused(BYTES("#bundle\0\0\0\0\0\0\0\0\1\0\0\0\4/a\0\0\0\0\0\10/b\0\0"),
		JC_ERROR_TRUNCATED, "at byte 28");
	expect_refused(BYTES("#bundle\0\0\0\0\0\0\0\0\1\0\0\0\4/a\0\0\0\0\0\0"), JC_ERROR_TRUNCATED,
		"at byte 28");
	expect_refused(
		BYTES("#bundle\0\0\0\0\0\0\0\0\1\0\0\0\3/a\0\0"), JC_ERROR_SYNTAX, "at byte 20");
	expect_refused(BYTES("#bundle\0\0\0\0\0\0\0\0\1\377\377\377\374/a\0\0"), JC_ERROR_TRUNCATED,
		"at byte 20");
}

static void limits_nesting(void **)
{
	uint8_t bytes[20 * JC_LIMIT_OSC_DEPTH + 16];
	char text[256] = "";
	uint8_t *inner = bytes + sizeof(bytes);

	/* From the inside out: wraps the packet in a bundle. */
	for (unsigned depth = 1; depth <= JC_LIMIT_OSC_DEPTH + 1; depth++) {
		size_t length = (size_t)(bytes + sizeof(bytes) - inner);

		if (depth > 1) {
			inner -= 4;
			memcpy(inner, (uint8_t[]){ 0, 0, 0, (uint8_t)length }, 4);
		}
		inner -= 16;
		assert_int_equal(jc_osc_bundle_begin(inner, 16), 16);
		length = (size_t)(bytes + sizeof(bytes) - inner);
		assert_int_equal(jc_osc_read(inner, length, note, text, NULL),
			depth <= JC_LIMIT_OSC_DEPTH ? JC_OK : JC_ERROR_LIMIT);
	}
	assert_ptr_equal(inner, bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_examples_of_the_specification),
		cmocka_unit_test(writes_the_examples_of_the_specification),
		cmocka_unit_test(reads_and_writes_float64),
		cmocka_unit_test(strings_end_at_multiples_of_four_bytes),
		cmocka_unit_test(true_and_false_have_tags_without_data),
		cmocka_unit_test(tags_may_be_missing),
		cmocka_unit_test(unknown_type_tag_ends_the_arguments),
		cmocka_unit_test(skips_arguments_beyond_the_maximum),
		cmocka_unit_test(reads_nested_bundles),
		cmocka_unit_test(writes_bundles_with_the_immediate_time_tag),
		cmocka_unit_test(never_writes_past_the_capacity),
		cmocka_unit_test(rejects_every_truncation_of_an_example),
		cmocka_unit_test(rejects_a_damaged_packet_completely_with_its_place),
		cmocka_unit_test(limits_nesting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
