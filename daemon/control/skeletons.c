/* A descriptor goes the way of a file: as text, to whoever reads files. Its answer may
 * come later than those to what was said after it, so errors name it too. */
#include "control/skeletons.h"

#include <stdlib.h>
#include <string.h>

#include "auth/token.h"
#include "control/admission.h"
#include "control/control.h"
#include "control/control_private.h"
#include "control/skeleton_json.h"
#include "net/auth_policy.h"
#include "net/server_private.h"

static struct jc_registry *registry_of(const struct jc_session *session)
{
	return session->server->options.registry;
}

/* The subject of the token; without keys all clients together. With keys a client without a
 * token is its connection: nothing else tells it from other clients. */
static struct jc_owner owner_of(const struct jc_session *session)
{
	struct jc_owner owner = { .connection = 0 };

	if (session->grant) {
		strcpy(owner.subject, session->grant->subject);
	} else if (!jc_auth_policy_is_open(session->server->options.auth_policy)) {
		owner.connection = session->serial;
		jc_admission_where(session, owner.address);
	}
	return owner;
}

/* The name that a message is about; NULL after the error was answered. */
static const char *read_name(struct jc_session *session, const json_t *message, const char *type)
{
	const char *name = json_string_value(json_object_get(message, "name"));

	if (!name || !jc_registry_is_name(name)) {
		jc_control_error(session, "bad-field",
			"name is 1 to 63 bytes without control characters", type);
		return NULL;
	}
	return name;
}

/* Who watches wears skeletons as well as who publishes. */
static bool may_register(struct jc_session *session, const char *name, const char *type)
{
	if (!session->grant || session->grant->roles & (JC_ROLE_WATCH | JC_ROLE_PUBLISH)) {
		return true;
	}
	jc_control_error_of(
		session, "not-allowed", "your token has not the role for this", type, name);
	return false;
}

static void answer_error(struct jc_session *session, const char *code,
	const struct jc_registry_answer *answer, const char *type)
{
	char reason[512];

	jc_skeleton_json_reason(answer->diagnostic, reason);
	jc_control_error_of(session, code, reason, type, answer->name);
}

static void on_registered(void *context, const struct jc_registry_answer *answer)
{
	struct jc_session *session = context;

	switch (answer->outcome) {
	case JC_REGISTRY_UNUSABLE:
		answer_error(session, "bad-skeleton", answer, "skeleton");
		break;
	case JC_REGISTRY_FULL:
		answer_error(session, "too-many", answer, "skeleton");
		break;
	case JC_REGISTRY_FAILED:
		answer_error(session, "failed", answer, "skeleton");
		break;
	default:
		jc_control_send(session, jc_skeleton_json_registered(answer));
		break;
	}
}

static void on_unregistered(void *context, const struct jc_registry_answer *answer)
{
	struct jc_session *session = context;

	if (answer->outcome == JC_REGISTRY_ENDED) {
		jc_control_send(session,
			json_pack("{ss ss}", "type", "unregistered", "name", answer->name));
	} else if (answer->outcome == JC_REGISTRY_UNKNOWN) {
		jc_control_error_of(session, "unknown-skeleton", "no skeleton of that name",
			"unregister", answer->name);
	} else {
		answer_error(session, "failed", answer, "unregister");
	}
}

/* bytes NULL: it shall end. Stolen. */
static void ask(struct jc_session *session, const char *name, char *bytes, int64_t now_ns)
{
	struct jc_registry *registry = registry_of(session);
	const struct jc_owner owner = owner_of(session);
	const struct jc_registry_request spec = {
		.owner = &owner, .name = name, .bytes = bytes, .length = bytes ? strlen(bytes) : 0
	};
	bool is_paid = jc_token_bucket_spend(
		&session->registrations, 1, JC_MAX_REGISTRATIONS_PER_SECOND, now_ns);
	int status = !is_paid ? JC_ERROR_LIMIT
			      : jc_registry_ask(registry, &spec,
					bytes ? on_registered : on_unregistered, session);

	if (status != JC_OK) {
		free(bytes);
		jc_control_error_of(session, "too-many",
			!is_paid                   ? "too many skeletons a second"
			: status == JC_ERROR_LIMIT ? "too many skeletons wait to be read"
						   : "out of memory",
			spec.bytes ? "skeleton" : "unregister", name);
	}
}

void jc_control_skeleton(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	const json_t *descriptor = json_object_get(message, "descriptor");
	const char *name = read_name(session, message, "skeleton");

	if (!name || !may_register(session, name, "skeleton")) {
		return;
	}
	char *text = json_is_object(descriptor) ? json_dumps(descriptor, JSON_COMPACT) : NULL;

	if (text) {
		ask(session, name, text, now_ns);
	} else {
		jc_control_error_of(
			session, "bad-field", "descriptor is an object", "skeleton", name);
	}
}

void jc_control_unregister(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	const char *name = read_name(session, message, "unregister");

	if (name && may_register(session, name, "unregister")) {
		ask(session, name, NULL, now_ns);
	}
}

void jc_control_skeletons(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	const struct jc_owner owner = owner_of(session);

	(void)message;
	if (!jc_token_bucket_spend(&session->rosters, 1, JC_MAX_ROSTERS_PER_SECOND, now_ns)) {
		jc_control_error(session, "too-many", "too many lists a second", "skeletons");
		return;
	}
	jc_control_send(session, jc_skeleton_json_list(registry_of(session), &owner));
}

struct jc_skeleton_asset *jc_control_find_asset(const struct jc_session *session, const char *hash)
{
	const struct jc_skeleton_table *skeleton_table =
		&session->server->options.spaces->skeleton_table;
	struct jc_skeleton_asset *asset =
		hash ? jc_skeleton_table_find(skeleton_table, hash) : skeleton_table->humanoid;

	if (asset && !asset->is_common) {
		const struct jc_owner owner = owner_of(session);

		asset = jc_registry_find(registry_of(session), &owner, hash);
	}
	return asset;
}
