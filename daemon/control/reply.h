/* Messages to a client: answers, and errors (proto/CORE.md, "Errors"). */
#ifndef JC_REPLY_H
#define JC_REPLY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/request_tag.h"

struct jc_client;
struct jc_shared_text;

/* Sends a message and steals it; NULL (out of memory) sends nothing. */
void jc_reply_send(struct jc_client *client, json_t *message);

/* The field `request` (proto/PROTOCOL.md, "Requests"): the first answer or error to a message
 * repeats it, and a message with the field that has got neither is answered with `done`. A handler
 * that answers later takes the field along with jc_reply_defer, and brings it back before it
 * answers. */

/* Begins to handle a message of that type (NULL: it has none). False: its field `request` is
 * invalid, and the client got an error. */
bool jc_reply_begin(struct jc_client *client, const char *type, const json_t *message);

/* Ends it. */
void jc_reply_end(struct jc_client *client);

struct jc_request_tag jc_reply_defer(struct jc_client *client);
void jc_reply_resume(struct jc_client *client, const struct jc_request_tag *request);

/* Adds the field to a message. */
void jc_reply_put_request(json_t *message, const struct jc_request_tag *request);

/* Adds the field of the message that is being handled, which has its answer then. Returns the
 * answer; NULL (out of memory) is fine. */
json_t *jc_reply_mark(struct jc_client *client, json_t *answer);

/* Sends the answer to the message that is being handled; steals it. NULL sends nothing. */
void jc_reply_answer(struct jc_client *client, json_t *answer);

/* The same with the text of an object with at least one field; borrowed. */
void jc_reply_answer_shared(struct jc_client *client, struct jc_shared_text *answer);

/* An error answer; ref is the type of the message it answers, "capture" for a capture, or NULL. Too
 * many faults of the client within minutes close the connection (PROTOCOL.md, section 2). */
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
