/* The answers to `moderate` (PROTOCOL.md, 17). The answer to an order that changes sanctions
 * waits until these are on disk; later answers to the same moderator wait behind it. */
#ifndef JC_MODERATION_ANSWER_H
#define JC_MODERATION_ANSWER_H

#include <jansson.h>
#include <stdbool.h>

struct jc_client;

/* Answers an order after jc_moderation_save, when the file is written or could not be, with
 * `stored`. Steals the answer; NULL (out of memory) sends nothing. */
void jc_moderation_answer_saved(struct jc_client *client, json_t *answer);

/* Answers a message that changed no sanction. Steals the answer, likewise. */
void jc_moderation_answer(struct jc_client *client, json_t *answer);

/* Whether an error is an answer that has to wait behind others; then it is stolen. */
bool jc_moderation_answer_delays(struct jc_client *client, json_t *error);

#endif
