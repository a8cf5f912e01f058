/* The head of one HTTP request, judged before libwebsockets sees a byte of it:
 * 4.1.6 upgrades requests that RFC 6455 forbids. Pure; reads RFC 9112's
 * grammar without its obsolete parts. */
#ifndef JC_REQUEST_H
#define JC_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Part of the head; NULL bytes where the header is absent. */
struct jc_text {
	const char *bytes;
	size_t length;
};

struct jc_request {
	struct jc_text method, target;
	int minor; /* HTTP/1.minor */
	struct jc_text host, origin;
	struct jc_text upgrade, key, version; /* Sec-WebSocket-… */
	struct jc_text if_none_match;
	struct jc_text authorization, content_type;
	uint64_t length;         /* Content-Length */
	bool has_length;         /* there was a Content-Length */
	bool connection_upgrade; /* Connection lists "upgrade" */
	bool offers_protocol;    /* Sec-WebSocket-Protocol lists ours */
	bool accepts_gzip;       /* Accept-Encoding lists gzip, without a weight, which may be 0 */
	bool has_coding;         /* there was a Transfer-Encoding */
	bool expects_continue;   /* Expect: 100-continue */
	struct jc_text passed_for; /* the last address of X-Forwarded-For */
	struct jc_text passed_by;  /* the last scheme of X-Forwarded-Proto */
	bool was_forwarded;        /* a header shows a proxy: Forwarded, X-Forwarded-… or Via */
};

/* Bits of the methods that something is served by. */
enum jc_method {
	JC_METHOD_GET = 1, /* and HEAD */
	JC_METHOD_PUT = 2,
	JC_METHOD_DELETE = 4,
	JC_METHOD_OPTIONS = 8,
	JC_METHOD_POST = 16,
};

/* Returns the length of the head once it is complete, 0 while it is not, or a
 * negative HTTP status. Nothing outside bytes..length is looked at, and
 * *out_request points into it. */
int jc_request_parse(const char *bytes, size_t length, struct jc_request *out_request);

/* The hosts, origins and methods that a request may have. Loopback hosts, and pages of the
 * requested host, are always allowed. Borrowed texts. */
struct jc_request_policy {
	size_t host_count, origin_count;
	const char *const *hosts;   /* names without a port */
	const char *const *origins; /* https://HOST[:PORT] */
	bool any_host;              /* accepts every host name */
	bool has_keys;              /* every right needs a token */
	bool local_pages;           /* WebSockets of pages of loopback origins are accepted, */
	bool is_personal;           /* and their GETs of the path, see jc_route */
	unsigned methods;           /* of the path that it names; 0: JC_METHOD_GET */
	size_t body;                /* bytes that a PUT or POST to it may bring */
};

/* Whether a request may name its host, and whether a page of its origin may send it. A request
 * without an origin comes from no page. */
bool jc_request_host_is_served(
	const struct jc_request *request, const struct jc_request_policy *policy);
bool jc_request_origin_may_connect(
	const struct jc_request *request, const struct jc_request_policy *policy);

/* Whether the request is accepted only because of policy->local_pages: it asks for a WebSocket of
 * a loopback host, or for an avatar there, its page has a loopback origin, and no header shows a
 * proxy. */
bool jc_request_is_local_page(
	const struct jc_request *request, const struct jc_request_policy *policy);

/* Whether an admitted page of another origin sends it. */
bool jc_request_is_foreign_page(
	const struct jc_request *request, const struct jc_request_policy *policy);

/* How to answer a request: 101 for a WebSocket, 200 for a path, else the status that
 * refuses it. *out_reason is one line for the body of a refusal. */
int jc_request_check(const struct jc_request *request, const struct jc_request_policy *policy,
	const char **out_reason);

/* JC_METHOD_GET and so on; 0: none of them. */
unsigned jc_request_method(const struct jc_request *request);
bool jc_request_is_head(const struct jc_request *request);

/* The host of the request, without its port. */
struct jc_text jc_request_host(const struct jc_request *request);

/* Compares without regard to the case of ASCII letters. */
bool jc_text_is(struct jc_text text, const char *expected);

#endif
