/* Tests TLS and permissions against a nats-server with the configuration file that operators get.
 */
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nats_end.h"
#include "nats_server.h"
#include "tls/dev_certificate.h"
#include "unit_test.h"

#define ORIGIN "origin:first-secret"
#define EDGE   "edge-1:second-secret"
#define OTHER  "edge-2:third-secret"

static uv_loop_t loop;
static struct nats_server server;
static char folders[2][64]; /* of two certificates: that of the server, and another */
static char certificates[2][128], keys[2][128];
static char config[128];
static FILE *written; /* the log */
static struct jc_log log_to_file;

static struct jc_nats_options options(const char *scheme, const char *who, char url[128])
{
	snprintf(url, 128, "%s://%s%s127.0.0.1:%d", scheme, who, *who ? "@" : "", server.port);
	return (struct jc_nats_options){ .loop = &loop,
		.log = &log_to_file,
		.servers = url,
		.ca = strcmp(scheme, "tls") == 0 ? certificates[0] : NULL };
}

/* What the log has so far. */
static char *read_log(void)
{
	static char text[8192];
	size_t length;

	fseek(written, 0, SEEK_SET);
	length = fread(text, 1, sizeof(text) - 1, written);
	text[length] = '\0';
	return text;
}

static void clear_log(void)
{
	assert_int_equal(ftruncate(fileno(written), 0), 0);
	fseek(written, 0, SEEK_SET);
}

static void connect_as(struct end *end, const char *who)
{
	char url[128];

	end_connect(end, options("tls", who, url));
}

/* Waits until the connection has failed once, and returns why. */
static const char *problem_of(struct jc_nats_options wanted)
{
	static struct jc_nats_report report;
	struct end end;

	clear_log();
	end_open(&end, wanted);
	do {
		uv_run(&loop, UV_RUN_ONCE);
		jc_nats_link_report(end.link, &report);
	} while (!report.problem[0]);
	assert_int_equal(jc_nats_link_state(end.link), JC_NATS_CONNECTING);
	end_close(&end);
	assert_non_null(strstr(read_log(), report.problem));
	assert_null(strstr(read_log(), "secret"));
	return report.problem;
}

static void origins_speak_to_edges(void **)
{
	struct end origin, edge;

	connect_as(&origin, ORIGIN);
	connect_as(&edge, EDGE);
	end_subscribe(&origin, "jc.x.c.*");
	end_subscribe(&origin, "jc.x.u.*");
	end_subscribe(&edge, "jc.announce");
	end_subscribe(&edge, "jc.x.s");
	end_subscribe(&edge, "jc.x.f.v");
	end_subscribe(&edge, "jc.*.d.edge-1");
	end_subscribe(&edge, "_INBOX.edge-1.7.*");
	end_settle(&origin, "jc.settle");
	/* An edge settles with a request that the origin sees. */
	end_publish(&edge, "jc.x.c.edge-1", "state");
	end_publish(&edge, "jc.x.u.edge-1", "hello");
	END_WAIT(&origin, origin.text_count == 2);
	assert_string_equal(origin.texts[0], "jc.x.c.edge-1 state");
	assert_string_equal(origin.texts[1], "jc.x.u.edge-1 hello");
	end_publish(&origin, "jc.announce", "1");
	end_publish(&origin, "jc.x.s", "2");
	end_publish(&origin, "jc.x.f.v", "3");
	end_publish(&origin, "jc.x.d.edge-1", "4");
	end_publish(&origin, "_INBOX.edge-1.7.1", "5");
	END_WAIT(&edge, edge.text_count == 5);
	assert_string_equal(edge.texts[0], "jc.announce 1");
	assert_string_equal(edge.texts[3], "jc.x.d.edge-1 4");
	assert_string_equal(edge.texts[4], "_INBOX.edge-1.7.1 5");
	end_close(&origin);
	end_close(&edge);
}

/* The status of the cluster: every host asks, and answers. */
static void hosts_report_to_each_other(void **)
{
	struct end origin, edge;

	connect_as(&origin, ORIGIN);
	connect_as(&edge, EDGE);
	end_subscribe(&origin, "jc.status.h.*");
	end_subscribe(&origin, "jc.report.h.*");
	end_subscribe(&edge, "jc.status.h.*");
	end_subscribe(&edge, "jc.report.h.*");
	end_settle(&origin, "jc.settle");
	end_publish(&edge, "jc.status.h.edge-1", "1");
	end_publish(&edge, "jc.report.h.edge-1", "2");
	END_WAIT(&origin, origin.text_count == 2);
	END_WAIT(&edge, edge.text_count == 2);
	assert_string_equal(origin.texts[0], "jc.status.h.edge-1 1");
	assert_string_equal(origin.texts[1], "jc.report.h.edge-1 2");
	end_publish(&origin, "jc.status.h.stage", "3");
	end_publish(&origin, "jc.report.h.stage", "4");
	END_WAIT(&edge, edge.text_count == 4);
	assert_string_equal(edge.texts[3], "jc.report.h.stage 4");
	end_close(&origin);
	end_close(&edge);
}

static void wait_until_refused(struct end *end, uint64_t subjects)
{
	struct jc_nats_report report;

	for (;;) {
		jc_nats_link_report(end->link, &report);
		if (report.not_permitted >= subjects) {
			return;
		}
		uv_run(&loop, UV_RUN_ONCE);
	}
}

static void edges_cannot_speak_for_an_origin_or_another_edge(void **)
{
	static const char *const forbidden[] = { "jc.x.f.v", "jc.x.s", "jc.announce",
		"jc.succession", "jc.x.d.edge-1", "jc.x.d.edge-2", "jc.x.c", "jc.x.u",
		"jc.x.c.edge-1", "jc.x.u.edge-1", "jc.x.c.edge-2.a", "jc.c.edge-2",
		"_INBOX.edge-1.b", "_INBOX.edge-2.b", "jc.status", "jc.report.h.edge-1",
		"jc.status.h.edge-1", "jc.status.h.stage", "jc.status.s", "other" };
	enum { COUNT = sizeof(forbidden) / sizeof(forbidden[0]) };
	struct end origin, edge;

	connect_as(&origin, ORIGIN);
	connect_as(&edge, OTHER);
	end_subscribe(&origin, "jc.>");
	end_subscribe(&origin, "_INBOX.>");
	end_publish(&origin, "jc.settle", "");
	END_WAIT(&origin, origin.text_count == 1);
	free(origin.texts[--origin.text_count]);
	clear_log();
	for (size_t i = 0; i < COUNT; i++) {
		end_publish(&edge, forbidden[i], "forged");
	}
	end_publish(&edge, "jc.x.c.edge-2", "last");
	END_WAIT(&origin, origin.text_count > 0);
	assert_string_equal(origin.texts[0], "jc.x.c.edge-2 last");
	wait_until_refused(&edge, COUNT);
	while (!strstr(read_log(), "permissions")) {
		uv_run(&loop, UV_RUN_ONCE);
	}
	assert_int_equal(jc_nats_link_state(edge.link), JC_NATS_CONNECTED);
	end_close(&origin);
	end_close(&edge);
}

static void edges_do_not_hear_each_other(void **)
{
	static const char *const private[] = { "jc.x.u.edge-1", "jc.x.u.edge-2", "jc.x.u.*",
		"jc.x.c.*", "jc.succession", "jc.x.d.edge-1", "jc.x.d.*", "jc.*.*.edge-1",
		"jc.*.d.>", "jc.>", ">", "_INBOX.>", "_INBOX.*.>", "_INBOX.edge-1.7.1" };
	enum { COUNT = sizeof(private) / sizeof(private[0]) };
	struct end edge;

	connect_as(&edge, OTHER);
	for (size_t i = 0; i < COUNT; i++) {
		end_subscribe(&edge, private[i]);
	}
	/* And the subject of the link for answers to the name "test". */
	wait_until_refused(&edge, COUNT + 1);
	end_close(&edge);
}

static void wrong_password_is_refused(void **)
{
	char url[128];
	const char *expected = "the server refuses the user, the password or the credentials";

	assert_string_equal(problem_of(options("tls", "edge-1:wrong-secret", url)), expected);
	assert_string_equal(problem_of(options("tls", "", url)), expected);
}

static void assert_tls_problem(const char *problem)
{
	const char *expected = "TLS failed, check ca, certificate and key of section cluster: ";

	if (strncmp(problem, expected, strlen(expected)) != 0 || !strstr(problem, "certificate:") ||
		strstr(problem, "conn.c")) {
		fail_msg("'%s'", problem);
	}
}

static void wrong_certificates_are_refused(void **)
{
	char url[128];
	struct jc_nats_options other = options("tls", EDGE, url);

	other.ca = certificates[1];
	assert_tls_problem(problem_of(other));
	/* libnats takes up TLS where the server requires it; the system's CAs do not know it. */
	assert_tls_problem(problem_of(options("nats", EDGE, url)));
}

static void server_without_tls_is_refused(void **)
{
	struct nats_server plain = { 0 };
	char url[128];
	struct jc_nats_options wanted = options("tls", EDGE, url);

	nats_server_start(&plain, NULL);
	snprintf(url, sizeof(url), "tls://" EDGE "@127.0.0.1:%d", plain.port);
	assert_non_null(strstr(problem_of(wanted), "the server has no TLS"));
	nats_server_stop(&plain);
}

/* Makes a certificate that identifies a host, its own issuer. */
static void make_host_certificate(const char *certificate_path, const char *key_path)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *certificate = X509_new();
	FILE *file;

	assert_non_null(key);
	X509_set_version(certificate, X509_VERSION_3);
	X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
	X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
		(const unsigned char *)"edge-1", -1, -1, 0);
	X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
	X509_set_pubkey(certificate, key);
	assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
	file = fopen(certificate_path, "w");
	assert_int_equal(PEM_write_X509(file, certificate), 1);
	fclose(file);
	file = fopen(key_path, "w");
	assert_int_equal(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL), 1);
	fclose(file);
	X509_free(certificate);
	EVP_PKEY_free(key);
}

static void certificate_of_the_host_is_shown(void **)
{
	struct nats_server asking = { 0 };
	char url[128], path[128], host[128], host_key[128];
	struct jc_nats_options wanted = options("tls", EDGE, url);
	struct end end;
	FILE *file;

	snprintf(path, sizeof(path), "%s/nats.conf", folders[0]);
	snprintf(host, sizeof(host), "%s/host.pem", folders[0]);
	snprintf(host_key, sizeof(host_key), "%s/host-key.pem", folders[0]);
	make_host_certificate(host, host_key);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file,
		"tls { cert_file: \"%s\", key_file: \"%s\", ca_file: \"%s\", verify: true }\n",
		certificates[0], keys[0], host);
	fclose(file);
	nats_server_start(&asking, path);
	unlink(path);
	snprintf(url, sizeof(url), "tls://127.0.0.1:%d", asking.port);
	/* With TLS 1.3 the server refuses after the handshake. */
	assert_non_null(problem_of(wanted));
	wanted.certificate = host;
	wanted.key = host_key;
	end_connect(&end, wanted);
	end_close(&end);
	unlink(host);
	unlink(host_key);
	nats_server_stop(&asking);
}

static void files_that_cannot_be_read_are_named(void **)
{
	char url[128], missing[256];
	struct jc_nats_options wanted = options("tls", EDGE, url);
	struct jc_diagnostic diagnostic = { 0 };

	snprintf(missing, sizeof(missing), "%s/none.pem", folders[0]);
	wanted.name = "test";
	assert_int_equal(jc_nats_link_check(&wanted, &diagnostic), JC_OK);
	wanted.ca = missing;
	assert_int_equal(jc_nats_link_check(&wanted, &diagnostic), JC_ERROR_INVALID);
	assert_string_equal(diagnostic.where, missing);
	wanted = options("tls", EDGE, url);
	wanted.name = "test";
	wanted.certificate = certificates[0];
	wanted.key = keys[1];
	assert_int_equal(jc_nats_link_check(&wanted, &diagnostic), JC_ERROR_INVALID);
	wanted.key = keys[0];
	assert_int_equal(jc_nats_link_check(&wanted, &diagnostic), JC_OK);
	wanted.credentials = missing;
	assert_int_equal(jc_nats_link_check(&wanted, &diagnostic), JC_ERROR_INVALID);
	assert_string_equal(diagnostic.what, "cannot read the credentials");
}

/* With the command that the file has for operators. */
static void add_an_edge(void)
{
	char command[1024];

	snprintf(config, sizeof(config), "%s/nats-server.conf", folders[0]);
	snprintf(command, sizeof(command),
		"more=$(grep -o \"sed -n '.*p}'\" '%s') && "
		"eval \"$more '%s'\" >'%s.edge-2' && "
		"sed '/^[^#]*} # edge-1/r %s.edge-2' '%s' >'%s' && rm '%s.edge-2'",
		JC_NATS_CONF, JC_NATS_CONF, config, config, JC_NATS_CONF, config, config);
	assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
	struct jc_dev_names names;
	struct jc_diagnostic diagnostic = { 0 };

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	uv_loop_init(&loop);
	jc_dev_names_find(&names);
	for (size_t i = 0; i < 2; i++) {
		snprintf(folders[i], sizeof(folders[i]), "/tmp/jointcast-nats-XXXXXX");
		assert_non_null(mkdtemp(folders[i]));
		assert_int_equal(jc_dev_certificate_make(folders[i], &names, &diagnostic), JC_OK);
		snprintf(certificates[i], sizeof(certificates[i]), "%s/" JC_DEV_CERTIFICATE_FILE,
			folders[i]);
		snprintf(keys[i], sizeof(keys[i]), "%s/" JC_DEV_KEY_FILE, folders[i]);
	}
	written = tmpfile();
	assert_non_null(written);
	log_to_file.fd = fileno(written);
	setenv("NATS_ORIGIN_PASSWORD", strchr(ORIGIN, ':') + 1, 1);
	setenv("NATS_EDGE_1_PASSWORD", strchr(EDGE, ':') + 1, 1);
	setenv("NATS_EDGE_2_PASSWORD", strchr(OTHER, ':') + 1, 1);
	setenv("NATS_CERTIFICATE", certificates[0], 1);
	setenv("NATS_KEY", keys[0], 1);
	add_an_edge();
	nats_server_start(&server, config);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nats_server_stop(&server);
	unlink(config);
	for (size_t i = 0; i < 2; i++) {
		unlink(certificates[i]);
		unlink(keys[i]);
		rmdir(folders[i]);
	}
	fclose(written);
	return uv_loop_close(&loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(origins_speak_to_edges),
		cmocka_unit_test(hosts_report_to_each_other),
		cmocka_unit_test(edges_cannot_speak_for_an_origin_or_another_edge),
		cmocka_unit_test(edges_do_not_hear_each_other),
		cmocka_unit_test(wrong_password_is_refused),
		cmocka_unit_test(wrong_certificates_are_refused),
		cmocka_unit_test(server_without_tls_is_refused),
		cmocka_unit_test(certificate_of_the_host_is_shown),
		cmocka_unit_test(files_that_cannot_be_read_are_named),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
