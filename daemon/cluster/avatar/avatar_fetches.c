/* The edge asks for a part when it has the one before, so that a file takes little room on its way
 * and delays no motion. It hashes part by part, because a whole file would stop the loop. */
#include "cluster/avatar/avatar_fetches.h"

#include <fcntl.h>
#include <jansson.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cluster/avatar/avatar_message.h"
#include "cluster/nats_link.h"
#include "jointcast/error.h"

#define TIMEOUT_MS 2000
#define TRIES      3u /* of a part */

struct waiter {
	jc_on_avatar *on_avatar;
	void *context;
};

struct fetch {
	struct fetch *next;
	struct jc_avatar_fetches *owner;
	char subject[JC_MAX_NATS_SUBJECT];
	char hash[JC_HASH_TEXT];
	uint32_t bytes, got;
	bool is_running, is_binary;
	unsigned tries;
	int fd;           /* owned, or -1 */
	EVP_MD_CTX *sums; /* owned */
	size_t waiter_count;
	struct waiter waiters[JC_MAX_AVATAR_WAITERS];
};

struct jc_avatar_fetches {
	struct jc_nats_link *link;
	struct jc_avatar_cache cache;
	size_t count, running;
	struct fetch *list; /* owned, the oldest first */
};

struct jc_avatar_fetches *jc_avatar_fetches_create(struct jc_nats_link *link)
{
	struct jc_avatar_fetches *fetches = calloc(1, sizeof(*fetches));

	if (fetches) {
		fetches->link = link;
	}
	return fetches;
}

/* A descriptor of its own for each answer: -1 without a file. */
static void answer(const struct waiter *waiter, const struct jc_cached_avatar *avatar)
{
	int fd = fcntl(avatar->fd, F_DUPFD_CLOEXEC, 0);

	waiter->on_avatar(waiter->context, fd >= 0 ? 200 : 503,
		&(struct jc_fetched_file){
			.fd = fd, .length = avatar->bytes, .is_binary = avatar->is_binary });
}

static void ask_part(struct fetch *fetch);

/* Starts fetches that wait, the oldest first. */
static void start_next(struct jc_avatar_fetches *fetches)
{
	struct fetch *at = fetches->list;

	while (at && fetches->running < JC_MAX_AVATAR_FETCHES_RUNNING) {
		if (!at->is_running) {
			at->is_running = true;
			fetches->running++;
			ask_part(at);
			at = fetches->list; /* it may have ended */
		} else {
			at = at->next;
		}
	}
}

/* Ends it: status 200 with the file, which is then in the cache if there is room; else a refusal.
 */
static void end(struct fetch *fetch, int status)
{
	struct jc_avatar_fetches *fetches = fetch->owner;
	struct fetch **at = &fetches->list;
	struct jc_cached_avatar avatar = {
		.fd = fetch->fd, .bytes = fetch->bytes, .is_binary = fetch->is_binary
	};

	while (*at != fetch) {
		at = &(*at)->next;
	}
	*at = fetch->next;
	fetches->count--;
	fetches->running -= fetch->is_running;
	jc_nats_link_forget(fetches->link, fetch);
	memcpy(avatar.hash, fetch->hash, sizeof(avatar.hash));
	for (size_t i = 0; i < fetch->waiter_count; i++) {
		if (status == 200) {
			answer(&fetch->waiters[i], &avatar);
		} else {
			fetch->waiters[i].on_avatar(fetch->waiters[i].context, status, NULL);
		}
	}
	if (status == 200) {
		jc_avatar_cache_add(&fetches->cache, &avatar);
	} else if (fetch->fd >= 0) {
		close(fetch->fd);
	}
	EVP_MD_CTX_free(fetch->sums);
	free(fetch);
}

void jc_avatar_fetches_destroy(struct jc_avatar_fetches *fetches)
{
	while (fetches && fetches->list) {
		end(fetches->list, 503);
	}
	if (fetches) {
		jc_avatar_cache_finish(&fetches->cache);
	}
	free(fetches);
}

static bool has_its_hash(struct fetch *fetch)
{
	uint8_t sum[EVP_MAX_MD_SIZE];
	unsigned length = 0;
	char text[JC_HASH_TEXT];

	if (EVP_DigestFinal_ex(fetch->sums, sum, &length) != 1 || length != JC_HASH_TEXT / 2) {
		return false;
	}
	for (unsigned i = 0; i < length; i++) {
		snprintf(text + (size_t)2 * i, 3, "%02x", sum[i]);
	}
	return strcmp(text, fetch->hash) == 0;
}

/* Returns whether the part is the next one, and is kept. */
static bool keep(struct fetch *fetch, const struct jc_avatar_message *part)
{
	if (part->at != fetch->got || part->length != fetch->bytes ||
		pwrite(fetch->fd, part->bytes, part->count, part->at) != (ssize_t)part->count ||
		EVP_DigestUpdate(fetch->sums, part->bytes, part->count) != 1) {
		return false;
	}
	if (part->at == 0) {
		fetch->is_binary = part->count >= 4 && memcmp(part->bytes, "glTF", 4) == 0;
	}
	fetch->got += (uint32_t)part->count;
	fetch->tries = 0;
	return true;
}

static void on_part(void *context, const struct jc_nats_message *message)
{
	struct fetch *fetch = context;
	struct jc_avatar_fetches *fetches = fetch->owner;
	struct jc_avatar_message part;

	if (!message && fetch->tries < TRIES) {
		ask_part(fetch);
		return;
	}
	if (!message) {
		end(fetch, 503);
	} else if (jc_avatar_message_read(message->bytes, message->length, &part) != JC_OK ||
		   !keep(fetch, &part)) {
		end(fetch, 404); /* the body wears it no longer */
	} else if (fetch->got < fetch->bytes) {
		ask_part(fetch);
		return;
	} else {
		end(fetch, has_its_hash(fetch) ? 200 : 404);
	}
	start_next(fetches);
}

static void ask_part(struct fetch *fetch)
{
	char text[160];
	int length = snprintf(text, sizeof(text), "{\"type\":\"avatar\",\"hash\":\"%s\",\"at\":%u}",
		fetch->hash, (unsigned)fetch->got);

	fetch->tries++;
	if (jc_nats_link_request(fetch->owner->link, fetch->subject, text, (size_t)length,
		    TIMEOUT_MS, on_part, fetch) != JC_OK) {
		end(fetch, 503);
	}
}

static struct fetch *begin(
	struct jc_avatar_fetches *fetches, const char *subject, const char *hash, uint64_t bytes)
{
	struct fetch *fetch =
		fetches->count < JC_MAX_AVATAR_FETCHES && bytes > 0 && bytes <= JC_MAX_AVATAR_BYTES
			? calloc(1, sizeof(*fetch))
			: NULL;
	struct fetch **at = &fetches->list;

	if (!fetch) {
		return NULL;
	}
	fetch->sums = EVP_MD_CTX_new();
	fetch->fd = memfd_create("avatar", MFD_CLOEXEC);
	if (!fetch->sums || fetch->fd < 0 ||
		EVP_DigestInit_ex(fetch->sums, EVP_sha256(), NULL) != 1) {
		if (fetch->fd >= 0) {
			close(fetch->fd);
		}
		EVP_MD_CTX_free(fetch->sums);
		free(fetch);
		return NULL;
	}
	fetch->owner = fetches;
	fetch->bytes = (uint32_t)bytes;
	snprintf(fetch->subject, sizeof(fetch->subject), "%s", subject);
	snprintf(fetch->hash, sizeof(fetch->hash), "%s", hash);
	while (*at) {
		at = &(*at)->next;
	}
	*at = fetch;
	fetches->count++;
	return fetch;
}

int jc_avatar_fetches_get(struct jc_avatar_fetches *fetches, const char *subject, const char *hash,
	uint64_t bytes, jc_on_avatar *on_avatar, void *context)
{
	const struct jc_cached_avatar *cached = jc_avatar_cache_find(&fetches->cache, hash);
	const struct waiter waiter = { on_avatar, context };
	struct fetch *fetch = fetches->list;

	if (cached) {
		answer(&waiter, cached);
		return JC_OK;
	}
	while (fetch && strcmp(fetch->hash, hash) != 0) {
		fetch = fetch->next;
	}
	if (!fetch) {
		fetch = begin(fetches, subject, hash, bytes);
	}
	if (!fetch || fetch->waiter_count == JC_MAX_AVATAR_WAITERS) {
		return JC_ERROR_LIMIT;
	}
	fetch->waiters[fetch->waiter_count++] = waiter;
	start_next(fetches);
	return JC_OK;
}

void jc_avatar_fetches_sweep(struct jc_avatar_fetches *fetches,
	bool (*is_worn)(const void *context, const char *hash), const void *context, int64_t now_ns)
{
	jc_avatar_cache_sweep(&fetches->cache, is_worn, context, now_ns);
}
