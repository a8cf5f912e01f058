/* Diagnostics and lint: text from files must come out fit for one line. */
#include <string.h>

#include "jointcast/error.h"
#include "jointcast/lint.h"
#include "unit_test.h"

static void diagnose_returns_the_error_and_fills_both_phrases(void **)
{
	struct jc_diagnostic d;

	assert_int_equal(jc_diagnose(&d, JC_ERROR_LIMIT, "line 3", "%d joints", 7), JC_ERROR_LIMIT);
	assert_string_equal(d.what, "7 joints");
	assert_string_equal(d.where, "line 3");
	assert_int_equal(jc_diagnose(&d, JC_ERROR_SYNTAX, NULL, "no"), JC_ERROR_SYNTAX);
	assert_string_equal(d.where, "");
	assert_int_equal(jc_diagnose(NULL, JC_ERROR_SYNTAX, "x", "no"), JC_ERROR_SYNTAX);
}

static void control_characters_and_broken_utf8_become_question_marks(void **)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "a\nb\x1b[31m\x7f", "a?b?[31m?" },
		{ "H\xc3\xbc"
		  "fte",
			"H\xc3\xbc"
			"fte" },
		{ "\xe8\x85\xb0", "\xe8\x85\xb0" }, { "\xf0\x9f\xa6\xb4", "\xf0\x9f\xa6\xb4" },
		{ "\xc0\xaf", "??" },           /* overlong */
		{ "\xed\xa0\x80", "???" },      /* surrogate */
		{ "\xf4\x90\x80\x80", "????" }, /* past U+10FFFF */
		{ "\xe8\x85", "??" },           /* cut off */
		{ "\xc2\x9b"
		  "31m",
			"??31m" }, /* C1: CSI */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_diagnostic d;

		jc_diagnose(&d, JC_ERROR_SYNTAX, NULL, "%s", cases[i].in);
		assert_string_equal(d.what, cases[i].out);
	}
}

static void cuts_a_long_message_between_characters(void **)
{
	struct jc_diagnostic d;
	char name[400];

	/* 199 usable bytes are not a multiple of three. */
	for (size_t i = 0; i + 3 < sizeof(name); i += 3) {
		memcpy(name + i, "\xe8\x85\xb0", 4);
	}
	jc_diagnose(&d, JC_ERROR_SYNTAX, NULL, "%s", name);
	assert_int_equal(strlen(d.what), sizeof(d.what) - 1);
	assert_int_equal(d.what[198], '?');
	assert_memory_equal(d.what + 195, "\xe8\x85\xb0", 3);
}

static void every_error_has_its_own_name(void **)
{
	for (int a = JC_ERROR_ABSENT; a <= JC_OK; a++) {
		assert_string_not_equal(jc_error_name(a), "unknown");
		for (int b = JC_ERROR_ABSENT; b < a; b++) {
			assert_string_not_equal(jc_error_name(a), jc_error_name(b));
		}
	}
	assert_string_equal(jc_error_name(-999), "unknown");
}

static void lint_stops_at_its_maximum_and_counts_the_rest(void **)
{
	struct jc_lint lint = { 0 };

	for (unsigned i = 0; i < JC_LIMIT_LINT + 5; i++) {
		jc_lint_add(&lint, JC_WARNING, "code", "finding %u\n", i);
	}
	assert_int_equal(lint.count, JC_LIMIT_LINT);
	assert_int_equal(lint.dropped, 5);
	assert_string_equal(lint.entries[3].text, "finding 3?");
	jc_lint_add(NULL, JC_NOTE, "code", "nowhere");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(diagnose_returns_the_error_and_fills_both_phrases),
		cmocka_unit_test(control_characters_and_broken_utf8_become_question_marks),
		cmocka_unit_test(cuts_a_long_message_between_characters),
		cmocka_unit_test(every_error_has_its_own_name),
		cmocka_unit_test(lint_stops_at_its_maximum_and_counts_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
