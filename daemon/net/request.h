/* The head of one HTTP request, judged before libwebsockets sees a byte of it:
 * 4.1.6 upgrades requests that RFC 6455 forbids. Pure; reads RFC 9112's
 * grammar without its obsolete parts. */
#ifndef JC_REQUEST_H
#define JC_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

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
	bool connection_upgrade; /* Connection lists "upgrade" */
	bool offers_protocol;    /* Sec-WebSocket-Protocol lists ours */
	bool has_body;           /* Content-Length above zero */
	bool has_coding;         /* Transfer-Encoding, whatever it says */
	bool is_forwarded;       /* a proxy says that it passes it on */
};

#define JC_SUBPROTOCOL "jointcast.v1"

/* Returns the length of the head once it is complete, 0 while it is not, or a
 * negative HTTP status. Nothing outside bytes..length is looked at, and
 * *out_request points into it. */
int jc_request_parse(const char *bytes, size_t length, struct jc_request *out_request);

/* Who may come beside requests that name a loopback host, and pages of the host
 * that they name. Borrowed texts. */
struct jc_request_policy {
	size_t host_count, origin_count;
	const char *const *hosts;   /* names without a port */
	const char *const *origins; /* https://HOST[:PORT] */
};

/* What is to be done with it: 101 for a WebSocket, 200 for a file, else the
 * status that refuses it. *out_reason is one line for the body of a refusal. */
int jc_request_judge(const struct jc_request *request, const struct jc_request_policy *policy,
	const char **out_reason);

/* Whether the host that it names is one of loopback and no proxy says that it passes
 * it on: it came from this machine. */
bool jc_request_is_local(const struct jc_request *request);

/* Equal but for the case of ASCII letters. */
bool jc_text_is(struct jc_text text, const char *expected);

#endif
