/* An answer that waits names its session by serial, for the session may end before the disk
 * has the sanctions. */
#include "control/moderation_answer.h"

#include <stdlib.h>
#include <string.h>

#include "control/control_private.h"
#include "control/replay_actions.h"
#include "moderation/moderation.h"
#include "net/server_private.h"

struct delayed {
	struct jc_moderation_wait wait; /* its asker is the serial of the session */
	struct jc_server *server; /* borrowed: the loop, and so the server, outlives the write */
	json_t *answer;           /* owned */
	bool reports_stored;      /* whether the answer has that field */
};

static struct jc_moderation *moderation_of(const struct jc_session *session)
{
	return session->server->options.moderation;
}

static void on_done(struct jc_moderation_wait *wait, bool is_stored)
{
	struct delayed *delayed = (struct delayed *)wait;
	struct jc_session *session = jc_control_find_session(delayed->server, wait->asker);

	if (delayed->reports_stored) {
		json_object_set_new(delayed->answer, "stored", json_boolean(is_stored));
	}
	if (session) {
		jc_control_send(session, delayed->answer);
	} else {
		json_decref(delayed->answer);
	}
	free(delayed);
}

/* Steals the answer. */
static void delay(struct jc_session *session, json_t *answer, bool reports_stored)
{
	struct delayed *delayed = calloc(1, sizeof(*delayed));

	if (!answer || !delayed) {
		json_decref(answer);
		free(delayed);
		return;
	}
	delayed->wait.asker = session->serial;
	delayed->wait.done = on_done;
	delayed->server = session->server;
	delayed->answer = answer;
	delayed->reports_stored = reports_stored;
	jc_moderation_await(moderation_of(session), &delayed->wait);
}

void jc_moderation_answer_saved(struct jc_session *session, json_t *answer)
{
	if (jc_moderation_has_file(moderation_of(session))) {
		delay(session, answer, true);
	} else {
		json_object_set_new(answer, "stored", json_false());
		jc_control_send(session, answer);
	}
}

void jc_moderation_answer(struct jc_session *session, json_t *answer)
{
	if (jc_moderation_is_awaited(moderation_of(session), session->serial)) {
		delay(session, answer, false);
	} else {
		jc_control_send(session, answer);
	}
}

bool jc_moderation_answer_delays(struct jc_session *session, json_t *error)
{
	const char *ref = json_string_value(json_object_get(error, "ref"));

	if (!ref || strcmp(ref, "moderate") != 0 ||
		!jc_moderation_is_awaited(moderation_of(session), session->serial)) {
		return false;
	}
	delay(session, error, false);
	return true;
}
