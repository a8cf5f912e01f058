/* Avatars that clients upload: each is checked on the thread pool, compared with the quotas and the
 * sanctions, written to the disk, and then served. Requests are processed one at a time. An avatar
 * ends when its owner or an administrator removes it, or some days after its last use. */
#ifndef JC_AVATAR_STORE_H
#define JC_AVATAR_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "avatars/avatar_policy.h"
#include "avatars/avatars.h"
#include "base/log.h"

struct jc_avatar_store;
struct jc_moderation;

/* All borrowed. */
struct jc_avatar_store_options {
	const char *state; /* NULL: clients upload nothing */
	const struct jc_avatar_policy *policy;
	struct jc_avatars *avatars;
	struct jc_spaces *spaces;
	struct jc_moderation *moderation;
	const struct jc_log *log;
	uv_loop_t *loop;
};

/* A file of a client; all copied but the bytes. */
struct jc_avatar_upload {
	const char *subject;
	enum jc_avatar_rights rights;
	const char *licence;
	size_t index;
	char *bytes; /* stolen */
	size_t length;
};

enum jc_avatar_outcome {
	JC_AVATAR_NEW,
	JC_AVATAR_SAME, /* the subject had uploaded it before */
	JC_AVATAR_REMOVED,
	JC_AVATAR_UNUSABLE, /* the file, or its rights */
	JC_AVATAR_BLOCKED,  /* by a moderator */
	JC_AVATAR_FULL,     /* a quota is reached */
	JC_AVATAR_FAILED,   /* memory or disk */
};

/* The result of a request, valid during the call of on_result. */
struct jc_avatar_answer {
	enum jc_avatar_outcome outcome;
	const struct jc_avatar *avatar;         /* of the first two, else NULL */
	const struct jc_diagnostic *diagnostic; /* of the last four */
};

typedef void jc_avatar_reported(void *context, const struct jc_avatar_answer *answer);

/* Loads the stored avatars and waits for the disk. Returns 0 or JC_ERROR_MEMORY. */
int jc_avatar_store_create(
	const struct jc_avatar_store_options *options, struct jc_avatar_store **out_store);

/* Ends waiting requests with an error; the one in progress ends on the loop. */
void jc_avatar_store_stop(struct jc_avatar_store *store);

/* After the loop has ended; NULL is fine. */
void jc_avatar_store_destroy(struct jc_avatar_store *store);

/* Whether the operator lets clients upload. */
bool jc_avatar_store_is_open(const struct jc_avatar_store *store);

/* Whether an upload of that size may wait, too. */
bool jc_avatar_store_has_room(const struct jc_avatar_store *store, size_t length);

/* `on_result` is called from the loop, once, never before this returns. Returns 0, JC_ERROR_LIMIT
 * when too much waits already, or JC_ERROR_MEMORY; then the bytes are still the caller's. */
int jc_avatar_store_put(struct jc_avatar_store *store, const struct jc_avatar_upload *upload,
	jc_avatar_reported *on_result, void *context);

/* Takes the avatar off all bodies now, and removes it from the disk. on_result NULL: no client
 * waits for the disk. Returns as above; with an error nothing has changed. */
int jc_avatar_store_remove(struct jc_avatar_store *store, struct jc_avatar *avatar,
	jc_avatar_reported *on_result, void *context);

/* Notes the avatars that bodies wear, and removes those that none has worn for too long. Does so at
 * most once a minute. */
void jc_avatar_store_sweep(struct jc_avatar_store *store, int64_t now_ns);

/* Unix time at which the avatar ends without further use, s. */
int64_t jc_avatar_store_expiry(const struct jc_avatar_store *store, const struct jc_avatar *avatar);

struct jc_avatar_totals {
	size_t count;     /* avatars that are served, */
	size_t uploaded;  /* and those of them that clients have uploaded, */
	uint64_t bytes;   /* and the size of these */
	uint64_t refused; /* uploads since the start */
};

void jc_avatar_store_report(
	const struct jc_avatar_store *store, struct jc_avatar_totals *out_totals);

/* Counts an upload that was refused before the store got it. */
void jc_avatar_store_refuse(struct jc_avatar_store *store);

#endif
