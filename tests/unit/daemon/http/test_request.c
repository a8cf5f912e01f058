/* Tests the heads of requests: complete ones, and refused ones with their status.
 * tests/e2e/daemon_conformance.mjs tests the same over a socket. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/request.h"
#include "unit_test.h"

static const char upgrade[] = "GET /x?y HTTP/1.1\r\nhost: LocalHost:80\r\nUPGRADE: WebSocket\r\n"
			      "Connection: keep-alive, UPGRADE\r\nSec-WebSocket-Version: 13\r\n"
			      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
			      "Sec-WebSocket-Protocol: chat\r\n"
			      "Sec-WebSocket-Protocol: a,\tjointcast.v1 ,b\r\n\r\n";

/* Parses from a block of exactly that size, so that a byte too far is found. */
static int parse(const char *text, size_t length, struct jc_request *out_request)
{
	char *bytes = malloc(length ? length : 1);

	memcpy(bytes, text, length);
	int status = jc_request_parse(bytes, length, out_request);
	free(bytes);
	return status;
}

static void returns_zero_until_the_head_is_complete(void **)
{
	struct jc_request request;

	for (size_t length = 0; length < sizeof(upgrade) - 1; length++)
		assert_int_equal(parse(upgrade, length, &request), 0);
	assert_int_equal(parse(upgrade, sizeof(upgrade) - 1, &request), sizeof(upgrade) - 1);
}

static void leaves_bytes_after_the_head(void **)
{
	static const char text[] = "GET / HTTP/1.0\r\nHost: [::1]\r\n\r\nGET";
	struct jc_request request;

	assert_int_equal(jc_request_parse(text, sizeof(text) - 1, &request), sizeof(text) - 4);
	assert_int_equal(request.minor, 0);
}

static const struct jc_request_policy nobody_else = { 0 };

static void accepts_an_upgrade_in_any_case_and_order(void **)
{
	struct jc_request request;
	const char *reason = NULL;

	assert_int_equal(
		jc_request_parse(upgrade, sizeof(upgrade) - 1, &request), sizeof(upgrade) - 1);
	assert_int_equal(request.target.length, 4);
	assert_memory_equal(request.target.bytes, "/x?y", 4);
	assert_true(request.offers_protocol);
	assert_int_equal(jc_request_check(&request, &nobody_else, &reason), 101);
}

static void refuses_malformed_heads(void **)
{
	static const struct {
		const char *text;
		int status;
	} cases[] = {
		{ "\r\n", -400 },
		{ "GET\r\n\r\n", -400 },
		{ "GET  / HTTP/1.1\r\n\r\n", -400 },
		{ " GET / HTTP/1.1\r\n\r\n", -400 },
		{ "GET / HTTP/1.1 \r\n\r\n", -400 },
		{ "GET /\x80 HTTP/1.1\r\n\r\n", -400 },
		{ "G(T / HTTP/1.1\r\n\r\n", -400 },
		{ "GET / HTTP/1.2\r\n\r\n", -505 },
		{ "GET / HTTP/3.0\r\n\r\n", -505 },
		{ "GET / HTTP/1.1\n\n", -400 },
		{ "GET / HTTP/1.1\r\n: a\r\n\r\n", -400 },
		{ "GET / HTTP/1.1\r\nHost\r\n\r\n", -400 },
		{ "GET / HTTP/1.1\r\nHost : a\r\n\r\n", -400 },
		{ "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", -400 },
		{ "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", -400 },
		{ "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", -400 },
		{ "GET / HTTP/1.1\r\nOrigin: a\r\nOrigin: a\r\n\r\n", -400 },
		{ "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", -400 },
		{ "GET / HTTP/1.1\r\nContent-Length: \r\n\r\n", -400 },
	};
	struct jc_request request;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int status = parse(cases[i].text, strlen(cases[i].text), &request);
		if (status != cases[i].status)
			fail_msg("case %zu: %d, not %d", i, status, cases[i].status);
	}
}

static void refuses_too_many_headers(void **)
{
	char text[2048] = "GET / HTTP/1.1\r\n";
	struct jc_request request;

	for (int i = 0; i < 64; i++)
		strcat(text, "A: b\r\n");
	strcat(text, "\r\n");
	assert_true(parse(text, strlen(text), &request) > 0);
	strcpy(text + strlen(text) - 2, "A: b\r\n\r\n");
	assert_int_equal(parse(text, strlen(text), &request), -431);
}

static void serves_loopback_hosts_only(void **)
{
	static const struct {
		const char *host;
		int status;
	} cases[] = {
		{ "localhost", 200 },
		{ "LOCALHOST:9871", 200 },
		{ "127.0.0.1", 200 },
		{ "127.255.0.1:1", 200 },
		{ "[::1]", 200 },
		{ "[::1]:80", 200 },
		{ "localhost.", 403 },
		{ "localhost.evil.example", 403 },
		{ "evil.example", 403 },
		{ "127.0.0.1.evil.example", 403 },
		{ "127.1", 403 },
		{ "127.0.0.1.1", 403 },
		{ "127.0.0.999", 403 },
		{ "127.0..1", 403 },
		{ "128.0.0.1", 403 },
		{ "[::2]", 403 },
		{ "::1", 403 },
		{ "localhost:", 403 },
		{ ":80", 403 },
		{ "", 403 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_request request = {
			.method = { "GET", 3 },
			.target = { "/", 1 },
			.host = { cases[i].host, strlen(cases[i].host) },
		};
		const char *reason = NULL;
		int status = jc_request_check(&request, &nobody_else, &reason);
		if (status != cases[i].status)
			fail_msg("'%s': %d, not %d", cases[i].host, status, cases[i].status);
		assert_true(status == 200 || reason);
	}
}

/* Hosts besides loopback are configured, and compared whole and case-insensitively. */
static void accepts_the_configured_hosts_and_origins(void **)
{
	static const char *const hosts[] = { "room.example", "[2001:db8::1]" };
	static const char *const origins[] = { "https://world.example", "http://dev.example:8080" };
	static const struct jc_request_policy policy = {
		.host_count = 2, .hosts = hosts, .origin_count = 2, .origins = origins
	};
	static const struct {
		const char *host, *origin;
		int status;
	} cases[] = {
		{ "room.example", NULL, 200 },
		{ "ROOM.example:443", NULL, 200 },
		{ "[2001:db8::1]:80", NULL, 200 },
		{ "room.example.evil", NULL, 403 },
		{ "evil.room.example", NULL, 403 },
		{ "room.example:", NULL, 403 },
		{ "", NULL, 403 },
		{ "127.0.0.1:9871", NULL, 200 },
		{ "localhost", NULL, 200 },
		{ "room.example", "https://room.example", 200 },
		{ "room.example:8443", "https://room.example:8443", 200 },
		{ "room.example:80", "https://room.example:8443", 403 },
		{ "room.example", "https://world.example", 200 },
		{ "room.example", "HTTPS://World.example", 200 },
		{ "room.example", "http://world.example", 403 },
		{ "room.example", "https://world.example.evil", 403 },
		{ "room.example", "https://world.example:444", 403 },
		{ "room.example", "http://dev.example:8080", 200 },
		{ "room.example", "null", 403 },
		{ "room.example", "", 403 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_request request = {
			.method = { "GET", 3 },
			.target = { "/", 1 },
			.host = { cases[i].host, strlen(cases[i].host) },
			.origin = { cases[i].origin,
				cases[i].origin ? strlen(cases[i].origin) : 0 },
		};
		const char *reason = NULL;
		int status = jc_request_check(&request, &policy, &reason);

		if (status != cases[i].status)
			fail_msg("'%s' from '%s': %d", cases[i].host,
				cases[i].origin ? cases[i].origin : "", status);
	}
}

/* A proxy that sets Host to the name alone: the page has a port, Host has none. */
static void ignores_the_lost_port_of_a_proxied_name_if_there_are_keys(void **)
{
	static const char *const hosts[] = { "room.example", "localhost" };
	static const struct {
		const char *host, *origin;
		bool has_keys;
		int status;
	} cases[] = {
		{ "room.example", "https://room.example:8443", false, 403 },
		{ "room.example", "https://room.example", false, 200 },
		{ "room.example", "https://room.example:8443", true, 200 },
		{ "room.example:80", "https://room.example:8443", true, 403 },
		{ "localhost", "https://localhost:8443", true, 403 },
		{ "localhost", "https://localhost:8443", false, 403 },
		{ "localhost:8443", "https://localhost:8443", false, 200 },
		{ "localhost", "https://localhost", false, 200 },
		{ "127.0.0.1", "https://127.0.0.1:1", true, 403 },
		{ "[::1]", "https://[::1]:65535", true, 403 },
		{ "room.example", "https://room.example:", true, 403 },
		{ "room.example", "https://room.example:0", true, 403 },
		{ "room.example", "https://room.example:65536", true, 403 },
		{ "room.example", "https://room.example:84a", true, 403 },
		{ "room.example", "https://room.example:84/", true, 403 },
		{ "room.example", "https://room.example.evil:8443", true, 403 },
		{ "room.example", "https://evil.example:8443", true, 403 },
		{ "room.example", "https://room.example@evil.example:1", true, 403 },
		{ "room.example", "https://room.example:1@evil.example", true, 403 },
		{ "room.example", "ftp://room.example:8443", true, 403 },
		{ "room.example", "null", true, 403 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct jc_request_policy policy = {
			.host_count = 2, .hosts = hosts, .has_keys = cases[i].has_keys
		};
		struct jc_request request = {
			.method = { "GET", 3 },
			.target = { "/", 1 },
			.host = { cases[i].host, strlen(cases[i].host) },
			.origin = { cases[i].origin, strlen(cases[i].origin) },
		};
		const char *reason = NULL;
		int status = jc_request_check(&request, &policy, &reason);

		if (status != cases[i].status)
			fail_msg("'%s' from '%s': %d", cases[i].host, cases[i].origin, status);
	}
}

/* The status of a handshake on a listener that takes pages of loopback origins. */
static int shake(const char *host, const char *origin, const char *header,
	const struct jc_request_policy *policy, bool *out_is_local)
{
	char text[1024];
	struct jc_request request;
	const char *reason = NULL;

	snprintf(text, sizeof(text),
		"GET / HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nUpgrade: websocket\r\n%s"
		"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		"Sec-WebSocket-Protocol: jointcast.v1\r\n\r\n",
		host, origin, header);
	assert_int_equal(jc_request_parse(text, strlen(text), &request), strlen(text));
	*out_is_local = jc_request_is_local_page(&request, policy);
	return jc_request_check(&request, policy, &reason);
}

static const char *const loopback_origins[] = { "http://localhost", "https://localhost",
	"http://localhost:1", "http://localhost:80", "http://localhost:5173",
	"https://localhost:65535", "http://127.0.0.1", "http://127.0.0.1:8080",
	"https://127.255.255.255:443", "http://127.0.0.0", "http://[::1]", "http://[::1]:3000",
	"https://[::1]:1" };
static const char *const other_origins[] = { "null", "", "http://", "localhost", "localhost:5173",
	"//localhost", "http:localhost", "http:/localhost", "ws://localhost", "ftp://localhost",
	"file://localhost", "file://", "chrome-extension://localhost", "httpss://localhost",
	"HTTP://localhost", "http://LOCALHOST", "http://Localhost:80",
	"http://localhost:", "http://localhost:0", "http://localhost:65536",
	"http://localhost:99999999999999999999", "http://localhost:080", "http://localhost:+80",
	"http://localhost:8o", "http://localhost: 80", "http://localhost:80:80",
	"http://localhost/", "http://localhost:80/", "http://localhost?x", "http://localhost#x",
	"http://localhost\\", "http://localhost%00", "http://localhost.", "http://localhost.:80",
	"http://www.localhost", "http://a.localhost:5173", "http://localhost.evil.example",
	"http://localhostevil.example", "http://evil.example", "http://evil.example:80",
	"http://user@localhost", "http://user:pass@localhost", "http://localhost@evil.example",
	"http://localhost:80@evil.example", "http://127.0.0.1@evil.example", "http://@localhost",
	"http://127.1", "http://127", "http://127.0.1", "http://127.0.0.1.", "http://127.0.0.1.1",
	"http://127.0.0.256", "http://127.0.0.01", "http://0127.0.0.1", "http://127.00.0.1",
	"http://0x7f.1", "http://0x7f.0.0.1", "http://2130706433", "http://017700000001",
	"http://127.0.0.-1", "http://127.0..1", "http://.127.0.0.1", "http://127.0.0.1.nip.io",
	"http://128.0.0.1", "http://126.255.255.255", "http://0.0.0.0", "http://0", "http://[::]",
	"http://[::2]", "http://::1", "http://[::1", "http://::1]", "http://[0:0:0:0:0:0:0:1]",
	"http://[0::1]", "http://[::0001]", "http://[::1%25lo]", "http://[::ffff:127.0.0.1]",
	"http://[::ffff:7f00:1]", "http://[::127.0.0.1]", "http://::ffff:127.0.0.1",
	"http://xn--lcalhost-0ya",
	"http://l\xc3\xb6"
	"calhost",
	"http://\xe2\x93\x9bocalhost", "http://localhost\xe3\x80\x82",
	"http://127\xe3\x80\x82"
	"0\xe3\x80\x82"
	"0\xe3\x80\x82"
	"1",
	"http://localhost, http://localhost", "http://localhost http://evil.example",
	"http://localhost\t", "x http://localhost", "http://ip6-localhost",
	"http://localhost.localdomain", "http://local", "http://localhos" };

static void takes_pages_of_loopback_origins_only(void **)
{
	static const struct jc_request_policy open = { .local_pages = true };
	static const struct jc_request_policy closed = { 0 };
	bool is_local = false;

	for (size_t i = 0; i < sizeof(loopback_origins) / sizeof(loopback_origins[0]); i++) {
		const char *origin = loopback_origins[i];

		if (shake("127.0.0.1:9871", origin, "", &open, &is_local) != 101 || !is_local)
			fail_msg("'%s' is refused", origin);
		if (shake("127.0.0.1:9871", origin, "", &closed, &is_local) != 403 || is_local)
			fail_msg("'%s' is accepted where there are keys", origin);
	}
	for (size_t i = 0; i < sizeof(other_origins) / sizeof(other_origins[0]); i++) {
		int status = shake("127.0.0.1:9871", other_origins[i], "", &open, &is_local);

		/* Blanks around a value are no part of it (RFC 9110, 5.5). */
		if (strcmp(other_origins[i], "http://localhost\t") == 0)
			assert_int_equal(status, 101);
		else if (status != 403 || is_local)
			fail_msg("'%s' is accepted: %d", other_origins[i], status);
	}
}

static void takes_no_local_page_through_a_proxy_or_for_another_host(void **)
{
	static const char *const hosts[] = { "room.example" };
	static const char *const origins[] = { "http://localhost:3000" };
	static const struct jc_request_policy policy = { .host_count = 1,
		.hosts = hosts,
		.origin_count = 1,
		.origins = origins,
		.local_pages = true };
	static const char *const headers[] = { "Forwarded: for=192.0.2.1\r\n", "fORWARDED:\r\n",
		"Via: 1.1 proxy\r\n", "X-Forwarded-For: 127.0.0.1\r\n", "X-Forwarded-For:\r\n",
		"x-forwarded-host: localhost\r\n", "X-Forwarded-Proto: http\r\n",
		"X-Forwarded-Anything: 1\r\n", "X-Forwarded-: 1\r\n" };
	bool is_local = true;

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if (shake("localhost:9871", "http://localhost:5173", headers[i], &policy,
			    &is_local) != 403 ||
			is_local)
			fail_msg("accepted with '%s'", headers[i]);
	assert_int_equal(
		shake("room.example", "http://localhost:5173", "", &policy, &is_local), 403);
	assert_int_equal(
		shake("evil.example", "http://localhost:5173", "", &policy, &is_local), 403);
	/* An origin that the configuration lists, and the daemon's own, may do everything. */
	assert_int_equal(
		shake("localhost:9871", "http://localhost:3000", "", &policy, &is_local), 101);
	assert_false(is_local);
	assert_int_equal(
		shake("localhost:9871", "http://localhost:9871", "", &policy, &is_local), 101);
	assert_false(is_local);
}

/* Files and uploads stay with the pages of the daemon. */
static void serves_no_path_to_a_local_page(void **)
{
	static const struct jc_request_policy policy = { .local_pages = true };
	const struct jc_request request = { .method = { "GET", 3 },
		.target = { "/", 1 },
		.host = { "localhost", 9 },
		.origin = { "http://localhost:1", 18 } };
	const char *reason = NULL;

	assert_int_equal(jc_request_check(&request, &policy, &reason), 403);
}

static void takes_bodies_of_known_length_by_put_and_post(void **)
{
	static const struct {
		const char *head;
		int status;
	} cases[] = {
		{ "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n", 200 },
		{ "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n", 413 },
		{ "POST /x HTTP/1.1\r\nHost: localhost\r\n\r\n", 411 },
		{ "POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
			411 },
		{ "post /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n", 405 },
		{ "PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n", 200 },
		{ "PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n", 413 },
		{ "GET /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n", 413 },
		{ "DELETE /x HTTP/1.1\r\nHost: localhost\r\n\r\n", 405 },
	};
	static const struct jc_request_policy policy = {
		.methods = JC_METHOD_GET | JC_METHOD_PUT | JC_METHOD_POST, .body = 10
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_request request;
		const char *reason = NULL;

		assert_int_equal(jc_request_parse(cases[i].head, strlen(cases[i].head), &request),
			(int)strlen(cases[i].head));
		int status = jc_request_check(&request, &policy, &reason);

		if (status != cases[i].status)
			fail_msg("%d to '%s'", status, cases[i].head);
	}
}

static void takes_the_last_scheme_of_the_proxies(void **)
{
	static const char head[] = "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https, http\r\n"
				   "X-Forwarded-For: 192.0.2.1, 192.0.2.2\r\n\r\n";
	struct jc_request request;

	assert_int_equal(jc_request_parse(head, strlen(head), &request), (int)strlen(head));
	assert_true(jc_text_is(request.passed_by, "http"));
	assert_true(jc_text_is(request.passed_for, "192.0.2.2"));
	assert_true(request.was_forwarded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_zero_until_the_head_is_complete),
		cmocka_unit_test(leaves_bytes_after_the_head),
		cmocka_unit_test(accepts_an_upgrade_in_any_case_and_order),
		cmocka_unit_test(refuses_malformed_heads),
		cmocka_unit_test(refuses_too_many_headers),
		cmocka_unit_test(serves_loopback_hosts_only),
		cmocka_unit_test(accepts_the_configured_hosts_and_origins),
		cmocka_unit_test(ignores_the_lost_port_of_a_proxied_name_if_there_are_keys),
		cmocka_unit_test(takes_pages_of_loopback_origins_only),
		cmocka_unit_test(takes_no_local_page_through_a_proxy_or_for_another_host),
		cmocka_unit_test(serves_no_path_to_a_local_page),
		cmocka_unit_test(takes_bodies_of_known_length_by_put_and_post),
		cmocka_unit_test(takes_the_last_scheme_of_the_proxies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
