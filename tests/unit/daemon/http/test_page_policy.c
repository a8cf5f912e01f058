/* Policies of pages. The hash was made with
 * printf '{}' | openssl dgst -sha256 -binary | base64 */
#include <string.h>

#include "http/page_policy.h"
#include "unit_test.h"

#define HASH "'sha256-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='"

static const char *policy(const char *html)
{
	static char text[2048];

	size_t length = jc_page_policy(html, strlen(html), text, sizeof(text));

	assert_int_equal(length, strlen(text));
	return text;
}

static void allows_an_inline_script_by_its_hash(void **)
{
	assert_non_null(strstr(policy("<SCRIPT type=importmap>{}</Script>"), HASH));
	assert_non_null(strstr(policy("<script data-src=x>{}</script>"), HASH));
}

static void hashes_nothing_but_inline_scripts(void **)
{
	assert_null(strstr(policy("<script src=\"a.js\">{}</script>"), "sha256"));
	assert_null(strstr(policy("<script\nsrc = a.js>{}</script>"), "sha256"));
	assert_null(strstr(policy("<script>{}"), "sha256"));
	assert_null(strstr(policy("<script"), "sha256"));
	assert_null(strstr(policy("<p>{}</p>"), "sha256"));
	assert_null(strstr(policy(""), "sha256"));
}

static void never_allows_all_inline_scripts(void **)
{
	const char *text = policy("<script>{}</script>");
	const char *scripts = strstr(text, "script-src ");

	assert_non_null(scripts);
	assert_null(memmem(scripts, strcspn(scripts, ";"), "unsafe-inline", 13));
	assert_non_null(strstr(text, "; frame-ancestors 'none'"));
}

static void many_scripts_do_not_overflow_the_policy(void **)
{
	char html[4096] = "";
	char text[400];

	for (int i = 0; i < 100; i++)
		strcat(html, "<script>{}</script>");
	size_t length = jc_page_policy(html, strlen(html), text, sizeof(text));
	assert_true(length == 0 || length == strlen(text));
	assert_int_equal(jc_page_policy(html, strlen(html), text, 10), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allows_an_inline_script_by_its_hash),
		cmocka_unit_test(hashes_nothing_but_inline_scripts),
		cmocka_unit_test(never_allows_all_inline_scripts),
		cmocka_unit_test(many_scripts_do_not_overflow_the_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
