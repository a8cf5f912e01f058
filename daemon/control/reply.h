/* Messages to a client: answers, and errors (proto/CORE.md, "Errors"). */
#ifndef JC_REPLY_H
#define JC_REPLY_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;

/* Sends a message and steals it; NULL (out of memory) sends nothing. */
void jc_reply_send(struct jc_client *client, json_t *message);

/* An error answer; ref is the type of the message it answers, or NULL. Too many
 * faults of the client within minutes close the connection (proto/CORE.md, "Errors"). */
void jc_reply_error(
	struct jc_client *client, const char *code, const char *message, const char *ref);

/* The same with the name that the error is about; NULL: none. */
void jc_reply_error_of(struct jc_client *client, const char *code, const char *message,
	const char *ref, const char *name);

/* The same with the Unix time until which the error holds; INT64_MAX: no end is known. */
void jc_reply_error_until(struct jc_client *client, const char *code, const char *message,
	const char *ref, int64_t until_s);

/* Answers to `moderate` (proto/MODULES.md, "Moderation"). An answer that changed sanctions waits
 * until these are on disk; later answers to the same moderator, errors too, wait behind it. */

/* After jc_moderation_save: answers, with `stored`, when the file is written or could not be.
 * Steals the answer; NULL (out of memory) sends nothing. */
void jc_reply_moderated_saved(struct jc_client *client, json_t *answer);

/* Answers a message that changed no sanction. Steals the answer; NULL sends nothing. */
void jc_reply_moderated(struct jc_client *client, json_t *answer);

#endif
