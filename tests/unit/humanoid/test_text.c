/* Tests UTF-8 checks and escaping of text for people. */
#include <string.h>

#include "jointcast_private/text.h"
#include "unit_test.h"

static void escapes_and_cleans_unprintable_characters(void **)
{
	static const struct {
		const char *in, *escaped, *clean;
	} cases[] = {
		{ "", "", "" },
		{ "Ada \\ 'x'", "Ada \\ 'x'", "Ada \\ 'x'" },
		{ "a\nb\x1b[2J\x7f", "a\\x0ab\\x1b[2J\\x7f", "a?b?[2J?" },
		{ "\u00a0\u00ae\u05d0\u0627\u4e2d\U0001f9b4",
			"\u00a0\u00ae\u05d0\u0627\u4e2d\U0001f9b4",
			"\u00a0\u00ae\u05d0\u0627\u4e2d\U0001f9b4" },
		{ "a\u202egnp.b", "a\\u202egnp.b", "a???gnp.b" },
		{ "\xc2\x9b"
		  "31m",
			"\\u009b31m", "??31m" }, /* C1: CSI, as UTF-8 has it */
		{ "\x9b"
		  "31m",
			"\\x9b31m", "?31m" },                 /* and as one byte */
		{ "\xc0\xaf", "\\xc0\\xaf", "??" },           /* overlong */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80", "???" }, /* surrogate */
		{ "\xe8\x85", "\\xe8\\x85", "??" },           /* cut off */
		{ "\U000e0041", "\\U000e0041", "????" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[128];

		assert_int_equal(
			jc_text_escape(cases[i].in, text, sizeof(text)), strlen(cases[i].escaped));
		assert_string_equal(text, cases[i].escaped);
		strcpy(text, cases[i].in);
		jc_text_clean(text);
		assert_string_equal(text, cases[i].clean);
	}
}

static size_t write_utf8(uint32_t code, char out[5])
{
	size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (size_t i = length; i > 1; i--) {
		out[i - 1] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	out[0] = (char)(length == 1 ? code : (0xf00 >> length & 0xff) | code);
	out[length] = '\0';
	return length;
}

static bool is_expected_printable(uint32_t code)
{
	return !(code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0xad || code == 0x61c ||
		 code == 0x180e || (code >= 0x200b && code <= 0x200f) ||
		 (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
		 code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
		 (code >= 0xe0000 && code <= 0xe007f));
}

static void classifies_every_code_point(void **)
{
	for (uint32_t code = 1; code <= 0x10ffff; code++) {
		char text[5];
		bool printable;

		if (code >= 0xd800 && code <= 0xdfff) {
			continue;
		}
		size_t length = write_utf8(code, text);

		if (jc_text_next(text, &printable) != length ||
			printable != is_expected_printable(code)) {
			fail_msg("U+%04X", code);
		}
	}
}

static void ends_a_copy_before_a_character_that_does_not_fit(void **)
{
	char text[8];

	assert_int_equal(jc_text_escape("abcd\u202e", text, sizeof(text)), 4);
	assert_string_equal(text, "abcd");
	assert_int_equal(jc_text_escape("a\u202eb", text, sizeof(text)), 7);
	assert_string_equal(text, "a\\u202e");
	assert_int_equal(jc_text_escape("abcdef\u4e2d", text, sizeof(text)), 6);
	assert_int_equal(jc_text_escape("abcd\u4e2d", text, sizeof(text)), 7);
	assert_int_equal(jc_text_escape("a", text, 1), 0);
	assert_string_equal(text, "");
}

/* Boundaries of RFC 3629's table of well-formed byte sequences. */
static void accepts_well_formed_utf8_only(void **)
{
	static const struct {
		const char *bytes;
		int valid;
	} cases[] = {
		{ "", 1 },
		{ "a\x7f", 1 },
		{ "\xc2\x80\xdf\xbf", 1 },
		{ "\xc1\xbf", 0 },
		{ "\xe0\xa0\x80\xef\xbf\xbf", 1 },
		{ "\xe0\x9f\xbf", 0 },
		{ "\xed\x9f\xbf\xee\x80\x80", 1 },
		{ "\xed\xa0\x80", 0 },
		{ "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 1 },
		{ "\xf0\x8f\xbf\xbf", 0 },
		{ "\xf4\x90\x80\x80", 0 },
		{ "\xf5\x80\x80\x80", 0 },
		{ "\x80", 0 },
		{ "\xe2\x82", 0 },
		{ "\xe2\x82z", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(
			jc_utf8_is_valid(cases[i].bytes, strlen(cases[i].bytes)), cases[i].valid);
	}
}

static void cuts_and_repairs_utf8(void **)
{
	char broken[] = "a\u4e2d\xff";
	char sound[] = "a\u4e2d";

	assert_int_equal(jc_utf8_length("\xe4\xb8\xad", 3), 3);
	assert_int_equal(jc_utf8_length("\xe4\xb8\xad", 2), 0);
	assert_int_equal(jc_utf8_cut("ab\u4e2d", 9), 5);
	assert_int_equal(jc_utf8_cut("ab\u4e2d", 5), 5);
	assert_int_equal(jc_utf8_cut("ab\u4e2d", 4), 2);
	assert_int_equal(jc_utf8_cut("ab\u4e2d", 2), 2);
	assert_int_equal(jc_utf8_cut("\u4e2d", 2), 0);
	jc_utf8_repair(broken);
	assert_string_equal(broken, "a????");
	jc_utf8_repair(sound);
	assert_string_equal(sound, "a\u4e2d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_and_cleans_unprintable_characters),
		cmocka_unit_test(classifies_every_code_point),
		cmocka_unit_test(ends_a_copy_before_a_character_that_does_not_fit),
		cmocka_unit_test(accepts_well_formed_utf8_only),
		cmocka_unit_test(cuts_and_repairs_utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
