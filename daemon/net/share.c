/* Counted anew when somebody wants more, which is seldom: nothing has to be kept right. */
#include "net/share.h"

#include <string.h>

#include "net/admission.h"
#include "net/server_private.h"

static bool is_there(const struct jc_connection *connection)
{
	return connection->session && !connection->session->close_code;
}

size_t jc_share_connections(const struct jc_session *session, const char *subject)
{
	size_t count = 0;

	for (const struct jc_connection *c = session->server->connections; c; c = c->next) {
		count += is_there(c) && c->session != session && c->session->grant &&
			 strcmp(c->session->grant->subject, subject) == 0;
	}
	return count;
}

static size_t count_publications(const struct jc_session *session)
{
	size_t count = 0;

	for (size_t i = 0; i < session->publications.count; i++) {
		count += session->publications.list[i].space != NULL;
	}
	return count;
}

size_t jc_share_bodies(const struct jc_session *session)
{
	char own[JC_MAX_WHO], who[JC_MAX_WHO];
	size_t count = 0;

	jc_admission_who(session, own);
	for (const struct jc_connection *c = session->server->connections; c; c = c->next) {
		size_t bodies = is_there(c) ? count_publications(c->session) : 0;

		if (bodies > 0) {
			jc_admission_who(c->session, who);
			count += strcmp(who, own) == 0 ? bodies : 0;
		}
	}
	return count;
}
