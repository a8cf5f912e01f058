/* Tests the configuration file: its sections, and errors with their lines. */
#include <glob.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config/config_file.h"
#include "config/nearest.h"
#include "unit_test.h"

struct scene {
	char folder[64];
	char path[96];
	struct jc_config config;
	struct jc_diagnostic diagnostic;
};

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	strcpy(scene->folder, "/tmp/jointcast-config-XXXXXX");
	assert_non_null(mkdtemp(scene->folder));
	snprintf(scene->path, sizeof(scene->path), "%s/a.conf", scene->folder);
	assert_int_equal(jc_config_init(&scene->config, "/web", &scene->diagnostic), JC_OK);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;
	char command[128];

	jc_config_finish(&scene->config);
	snprintf(command, sizeof(command), "rm -r '%s'", scene->folder);
	assert_int_equal(system(command), 0);
	free(scene);
	return 0;
}

static int read_text(struct scene *scene, const char *text)
{
	write_file(scene->path, text);
	return jc_config_file_read(&scene->config, scene->path, &scene->diagnostic);
}

static uint16_t port(const struct jc_config *config)
{
	return ntohs(((const struct sockaddr_in *)&config->listen)->sin_port);
}

static void reads_every_section(void **state)
{
	struct scene *scene = *state;
	struct jc_config *config = &scene->config;

	assert_int_equal(read_text(scene, "# a comment\n"
					  "server {\n"
					  "  listen = \"127.0.0.1:1234\"\n"
					  "  web = \"/srv/web\"\n"
					  "}\n"
					  "space \"attic\" {}\n"
					  "skeleton \"knight\" { file = \"/k.vrm#2\" }\n"
					  "source \"walker\" {\n"
					  "  uri = \"demo:walk?speed=2\"\n"
					  "  space = \"attic\"\n"
					  "  skeleton = \"knight\"\n"
					  "}\n"
					  "source \"tracker\" { uri = \"vmc:39539\" }\n"
					  "vmc_out \"puppet\" { target = \"127.0.0.1:39540\" }\n"),
		JC_OK);
	assert_int_equal(port(config), 1234);
	assert_string_equal(config->web_root, "/srv/web");
	assert_int_equal(config->space_count, 1);
	assert_string_equal(config->spaces[0]->name, "attic");
	assert_int_equal(config->skeleton_count, 1);
	assert_string_equal(config->skeletons[0].name, "knight");
	assert_string_equal(config->skeletons[0].path, "/k.vrm");
	assert_int_equal(config->skeletons[0].index, 2);
	assert_int_equal(config->source_count, 2);
	assert_string_equal(config->sources[0].name, "walker");
	assert_string_equal(config->sources[0].uri, "demo:walk?speed=2");
	assert_string_equal(config->sources[0].space, "attic");
	assert_string_equal(config->sources[0].skeleton, "knight");
	assert_string_equal(config->sources[1].name, "tracker");
	assert_null(config->sources[1].space);
	assert_int_equal(config->sink_count, 1);
	assert_string_equal(config->sinks[0].target, "127.0.0.1:39540");
}

static void trusts_forwarded_addresses_only_if_configured(void **state)
{
	struct scene *scene = *state;
	const struct jc_config_proxy *proxy = &scene->config.proxy;

	assert_int_equal(read_text(scene, "proxy { listen = \"192.0.2.1:80\" }\n"), JC_OK);
	assert_int_equal(proxy->listen.ss_family, AF_INET);
	assert_false(proxy->forwarded);
	assert_int_equal(
		read_text(scene, "proxy { listen = \"192.0.2.1:80\" forwarded = true }\n"), JC_OK);
	assert_true(proxy->forwarded);
}

static void reads_the_cluster_section(void **state)
{
	struct scene *scene = *state;
	const struct jc_config_cluster *cluster = &scene->config.cluster;

	assert_int_equal(
		read_text(scene, "cluster { nats = \"tls://a:b@h,tls://[::1]:1\" "
				 "role = \"edge\" name = \"hall-2\" ca = \"/ca\" "
				 "certificate = \"/c\" key = \"/k\" credentials = \"/n\" }\n"),
		JC_OK);
	assert_string_equal(cluster->nats, "tls://a:b@h,tls://[::1]:1");
	assert_string_equal(cluster->role, "edge");
	assert_string_equal(cluster->name, "hall-2");
	assert_string_equal(cluster->ca, "/ca");
	assert_string_equal(cluster->certificate, "/c");
	assert_string_equal(cluster->key, "/k");
	assert_string_equal(cluster->credentials, "/n");
	assert_true(jc_config_is_edge(&scene->config));
	assert_false(cluster->is_standby);
	assert_int_equal(read_text(scene, "cluster { role = \"origin\" standby = true }\n"), JC_OK);
	assert_true(cluster->is_standby);
	assert_int_equal(read_text(scene, "cluster { role = \"edge\" }\n"), JC_OK);
	assert_int_not_equal(jc_config_check(&scene->config, &scene->diagnostic), JC_OK);
	assert_true(strstr(scene->diagnostic.what, "no standby") ||
		    strstr(scene->diagnostic.what, "built without NATS"));
	assert_int_equal(read_text(scene, "cluster { role = \"both\" }\n"), JC_ERROR_INVALID);
	assert_int_equal(read_text(scene, "cluster { name = \"a.b\" }\n"), JC_ERROR_INVALID);
	assert_int_equal(
		read_text(scene, "cluster { nats = \"nats://u:secret@h:0\" }\n"), JC_ERROR_INVALID);
	assert_null(strstr(scene->diagnostic.what, "secret"));
	assert_null(strstr(scene->diagnostic.where, "secret"));
}

static void reads_the_tls_section(void **state)
{
	struct scene *scene = *state;
	const struct jc_config_tls *tls = &scene->config.tls;

	assert_int_equal(read_text(scene, "tls { listen = \"192.0.2.1:443\" certificate = \"/c\" "
					  "key = \"/k\" development = true }\n"),
		JC_OK);
	assert_int_equal(tls->listen.ss_family, AF_INET);
	assert_int_equal(((const struct sockaddr_in *)&tls->listen)->sin_port, htons(443));
	assert_string_equal(tls->certificate, "/c");
	assert_string_equal(tls->key, "/k");
	assert_true(tls->development);
}

static void empty_file_changes_nothing(void **state)
{
	struct scene *scene = *state;

	assert_int_equal(read_text(scene, ""), JC_OK);
	assert_int_equal(port(&scene->config), 9871);
	assert_string_equal(scene->config.web_root, "/web");
}

static void space_without_a_value_uses_that_of_spaces(void **state)
{
	struct scene *scene = *state;
	struct jc_space_policy *policy;

	assert_int_equal(read_text(scene, "space \"stage\" {\n"
					  "  hz = 30\n"
					  "  leave_after = 2\n"
					  "  watch = {\"anyone\"}\n"
					  "  publish = {\"role:moderate\", \"subject:ada\"}\n"
					  "  administer = {\"nobody\"}\n"
					  "}\n"
					  "space \"attic\" {}\n"
					  "spaces {\n"
					  "  open = {\"role:publish\"}\n"
					  "  most_of_one = 3\n"
					  "  linger = 5\n"
					  "  leave_after = 86400\n"
					  "  hz = 90\n"
					  "  bodies = 7\n"
					  "}\n"),
		JC_OK);
	assert_int_equal(scene->config.policy.most_of_one, 3);
	assert_int_equal(scene->config.policy.linger_s, 5);
	assert_int_equal(scene->config.policy.open.roles, JC_ROLE_PUBLISH);
	policy = &scene->config.spaces[0]->policy;
	assert_int_equal(policy->hz, 30);
	assert_int_equal(policy->leave_after_s, 2);
	assert_int_equal(policy->bodies, 7);
	assert_true(jc_space_policy_permit(policy, JC_ROLE_WATCH)->anyone);
	assert_int_equal(jc_space_policy_permit(policy, JC_ROLE_PUBLISH)->roles, JC_ROLE_MODERATE);
	assert_int_equal(jc_space_policy_permit(policy, JC_ROLE_PUBLISH)->count, 1);
	assert_int_equal(jc_space_policy_permit(policy, JC_ROLE_RECORD)->roles, JC_ROLE_RECORD);
	assert_int_equal(jc_space_policy_permit(policy, JC_ROLE_ADMINISTER)->roles, 0);
	policy = &scene->config.spaces[1]->policy;
	assert_int_equal(policy->hz, 90);
	assert_int_equal(policy->leave_after_s, 86400);
	assert_int_equal(jc_space_policy_permit(policy, JC_ROLE_PUBLISH)->roles, JC_ROLE_PUBLISH);
	assert_int_equal(jc_config_space_policy(&scene->config, "lobby")->hz, 90);
	assert_int_equal(jc_config_space_policy(&scene->config, "stage")->hz, 30);
}

static void drop_in_files_replace_values_in_name_order(void **state)
{
	struct scene *scene = *state;
	char path[128];

	snprintf(path, sizeof(path), "%s.d", scene->path);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s.d/20.conf", scene->path);
	write_file(path, "server { listen = \"127.0.0.1:20\" }\n"
			 "source \"b\" { uri = \"demo:sit\" }\n");
	snprintf(path, sizeof(path), "%s.d/10.conf", scene->path);
	write_file(path, "server { listen = \"127.0.0.1:10\" }\n"
			 "source \"a\" { uri = \"demo:wave\" }\n");
	snprintf(path, sizeof(path), "%s.d/30.off", scene->path);
	write_file(path, "nonsense");
	assert_int_equal(read_text(scene, "server { listen = \"127.0.0.1:1\" }\n"
					  "source \"a\" { uri = \"demo:walk\" }\n"),
		JC_OK);
	assert_int_equal(port(&scene->config), 20);
	assert_int_equal(scene->config.source_count, 2);
	assert_string_equal(scene->config.sources[0].uri, "demo:wave");
	assert_string_equal(scene->config.sources[1].uri, "demo:sit");
}

static void error_names_the_line_and_the_nearest_key(void **state)
{
	static const struct {
		const char *text, *what;
		int line;
	} cases[] = {
		{ "server {\n  lissten = \"127.0.0.1:1\"\n}\n",
			"no such key: 'lissten'; is 'listen' meant?", 2 },
		{ "\n\nsurce \"a\" { uri = \"demo:walk\" }\n",
			"no such key: 'surce'; is 'source' meant?", 3 },
		{ "wholly_unlike = 1\n", "no such key: 'wholly_unlike'", 1 },
		{ "server {\n\n  listen = \"0.0.0.0:1\"\n}\n",
			"'0.0.0.0:1' is not a loopback address: other addresses need TLS "
			"(--tls-listen) or a proxy with TLS (--proxy-listen), and keys",
			3 },
		{ "proxy {\n  listen = \"localhost:1\"\n}\n", NULL, 2 },
		{ "tls {\n  listen = \"localhost:1\"\n}\n", NULL, 2 },
		{ "tls {\n  certificat = \"a\"\n}\n",
			"no such key: 'certificat'; is 'certificate' meant?", 2 },
		{ "source \"a\" {\n  uri = \"walk\"\n}\n", NULL, 2 },
		{ "source \"a\" {\n  uri = \"demo:walk\"\n  space = \"a b\"\n}\n",
			"not a name for a space: 'a b'", 3 },
		{ "source \"a\" {\n}\n", "source 'a' has no 'uri'", 2 },
		{ "source \"\" { uri = \"demo:walk\" }\n", "a name has 1 to 63 bytes, not ''", 1 },
		{ "space \"a/b\" {}\n", "not a name for a space: 'a/b'", 1 },
		{ "space \"a\" {\n  hz = 9\n}\n", "hz is from 10 to 120, not 9", 2 },
		{ "spaces {\n\n  hz = 121 }\n", "hz is from 10 to 120, not 121", 3 },
		{ "space \"a\" { bodies = 65 }\n", "bodies is from 1 to 64, not 65", 1 },
		{ "space \"a\" {\n  publsh = {\"anyone\"}\n}\n",
			"no such key: 'publsh'; is 'publish' meant?", 2 },
		{ "space \"a\" {\n  watch = {\"anyone\",\n\"role:king\"}\n}\n",
			"'role:king' is not a permit: anyone, nobody, role:ROLE or subject:NAME",
			3 },
		{ "spaces { open = {\"subject:\"} }\n", "a subject has 1 to 63 bytes, not ''", 1 },
		{ "spaces { most = 0 }\n", "most is from 1 to 255, not 0", 1 },
		{ "skeleton \"k\" {}\n", "skeleton 'k' has no 'file'", 1 },
		{ "vmc_out \"p\" { target = \"8.8.8.8:1\" }\n", NULL, 1 },
	};
	struct scene *scene = *state;
	char where[160];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int status = read_text(scene, cases[i].text);

		if (status != JC_ERROR_INVALID)
			fail_msg("case %zu: %d", i, status);
		if (cases[i].what)
			assert_string_equal(scene->diagnostic.what, cases[i].what);
		snprintf(where, sizeof(where), "line %d of '%s'", cases[i].line, scene->path);
		assert_string_equal(scene->diagnostic.where, where);
		assert_int_equal(scene->config.source_count, 0);
	}
}

/* The notations of libconfuse. */
static void reads_numbers_and_flags_in_each_notation(void **state)
{
	struct scene *scene = *state;

	assert_int_equal(read_text(scene, "limits { connections = 0x10 bodies_per_person = 010 "
					  "connections_per_address = \"9\" }\n"
					  "proxy { forwarded = YES }\ntls { development = on }\n"),
		JC_OK);
	assert_int_equal(scene->config.connections, 16);
	assert_int_equal(scene->config.bodies_per_person, 8);
	assert_int_equal(scene->config.connections_per_address, 9);
	assert_true(scene->config.proxy.forwarded);
	assert_true(scene->config.tls.development);
	assert_int_equal(read_text(scene, "limits { connections = 09 }\n"), JC_ERROR_INVALID);
	assert_int_equal(read_text(scene, "proxy { forwarded = 1 }\n"), JC_ERROR_INVALID);
}

static void rejects_a_source_with_an_unknown_skeleton(void **state)
{
	struct scene *scene = *state;

	assert_int_equal(
		read_text(scene, "source \"a\" { uri = \"demo:walk\" skeleton = \"k\" }\n"),
		JC_ERROR_INVALID);
	assert_string_equal(
		scene->diagnostic.what, "source 'a' uses skeleton 'k', which does not exist");
}

static void rejects_too_many_sections(void **state)
{
	struct scene *scene = *state;
	char text[8192] = "";
	size_t length = 0;

	for (unsigned i = 0; i <= JC_MAX_SOURCES; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
			"source \"s%u\" { uri = \"demo:walk\" }\n", i);
	assert_int_equal(read_text(scene, text), JC_ERROR_LIMIT);
	assert_string_equal(scene->diagnostic.what, "more than 64 sources");
	/* Each line is valid, but the file is not. */
	assert_string_equal(scene->diagnostic.where, scene->path);
}

static void rejects_a_section_that_exists_twice_in_a_file(void **state)
{
	static const struct {
		const char *text, *what;
	} cases[] = {
		{ "auth { key \"a\" { algorithm = HS256 file = f }\n"
		  "key \"b\" { algorithm = HS256 file = f }\n"
		  "key \"a\" { algorithm = HS256 file = f } }\n",
			"a section with the title 'a' exists twice in this file" },
		{ "source \"a\" { uri = \"demo:walk\" }\n"
		  "source \"b\" { uri = \"demo:walk\" }\n"
		  "source \"a\" { uri = \"demo:sit\" }\n",
			"a section with the title 'a' exists twice in this file" },
		{ "limits { connections = 9 }\n\nlimits { rewind_seconds = 9 }\n",
			"section 'limits' exists twice in this file" },
		{ "server {}\ntls {}\nserver {}\n", "section 'server' exists twice in this file" },
	};
	struct scene *scene = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		scene->diagnostic = (struct jc_diagnostic){ 0 };
		assert_int_equal(read_text(scene, cases[i].text), JC_ERROR_INVALID);
		assert_string_equal(scene->diagnostic.what, cases[i].what);
		assert_non_null(strstr(scene->diagnostic.where, "line 3 of"));
	}
	/* A source and a skeleton may have the same title. */
	assert_int_equal(read_text(scene, "skeleton \"a\" { file = f }\n"
					  "source \"a\" { uri = \"demo:walk\" }\n"),
		JC_OK);
}

static void checks_a_section_that_replaces_another(void **state)
{
	struct scene *scene = *state;
	char path[128];

	snprintf(path, sizeof(path), "%s.d", scene->path);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s.d/1.conf", scene->path);
	write_file(path, "source \"b\" { uri = \"demo:walk\" }\n\n"
			 "source \"a\" { space = \"attic\" }\n");
	assert_int_equal(
		read_text(scene, "source \"a\" { uri = \"demo:walk\" }\n"), JC_ERROR_INVALID);
	assert_string_equal(scene->diagnostic.what, "source 'a' has no 'uri'");
	assert_non_null(strstr(scene->diagnostic.where, "line 3 of"));
	write_file(path, "source \"a\" { uri = \"demo:sit\" }\n");
	assert_int_equal(read_text(scene, "source \"a\" { uri = \"demo:walk\" }\n"), JC_OK);
	assert_int_equal(scene->config.source_count, 1);
	assert_string_equal(scene->config.sources[0].uri, "demo:sit");
}

static void rejects_what_is_not_closed(void **state)
{
	static const struct {
		const char *text, *what;
	} cases[] = {
		{ "server {\n", "section 'server' is not closed: a '}' is missing" },
		{ "server {\n  web = \"/a\"", "section 'server' is not closed: a '}' is missing" },
		{ "auth { key \"a\" { algorithm = HS256 file = f }\n",
			"section 'auth' is not closed: a '}' is missing" },
		{ "auth { key \"a\" { algorithm = HS256 file = f # }}",
			"section 'key' with the title 'a' is not closed: a '}' is missing" },
		{ "auth { key \"a\" {",
			"section 'key' with the title 'a' is not closed: a '}' is missing" },
		{ "server { web = \"/a", NULL },
		{ "server { web = '/a", NULL },
		{ "server { hosts = {\"a\", \"b\"", NULL },
		{ "server { hosts =", NULL },
		{ "server { } }", "unexpected closing brace" },
		{ "/* server {\n}\n", "the last comment is not closed" },
		{ "server { } /*", "the last comment is not closed" },
	};
	struct scene *scene = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		scene->diagnostic = (struct jc_diagnostic){ 0 };
		int status = read_text(scene, cases[i].text);

		if (status != JC_ERROR_INVALID)
			fail_msg("case %zu: %d", i, status);
		if (cases[i].what)
			assert_string_equal(scene->diagnostic.what, cases[i].what);
	}
	assert_int_equal(read_text(scene, "server { } # }"), JC_OK);
	assert_int_equal(read_text(scene, "server { } /* { */"), JC_OK);
}

static void reports_a_missing_file(void **state)
{
	struct scene *scene = *state;

	assert_int_equal(
		jc_config_file_read(&scene->config, "/nonexistent/a.conf", &scene->diagnostic),
		JC_ERROR_ABSENT);
	assert_string_equal(scene->diagnostic.where, "/nonexistent/a.conf");
}

/* Distances counted by hand: from kitten to sitting three edits, to listen two. */
static void accepts_the_good_files_of_the_fuzz_corpus(void **)
{
	static const char *const patterns[] = { "good-*.conf", "installed.conf", "examples.conf" };

	for (size_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++) {
		char pattern[PATH_MAX];
		glob_t files;

		snprintf(pattern, sizeof(pattern), JC_CORPUS "/%s", patterns[p]);
		assert_int_equal(glob(pattern, 0, NULL, &files), 0);
		for (size_t i = 0; i < files.gl_pathc; i++) {
			struct jc_diagnostic diagnostic = { 0 };
			struct jc_config config;

			assert_int_equal(jc_config_init(&config, "/web", &diagnostic), JC_OK);
			if (jc_config_file_read(&config, files.gl_pathv[i], &diagnostic) != JC_OK) {
				fail_msg("%s: %s, %s", files.gl_pathv[i], diagnostic.what,
					diagnostic.where);
			}
			jc_config_finish(&config);
		}
		globfree(&files);
	}
}

static void nearest_word_differs_by_at_most_a_third(void **)
{
	static const char *const words[] = { NULL, "listen", "web", "sitting" };

	assert_string_equal(jc_nearest("listn", words, 4), "listen");
	assert_string_equal(jc_nearest("kitten", words, 4), "listen");
	assert_string_equal(jc_nearest("sittin", words, 4), "sitting");
	assert_string_equal(jc_nearest("wbe", words, 4), "web");
	assert_null(jc_nearest("x", words, 4));
	assert_null(jc_nearest("colour", words, 4));
	assert_string_equal(jc_nearest("web", words, 4), "web");
}

#define SCENE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(reads_every_section),
		SCENE(empty_file_changes_nothing),
		SCENE(trusts_forwarded_addresses_only_if_configured),
		SCENE(reads_the_cluster_section),
		SCENE(reads_the_tls_section),
		SCENE(space_without_a_value_uses_that_of_spaces),
		SCENE(drop_in_files_replace_values_in_name_order),
		SCENE(error_names_the_line_and_the_nearest_key),
		SCENE(reads_numbers_and_flags_in_each_notation),
		SCENE(rejects_a_source_with_an_unknown_skeleton),
		SCENE(rejects_too_many_sections),
		SCENE(rejects_a_section_that_exists_twice_in_a_file),
		SCENE(checks_a_section_that_replaces_another),
		SCENE(rejects_what_is_not_closed),
		SCENE(reports_a_missing_file),
		cmocka_unit_test(accepts_the_good_files_of_the_fuzz_corpus),
		cmocka_unit_test(nearest_word_differs_by_at_most_a_third),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
