/* Counted anew when somebody wants more, which is seldom: nothing has to be kept right. */
#include "control/quota.h"

#include <string.h>

#include "auth/token.h"
#include "control/admission.h"
#include "control/client.h"
#include "net/session.h"

static bool is_there(const struct jc_client *client)
{
	return !client->session->close_code;
}

size_t jc_quota_connections(const struct jc_client *client, const char *subject)
{
	size_t count = 0;

	for (const struct jc_client *at = client->control->clients; at; at = at->next) {
		count += is_there(at) && at != client && at->grant &&
			 strcmp(at->grant->subject, subject) == 0;
	}
	return count;
}

bool jc_quota_makes_way(const struct jc_client *client, const struct jc_client *other,
	const struct jc_publication *publication, const struct jc_space *space, const char *name)
{
	return other != client && client->grant && other->grant &&
	       strcmp(other->grant->subject, client->grant->subject) == 0 &&
	       publication->space == space && strcmp(publication->asked, name) == 0;
}

static size_t count_staying(const struct jc_client *client, const struct jc_client *other,
	const struct jc_space *space, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < other->publications.count; i++) {
		const struct jc_publication *publication = &other->publications.list[i];

		count += publication->space &&
			 !jc_quota_makes_way(client, other, publication, space, name);
	}
	return count;
}

size_t jc_quota_bodies(
	const struct jc_client *client, const struct jc_space *space, const char *name)
{
	char own[JC_MAX_WHO], who[JC_MAX_WHO];
	size_t count = 0;

	jc_admission_who(client, own);
	for (const struct jc_client *at = client->control->clients; at; at = at->next) {
		size_t bodies = is_there(at) ? count_staying(client, at, space, name) : 0;

		if (bodies > 0) {
			jc_admission_who(at, who);
			count += strcmp(who, own) == 0 ? bodies : 0;
		}
	}
	return count;
}
