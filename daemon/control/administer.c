/* What an administrator changes holds until the configuration is read again. */
#include "control/administer.h"

#include <string.h>

#include "control/admission.h"
#include "control/control.h"
#include "control/control_private.h"
#include "control/moderate.h"
#include "net/server_private.h"

/* A number from 1 on that may be missing. */
static bool read_number(const json_t *value, unsigned most, unsigned *number)
{
	json_int_t found = json_integer_value(value);

	if (!value) {
		return true;
	}
	if (!json_is_integer(value) || found < 1 || found > (json_int_t)most) {
		return false;
	}
	*number = (unsigned)found;
	return true;
}

static void answer(struct jc_session *session, const struct jc_fanout *fanout, const char *action)
{
	jc_control_send(session, json_pack("{ss ss ss si si}", "type", "administered", "space",
					 jc_space_options(fanout->space)->name, "action", action,
					 "bodies", (int)fanout->policy.bodies, "subscribers",
					 (int)fanout->policy.subscribers));
}

static void note(const struct jc_session *session, const struct jc_fanout *fanout, const char *what)
{
	char who[JC_MAX_WHO];

	jc_admission_who(session, who);
	jc_log_event(session->server->options.log, JC_LOG_INFO,
		&(struct jc_log_about){ .space = jc_space_options(fanout->space)->name,
			.state = what,
			.is_audit = true },
		"administration: '%s' in space '%s': %s, %u bodies, %u subscribers", who,
		jc_space_options(fanout->space)->name, what, fanout->policy.bodies,
		fanout->policy.subscribers);
}

/* Who is there stays, however many they are. */
static void limit(struct jc_session *session, struct jc_fanout *fanout, const json_t *message)
{
	struct jc_space_policy policy = fanout->policy;

	if (!read_number(json_object_get(message, "bodies"), JC_MAX_BODIES, &policy.bodies) ||
		!read_number(json_object_get(message, "subscribers"), JC_MAX_CONNECTIONS,
			&policy.subscribers)) {
		jc_control_error(session, "bad-field",
			"bodies is from 1 to 64, subscribers from 1 to 16384", "administer");
		return;
	}
	fanout->policy = policy;
	jc_space_limit(fanout->space, policy.bodies, policy.streams);
	note(session, fanout, "limit");
	answer(session, fanout, "limit");
}

/* The answer comes before whoever asks has to go, too. */
static void end(struct jc_session *session, struct jc_fanout *fanout)
{
	note(session, fanout, "close");
	answer(session, fanout, "close");
	fanout->is_closed = true;
	for (struct jc_connection *c = session->server->connections; c; c = c->next) {
		if (c->session && !c->session->close_code) {
			jc_moderate_throw_out(c->session, fanout, "close");
		}
	}
}

void jc_control_administer(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_control_named_space(session, message, "administer");
	const char *action = json_string_value(json_object_get(message, "action"));

	(void)now_ns;
	if (!fanout || !jc_admission_allows(session, JC_ROLE_ADMINISTER,
			       jc_space_options(fanout->space)->name, "administer")) {
		return;
	}
	if (action && strcmp(action, "limit") == 0) {
		limit(session, fanout, message);
	} else if (action && strcmp(action, "close") == 0) {
		end(session, fanout);
	} else {
		jc_control_error(session, "bad-field", "action is limit or close", "administer");
	}
}
