/* The list of clients and the party of each. */
#include "control/client.h"

#include <stdlib.h>
#include <string.h>

#include "auth/token.h"
#include "net/session.h"
#include "space/people/people.h"
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

static uint64_t connection_of(const struct jc_client *client)
{
	uint64_t party = client->session->carrier.party;

	return party ? party
		     : jc_party_of_connection(
			       &client->control->connection_key, client->session->serial);
}

/* Once a client has shown a token, its subject never changes. */
void jc_client_identify(struct jc_client *client)
{
	struct jc_subscriber *subscriber = &client->subscriber;
	struct jc_spaces *spaces = client->services->spaces;
	uint64_t was = subscriber->party;

	subscriber->party = connection_of(client);
	if (!client->grant || subscriber->subject) {
		return;
	}
	subscriber->subject = client->grant->subject;
	for (size_t i = 0; was != 0 && i < spaces->count; i++) {
		jc_fanout_rename(
			spaces->fanouts[i], was, jc_fanout_party(spaces->fanouts[i], subscriber));
	}
}

void jc_client_rekey(struct jc_control *control, struct jc_fanout *fanout,
	const struct jc_siphash_key *key, const void *remote)
{
	struct jc_siphash_key before = fanout->people_key;

	if (!jc_fanout_set_people_key(fanout, key, remote)) {
		return;
	}
	for (struct jc_client *at = control->clients; at; at = at->next) {
		if (at->subscriber.subject) {
			jc_fanout_rename(fanout, jc_people_party(&before, &at->subscriber),
				jc_fanout_party(fanout, &at->subscriber));
		}
	}
}
