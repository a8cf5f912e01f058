/* Targets of sinks. */
#include <string.h>

#include "base/address.h"
#include "sink/osc_sink.h"
#include "unit_test.h"

static void address_alone_selects_the_first_body_of_the_lobby_at_60_hz(void **)
{
	struct jc_osc_target target;
	char text[JC_ADDRESS_TEXT];

	assert_int_equal(jc_osc_target_parse_vmc("127.0.0.1:39539", &target, NULL), JC_OK);
	jc_address_format(&target.address, text);
	assert_string_equal(text, "127.0.0.1:39539");
	assert_string_equal(target.space, "lobby");
	assert_string_equal(target.body, "");
	assert_true(target.hz == 60.0);
	assert_int_equal(target.bones, JC_VMC_NORMALIZED);
}

static void options_select_body_bones_and_rate(void **)
{
	struct jc_osc_target target;

	assert_int_equal(jc_osc_target_parse_vmc(
				 "[::1]:1?space=hall&body=A B&hz=29.97&bones=original&allow=remote",
				 &target, NULL),
		JC_OK);
	assert_string_equal(target.space, "hall");
	assert_string_equal(target.body, "A B");
	assert_true(target.hz == 29.97);
	assert_int_equal(target.bones, JC_VMC_ORIGINAL);
}

static void remote_address_needs_permission(void **)
{
	struct jc_osc_target target;
	struct jc_diagnostic diagnostic = { 0 };

	assert_int_equal(jc_osc_target_parse_vmc("192.168.0.7:39539", &target, &diagnostic),
		JC_ERROR_INVALID);
	assert_non_null(strstr(diagnostic.what, "?allow=remote"));
	assert_int_equal(
		jc_osc_target_parse_vmc("192.168.0.7:39539?allow=remote", &target, NULL), JC_OK);
}

static void rejects_invalid_text(void **)
{
	static const char *const wrong[] = { "", "39539", "localhost:39539", "127.0.0.1:39539?hz",
		"127.0.0.1:39539?hz=0", "127.0.0.1:39539?hz=121", "127.0.0.1:39539?hz=nan",
		"127.0.0.1:39539?hz=60x", "127.0.0.1:39539?body=", "127.0.0.1:39539?space=a/b",
		"127.0.0.1:39539?bones=all", "127.0.0.1:39539?allow=all",
		"127.0.0.1:39539?loop=1" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct jc_osc_target target = { .hz = 42.0 };
		struct jc_diagnostic diagnostic = { 0 };

		if (jc_osc_target_parse_vmc(wrong[i], &target, &diagnostic) != JC_ERROR_INVALID)
			fail_msg("'%s' was taken", wrong[i]);
		assert_true(diagnostic.what[0]);
		assert_true(target.hz == 42.0);
	}
}

static void limits_lengths(void **)
{
	char text[1000] = "127.0.0.1:1?body=";
	struct jc_osc_target target;

	memset(text + 17, 'a', 63);
	assert_int_equal(jc_osc_target_parse_vmc(text, &target, NULL), JC_OK);
	text[17 + 63] = 'a';
	assert_int_equal(jc_osc_target_parse_vmc(text, &target, NULL), JC_ERROR_INVALID);
	memset(text + 17, 'a', sizeof(text) - 18);
	assert_int_equal(jc_osc_target_parse_vmc(text, &target, NULL), JC_ERROR_INVALID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(address_alone_selects_the_first_body_of_the_lobby_at_60_hz),
		cmocka_unit_test(options_select_body_bones_and_rate),
		cmocka_unit_test(remote_address_needs_permission),
		cmocka_unit_test(rejects_invalid_text),
		cmocka_unit_test(limits_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
