/* Tests the command line and the environment. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "app/options.h"
#include "unit_test.h"

#define PARSE(options, diagnostic, ...)                                                            \
	parse((char *[]){ "jointcastd", __VA_ARGS__, NULL }, options, diagnostic)

static enum jc_options_result parse(
	char **argv, struct jc_options *options, struct jc_diagnostic *diagnostic)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	return jc_options_parse(argc, argv, options, diagnostic);
}

static void no_options_give_the_defaults(void **)
{
	struct jc_options options;
	struct jc_config config;
	struct jc_diagnostic diagnostic;
	const struct sockaddr_in *address = (const struct sockaddr_in *)&config.listen;

	assert_int_equal(
		parse((char *[]){ "jointcastd", NULL }, &options, &diagnostic), JC_OPTIONS_RUN);
	assert_null(options.config_path);
	assert_false(options.check);
	assert_int_equal(jc_options_configure(&options, "/web", &config, &diagnostic), JC_OK);
	assert_int_equal(address->sin_family, AF_INET);
	assert_int_equal(ntohl(address->sin_addr.s_addr), 0x7f000001);
	assert_int_equal(ntohs(address->sin_port), 9871);
	assert_string_equal(config.web_root, "/web");
	assert_int_equal(config.source_count + config.skeleton_count + config.sink_count +
				 config.space_count,
		0);
	jc_config_finish(&config);
}

static void sources_skeletons_and_sinks_keep_their_order(void **)
{
	char *argv[] = { "jointcastd", "--source", "demo:walk", "--skeleton=a.vrm",
		"--source=file:x", "--skeleton", "b#c.glb#12", "--web", "/other", "--vmc-out",
		"127.0.0.1:39539", "--vmc-out=x", NULL };
	struct jc_options options;
	struct jc_config config;
	struct jc_diagnostic diagnostic;

	assert_int_equal(parse(argv, &options, &diagnostic), JC_OPTIONS_RUN);
	assert_int_equal(jc_options_configure(&options, "/web", &config, &diagnostic), JC_OK);
	assert_int_equal(config.source_count, 2);
	assert_string_equal(config.sources[0].uri, "demo:walk");
	assert_string_equal(config.sources[1].uri, "file:x");
	assert_null(config.sources[0].name);
	assert_int_equal(config.sink_count, 2);
	assert_string_equal(config.sinks[0].target, "127.0.0.1:39539");
	assert_string_equal(config.sinks[1].target, "x");
	assert_int_equal(config.skeleton_count, 2);
	assert_string_equal(config.skeletons[0].path, "a.vrm");
	assert_int_equal(config.skeletons[0].index, 0);
	assert_string_equal(config.skeletons[1].path, "b#c.glb");
	assert_int_equal(config.skeletons[1].index, 12);
	assert_string_equal(config.web_root, "/other");
	jc_config_finish(&config);
}

static void hash_without_a_number_belongs_to_the_path(void **)
{
	char one[] = "a#1b";
	char two[] = "c#";
	char three[] = "d#1234567";

	assert_int_equal(jc_config_cut_index(one), 0);
	assert_string_equal(one, "a#1b");
	assert_int_equal(jc_config_cut_index(two), 0);
	assert_string_equal(two, "c#");
	assert_int_equal(jc_config_cut_index(three), 0);
	assert_string_equal(three, "d#1234567");
}

static void finds_config_and_check_before_reading_the_file(void **)
{
	struct jc_options options;
	struct jc_diagnostic diagnostic;

	assert_int_equal(PARSE(&options, &diagnostic, "--source", "demo:walk", "--config", "a.conf",
				 "--check-config"),
		JC_OPTIONS_RUN);
	assert_string_equal(options.config_path, "a.conf");
	assert_true(options.check);
}

static void command_line_replaces_environment_replaces_defaults(void **)
{
	char *listening[] = { "jointcastd", "--listen", "127.0.0.1:3", NULL };
	char *without_options[] = { "jointcastd", NULL };
	struct jc_options options;
	struct jc_config config;
	struct jc_diagnostic diagnostic = { 0 };
	const struct sockaddr_in *address = (const struct sockaddr_in *)&config.listen;

	setenv("JOINTCAST_LISTEN", "127.0.0.1:2", 1);
	setenv("JOINTCAST_WEB", "/env", 1);
	parse(without_options, &options, &diagnostic);
	assert_int_equal(jc_options_configure(&options, "/web", &config, &diagnostic), JC_OK);
	assert_int_equal(ntohs(address->sin_port), 2);
	assert_string_equal(config.web_root, "/env");
	jc_config_finish(&config);
	parse(listening, &options, &diagnostic);
	assert_int_equal(jc_options_configure(&options, "/web", &config, &diagnostic), JC_OK);
	assert_int_equal(ntohs(address->sin_port), 3);
	jc_config_finish(&config);
	setenv("JOINTCAST_LISTEN", "0.0.0.0:2", 1);
	parse(without_options, &options, &diagnostic);
	assert_int_equal(
		jc_options_configure(&options, "/web", &config, &diagnostic), JC_ERROR_INVALID);
	assert_string_equal(diagnostic.where, "JOINTCAST_LISTEN");
	unsetenv("JOINTCAST_LISTEN");
	unsetenv("JOINTCAST_WEB");
}

static void reads_all_variables_of_the_environment(void **)
{
	static const char *const variables[][2] = { { "JOINTCAST_ADMIN", "unix:/run/x" },
		{ "JOINTCAST_TLS_LISTEN", "[::1]:9443" }, { "JOINTCAST_CERTIFICATE", "/c.pem" },
		{ "JOINTCAST_KEY", "/k.pem" }, { "JOINTCAST_AUDIENCE", "world" },
		{ "JOINTCAST_PROXY_LISTEN", "127.0.0.1:9444" }, { "STATE_DIRECTORY", "/s" },
		{ "JOINTCAST_CONNECTIONS", "7" }, { "JOINTCAST_CONNECTIONS_PER_ADDRESS", "" } };
	char *without_options[] = { "jointcastd", NULL };
	struct jc_options options;
	struct jc_config config;
	struct jc_diagnostic diagnostic = { 0 };
	size_t count = sizeof(variables) / sizeof(variables[0]);

	for (size_t i = 0; i < count; i++) {
		setenv(variables[i][0], variables[i][1], 1);
	}
	parse(without_options, &options, &diagnostic);
	assert_int_equal(jc_options_configure(&options, "/web", &config, &diagnostic), JC_OK);
	assert_int_equal(config.admin.ss_family, AF_UNIX);
	assert_int_equal(config.tls.listen.ss_family, AF_INET6);
	assert_int_equal(config.proxy.listen.ss_family, AF_INET);
	assert_string_equal(config.tls.certificate, "/c.pem");
	assert_string_equal(config.tls.key, "/k.pem");
	assert_string_equal(config.audience, "world");
	assert_string_equal(config.state, "/s");
	assert_int_equal(config.connections, 7);
	assert_int_equal(config.connections_per_address, 512);
	jc_config_finish(&config);
	for (size_t i = 0; i < count; i++) {
		unsetenv(variables[i][0]);
	}
}

static void names_the_wrong_option(void **)
{
	struct jc_options options;
	struct jc_diagnostic diagnostic;

	assert_int_equal(PARSE(&options, &diagnostic, "--source", "demo:walk", "--colour"),
		JC_OPTIONS_WRONG);
	assert_string_equal(diagnostic.what, "no such option: '--colour'");
	assert_int_equal(PARSE(&options, &diagnostic, "-x"), JC_OPTIONS_WRONG);
	assert_string_equal(diagnostic.what, "no such option: '-x'");
	assert_int_equal(PARSE(&options, &diagnostic, "--web"), JC_OPTIONS_WRONG);
	assert_string_equal(diagnostic.what, "'--web' needs a value");
	assert_int_equal(
		PARSE(&options, &diagnostic, "--origin", "world.example"), JC_OPTIONS_WRONG);
	assert_string_equal(
		diagnostic.what, "an origin is https://HOST[:PORT], not 'world.example'");
	assert_int_equal(PARSE(&options, &diagnostic, "walk.bvh"), JC_OPTIONS_WRONG);
	assert_string_equal(diagnostic.what, "not an option: 'walk.bvh'");
	assert_int_equal(PARSE(&options, &diagnostic, "--help"), JC_OPTIONS_HELP);
	assert_int_equal(PARSE(&options, &diagnostic, "--version"), JC_OPTIONS_VERSION);
}

static void plain_listener_must_be_loopback(void **)
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

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_diagnostic diagnostic = { 0 };

		if (jc_config_check_value("server.listen", cases[i].text, &diagnostic) !=
			cases[i].result)
			fail_msg("'%s'", cases[i].text);
	}
}

/* Other addresses need TLS, a certificate and keys; otherwise the daemon does not start. */
static void rejects_incomplete_tls_and_proxy_settings(void **)
{
	static const struct {
		const char *arguments[8];
		const char *what; /* NULL: accepted */
	} cases[] = {
		{ { "--tls-listen", "127.0.0.1:1", "--certificate", "c", "--key", "k" }, NULL },
		{ { "--tls-listen", "[::1]:1", "--dev-certificate", "--state", "s" }, NULL },
		{ { "--certificate", "c", "--key", "k" }, NULL },
		{ { "--tls-listen", "127.0.0.1:1" },
			"TLS on '127.0.0.1:1' needs a certificate: --certificate and --key, or "
			"--dev-certificate" },
		{ { "--tls-listen", "192.0.2.1:1", "--certificate", "c", "--key", "k" },
			"'192.0.2.1:1' is not a loopback address, and the configuration has no key "
			"for tokens: auth { key … } in jointcastd.conf(5)" },
		{ { "--proxy-listen", "127.0.0.1:1" }, NULL },
		{ { "--proxy-listen", "0.0.0.0:1" },
			"'0.0.0.0:1' is not a loopback address, and the configuration has no key "
			"for tokens: auth { key … } in jointcastd.conf(5)" },
		{ { "--tls-listen", "127.0.0.1:1", "--certificate", "c" },
			"certificate 'c' has no key" },
		{ { "--tls-listen", "127.0.0.1:1", "--key", "k" }, "key 'k' has no certificate" },
		{ { "--certificate", "c", "--key", "k", "--dev-certificate", "--state", "s" },
			"certificate 'c' and a development certificate: only one is possible" },
		{ { "--tls-listen", "127.0.0.1:1", "--dev-certificate" },
			"a development certificate needs a state directory: --state" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_options options;
		struct jc_config config;
		struct jc_diagnostic diagnostic = { 0 };
		char *argv[10] = { "jointcastd" };

		memcpy(argv + 1, cases[i].arguments, sizeof(cases[i].arguments));
		assert_int_equal(parse(argv, &options, &diagnostic), JC_OPTIONS_RUN);

		int status = jc_options_configure(&options, "/web", &config, &diagnostic);

		assert_int_equal(status, cases[i].what ? JC_ERROR_INVALID : JC_OK);
		if (cases[i].what)
			assert_string_equal(diagnostic.what, cases[i].what);
		else
			jc_config_finish(&config);
	}
}

/* The remedies of a daemon with NATS; one without it refuses the section as a whole. */
static void rejects_incomplete_settings_of_a_cluster(void **)
{
	static const struct {
		const char *arguments[8];
		const char *variables[2]; /* JOINTCAST_NATS, JOINTCAST_ROLE */
		const char *what;         /* NULL: accepted */
	} cases[] = {
		{ { "--edge", "nats://h" }, { NULL }, NULL },
		{ { "--nats-origin", "tls://u:p@h:4222,nats://[::1]:1", "--source", "demo:walk" },
			{ NULL }, NULL },
		{ { NULL }, { "nats://h", "origin" }, NULL },
		{ { NULL }, { "nats://h", NULL }, "section cluster needs both nats and role" },
		{ { NULL }, { NULL, "edge" }, "section cluster needs both nats and role" },
		{ { "--edge", "nats://h", "--source", "demo:walk" }, { NULL },
			"an edge has no sources, props and recordings of its own: give them to an "
			"origin" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_options options;
		struct jc_config config;
		struct jc_diagnostic diagnostic = { 0 };
		char *argv[10] = { "jointcastd" };
		const char *what = cases[i].what;

		setenv("JOINTCAST_NATS", cases[i].variables[0] ? cases[i].variables[0] : "", 1);
		setenv("JOINTCAST_ROLE", cases[i].variables[1] ? cases[i].variables[1] : "", 1);
		memcpy(argv + 1, cases[i].arguments, sizeof(cases[i].arguments));
		assert_int_equal(parse(argv, &options, &diagnostic), JC_OPTIONS_RUN);
#ifndef JC_HAVE_NATS
		what = "this jointcastd was built without NATS: leave out --edge, --nats-origin "
		       "and "
		       "section cluster, or build it again with libnats-dev";
#endif
		if (jc_options_configure(&options, "/web", &config, &diagnostic) == JC_OK) {
			assert_null(what);
			assert_int_equal(jc_config_is_edge(&config), i == 0);
			jc_config_finish(&config);
		} else {
			assert_non_null(what);
			assert_string_equal(diagnostic.what, what);
		}
	}
	unsetenv("JOINTCAST_NATS");
	unsetenv("JOINTCAST_ROLE");
}

static void never_shows_a_password_of_nats(void **)
{
	static const char *const wrong[] = { "nats://ada:secret@", "http://ada:secret@h",
		"ada:secret@h", "nats://ada:secret@h:99999", "nats://h,tls://ada:secret@h/x",
		"nats://ada:secret", "nats://ada:secret,more@h", "tls://ada:secret @h" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct jc_options options;
		struct jc_diagnostic diagnostic = { 0 };

		assert_int_equal(
			PARSE(&options, &diagnostic, "--edge", (char *)wrong[i]), JC_OPTIONS_WRONG);
		assert_null(strstr(diagnostic.what, "secret"));
	}
}

static void daemon_is_an_edge_or_an_origin(void **)
{
	struct jc_options options;
	struct jc_diagnostic diagnostic = { 0 };

	assert_int_equal(
		PARSE(&options, &diagnostic, "--edge", "nats://a", "--nats-origin", "nats://b"),
		JC_OPTIONS_WRONG);
	assert_string_equal(
		diagnostic.what, "--edge and --nats-origin: a daemon is one or the other");
	assert_int_equal(PARSE(&options, &diagnostic, "--edge", "nats://a", "--edge", "nats://b"),
		JC_OPTIONS_RUN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_options_give_the_defaults),
		cmocka_unit_test(sources_skeletons_and_sinks_keep_their_order),
		cmocka_unit_test(hash_without_a_number_belongs_to_the_path),
		cmocka_unit_test(finds_config_and_check_before_reading_the_file),
		cmocka_unit_test(command_line_replaces_environment_replaces_defaults),
		cmocka_unit_test(reads_all_variables_of_the_environment),
		cmocka_unit_test(names_the_wrong_option),
		cmocka_unit_test(plain_listener_must_be_loopback),
		cmocka_unit_test(rejects_incomplete_tls_and_proxy_settings),
		cmocka_unit_test(rejects_incomplete_settings_of_a_cluster),
		cmocka_unit_test(never_shows_a_password_of_nats),
		cmocka_unit_test(daemon_is_an_edge_or_an_origin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
