/* Heads of HTTP requests, the answers to handshakes, and the policy of a page made of the same
 * bytes. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "http/handshake.h"
#include "http/page_policy.h"
#include "http/request.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	struct jc_request request;
	char policy[1024];
	int length = jc_request_parse(bytes, size, &request);

	if (length > 0) {
		static const char *const hosts[] = { "room.example" };
		static const char *const origins[] = { "https://world.example" };
		static const struct jc_request_policy address_limits = { .host_count = 1,
			.hosts = hosts,
			.origin_count = 1,
			.origins = origins,
			.local_pages = true };
		const char *reason = NULL;
		int status = jc_request_check(&request, &address_limits, &reason);

		assert((size_t)length <= size);
		assert(status == 101 || status == 200 || (status >= 400 && reason));
		assert(status != 101 || request.key.length == 24);
		/* A page of this machine is a name of three, then at most ":65535". */
		if (jc_request_is_local_page(&request, &address_limits)) {
			assert(memcmp(request.origin.bytes, "http", 4) == 0);
			assert(request.origin.length <= strlen("https://127.255.255.255:65535"));
			assert(!memchr(request.origin.bytes, '@', request.origin.length));
			assert(!request.was_forwarded);
		}
		if (status == 101) {
			char answer[JC_HANDSHAKE_BYTES];
			size_t answered = jc_handshake_write(&request, answer);

			/* RFC 6455, 4.2.2: the key is in none of it, its digest of 20 bytes is. */
			assert(answered > 0 && answered < sizeof(answer));
			assert(strlen(answer) == answered && strstr(answer, "=\r\n"));
		}
		/* A head that is complete is complete without what follows it. */
		assert(jc_request_parse(bytes, (size_t)length, &request) == length);
	}
	size_t policy_length = jc_page_policy(bytes, size, policy, sizeof(policy));

	assert(policy_length < sizeof(policy));
	return 0;
}
