/* Message `administer`: limits and closes a space. A limit holds until the configuration is
 * read again. */

#include "base/log.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/fields.h"
#include "control/messages.h"
#include "control/moderate.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "net/session.h"

static void answer(struct jc_client *client, const struct jc_fanout *fanout, const char *action)
{
	jc_reply_answer(client, json_pack("{ss ss ss si si}", "type", "administered", "space",
					jc_space_options(fanout->space)->name, "action", action,
					"bodies", (int)fanout->policy.bodies, "subscribers",
					(int)fanout->policy.subscribers));
}

static void note(const struct jc_client *client, const struct jc_fanout *fanout, const char *what)
{
	char who[JC_MAX_WHO];

	jc_admission_who(client, who);
	jc_log_event(client->services->log, JC_LOG_INFO,
		&(struct jc_log_about){ .space = jc_space_options(fanout->space)->name,
			.state = what,
			.is_audit = true },
		"administration: '%s' in space '%s': %s, %u bodies, %u subscribers",
		jc_admission_log_name(who), jc_space_options(fanout->space)->name, what,
		fanout->policy.bodies, fanout->policy.subscribers);
}

/* Bodies and subscribers above the new limits stay. */
static void limit(struct jc_client *client, struct jc_fanout *fanout, const json_t *message)
{
	struct jc_space_policy policy = fanout->policy;
	struct jc_fields fields = jc_fields_of(message);
	int64_t bodies = policy.bodies, subscribers = policy.subscribers;

	jc_fields_integer(&fields, "bodies", 1, JC_MAX_BODIES, &bodies);
	jc_fields_integer(&fields, "subscribers", 1, JC_MAX_CONNECTIONS, &subscribers);
	if (jc_fields_refuse(&fields, client, "administer")) {
		return;
	}
	policy.bodies = (unsigned)bodies;
	policy.subscribers = (unsigned)subscribers;
	fanout->policy = policy;
	jc_space_limit(fanout->space, policy.bodies, policy.streams);
	note(client, fanout, "limit");
	answer(client, fanout, "limit");
}

/* Answers first: the client that asks may be in the space and has to leave it. */
static void end(struct jc_client *client, struct jc_fanout *fanout)
{
	note(client, fanout, "close");
	answer(client, fanout, "close");
	fanout->is_closed = true;
	fanout->closings++;
	for (struct jc_client *at = client->control->clients; at; at = at->next) {
		if (!at->session->close_code) {
			jc_moderate_throw_out(at, fanout, "close");
		}
	}
}

void jc_control_administer(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	static const char *const actions[] = { "limit", "close" };
	struct jc_fanout *fanout = jc_named_space_read(client, message, "administer");
	struct jc_fields fields = jc_fields_of(message);
	int action = -1;

	(void)now_ns;
	if (!fanout || !jc_admission_allows(client, JC_ROLE_ADMINISTER,
			       jc_space_options(fanout->space)->name, "administer")) {
		return;
	}
	jc_fields_choice(&fields, "action", actions, 2, &action);
	if (jc_fields_refuse(&fields, client, "administer")) {
		return;
	}
	if (action == 0) {
		limit(client, fanout, message);
	} else {
		end(client, fanout);
	}
}
