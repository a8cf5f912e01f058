/* Looks up the space that a message names, and opens spaces on demand. */
#include "control/named_space.h"

#include <string.h>

#include "base/log.h"
#include "config/config.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/reply.h"
#include "net/session.h"
#include "source/source_uri.h"
#include "space/spaces.h"

/* Whether a space can have the name; rewind spaces have a ~. */
static bool is_name(const char *name)
{
	size_t length = strlen(name);

	return length > 0 && length < JC_MAX_SPACE_NAME &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-") ==
		       length;
}

/* NULL: the client got an error. */
static const char *read_space_name(
	struct jc_client *client, const json_t *message, const char *type)
{
	const char *name = json_string_value(json_object_get(message, "space"));

	if (!name || !is_name(name)) {
		jc_reply_error(client, "bad-field",
			"space must be 1 to 63 letters, digits and . _ ~ -", type);
		return NULL;
	}
	return name;
}

struct jc_fanout *jc_named_space_find(const struct jc_client *client, const char *name)
{
	struct jc_fanout *fanout = jc_spaces_find(client->services->spaces, name);

	return fanout && jc_admission_knows(client, fanout) ? fanout : NULL;
}

void jc_named_space_refuse(struct jc_client *client, const char *type)
{
	jc_reply_error(client, "unknown-space", "no space of that name", type);
}

struct jc_fanout *jc_named_space_read(
	struct jc_client *client, const json_t *message, const char *type)
{
	const char *name = read_space_name(client, message, type);
	struct jc_fanout *fanout = name ? jc_named_space_find(client, name) : NULL;

	if (name && !fanout) {
		jc_named_space_refuse(client, type);
	}
	return fanout;
}

static bool is_learning(const struct jc_services *services)
{
	return services->cluster && services->cluster_ops->is_learning(services->cluster);
}

static struct jc_fanout *open_space(struct jc_client *client, const char *name, const char *type)
{
	const struct jc_services *services = client->services;
	char who[JC_MAX_WHO];
	struct jc_fanout *fanout;

	jc_admission_who(client, who);
	if (jc_spaces_open_for(services->spaces, name, who, &fanout) != JC_OK) {
		jc_reply_error(client, "too-many", "too many spaces", type);
		return NULL;
	}
	jc_log_event(services->log, JC_LOG_INFO,
		&(struct jc_log_about){ .space = name, .state = "open" },
		"space '%s' was opened by %s", name, jc_admission_log_name(who));
	return fanout;
}

struct jc_fanout *jc_named_space_enter(
	struct jc_client *client, const json_t *message, enum jc_role role, const char *type)
{
	const char *name = read_space_name(client, message, type);
	struct jc_fanout *fanout = name ? jc_named_space_find(client, name) : NULL;

	if (!name || fanout) {
		return fanout;
	}
	if (is_learning(client->services)) {
		jc_session_close(client->session, JC_CLOSE_TRY_AGAIN, "no space of that name yet");
		return NULL;
	}
	if (jc_spaces_find(client->services->spaces, name) ||
		jc_config_is_edge(client->services->config) ||
		!jc_source_space_name_is_valid(name) ||
		!jc_admission_may_open(client, role, name)) {
		jc_named_space_refuse(client, type);
		return NULL;
	}
	return open_space(client, name, type);
}

struct jc_view *jc_named_space_view(struct jc_client *client, const struct jc_fanout *fanout)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (client->views[i] && client->views[i]->fanout == fanout) {
			return client->views[i];
		}
	}
	return NULL;
}

struct jc_view *jc_named_space_joined_view(
	struct jc_client *client, const json_t *message, const char *type)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, type);
	struct jc_view *view = fanout ? jc_named_space_view(client, fanout) : NULL;

	if (fanout && !view) {
		jc_reply_error(client, "not-joined", "join the space first", type);
	}
	return view;
}
