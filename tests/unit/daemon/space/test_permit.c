/* Tests permits: each possible word against tokens. */
#include <stdio.h>

#include "auth/permit.h"
#include "unit_test.h"

static struct jc_permit permit_of(const char *text)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_permit permit = { 0 };

	assert_int_equal(jc_permit_add(&permit, text, &diagnostic), JC_OK);
	return permit;
}

static const struct jc_grant ada = {
	.subject = "ada",
	.roles = JC_ROLE_WATCH | JC_ROLE_PUBLISH,
	.spaces = { .count = 1, .names = { "lobby" } },
};

static void each_word_admits_its_clients(void **)
{
	static const struct {
		const char *text;
		bool nobody, ada_in_lobby, ada_elsewhere, open_auth_policy;
	} cases[] = {
		{ "anyone", true, true, true, true },
		{ "nobody", false, false, false, false },
		{ "role:publish", false, true, false, true },
		{ "role:moderate", false, false, false, true },
		{ "subject:ada", false, true, false, false },
		{ "subject:bob", false, false, false, false },
		{ "subject:ad", false, false, false, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_permit permit = permit_of(cases[i].text);

		assert_int_equal(jc_permit_allows(&permit, NULL, "lobby"), cases[i].nobody);
		assert_int_equal(jc_permit_allows(&permit, &ada, "lobby"), cases[i].ada_in_lobby);
		assert_int_equal(jc_permit_allows(&permit, &ada, "attic"), cases[i].ada_elsewhere);
		assert_int_equal(jc_permit_allows(&permit, &jc_grant_all, "lobby"),
			cases[i].open_auth_policy);
	}
}

static void words_add_up(void **)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_permit permit = permit_of("nobody");

	assert_int_equal(jc_permit_add(&permit, "subject:bob", &diagnostic), JC_OK);
	assert_false(jc_permit_allows(&permit, &ada, "lobby"));
	assert_int_equal(jc_permit_add(&permit, "role:watch", &diagnostic), JC_OK);
	assert_true(jc_permit_allows(&permit, &ada, "lobby"));
}

static void rejects_unknown_words_and_too_many_subjects(void **)
{
	static const char *const words[] = { "", "anybody", "role:", "role:king",
		"subject:", "publish",
		"subject:a-subject-of-sixty-four-bytes-which-is-one-more-than-there-may-be" };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_permit permit = { 0 };
	char text[32];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(jc_permit_add(&permit, words[i], &diagnostic), JC_ERROR_INVALID);
	for (unsigned i = 0; i < JC_PERMIT_SUBJECTS; i++) {
		snprintf(text, sizeof(text), "subject:s%u", i);
		assert_int_equal(jc_permit_add(&permit, text, &diagnostic), JC_OK);
	}
	assert_int_equal(jc_permit_add(&permit, "subject:x", &diagnostic), JC_ERROR_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_word_admits_its_clients),
		cmocka_unit_test(words_add_up),
		cmocka_unit_test(rejects_unknown_words_and_too_many_subjects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
