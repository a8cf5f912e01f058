/* Messages `skeleton`, `skeletons` and `unregister`. The registry reads descriptors on the
 * pool, so that an answer may come after answers to later messages; errors therefore name
 * the skeleton. */
#include "control/skeletons.h"
#include "control/messages.h"

#include <stdlib.h>
#include <string.h>

#include "auth/auth_policy.h"
#include "auth/token.h"
#include "avatars/avatars.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/reply.h"
#include "moderation/moderation.h"
#include "net/session.h"
#include "registry/skeleton_json.h"
#include "space/spaces.h"

static struct jc_registry *registry_of(const struct jc_client *client)
{
	return client->services->registry;
}

/* The owner is the subject of the token. Without keys all clients are one owner. With keys,
 * a client without a token is identified by its connection alone. */
static struct jc_owner owner_of(const struct jc_client *client)
{
	struct jc_owner owner = { .connection = 0 };

	if (client->grant) {
		strcpy(owner.subject, client->grant->subject);
	} else if (!jc_auth_policy_is_open(client->services->auth_policy)) {
		owner.connection = client->session->serial;
		jc_admission_where(client, owner.address);
	}
	return owner;
}

/* The name in a message; NULL: the client got an error. */
static const char *read_name(struct jc_client *client, const json_t *message, const char *type)
{
	const char *name = json_string_value(json_object_get(message, "name"));

	if (!name || !jc_registry_is_name(name)) {
		jc_reply_error(client, "bad-field",
			"name must be text of 1 to 63 bytes without control characters", type);
		return NULL;
	}
	return name;
}

/* Both watchers and publishers use skeletons. */
static bool may_register(struct jc_client *client, const char *name, const char *type)
{
	if (jc_admission_is_local_page(client)) {
		jc_reply_error_of(client, "not-allowed", JC_LOCAL_PAGE_REFUSAL, type, name);
		return false;
	}
	if (!client->grant || client->grant->roles & (JC_ROLE_WATCH | JC_ROLE_PUBLISH)) {
		return true;
	}
	jc_reply_error_of(
		client, "not-allowed", "your token does not have the role for this", type, name);
	return false;
}

static void answer_error(struct jc_client *client, const char *code,
	const struct jc_registry_answer *answer, const char *type)
{
	char reason[512];

	jc_skeleton_json_reason(answer->diagnostic, reason);
	jc_reply_error_of(client, code, reason, type, answer->name);
}

static void on_registered(void *context, const struct jc_registry_answer *answer)
{
	struct jc_client *client = context;

	jc_reply_resume(client, &answer->request);
	switch (answer->outcome) {
	case JC_REGISTRY_UNUSABLE:
		answer_error(client, "bad-skeleton", answer, "skeleton");
		break;
	case JC_REGISTRY_FULL:
		answer_error(client, "too-many", answer, "skeleton");
		break;
	case JC_REGISTRY_FAILED:
		answer_error(client, "failed", answer, "skeleton");
		break;
	default:
		jc_reply_answer(client, jc_skeleton_json_registered(answer));
		break;
	}
}

static void on_unregistered(void *context, const struct jc_registry_answer *answer)
{
	struct jc_client *client = context;

	jc_reply_resume(client, &answer->request);
	if (answer->outcome == JC_REGISTRY_ENDED) {
		jc_reply_answer(
			client, json_pack("{ss ss}", "type", "unregistered", "name", answer->name));
	} else if (answer->outcome == JC_REGISTRY_UNKNOWN) {
		jc_reply_error_of(client, "unknown-skeleton", "no skeleton of that name",
			"unregister", answer->name);
	} else {
		answer_error(client, "failed", answer, "unregister");
	}
}

/* Registers a descriptor, which is stolen; bytes NULL: unregisters the name. */
static void ask(struct jc_client *client, const char *name, char *bytes, int64_t now_ns)
{
	struct jc_registry *registry = registry_of(client);
	const struct jc_owner owner = owner_of(client);
	const struct jc_registry_request spec = { .owner = &owner,
		.name = name,
		.bytes = bytes,
		.length = bytes ? strlen(bytes) : 0,
		.request = jc_reply_defer(client) };
	bool is_paid = jc_token_bucket_spend(
		&client->registrations, 1, JC_MAX_REGISTRATIONS_PER_SECOND, now_ns);
	int status = !is_paid ? JC_ERROR_LIMIT
			      : jc_registry_ask(registry, &spec,
					bytes ? on_registered : on_unregistered, client);

	if (status != JC_OK) {
		free(bytes);
		jc_reply_resume(client, &spec.request);
		jc_reply_error_of(client, "too-many",
			!is_paid                   ? "too many skeletons a second"
			: status == JC_ERROR_LIMIT ? "too many skeletons wait to be read"
						   : "out of memory",
			spec.bytes ? "skeleton" : "unregister", name);
	}
}

void jc_control_skeleton(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	const json_t *descriptor = json_object_get(message, "descriptor");
	const char *name = read_name(client, message, "skeleton");

	if (!name || !may_register(client, name, "skeleton")) {
		return;
	}
	char *text = json_is_object(descriptor) ? json_dumps(descriptor, JSON_COMPACT) : NULL;

	if (text) {
		ask(client, name, text, now_ns);
	} else {
		jc_reply_error_of(
			client, "bad-field", "descriptor must be an object", "skeleton", name);
	}
}

void jc_control_unregister(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	const char *name = read_name(client, message, "unregister");

	if (name && may_register(client, name, "unregister")) {
		ask(client, name, NULL, now_ns);
	}
}

void jc_control_skeletons(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	const struct jc_owner owner = owner_of(client);

	(void)message;
	if (jc_admission_is_local_page(client)) {
		jc_reply_error(client, "not-allowed", JC_LOCAL_PAGE_REFUSAL, "skeletons");
		return;
	}
	if (!jc_token_bucket_spend(&client->rosters, 1, JC_MAX_ROSTERS_PER_SECOND, now_ns)) {
		jc_reply_error(client, "too-many", "too many lists a second", "skeletons");
		return;
	}
	jc_reply_answer(client, jc_skeleton_json_list(registry_of(client), &owner));
}

struct jc_skeleton_asset *jc_skeletons_find(const struct jc_client *client, const char *hash)
{
	const struct jc_skeleton_table *skeleton_table = &client->services->spaces->skeleton_table;
	struct jc_skeleton_asset *asset =
		hash ? jc_skeleton_table_find(skeleton_table, hash) : skeleton_table->humanoid;

	if (asset && !asset->is_common) {
		const struct jc_owner owner = owner_of(client);

		asset = jc_registry_find(registry_of(client), &owner, hash);
	}
	return asset;
}

/* Without a token where the server has keys a client owns no avatar. */
static const struct jc_avatar *find_avatar(const struct jc_client *client, const char *hash)
{
	const struct jc_owner owner = owner_of(client);

	return jc_avatars_find_wearable(
		client->services->avatars, hash, owner.connection == 0 ? owner.subject : NULL);
}

bool jc_skeletons_outfit(struct jc_client *client, const char *space,
	const struct jc_outfit_hashes *hashes, struct jc_outfit *out_outfit, const char *type)
{
	const struct jc_avatar *found = hashes->avatar ? find_avatar(client, hashes->avatar) : NULL;

	if (hashes->avatar && !found) {
		jc_reply_error(client, "unknown-avatar", "no avatar of that hash", type);
		return false;
	}
	if (found && hashes->skeleton && strcmp(hashes->skeleton, found->asset->hash) != 0) {
		jc_reply_error(client, "bad-field", "skeleton must be that of the avatar", type);
		return false;
	}
	if (found && jc_sanctions_is_blocked(jc_moderation_sanctions(client->services->moderation),
			     space, hashes->avatar)) {
		jc_reply_error(client, "not-allowed",
			"a moderator has blocked the avatar in the space", type);
		return false;
	}
	*out_outfit = (struct jc_outfit){
		.asset = found ? found->asset : jc_skeletons_find(client, hashes->skeleton),
		.avatar = found ? &found->file.worn : NULL,
	};
	if (!out_outfit->asset) {
		jc_reply_error(client, "unknown-skeleton", "no skeleton of that hash", type);
		return false;
	}
	return true;
}
