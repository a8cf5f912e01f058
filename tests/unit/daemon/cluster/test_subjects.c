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
		{ "*", "jc.%2A.s" },
		{ "edges", "jc.edges.s" },
		{ "100%", "jc.100%25.s" },
		{ "a b*>", "jc.a%20b%2A%3E.s" },
		{ "\xc3\xa4", "jc.%C3%A4.s" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char subject[JC_MAX_NATS_SUBJECT];

		jc_subject_of_space(cases[i].space, JC_SUBJECT_STATE, subject);
		assert_string_equal(subject, cases[i].subject);
	}
}

static void every_name_has_a_subject_of_its_own(void **)
{
	char space[JC_MAX_SPACE_NAME] = { 0 }, before[JC_MAX_NATS_SUBJECT] = "";
	char subject[JC_MAX_NATS_SUBJECT], edge[64] = { 0 };

	for (int byte = 1; byte < 256; byte++) {
		memset(space, byte, sizeof(space) - 1);
		jc_subject_of_frames(space,
			"2-standard-standard-4-ffffffff-0123456789abcdef0123456789abcdef", subject);
		assert_true(strlen(subject) < JC_MAX_NATS_SUBJECT);
		assert_null(strpbrk(subject, " *>\t\r\n"));
		assert_true(jc_subject_is_frames(subject));
		assert_string_not_equal(subject, before);
		strcpy(before, subject);
		memset(edge, 'e', sizeof(edge) - 1);
		jc_subject_of_edge(space, JC_SUBJECT_UP, edge, subject);
		assert_true(strlen(subject) < JC_MAX_NATS_SUBJECT);
		assert_string_equal(jc_subject_edge(subject), edge);
	}
}

/* A space named "status" or "report" has other subjects. */
static void hosts_report_on_subjects_of_their_own(void **)
{
	static const char *const others[] = { "jc.status", "jc.status.h.", "jc.report.h.*",
		"jc.status.h.a.b", "jc.status.c.edge", "jc.report.s", "jc.lobby.h.edge",
		"_INBOX.jc.status.h.edge" };
	char subject[JC_MAX_NATS_SUBJECT];

	assert_string_equal(jc_subject_host(JC_SUBJECT_STATUS "edge-1"), "edge-1");
	assert_string_equal(jc_subject_host("jc.report.h.s"), "s");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_null(jc_subject_host(others[i]));
	}
	jc_subject_of_edge("status", JC_SUBJECT_UP, "h", subject);
	assert_null(jc_subject_host(subject));
	jc_subject_of_frames("report", "h", subject);
	assert_null(jc_subject_host(subject));
}

static void only_subjects_of_frames_are_frames(void **)
{
	assert_false(jc_subject_is_frames("jc.lobby.s"));
	assert_false(jc_subject_is_frames("jc.f.s"));
	assert_false(jc_subject_is_frames("jc.lobby.f"));
	assert_false(jc_subject_is_frames("jc.lobby.u.f"));
	assert_false(jc_subject_is_frames("_INBOX.f.f.x"));
}

static void subjects_name_the_edge_that_publishes(void **)
{
	static const char *const others[] = { "", "jc.lobby.s", "jc.lobby.u", "jc.lobby.u.",
		"jc.lobby.d.east", "jc.lobby.f.east", "jc.lobby.u.e.t", "jc.lobby.u.e*",
		"jc..u.east", "jc.u.east", "jx.lobby.u.east", "jc.lobby.cu.east",
		"jc.lobby..east" };
	char subject[JC_MAX_NATS_SUBJECT];

	jc_subject_of_edge("a.b", JC_SUBJECT_REQUESTS, "east-1", subject);
	assert_string_equal(subject, "jc.a%2Eb.c.east-1");
	assert_string_equal(jc_subject_edge(subject), "east-1");
	jc_subject_of_edge("lobby", JC_SUBJECT_DOWN, "east", subject);
	assert_string_equal(subject, "jc.lobby.d.east");
	jc_subject_of_edge("lobby", JC_SUBJECT_UP, JC_SUBJECT_ANY_EDGE, subject);
	assert_string_equal(subject, "jc.lobby.u.*");
	assert_true(jc_subject_is_valid(subject, true));
	jc_subject_pattern_of_edge("east", subject);
	assert_string_equal(subject, "jc.*.d.east");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (jc_subject_edge(others[i])) {
			fail_msg("'%s'", others[i]);
		}
	}
}

static void answers_have_subjects_of_their_edge(void **)
{
	assert_true(jc_subject_is_inbox("_INBOX.east.1", "east"));
	assert_false(jc_subject_is_inbox("_INBOX.east", "east"));
	assert_false(jc_subject_is_inbox("_INBOX.east-1.1", "east"));
	assert_false(jc_subject_is_inbox("_INBOX.eas.1", "east"));
	assert_false(jc_subject_is_inbox("_INBOX.1", "east"));
	assert_false(jc_subject_is_inbox("jc.lobby.d.east", "east"));
	assert_false(jc_subject_is_inbox("", "east"));
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
	other.contacts = true;
	assert_int_equal(jc_view_token(&other, token), JC_OK);
	assert_string_equal(token, "1-standard-fine-4-7e-contacts");

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
		cmocka_unit_test(hosts_report_on_subjects_of_their_own),
		cmocka_unit_test(only_subjects_of_frames_are_frames),
		cmocka_unit_test(subjects_name_the_edge_that_publishes),
		cmocka_unit_test(answers_have_subjects_of_their_edge),
		cmocka_unit_test(tokens_differ_as_specs_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
