/* An answer that waits names its session by serial, for the session may end before the disk
 * has the sanctions. */
#include "control/moderation_answer.h"

#include <stdlib.h>
#include <string.h>

#include "control/client.h"
#include "control/reply.h"
#include "moderation/moderation.h"
#include "net/session.h"

struct delayed {
	struct jc_moderation_wait wait; /* its asker is the serial of the session */
	struct jc_control *control;     /* borrowed: it outlives the loop, and so the write */
	json_t *answer;                 /* owned */
	bool reports_stored;            /* whether the answer has that field */
};

static struct jc_moderation *moderation_of(const struct jc_client *client)
{
	return client->services->moderation;
}

static void on_done(struct jc_moderation_wait *wait, bool is_stored)
{
	struct delayed *delayed = (struct delayed *)wait;
	struct jc_client *client = jc_client_find(delayed->control, wait->asker);

	if (delayed->reports_stored) {
		json_object_set_new(delayed->answer, "stored", json_boolean(is_stored));
	}
	if (client) {
		jc_reply_send(client, delayed->answer);
	} else {
		json_decref(delayed->answer);
	}
	free(delayed);
}

/* Steals the answer. */
static void delay(struct jc_client *client, json_t *answer, bool reports_stored)
{
	struct delayed *delayed = calloc(1, sizeof(*delayed));

	if (!answer || !delayed) {
		json_decref(answer);
		free(delayed);
		return;
	}
	delayed->wait.asker = client->session->serial;
	delayed->wait.done = on_done;
	delayed->control = client->control;
	delayed->answer = answer;
	delayed->reports_stored = reports_stored;
	jc_moderation_await(moderation_of(client), &delayed->wait);
}

void jc_moderation_answer_saved(struct jc_client *client, json_t *answer)
{
	if (jc_moderation_has_file(moderation_of(client))) {
		delay(client, answer, true);
	} else {
		json_object_set_new(answer, "stored", json_false());
		jc_reply_send(client, answer);
	}
}

void jc_moderation_answer(struct jc_client *client, json_t *answer)
{
	if (jc_moderation_is_awaited(moderation_of(client), client->session->serial)) {
		delay(client, answer, false);
	} else {
		jc_reply_send(client, answer);
	}
}

bool jc_moderation_answer_delays(struct jc_client *client, json_t *error)
{
	const char *ref = json_string_value(json_object_get(error, "ref"));

	if (!ref || strcmp(ref, "moderate") != 0 ||
		!jc_moderation_is_awaited(moderation_of(client), client->session->serial)) {
		return false;
	}
	delay(client, error, false);
	return true;
}
