/* Parses a request head in one pass over its lines, then applies a list of rules. */
#include "http/request.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "http/origin.h"
#include "maxima.h"
#include "net/frame.h"

bool jc_text_is(struct jc_text text, const char *expected)
{
	return text.bytes && text.length == strlen(expected) &&
	       strncasecmp(text.bytes, expected, text.length) == 0;
}

static bool is_token_byte(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

/* Cuts the next item off a comma-separated list. */
static bool next_item(struct jc_text *list, struct jc_text *out_item)
{
	if (!list->bytes) {
		return false;
	}
	const char *comma = memchr(list->bytes, ',', list->length);
	size_t length = comma ? (size_t)(comma - list->bytes) : list->length;
	struct jc_text item = { list->bytes, length };

	list->bytes = comma ? comma + 1 : NULL;
	list->length -= comma ? length + 1 : length;
	while (item.length > 0 && strchr(" \t", item.bytes[0])) {
		item.bytes++;
		item.length--;
	}
	while (item.length > 0 && strchr(" \t", item.bytes[item.length - 1])) {
		item.length--;
	}
	*out_item = item;
	return true;
}

static bool lists(struct jc_text list, const char *expected, bool any_case)
{
	struct jc_text item;

	while (next_item(&list, &item)) {
		if (any_case ? jc_text_is(item, expected)
			     : item.length == strlen(expected) &&
					memcmp(item.bytes, expected, item.length) == 0) {
			return true;
		}
	}
	return false;
}

/* METHOD SP target SP HTTP/1.x */
static int parse_request_line(const char *line, size_t length, struct jc_request *request)
{
	const char *space = memchr(line, ' ', length);

	if (!space || space == line) {
		return -400;
	}
	request->method = (struct jc_text){ line, (size_t)(space - line) };
	for (size_t i = 0; i < request->method.length; i++) {
		if (!is_token_byte(line[i])) {
			return -400;
		}
	}
	const char *target = space + 1;
	const char *end = line + length;

	space = memchr(target, ' ', (size_t)(end - target));
	if (!space || space == target) {
		return -400;
	}
	request->target = (struct jc_text){ target, (size_t)(space - target) };
	for (size_t i = 0; i < request->target.length; i++) {
		if (target[i] <= 0x20 || target[i] >= 0x7f) {
			return -400;
		}
	}
	struct jc_text version = { space + 1, (size_t)(end - space - 1) };

	if (version.length != 8 || memcmp(version.bytes, "HTTP/", 5) != 0 ||
		!isdigit((unsigned char)version.bytes[5]) || version.bytes[6] != '.' ||
		!isdigit((unsigned char)version.bytes[7])) {
		return -400;
	}
	if (version.bytes[5] != '1' || version.bytes[7] > '1') {
		return -505;
	}
	request->minor = version.bytes[7] - '0';
	return 0;
}

/* A header that may occur once. */
static int set_once(struct jc_text *field, struct jc_text value)
{
	if (field->bytes) {
		return -400;
	}
	*field = value;
	return 0;
}

static int parse_content_length(struct jc_text value, struct jc_request *request)
{
	uint64_t length = 0;

	if (request->has_length || value.length == 0 || value.length > 18) {
		return -400;
	}
	for (size_t i = 0; i < value.length; i++) {
		if (!isdigit((unsigned char)value.bytes[i])) {
			return -400;
		}
		length = length * 10 + (uint64_t)(value.bytes[i] - '0');
	}
	request->has_length = true;
	request->length = length;
	return 0;
}

/* Each proxy appends the address of its client to the list that it received. */
static struct jc_text last_item(struct jc_text list)
{
	struct jc_text item = list;

	while (next_item(&list, &item)) {
	}
	return item;
}

/* Forwarded (RFC 7239), Via (RFC 9110, 7.6.3), and the headers that stood for them before. */
static bool shows_proxy(struct jc_text name)
{
	static const char prefix[] = "x-forwarded-";

	return jc_text_is(name, "forwarded") || jc_text_is(name, "via") ||
	       (name.length >= sizeof(prefix) - 1 &&
		       strncasecmp(name.bytes, prefix, sizeof(prefix) - 1) == 0);
}

static int take_header(struct jc_text name, struct jc_text value, struct jc_request *request)
{
	const struct {
		const char *name;
		struct jc_text *text;
	} headers[] = {
		{ "host", &request->host },
		{ "origin", &request->origin },
		{ "upgrade", &request->upgrade },
		{ "sec-websocket-key", &request->key },
		{ "sec-websocket-version", &request->version },
		{ "if-none-match", &request->if_none_match },
		{ "authorization", &request->authorization },
		{ "content-type", &request->content_type },
	};

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		if (jc_text_is(name, headers[i].name)) {
			return set_once(headers[i].text, value);
		}
	}
	if (jc_text_is(name, "connection")) {
		request->connection_upgrade |= lists(value, "upgrade", true);
	} else if (jc_text_is(name, "sec-websocket-protocol")) {
		request->offers_protocol |= lists(value, JC_SUBPROTOCOL, false);
	} else if (jc_text_is(name, "accept-encoding")) {
		request->accepts_gzip |= lists(value, "gzip", true);
	} else if (jc_text_is(name, "transfer-encoding")) {
		request->has_coding = true;
	} else if (jc_text_is(name, "expect")) {
		request->expects_continue = jc_text_is(value, "100-continue");
	} else if (jc_text_is(name, "x-forwarded-for")) {
		request->passed_for = last_item(value);
		request->was_forwarded = true;
	} else if (jc_text_is(name, "x-forwarded-proto")) {
		request->passed_by = last_item(value);
		request->was_forwarded = true;
	} else if (shows_proxy(name)) {
		request->was_forwarded = true;
	} else if (jc_text_is(name, "content-length")) {
		return parse_content_length(value, request);
	}
	return 0;
}

static int parse_header(const char *line, size_t length, struct jc_request *request)
{
	const char *colon = memchr(line, ':', length);

	if (!colon || colon == line) {
		return -400;
	}
	struct jc_text name = { line, (size_t)(colon - line) };
	struct jc_text value = { colon + 1, length - name.length - 1 };

	/* This refuses folded lines too: they begin with a blank. */
	for (size_t i = 0; i < name.length; i++) {
		if (!is_token_byte(name.bytes[i])) {
			return -400;
		}
	}
	while (value.length > 0 && strchr(" \t", value.bytes[0])) {
		value.bytes++;
		value.length--;
	}
	while (value.length > 0 && strchr(" \t", value.bytes[value.length - 1])) {
		value.length--;
	}
	return take_header(name, value, request);
}

int jc_request_parse(const char *bytes, size_t length, struct jc_request *out_request)
{
	struct jc_request request = { 0 };
	size_t at = 0;
	size_t lines = 0;

	for (;;) {
		const char *end = memchr(bytes + at, '\n', length - at);
		if (!end) {
			return length - at > JC_MAX_REQUEST_BYTES || length >= JC_MAX_REQUEST_BYTES
				       ? -431
				       : 0;
		}
		size_t line = (size_t)(end - bytes) - at;
		if (at + line >= JC_MAX_REQUEST_BYTES) {
			return -431;
		}
		if (line == 0 || end[-1] != '\r') {
			return -400;
		}
		line--;
		for (size_t i = 0; i < line; i++) {
			unsigned char c = (unsigned char)bytes[at + i];
			if ((c < 0x20 && c != '\t') || c == 0x7f) {
				return -400;
			}
		}
		if (line == 0 && lines > 0) {
			break;
		}
		if (lines > JC_MAX_REQUEST_HEADERS) {
			return -431;
		}
		int status = lines == 0 ? parse_request_line(bytes + at, line, &request)
					: parse_header(bytes + at, line, &request);
		if (status != 0) {
			return status;
		}
		lines++;
		at += line + 2;
	}
	*out_request = request;
	return (int)at + 2;
}

/* 127.0.0.0/8, written out. */
static bool is_loopback_ipv4(struct jc_text host)
{
	int parts = 0;
	int digits = 0;
	int value = 0;

	if (host.length < 9 || strncmp(host.bytes, "127.", 4) != 0) {
		return false;
	}
	for (size_t i = 0; i <= host.length; i++) {
		if (i == host.length || host.bytes[i] == '.') {
			if (digits == 0 || value > 255) {
				return false;
			}
			parts++;
			digits = 0;
			value = 0;
		} else if (isdigit((unsigned char)host.bytes[i]) && digits < 3) {
			value = value * 10 + host.bytes[i] - '0';
			digits++;
		} else {
			return false;
		}
	}
	return parts == 4;
}

/* HOST[:PORT] without its port. */
static struct jc_text host_of(struct jc_text authority)
{
	struct jc_text host = authority;
	size_t port = host.length;

	while (port > 0 && isdigit((unsigned char)host.bytes[port - 1])) {
		port--;
	}
	if (port > 0 && port < host.length && host.bytes[port - 1] == ':') {
		host.length = port - 1;
	}
	return host;
}

struct jc_text jc_request_host(const struct jc_request *request)
{
	return host_of(request->host);
}

static bool is_one_of(struct jc_text text, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (jc_text_is(text, texts[i])) {
			return true;
		}
	}
	return false;
}

static bool names_loopback(const struct jc_request *request)
{
	struct jc_text host = host_of(request->host);

	return jc_text_is(host, "localhost") || jc_text_is(host, "[::1]") || is_loopback_ipv4(host);
}

/* 16 bytes in base64 (RFC 6455, 4.1). */
static bool is_key(struct jc_text key)
{
	if (key.length != 24 || memcmp(key.bytes + 22, "==", 2) != 0) {
		return false;
	}
	for (size_t i = 0; i < 22; i++) {
		char c = key.bytes[i];
		if (!isalnum((unsigned char)c) && c != '+' && c != '/') {
			return false;
		}
	}
	return strchr("AQgw", key.bytes[21]) != NULL;
}

static int refuse(int status, const char *reason, const char **out_reason)
{
	*out_reason = reason;
	return status;
}

static int check_upgrade(const struct jc_request *request, const char **out_reason)
{
	if (!jc_text_is(request->upgrade, "websocket")) {
		return refuse(400, "the only upgrade here is websocket", out_reason);
	}
	if (!jc_text_is(request->method, "GET") || request->minor != 1) {
		return refuse(400, "a WebSocket begins with a GET of HTTP/1.1", out_reason);
	}
	if (!request->connection_upgrade) {
		return refuse(400, "Connection does not list upgrade", out_reason);
	}
	if (!jc_text_is(request->version, "13")) {
		return refuse(426, "the only WebSocket version here is 13", out_reason);
	}
	if (!is_key(request->key)) {
		return refuse(400, "Sec-WebSocket-Key is not 16 bytes of base64", out_reason);
	}
	if (!request->offers_protocol) {
		return refuse(400, "the only subprotocol here is " JC_SUBPROTOCOL, out_reason);
	}
	return 101;
}

bool jc_request_host_is_served(
	const struct jc_request *request, const struct jc_request_policy *policy)
{
	return policy->any_host || names_loopback(request) ||
	       is_one_of(host_of(request->host), policy->hosts, policy->host_count);
}

/* Proxies that set Host to the name alone (nginx with $host) remove the port of the page. Pages of
 * other ports of that name may be other sites: without keys they would have every right, and on a
 * loopback name any program of the machine serves some. */
static bool is_own_page(const struct jc_request *request, const struct jc_request_policy *policy)
{
	bool lost_port = policy->has_keys && !names_loopback(request) &&
			 is_one_of(request->host, policy->hosts, policy->host_count);

	return jc_origin_is_of(request->origin, request->host, lost_port);
}

static bool is_known(const struct jc_request *request, const struct jc_request_policy *policy)
{
	return !request->origin.bytes || is_own_page(request, policy) ||
	       is_one_of(request->origin, policy->origins, policy->origin_count);
}

bool jc_request_is_local_page(
	const struct jc_request *request, const struct jc_request_policy *policy)
{
	bool only_reads = policy->is_personal &&
			  (jc_request_method(request) & (JC_METHOD_GET | JC_METHOD_OPTIONS));

	return policy->local_pages && (request->upgrade.bytes || only_reads) &&
	       !request->was_forwarded && names_loopback(request) && !is_known(request, policy) &&
	       jc_origin_is_loopback(request->origin);
}

bool jc_request_is_foreign_page(
	const struct jc_request *request, const struct jc_request_policy *policy)
{
	return request->host.bytes && request->origin.bytes && !is_own_page(request, policy) &&
	       jc_request_origin_may_connect(request, policy);
}

bool jc_request_origin_may_connect(
	const struct jc_request *request, const struct jc_request_policy *policy)
{
	return is_known(request, policy) || jc_request_is_local_page(request, policy);
}

/* A page of another site whose name leads here (DNS rebinding) still sends that name. */
static int check_client_address(const struct jc_request *request,
	const struct jc_request_policy *policy, const char **out_reason)
{
	if (!request->host.bytes) {
		return refuse(400, "no Host", out_reason);
	}
	if (!jc_request_host_is_served(request, policy)) {
		return refuse(403, "this Host is not served here", out_reason);
	}
	if (!jc_request_origin_may_connect(request, policy)) {
		return refuse(403, "this Origin may not connect", out_reason);
	}
	return 200;
}

unsigned jc_request_method(const struct jc_request *request)
{
	static const struct {
		const char *name;
		enum jc_method method;
	} known[] = { { "GET", JC_METHOD_GET }, { "HEAD", JC_METHOD_GET }, { "PUT", JC_METHOD_PUT },
		{ "DELETE", JC_METHOD_DELETE }, { "OPTIONS", JC_METHOD_OPTIONS },
		{ "POST", JC_METHOD_POST } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		/* Methods are case-sensitive (RFC 9110, 9.1). */
		if (request->method.length == strlen(known[i].name) &&
			memcmp(request->method.bytes, known[i].name, request->method.length) == 0) {
			return known[i].method;
		}
	}
	return 0;
}

bool jc_request_is_head(const struct jc_request *request)
{
	return request->method.length == 4 && memcmp(request->method.bytes, "HEAD", 4) == 0;
}

static int check_method(const struct jc_request *request, const struct jc_request_policy *policy,
	const char **out_reason)
{
	unsigned method = jc_request_method(request);
	unsigned methods = policy->methods ? policy->methods : JC_METHOD_GET;

	if (!(method & methods)) {
		return refuse(405, "not a method of this path", out_reason);
	}
	bool has_body = method & (JC_METHOD_PUT | JC_METHOD_POST);

	if (has_body && !request->has_length) {
		return refuse(411, "the length of the body is missing", out_reason);
	}
	if (request->length > (has_body ? policy->body : 0)) {
		return refuse(413, "the body is too large for this path", out_reason);
	}
	return 200;
}

int jc_request_check(const struct jc_request *request, const struct jc_request_policy *policy,
	const char **out_reason)
{
	int status = check_client_address(request, policy, out_reason);

	if (status == 200 && request->has_coding) {
		return refuse(411, "bodies are taken with a length, not in chunks", out_reason);
	}
	if (status == 200) {
		status = check_method(request, policy, out_reason);
	}
	if (status != 200) {
		return status;
	}
	if (request->upgrade.bytes || request->key.bytes) {
		return check_upgrade(request, out_reason);
	}
	if (request->target.bytes[0] != '/') {
		return refuse(400, "the target is not a path", out_reason);
	}
	return 200;
}
