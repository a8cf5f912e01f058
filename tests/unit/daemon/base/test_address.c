/* Tests socket addresses and URI options in text form. */
#include "base/address.h"
#include "base/query.h"
#include "unit_test.h"

static void formats_an_address_as_it_was_parsed(void **)
{
	static const char *const texts[] = { "127.0.0.1:0", "10.1.2.3:65535", "[::1]:9871",
		"[2001:db8::7]:1", "0.0.0.0:39539" };
	struct sockaddr_storage address;
	char text[JC_ADDRESS_TEXT];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_true(jc_address_parse(texts[i], &address));
		jc_address_format(&address, text);
		assert_string_equal(text, texts[i]);
	}
}

static void rejects_names_and_malformed_addresses(void **)
{
	static const char *const texts[] = { "", ":", "1", "127.0.0.1", "127.0.0.1:", "localhost:1",
		"::1:1", "[::1]", "[]:1", "[::1:1", "127.0.0.1:65536", "127.0.0.1:-1",
		"127.0.0.1:+1", "127.0.0.1: 1", "127.0.0.1:1x", "127.1:1", "1.2.3.4.5:1",
		"[::1%lo]:1",
		"1111111111111111111111111111111111111111111111111111111111111111111:1" };
	struct sockaddr_storage address = { .ss_family = 77 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (jc_address_parse(texts[i], &address))
			fail_msg("'%s' was taken", texts[i]);
	assert_int_equal(address.ss_family, 77);
}

static void parses_a_host_without_a_port(void **)
{
	static const struct {
		const char *text, *whole;
	} cases[] = {
		{ "192.0.2.1", "192.0.2.1:0" },
		{ "192.0.2.1:80", "192.0.2.1:80" },
		{ "2001:db8::1", "[2001:db8::1]:0" },
		{ "[2001:db8::1]", "[2001:db8::1]:0" },
		{ "[2001:db8::1]:80", "[2001:db8::1]:80" },
		{ "::", "[::]:0" },
		{ "", NULL },
		{ ":", NULL },
		{ "[", NULL },
		{ "]", NULL },
		{ "[]", NULL },
		{ "[::1", NULL },
		{ "::1]", NULL },
		{ "[192.0.2.1]", NULL },
		{ "192.0.2", NULL },
		{ "192.0.2.1:", NULL },
		{ "192.0.2.1:65536", NULL },
		{ "localhost", NULL },
		{ "_hidden", NULL },
		{ " 192.0.2.1", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sockaddr_storage address;
		char text[JC_ADDRESS_TEXT];

		if (jc_address_parse_host(cases[i].text, &address) != (cases[i].whole != NULL)) {
			fail_msg("'%s'", cases[i].text);
		}
		if (cases[i].whole) {
			jc_address_format(&address, text);
			assert_string_equal(text, cases[i].whole);
		}
	}
}

static void recognises_loopback_addresses(void **)
{
	static const struct {
		const char *text;
		bool loopback;
	} cases[] = { { "127.0.0.1:1", true }, { "127.255.0.9:1", true }, { "[::1]:1", true },
		{ "0.0.0.0:1", false }, { "128.0.0.1:1", false }, { "[::]:1", false },
		{ "[::ffff:127.0.0.1]:1", false }, { "192.168.0.1:1", false } };
	struct sockaddr_storage address;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(jc_address_parse(cases[i].text, &address));
		assert_int_equal(jc_address_is_loopback((const struct sockaddr *)&address),
			cases[i].loopback);
	}
}

static void client_network_is_an_ipv4_address_or_an_ipv6_64_bit_prefix(void **)
{
	static const char *const same[][2] = { { "192.0.2.7", "192.0.2.7" },
		{ "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64" },
		{ "2001:db8:1:2::/64", "2001:db8:1:2::/64" }, { "::1", "::/64" },
		{ "::ffff:192.0.2.7", "192.0.2.7" } };
	static const char *const none[] = { "", "192.0.2", "192.0.2.7:80", "192.0.2.7/24",
		"2001:db8::/32", "[::1]", "localhost", "2001:db8::1%eth0", "/64",
		"0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000" };
	char text[JC_ADDRESS_TEXT];

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		assert_true(jc_address_parse_network(same[i][0], text));
		assert_string_equal(text, same[i][1]);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		assert_false(jc_address_parse_network(none[i], text));
	}

	struct sockaddr_storage address;

	assert_true(jc_address_parse("[2001:db8:1:2:3:4:5:6]:80", &address));
	jc_address_network((struct sockaddr *)&address, text);
	assert_string_equal(text, "2001:db8:1:2::/64");
	assert_true(jc_address_parse("192.0.2.7:80", &address));
	jc_address_network((struct sockaddr *)&address, text);
	assert_string_equal(text, "192.0.2.7");
	address.ss_family = AF_UNIX;
	jc_address_network((struct sockaddr *)&address, text);
	assert_string_equal(text, "local");
}

static void options_follow_the_last_question_mark(void **)
{
	char text[] = "why?.bvh?a=1&b&&c=x=y&d=";
	const char *key;
	char *value;
	char *options = jc_query_cut(text);

	assert_string_equal(text, "why?.bvh");
	assert_true(jc_query_next(&options, &key, &value));
	assert_string_equal(key, "a");
	assert_string_equal(value, "1");
	assert_true(jc_query_next(&options, &key, &value));
	assert_string_equal(key, "b");
	assert_null(value);
	assert_true(jc_query_next(&options, &key, &value));
	assert_string_equal(key, "c");
	assert_string_equal(value, "x=y");
	assert_true(jc_query_next(&options, &key, &value));
	assert_string_equal(key, "d");
	assert_string_equal(value, "");
	assert_false(jc_query_next(&options, &key, &value));
	assert_false(jc_query_next(&options, &key, &value));
}

static void text_without_options_has_none(void **)
{
	char text[] = "walk.bvh";
	const char *key;
	char *value;
	char *options = jc_query_cut(text);

	assert_null(options);
	assert_false(jc_query_next(&options, &key, &value));
	assert_string_equal(text, "walk.bvh");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_an_address_as_it_was_parsed),
		cmocka_unit_test(rejects_names_and_malformed_addresses),
		cmocka_unit_test(parses_a_host_without_a_port),
		cmocka_unit_test(recognises_loopback_addresses),
		cmocka_unit_test(client_network_is_an_ipv4_address_or_an_ipv6_64_bit_prefix),
		cmocka_unit_test(options_follow_the_last_question_mark),
		cmocka_unit_test(text_without_options_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
