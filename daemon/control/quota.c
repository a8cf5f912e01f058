/* Counted anew when somebody wants more, which is seldom: nothing has to be kept right. */
#include "control/quota.h"

#include <string.h>

#include "control/admission.h"
#include "net/server_private.h"

static bool is_there(const struct jc_connection *connection)
{
	return connection->session && !connection->session->close_code;
}

size_t jc_quota_connections(const struct jc_session *session, const char *subject)
{
	size_t count = 0;

	for (const struct jc_connection *c = session->server->connections; c; c = c->next) {
		count += is_there(c) && c->session != session && c->session->grant &&
			 strcmp(c->session->grant->subject, subject) == 0;
	}
	return count;
}

bool jc_quota_makes_way(const struct jc_session *session, const struct jc_session *other,
	const struct jc_publication *publication, const struct jc_space *space, const char *name)
{
	return other != session && session->grant && other->grant &&
	       strcmp(other->grant->subject, session->grant->subject) == 0 &&
	       publication->space == space && strcmp(publication->asked, name) == 0;
}

static size_t count_staying(const struct jc_session *session, const struct jc_session *other,
	const struct jc_space *space, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < other->publications.count; i++) {
		const struct jc_publication *publication = &other->publications.list[i];

		count += publication->space &&
			 !jc_quota_makes_way(session, other, publication, space, name);
	}
	return count;
}

size_t jc_quota_bodies(
	const struct jc_session *session, const struct jc_space *space, const char *name)
{
	char own[JC_MAX_WHO], who[JC_MAX_WHO];
	size_t count = 0;

	jc_admission_who(session, own);
	for (const struct jc_connection *c = session->server->connections; c; c = c->next) {
		size_t bodies = is_there(c) ? count_staying(session, c->session, space, name) : 0;

		if (bodies > 0) {
			jc_admission_who(c->session, who);
			count += strcmp(who, own) == 0 ? bodies : 0;
		}
	}
	return count;
}
