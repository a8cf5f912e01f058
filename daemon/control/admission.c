/* Permissions of clients, from their tokens, the permits of spaces and sanctions. */
#include "control/admission.h"

#include <stdio.h>
#include <string.h>

#include "auth/auth_policy.h"
#include "base/address.h"
#include "control/client.h"
#include "control/reply.h"
#include "moderation/moderation.h"
#include "net/session.h"
#include "space/spaces.h"

static void forbid(struct jc_client *client, const char *what, const char *type)
{
	jc_reply_error(client, "not-allowed", what, type);
}

/* Without keys every client may do everything, unless the space is that of an origin with keys.
 * NULL: the client has shown no token. */
static const struct jc_grant *grant_of(
	const struct jc_client *client, const struct jc_space_policy *policy)
{
	if (client->grant) {
		return client->grant;
	}
	return jc_auth_policy_is_open(client->services->auth_policy) && !policy->needs_token
		       ? &jc_grant_all
		       : NULL;
}

void jc_admission_where(const struct jc_client *client, char out_where[JC_MAX_WHO])
{
	char host[JC_ADDRESS_TEXT];

	jc_address_network(&jc_session_peer(client->session)->sa, host);
	snprintf(out_where, JC_MAX_WHO, "address %.63s", host);
}

void jc_admission_who(const struct jc_client *client, char out_who[JC_MAX_WHO])
{
	if (client->grant) {
		snprintf(out_who, JC_MAX_WHO, "subject %s", client->grant->subject);
	} else {
		jc_admission_where(client, out_who);
	}
}

const char *jc_admission_log_name(const char *who)
{
	return strncmp(who, "address ", strlen("address ")) == 0 ? "an address" : who;
}

const struct jc_sanction *jc_admission_sanction(const struct jc_client *client, const char *space,
	enum jc_sanction_kind kind, const char *body)
{
	const struct jc_sanctions *sanctions =
		jc_moderation_sanctions(client->services->moderation);
	const struct jc_sanction *found = NULL;
	char host[JC_ADDRESS_TEXT], who[JC_MAX_WHO];

	if (sanctions->count == 0) {
		return NULL;
	}
	jc_address_network(&jc_session_peer(client->session)->sa, host);
	found = jc_sanctions_find_person(
		sanctions, space, kind, client->grant ? client->grant->subject : NULL, host);
	if (!found && body) {
		snprintf(who, sizeof(who), "body %s", body);
		found = jc_sanctions_find(sanctions, space, kind, who);
	}
	return found;
}

static const struct jc_sanction *ban_of(const struct jc_client *client, const char *space)
{
	return jc_admission_sanction(client, space, JC_SANCTION_BAN, NULL);
}

/* The policy of a space; for a space that does not exist, the one it would be opened with. */
static struct jc_space_policy *policy_of(const struct jc_client *client, const char *space)
{
	struct jc_spaces *spaces = client->services->spaces;
	struct jc_fanout *fanout = jc_spaces_find(spaces, space);

	return fanout ? &fanout->policy : &spaces->policy.space;
}

bool jc_admission_is_local_page(const struct jc_client *client)
{
	return client->session->carrier.is_local_page;
}

bool jc_admission_may(
	const struct jc_client *client, enum jc_role role, const char *space, const char *body)
{
	const char *rewind_of = jc_spaces_rewind_of(client->services->spaces, space);
	struct jc_space_policy *policy = policy_of(client, rewind_of ? rewind_of : space);
	const struct jc_permit *permit = jc_space_policy_permit(policy, role);
	const struct jc_grant *grant = grant_of(client, policy);

	if (jc_admission_is_local_page(client) && !(role & (JC_ROLE_WATCH | JC_ROLE_PUBLISH))) {
		return false;
	}
	/* A rewind space can only be watched, by clients that may watch its original space. */
	if (rewind_of) {
		return role == JC_ROLE_WATCH && jc_admission_may(client, role, rewind_of, body);
	}
	if (!jc_permit_allows(permit, grant, space) || ban_of(client, space)) {
		return false;
	}
	return !body || permit->anyone || jc_token_names_allow(&grant->bodies, body);
}

/* A rewind space permits what its original space permits. */
enum jc_precision jc_admission_precision(const struct jc_client *client, const char *space)
{
	const char *rewind_of = jc_spaces_rewind_of(client->services->spaces, space);
	const char *name = rewind_of ? rewind_of : space;
	const struct jc_space_policy *policy = policy_of(client, name);
	const struct jc_grant *grant = grant_of(client, policy);

	if (jc_permit_allows(&policy->fine, grant, name)) {
		return JC_PRECISION_FINE;
	}
	return jc_permit_allows(&policy->standard, grant, name) ? JC_PRECISION_STANDARD
								: JC_PRECISION_COARSE;
}

bool jc_admission_limits_precision(const struct jc_client *client, const char *space)
{
	return !policy_of(client, space)->fine.anyone;
}

bool jc_admission_may_open(const struct jc_client *client, enum jc_role role, const char *space)
{
	const struct jc_spaces_policy *policy = &client->services->spaces->policy;

	return jc_permit_allows(&policy->open, grant_of(client, &policy->space), space) &&
	       jc_admission_may(client, role, space, NULL);
}

/* Whether the client has any role in a space. */
static bool is_permitted(const struct jc_client *client, struct jc_fanout *fanout)
{
	const char *name = jc_space_options(fanout->space)->name;

	for (unsigned role = 1; role < JC_ROLE_ALL; role <<= 1) {
		if (jc_permit_allows(jc_space_policy_permit(&fanout->policy, (enum jc_role)role),
			    grant_of(client, &fanout->policy), name)) {
			return true;
		}
	}
	return false;
}

bool jc_admission_shows(const struct jc_client *client, const char *space)
{
	struct jc_fanout *fanout = jc_spaces_find(client->services->spaces, space);

	return fanout && !fanout->rewind_of[0] && is_permitted(client, fanout) &&
	       !ban_of(client, space);
}

bool jc_admission_knows(const struct jc_client *client, struct jc_fanout *fanout)
{
	char who[JC_MAX_WHO], where[JC_MAX_WHO];

	if (!fanout->rewind_of[0]) {
		return is_permitted(client, fanout);
	}
	jc_admission_who(client, who);
	jc_admission_where(client, where);
	return strcmp(fanout->opener, who) == 0 || strcmp(fanout->opener, where) == 0;
}

static const char *why_not(const struct jc_grant *grant, const char *space)
{
	if (!grant) {
		return "this needs a token";
	}
	return jc_token_names_allow(&grant->spaces, space)
		       ? "your token does not have the role for this"
		       : "your token does not name this space";
}

bool jc_admission_allows(
	struct jc_client *client, enum jc_role role, const char *space, const char *type)
{
	const struct jc_sanction *ban = ban_of(client, space);

	if (jc_admission_may(client, role, space, NULL)) {
		return true;
	}
	if (ban) {
		jc_reply_error_until(client, "banned", "a moderator banned you from the space",
			type, ban->until_s);
		return false;
	}
	forbid(client,
		jc_admission_is_local_page(client)
			? JC_LOCAL_PAGE_REFUSAL
			: why_not(grant_of(client, policy_of(client, space)), space),
		type);
	return false;
}

bool jc_admission_allows_body(
	struct jc_client *client, const char *space, const char *name, const char *type)
{
	if (jc_admission_may(client, JC_ROLE_PUBLISH, space, name)) {
		return true;
	}
	forbid(client, "your token does not name this body", type);
	return false;
}
