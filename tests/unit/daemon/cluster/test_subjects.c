/* Tests subjects and tokens of views. */
#include <stdio.h>
#include <string.h>

#include "cluster/subjects.h"
#include "jointcast/error.h"
#include "unit_test.h"

static void subjects_name_their_space(void **)
{
	static const struct {
		const char *space, *subject;
	} cases[] = {
		{ "lobby", "jc.lobby.s" },
		{ "Hall_2-b", "jc.Hall_2-b.s" },
		{ "a.b", "jc.a%2Eb.s" },
		{ "edge", "jc.%65dge.s" },
		{ "edges", "jc.edges.s" },
		{ "100%", "jc.100%25.s" },
		{ "a b*>", "jc.a%20b%2A%3E.s" },
		{ "\xc3\xa4", "jc.%C3%A4.s" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char subject[JC_MAX_NATS_SUBJECT], space[JC_MAX_SPACE_NAME];

		jc_subject_of_space(cases[i].space, JC_SUBJECT_STATE, subject);
		assert_string_equal(subject, cases[i].subject);
		assert_int_equal(jc_subject_read_space(subject, space), JC_OK);
		assert_string_equal(space, cases[i].space);
	}
}

static void every_name_has_a_subject_of_its_own(void **)
{
	char space[JC_MAX_SPACE_NAME] = { 0 }, read[JC_MAX_SPACE_NAME];
	char subject[JC_MAX_NATS_SUBJECT];

	for (int byte = 1; byte < 256; byte++) {
		memset(space, byte, sizeof(space) - 1);
		jc_subject_of_frames(space,
			"2-standard-standard-4-ffffffff-0123456789abcdef0123456789abcdef", subject);
		assert_true(strlen(subject) < JC_MAX_NATS_SUBJECT);
		assert_null(strpbrk(subject, " *>\t\r\n"));
		assert_true(jc_subject_is_frames(subject));
		assert_int_equal(jc_subject_read_space(subject, read), JC_OK);
		assert_string_equal(read, space);
	}
}

static void foreign_subjects_have_no_space(void **)
{
	static const char *const wrong[] = { "", "jc", "jc.", "jc..s", "jc.lobby", "nats.lobby.s",
		"jc.%2e.s", "jc.%61.s", "jc.%.s", "jc.%4.s", "jc.%00.s", "jc.a%2", "jc.edge.s",
		"jc.a b.s",
		"jc.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.s" };
	char space[JC_MAX_SPACE_NAME] = "before";

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (jc_subject_read_space(wrong[i], space) >= 0) {
			fail_msg("'%s'", wrong[i]);
		}
		assert_string_equal(space, "before");
	}
	assert_false(jc_subject_is_frames("jc.lobby.s"));
	assert_false(jc_subject_is_frames("jc.f.s"));
	assert_false(jc_subject_is_frames("jc.lobby.f"));
	assert_false(jc_subject_is_frames("_INBOX.f.f.x"));
}

static void subjects_of_edges_are_no_subjects_of_spaces(void **)
{
	char edge[JC_MAX_NATS_SUBJECT], space[JC_MAX_NATS_SUBJECT];

	jc_subject_of_edge("s", edge);
	assert_string_equal(edge, "jc.edge.s");
	jc_subject_of_space("edge", JC_SUBJECT_STATE, space);
	assert_string_not_equal(edge, space);
}

static void tokens_differ_as_specs_do(void **)
{
	struct jc_stream_spec spec = { .chains = true,
		.precision = JC_PRECISION_STANDARD,
		.finest = JC_PRECISION_STANDARD,
		.rate = 1,
		.sections = 0x7e };
	struct jc_stream_spec other = spec;
	char token[JC_VIEW_TOKEN], another[JC_VIEW_TOKEN];

	assert_int_equal(jc_view_token(&spec, token), JC_OK);
	assert_string_equal(token, "2-standard-standard-1-7e");
	other.chains = false;
	other.finest = JC_PRECISION_FINE;
	other.rate = 4;
	assert_int_equal(jc_view_token(&other, token), JC_OK);
	assert_string_equal(token, "1-standard-fine-4-7e");

	/* sha256sum of 1, 32 zeros, "seat", 252 zeros. */
	other = spec;
	other.virtuals.is_some = true;
	assert_true(jc_virtual_choice_add_tag(&other.virtuals, "seat"));
	assert_int_equal(jc_view_token(&other, token), JC_OK);
	assert_string_equal(token, "2-standard-standard-1-7e-9cbbd3aa98965436");
	other.virtuals.indices[3] = 1;
	assert_int_equal(jc_view_token(&other, another), JC_OK);
	assert_string_not_equal(token, another);
	assert_int_equal(strlen(another), strlen(token));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(subjects_name_their_space),
		cmocka_unit_test(every_name_has_a_subject_of_its_own),
		cmocka_unit_test(foreign_subjects_have_no_space),
		cmocka_unit_test(subjects_of_edges_are_no_subjects_of_spaces),
		cmocka_unit_test(tokens_differ_as_specs_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
