/* The list of clients and the party of each. */
#include "control/client.h"

#include <stdlib.h>
#include <string.h>

#include "auth/token.h"
#include "net/session.h"
#include "space/spaces.h"

#define SECOND INT64_C(1000000000)

int jc_client_create(struct jc_control *control, struct jc_session *session, int64_t now_ns)
{
	struct jc_client *client = calloc(1, sizeof(*client));

	if (!client) {
		return JC_ERROR_MEMORY;
	}
	client->control = control;
	client->services = control->services;
	client->session = session;
	jc_token_bucket_init_capacity(
		&client->errors, (JC_MAX_ERRORS - 1) * JC_ERROR_SECONDS * SECOND, now_ns);
	jc_token_bucket_init(&client->rosters, now_ns);
	jc_token_bucket_init(&client->registrations, now_ns);
	jc_token_bucket_init(&client->openings, now_ns);
	jc_publications_init(&client->publications, now_ns);
	client->next = control->clients;
	if (client->next) {
		client->next->previous = client;
	}
	control->clients = client;
	session->client = client;
	return JC_OK;
}

void jc_client_destroy(struct jc_client *client)
{
	*(client->previous ? &client->previous->next : &client->control->clients) = client->next;
	if (client->next) {
		client->next->previous = client->previous;
	}
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		free(client->views[i]);
	}
	jc_publications_finish(&client->publications);
	jc_skeleton_asset_set_finish(&client->assets);
	free(client->grant);
	client->session->client = NULL;
	free(client);
}

struct jc_client *jc_client_find(const struct jc_control *control, uint64_t serial)
{
	for (struct jc_client *at = control->clients; at; at = at->next) {
		if (at->session->serial == serial) {
			return at->session->close_code ? NULL : at;
		}
	}
	return NULL;
}

/* The subject of the token, else the connection; the first bit keeps the two apart. The key
 * keeps a client from choosing a subject that falls on the party of another. */
static uint64_t party_of(const struct jc_client *client)
{
	const struct jc_grant *grant = client->grant;

	if (!grant) {
		return client->session->serial;
	}
	return jc_siphash(&client->control->subject_key, grant->subject, strlen(grant->subject)) |
	       UINT64_C(1) << 63;
}

void jc_client_identify(struct jc_client *client)
{
	struct jc_spaces *spaces = client->services->spaces;
	uint64_t was = client->subscriber.party, is = party_of(client);

	client->subscriber.party = is;
	for (size_t i = 0; was != 0 && was != is && i < spaces->count; i++) {
		jc_fanout_rename(spaces->fanouts[i], was, is);
	}
}
