/* The command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <netinet/in.h>
#include <string.h>

#include "options.h"

#define PARSE(options, diagnostic, ...)                                                            \
	parse((char *[]){ "jointcastd", __VA_ARGS__, NULL }, options, diagnostic)

static enum jc_options_result parse(
	char **argv, struct jc_options *options, struct jc_diagnostic *diagnostic)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	return jc_options_parse(argc, argv, "/web", options, diagnostic);
}

static void nothing_said_means_the_defaults(void **state)
{
	struct jc_options options;
	struct jc_diagnostic diagnostic;
	const struct sockaddr_in *address = (const struct sockaddr_in *)&options.listen;

	(void)state;
	assert_int_equal(
		parse((char *[]){ "jointcastd", NULL }, &options, &diagnostic), JC_OPTIONS_RUN);
	assert_int_equal(address->sin_family, AF_INET);
	assert_int_equal(ntohl(address->sin_addr.s_addr), 0x7f000001);
	assert_int_equal(ntohs(address->sin_port), 9871);
	assert_string_equal(options.web_root, "/web");
	assert_int_equal(options.source_count + options.skeleton_count + options.sink_count, 0);
}

static void sources_skeletons_and_sinks_keep_their_order(void **state)
{
	struct jc_options options;
	struct jc_diagnostic diagnostic;

	(void)state;
	assert_int_equal(PARSE(&options, &diagnostic, "--source", "demo:walk", "--skeleton=a.vrm",
				 "--source=file:x", "--skeleton", "b#c.glb#12", "--web", "/other",
				 "--vmc-out", "127.0.0.1:39539", "--vmc-out=x"),
		JC_OPTIONS_RUN);
	assert_int_equal(options.source_count, 2);
	assert_string_equal(options.sources[0], "demo:walk");
	assert_string_equal(options.sources[1], "file:x");
	assert_int_equal(options.sink_count, 2);
	assert_string_equal(options.sinks[0], "127.0.0.1:39539");
	assert_string_equal(options.sinks[1], "x");
	assert_int_equal(options.skeleton_count, 2);
	assert_string_equal(options.skeletons[0].path, "a.vrm");
	assert_int_equal(options.skeletons[0].index, 0);
	assert_string_equal(options.skeletons[1].path, "b#c.glb");
	assert_int_equal(options.skeletons[1].index, 12);
	assert_string_equal(options.web_root, "/other");
	jc_options_finish(&options);
}

static void a_hash_without_a_number_belongs_to_the_path(void **state)
{
	struct jc_options options;
	struct jc_diagnostic diagnostic;

	(void)state;
	assert_int_equal(PARSE(&options, &diagnostic, "--skeleton", "a#1b", "--skeleton", "c#"),
		JC_OPTIONS_RUN);
	assert_string_equal(options.skeletons[0].path, "a#1b");
	assert_string_equal(options.skeletons[1].path, "c#");
	jc_options_finish(&options);
}

static void wrong_use_is_named(void **state)
{
	struct jc_options options;
	struct jc_diagnostic diagnostic;

	(void)state;
	assert_int_equal(PARSE(&options, &diagnostic, "--source", "demo:walk", "--colour"),
		JC_OPTIONS_WRONG);
	assert_string_equal(diagnostic.what, "no such option: '--colour'");
	assert_int_equal(PARSE(&options, &diagnostic, "-x"), JC_OPTIONS_WRONG);
	assert_string_equal(diagnostic.what, "no such option: '-x'");
	assert_int_equal(PARSE(&options, &diagnostic, "--web"), JC_OPTIONS_WRONG);
	assert_string_equal(diagnostic.what, "'--web' needs a value");
	assert_int_equal(PARSE(&options, &diagnostic, "walk.bvh"), JC_OPTIONS_WRONG);
	assert_string_equal(diagnostic.what, "not an option: 'walk.bvh'");
	assert_int_equal(PARSE(&options, &diagnostic, "--help"), JC_OPTIONS_HELP);
	assert_int_equal(PARSE(&options, &diagnostic, "--version"), JC_OPTIONS_VERSION);
}

static void only_loopback_is_listened_on(void **state)
{
	static const struct {
		const char *text;
		int result;
	} cases[] = {
		{ "127.0.0.1:0", JC_OK },
		{ "127.1.2.3:65535", JC_OK },
		{ "[::1]:9871", JC_OK },
		{ "0.0.0.0:9871", JC_ERROR_INVALID },
		{ "10.0.0.1:9871", JC_ERROR_INVALID },
		{ "[::]:9871", JC_ERROR_INVALID },
		{ "[::ffff:127.0.0.1]:1", JC_ERROR_INVALID },
		{ "::1:9871", JC_ERROR_INVALID },
		{ "localhost:9871", JC_ERROR_INVALID },
		{ "127.0.0.1", JC_ERROR_INVALID },
		{ "127.0.0.1:", JC_ERROR_INVALID },
		{ "127.0.0.1:65536", JC_ERROR_INVALID },
		{ "127.0.0.1:-1", JC_ERROR_INVALID },
		{ "127.0.0.1:+1", JC_ERROR_INVALID },
		{ "127.0.0.1:1x", JC_ERROR_INVALID },
		{ ":9871", JC_ERROR_INVALID },
		{ "", JC_ERROR_INVALID },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sockaddr_storage address;
		struct jc_diagnostic diagnostic = { 0 };

		if (jc_options_parse_address(cases[i].text, &address, &diagnostic) !=
			cases[i].result)
			fail_msg("'%s'", cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_said_means_the_defaults),
		cmocka_unit_test(sources_skeletons_and_sinks_keep_their_order),
		cmocka_unit_test(a_hash_without_a_number_belongs_to_the_path),
		cmocka_unit_test(wrong_use_is_named),
		cmocka_unit_test(only_loopback_is_listened_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
