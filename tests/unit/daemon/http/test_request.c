/* Tests the heads of requests: complete ones, and refused ones with their status.
 * tests/e2e/daemon_conformance.mjs tests the same over a socket. */
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
		{ "room.example", "https://room.example:8443", 403 },
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
