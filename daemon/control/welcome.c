/* Packs `welcome`: what the daemon and the client may do in each space, and the allowances. */
#include "control/welcome.h"

#include <stdio.h>

#include "auth/auth_policy.h"
#include "avatars/avatar_store.h"
#include "config/config.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/reply.h"
#include "jointcast_private/json.h"
#include "net/session.h"
#include "record/recordings.h"
#include "replay/rewind_buffer.h"
#include "services.h"
#include "space/relay/space_relay.h"
#include "space/spaces.h"

/* The client's roles in a space, by name. */
static json_t *pack_roles(const struct jc_client *client, const char *space)
{
	static const char *const names[] = { "watch", "publish", "record", "moderate",
		"administer" };
	json_t *roles = json_array();

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (jc_admission_may(client, (enum jc_role)jc_role_find(names[i]), space, NULL)) {
			json_array_append_new(roles, json_string(names[i]));
		}
	}
	return roles;
}

/* Whether there is a folder of recordings, here or at the origin of the space, and the client may
 * replay them in the space. */
static bool may_list(const struct jc_client *client, const struct jc_fanout *fanout)
{
	bool has_folder =
		jc_space_is_relayed(fanout->space)
			? fanout->policy.has_recordings
			: jc_recordings_settings(client->services->recordings)->folder[0] != '\0';

	return has_folder && jc_admission_may(client, JC_ROLE_RECORD,
				     jc_space_options(fanout->space)->name, NULL);
}

static bool may_invite(const struct jc_client *client, const char *space)
{
	bool is_guest = client->grant && client->grant->invitation[0];

	return !is_guest && !client->control->forwarder &&
	       jc_auth_policy_invites(client->services->auth_policy) &&
	       jc_admission_may(client, JC_ROLE_WATCH, space, NULL) &&
	       (jc_admission_may(client, JC_ROLE_MODERATE, space, NULL) ||
		       jc_admission_may(client, JC_ROLE_ADMINISTER, space, NULL));
}

static json_t *pack_space(const struct jc_client *client, const struct jc_fanout *fanout)
{
	const struct jc_space_options *options = jc_space_options(fanout->space);
	enum jc_precision finest = jc_admission_precision(client, options->name);

	return json_pack("{ss si sI sI so si sb sb ss*}", "name", options->name, "tickHz",
		(int)options->hz, "bodies", (json_int_t)jc_space_body_count(fanout->space),
		"watched", (json_int_t)fanout->view_count + (json_int_t)fanout->remote_count,
		"roles", pack_roles(client, options->name), "rewind",
		fanout->rewind_buffer ? (int)jc_rewind_buffer_seconds(fanout->rewind_buffer) : 0,
		"recordings", (int)may_list(client, fanout), "invite",
		(int)may_invite(client, options->name), "precision",
		finest == JC_PRECISION_FINE ? NULL : jc_precision_name(finest));
}

/* Permissions of the client for avatars. */
static json_t *pack_avatars(const struct jc_client *client)
{
	const struct jc_services *services = client->services;
	bool may_upload = services->avatar_store && !client->control->forwarder &&
			  jc_avatar_store_is_open(services->avatar_store) &&
			  !jc_admission_is_local_page(client) &&
			  (client->grant ? (client->grant->roles & JC_ROLE_PUBLISH) != 0
					 : jc_auth_policy_is_open(services->auth_policy));

	return json_pack("{sb sI}", "upload", may_upload, "bytes",
		(json_int_t)services->config->avatars.max_bytes);
}

/* The allowances of a connection (proto/CORE.md, "Allowances"). */
static json_t *pack_limits(void)
{
	static const struct {
		const char *name;
		int value;
	} limits[] = {
		{ "message", JC_MAX_MESSAGE_BYTES },
		{ "errors", JC_MAX_ERRORS },
		{ "spaces", JC_MAX_VIEWS },
		{ "publications", JC_MAX_PUBLICATIONS },
		{ "ignored", JC_MAX_IGNORED },
		{ "bytes", JC_MAX_BYTES_PER_SECOND },
		{ "rosters", JC_MAX_ROSTERS_PER_SECOND },
		{ "keyframes", JC_MAX_KEYFRAMES_PER_SECOND },
		{ "publishes", JC_MAX_PUBLISHES_PER_SECOND },
		{ "amendments", JC_MAX_PUBLISHES_PER_SECOND },
		{ "captures", JC_MAX_CAPTURES_PER_SECOND },
		{ "captureBytes", JC_MAX_CAPTURE_BYTES_PER_SECOND },
		{ "registrations", JC_MAX_REGISTRATIONS_PER_SECOND },
		{ "replays", JC_MAX_REPLAYS_PER_SECOND },
	};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		json_object_set_new(object, limits[i].name, json_integer(limits[i].value));
	}
	return object;
}

void jc_welcome_send(struct jc_client *client, int64_t now_ns)
{
	const struct jc_services *services = client->services;
	json_t *spaces = json_array();
	json_t *rooms = json_array();
	char server[64];

	for (size_t i = 0; i < services->spaces->count; i++) {
		const char *name = jc_space_options(services->spaces->fanouts[i]->space)->name;

		if (jc_admission_shows(client, name)) {
			json_array_append_new(spaces, json_string(name));
			json_array_append_new(
				rooms, pack_space(client, services->spaces->fanouts[i]));
		}
	}
	snprintf(server, sizeof(server), "jointcastd %s", services->version);
	jc_reply_answer(
		client, json_pack("{ss ss ss sI sI s[{si ss}{si ss}{si ss}] so so so so}", "type",
				"welcome", "protocol", JC_SUBPROTOCOL, "server", server, "time",
				(json_int_t)jc_clock_server_us(&services->spaces->clock, now_ns),
				"wall", (json_int_t)services->spaces->clock.wall_us, "codings",
				"id", JC_CODING_SMALLEST_THREE, "name", "smallest-three", "id",
				JC_CODING_CHAIN, "name", "chains", "id", JC_CODING_MODEL_CHAIN,
				"name", "model-chains", "spaces", spaces, "rooms", rooms, "avatars",
				pack_avatars(client), "limits", pack_limits()));
}
