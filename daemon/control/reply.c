/* Writes messages as text. An error answer counts against its client. */
#include "control/reply.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "control/client.h"
#include "control/error_codes.h"
#include "control/moderation_answer.h"
#include "net/session.h"

/* Single precision reads back exactly from nine digits. */
#define DUMP_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(9))

char *jc_reply_text(json_t *message)
{
	char *text = message ? json_dumps(message, DUMP_FLAGS) : NULL;

	json_decref(message);
	return text;
}

void jc_reply_send(struct jc_client *client, json_t *message)
{
	char *text = jc_reply_text(message);

	if (text) {
		jc_session_send(client->session, text, strlen(text));
	}
	free(text);
}

static void send_error(struct jc_client *client, json_t *error)
{
	assert(!error || jc_error_code_is_known(json_string_value(json_object_get(error, "code"))));
	if (!jc_moderation_answer_delays(client, error)) {
		jc_reply_send(client, error);
	}
	if (++client->errors >= JC_MAX_ERRORS) {
		jc_session_close(client->session, JC_CLOSE_POLICY, "too many errors");
	}
}

void jc_reply_error(
	struct jc_client *client, const char *code, const char *message, const char *ref)
{
	jc_reply_error_of(client, code, message, ref, NULL);
}

void jc_reply_error_of(struct jc_client *client, const char *code, const char *message,
	const char *ref, const char *name)
{
	send_error(client, json_pack("{ss ss ss ss* ss*}", "type", "error", "code", code, "message",
				   message, "ref", ref, "name", name));
}

void jc_reply_error_until(struct jc_client *client, const char *code, const char *message,
	const char *ref, int64_t until_s)
{
	json_t *until = until_s < INT64_MAX ? json_integer((json_int_t)until_s) : NULL;

	send_error(client, json_pack("{ss ss ss ss* so*}", "type", "error", "code", code, "message",
				   message, "ref", ref, "until", until));
}
