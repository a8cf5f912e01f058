/* The list in memory decides; each change is written to the file. */
#include "invitation/invitations.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "invitation/guest_key.h"
#include "invitation/guest_token.h"
#include "invitation/invitation_file.h"
#include "invitation/redemption_limits.h"

#define KEY_LENGTH 32u

/* Of one space. */
struct jc_adopted_invitations {
	char space[JC_MAX_SPACE_NAME];
	size_t count;
	char (*ids)[JC_INVITATION_ID]; /* owned */
};

struct jc_invitations {
	struct jc_invitations_options options;
	struct jc_invitation_list list;
	struct jc_pairings pairings;
	struct jc_redemption_limits limits;
	struct jc_state_saver saver;
	struct jc_invitation_list copy; /* owned: of the running write, on another thread */
	struct jc_guest_key key;        /* empty: not read yet */
	bool has_people;                /* the next field is set */
	uint8_t people[JC_PEOPLE_SECRET];
	char path[PATH_MAX], key_path[PATH_MAX];
	size_t adopted_count;
	struct jc_adopted_invitations adopted[JC_MAX_SPACES];
};

static int copy_list(void *context)
{
	struct jc_invitations *invitations = context;

	return jc_invitation_list_copy(&invitations->list, &invitations->copy);
}

static int write_list(void *context, struct jc_diagnostic *diagnostic)
{
	const struct jc_invitations *invitations = context;

	return jc_invitation_file_write(invitations->path, &invitations->copy, diagnostic);
}

static void drop_copy(void *context)
{
	struct jc_invitations *invitations = context;

	jc_invitation_list_finish(&invitations->copy);
}

static const struct jc_state_saver_ops saving = {
	.copy = copy_list, .write = write_list, .drop = drop_copy
};

int jc_invitations_create(const struct jc_invitations_options *options,
	struct jc_invitations **out_invitations, struct jc_diagnostic *diagnostic)
{
	struct jc_invitations *invitations = calloc(1, sizeof(*invitations));

	if (!invitations) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	invitations->options = *options;
	jc_state_saver_init(
		&invitations->saver, &(struct jc_state_saver_options){ .loop = options->loop,
					     .log = options->log,
					     .folder = options->state,
					     .what = "invitations",
					     .ops = &saving,
					     .context = invitations,
					     .most = JC_MAX_INVITATIONS_WAITING,
					     .retry_ms = options->retry_ms });
	snprintf(invitations->path, PATH_MAX, "%s/invitations.json", options->state);
	if (options->secret) {
		snprintf(invitations->key_path, PATH_MAX, "%s", options->secret);
	} else {
		snprintf(invitations->key_path, PATH_MAX, "%s/invite.key", options->state);
	}
	int status = jc_invitation_file_read(invitations->path, &invitations->list, diagnostic);

	if (status == JC_OK &&
		jc_redemption_limits_init(&invitations->limits, options->now_ns) != JC_OK) {
		status = jc_diagnose(
			diagnostic, JC_ERROR_UNSUPPORTED, NULL, "the system has no random bytes");
	}
	if (status != JC_OK) {
		jc_invitations_destroy(invitations);
		return status;
	}
	*out_invitations = invitations;
	return JC_OK;
}

void jc_invitations_stop(struct jc_invitations *invitations)
{
	if (invitations) {
		jc_state_saver_stop(&invitations->saver);
	}
}

void jc_invitations_destroy(struct jc_invitations *invitations)
{
	if (invitations) {
		jc_state_saver_finish(&invitations->saver);
		jc_invitation_list_finish(&invitations->list);
		jc_secret_wipe(&invitations->key, sizeof(invitations->key));
		jc_secret_wipe(invitations->people, sizeof(invitations->people));
		for (size_t i = 0; i < invitations->adopted_count; i++) {
			free(invitations->adopted[i].ids);
		}
		free(invitations);
	}
}

static int make_key(const char *path, struct jc_diagnostic *diagnostic)
{
	char bytes[KEY_LENGTH];

	if (!jc_secret_draw(bytes, sizeof(bytes))) {
		return jc_diagnose(
			diagnostic, JC_ERROR_UNSUPPORTED, NULL, "the system has no random bytes");
	}
	int status = jc_file_replace(path, bytes, sizeof(bytes), diagnostic);

	jc_secret_wipe(bytes, sizeof(bytes));
	return status;
}

/* Whether there is a key, which this makes. A full disk does not prevent the start. */
static bool has_key(const struct jc_invitations *invitations, bool is_check)
{
	struct jc_diagnostic diagnostic = { 0 };

	if (access(invitations->key_path, F_OK) == 0 || errno != ENOENT ||
		invitations->options.secret) {
		return true; /* a configured one that is missing is an error of the reader */
	}
	if (is_check) {
		return false;
	}
	int status = make_key(invitations->key_path, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(invitations->options.log, "without invitations", &diagnostic);
	}
	return status == JC_OK;
}

int jc_invitations_add_key(struct jc_invitations *invitations, struct jc_keyring *keyring,
	bool is_check, struct jc_diagnostic *diagnostic)
{
	const char *path = invitations->key_path;
	struct jc_diagnostic reason = { 0 };
	char *bytes = NULL;
	size_t length = 0;

	if (keyring->count == 0 || !has_key(invitations, is_check)) {
		return JC_OK;
	}
	int status = jc_file_read(path, KEY_LENGTH, &bytes, &length, &reason);

	if (status == JC_OK && length != KEY_LENGTH) {
		status = jc_diagnose(&reason, JC_ERROR_INVALID, NULL, "not %u bytes", KEY_LENGTH);
	} else if (status == JC_OK && jc_guest_key_derive(bytes, length, &invitations->key)) {
		status = jc_diagnose(
			&reason, JC_ERROR_UNSUPPORTED, NULL, "libcrypto cannot make a key");
	}
	if (status == JC_OK) {
		invitations->has_people = jc_guest_key_people(bytes, length, invitations->people);
	}
	if (bytes) {
		jc_secret_wipe(bytes, length);
		free(bytes);
	}
	if (status == JC_OK) {
		const char *text = invitations->key.public_pem;

		status = jc_keyring_add(keyring, JC_KEY_INVITE, JC_KEY_ES256, (const uint8_t *)text,
			strlen(text), &reason);
	}
	return status == JC_OK ? JC_OK : jc_diagnose(diagnostic, status, path, "%s", reason.what);
}

/* Draws the secret or the code of a new invitation. */
static int draw(struct jc_invitations *invitations, const struct jc_invitation_request *request,
	int64_t now_ns, struct jc_invitation *invitation, struct jc_invitation_secret *out_secret)
{
	struct jc_invitation_secret secret = { .secret = "" };

	if (!jc_secret_make_hex(invitation->id, JC_INVITATION_ID - 1)) {
		return JC_ERROR_UNSUPPORTED;
	}
	if (request->pair) {
		int status = jc_pairings_add(&invitations->pairings, invitation->id, invitation->by,
			now_ns, secret.code);

		if (status != JC_OK) {
			return status;
		}
	} else {
		if (!jc_secret_make(secret.secret)) {
			return JC_ERROR_UNSUPPORTED;
		}
		invitation->has_secret = true;
		invitation->hash = jc_digest_of(secret.secret, strlen(secret.secret));
	}
	*out_secret = secret;
	return JC_OK;
}

int jc_invitations_make(struct jc_invitations *invitations,
	const struct jc_invitation_request *request, const struct jc_inviter *inviter,
	struct jc_invitation *out_invitation, struct jc_invitation_secret *out_secret)
{
	const struct jc_grant *grant = inviter->grant;
	int64_t end = inviter->now_s + request->seconds;
	struct jc_invitation invitation = { .role = request->role,
		.uses = request->uses,
		.expires_s = end < grant->expires_s ? end : grant->expires_s };

	strcpy(invitation.space, request->space);
	strcpy(invitation.note, request->note);
	strcpy(invitation.by, grant->subject);
	strcpy(invitation.key_id, grant->key_id);
	jc_invitation_list_expire(&invitations->list, inviter->now_s);
	int status = draw(invitations, request, inviter->now_ns, &invitation, out_secret);

	if (status == JC_OK) {
		status = jc_invitation_list_add(&invitations->list, &invitation);
	}
	if (status != JC_OK) {
		jc_pairings_remove(&invitations->pairings, invitation.id);
		return status;
	}
	jc_state_saver_save(&invitations->saver);
	jc_log_write(invitations->options.log, JC_LOG_INFO, "invitation '%s' was made: %u uses",
		invitation.id, invitation.uses);
	*out_invitation = invitation;
	return JC_OK;
}

/* The invitation of a secret or a code; NULL: there is none. Each of them is hashed and compared
 * with all that exist. */
static struct jc_invitation *find(struct jc_invitations *invitations,
	const struct jc_redemption_request *request, int64_t now_ns)
{
	char id[JC_INVITATION_ID];

	if (!request->is_code) {
		struct jc_digest hash = jc_digest_of(request->text, strlen(request->text));

		return jc_invitation_list_find_hash(&invitations->list, &hash);
	}
	return jc_pairings_take(&invitations->pairings, request->text, now_ns, id)
		       ? jc_invitation_list_find(&invitations->list, id)
		       : NULL;
}

static bool is_redeemable(const struct jc_invitations *invitations,
	const struct jc_invitation *invitation, const struct jc_guest *guest)
{
	return invitation->used < invitation->uses && invitation->expires_s > guest->now_s &&
	       jc_invitations_accept(invitations, guest->keyring, invitation->id);
}

int jc_invitations_redeem(struct jc_invitations *invitations,
	const struct jc_redemption_request *request, const struct jc_guest *guest,
	struct jc_invitation *out_invitation)
{
	enum jc_redemption_kind kind = request->is_code ? JC_REDEEM_CODE : JC_REDEEM_SECRET;

	if (!jc_redemption_limits_allow(
		    &invitations->limits, kind, &guest->source, guest->now_ns)) {
		return JC_ERROR_LIMIT;
	}
	/* An edge asks all origins: a code whose slot is free here may be right elsewhere. */
	bool counts = !request->is_code || !guest->source.edge ||
		      jc_pairings_names(&invitations->pairings, request->text, guest->now_ns);
	struct jc_invitation *found = find(invitations, request, guest->now_ns);

	if (!found || !is_redeemable(invitations, found, guest)) {
		if (counts) {
			jc_redemption_limits_fail(
				&invitations->limits, kind, &guest->source, guest->now_ns);
		}
		return JC_ERROR_ABSENT;
	}
	found->used++;
	jc_state_saver_save(&invitations->saver);
	jc_log_write(invitations->options.log, JC_LOG_INFO,
		"invitation '%s' was redeemed: %u of %u uses", found->id, found->used, found->uses);
	*out_invitation = *found;
	return JC_OK;
}

char *jc_invitations_welcome(const struct jc_invitations *invitations,
	const struct jc_invitation *invitation, const char *audience, int64_t now_s)
{
	char subject[JC_MAX_SUBJECT] = "";
	char *token = jc_guest_token_make(
		invitation, invitations->key.private_pem, audience, now_s, subject);
	json_t *object =
		token ? json_pack("{ss ss ss ss sI}", "token", token, "space", invitation->space,
				"role", invitation->role == JC_ROLE_PUBLISH ? "publish" : "watch",
				"sub", subject, "expires", (json_int_t)invitation->expires_s)
		      : NULL;
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	jc_guest_token_free(token);
	json_decref(object);
	return text;
}

void jc_invitations_forget(struct jc_invitations *invitations, const char *id)
{
	jc_pairings_remove(&invitations->pairings, id);
	if (jc_invitation_list_remove(&invitations->list, id)) {
		jc_state_saver_save(&invitations->saver);
	}
}

void jc_invitations_return_use(struct jc_invitations *invitations, const char *id)
{
	struct jc_invitation *found = jc_invitation_list_find(&invitations->list, id);

	if (found && found->used > 0) {
		found->used--;
		jc_state_saver_save(&invitations->saver);
	}
}

void jc_invitations_revoke(struct jc_invitations *invitations, const char *id)
{
	struct jc_invitation *found = jc_invitation_list_find(&invitations->list, id);

	if (found) {
		found->is_revoked = true;
		jc_pairings_remove(&invitations->pairings, id);
		jc_state_saver_save(&invitations->saver);
		jc_log_write(
			invitations->options.log, JC_LOG_INFO, "invitation '%s' was revoked", id);
	}
}

int jc_invitations_adopt(struct jc_invitations *invitations, const char *space,
	const char (*ids)[JC_INVITATION_ID], size_t count)
{
	struct jc_adopted_invitations *adopted = invitations->adopted;
	size_t at = 0;
	char(*copy)[JC_INVITATION_ID] = calloc(count + 1, sizeof(*copy));

	while (at < invitations->adopted_count && strcmp(adopted[at].space, space) != 0) {
		at++;
	}
	if (!copy || at == JC_MAX_SPACES) {
		free(copy);
		return copy ? JC_ERROR_LIMIT : JC_ERROR_MEMORY;
	}
	if (count > 0) {
		memcpy(copy, ids, count * sizeof(*copy));
	}
	if (at == invitations->adopted_count) {
		strcpy(adopted[invitations->adopted_count++].space, space);
	} else {
		free(adopted[at].ids);
	}
	adopted[at].ids = copy;
	adopted[at].count = count;
	return JC_OK;
}

void jc_invitations_each_adopted(const struct jc_invitations *invitations, const char *space,
	void (*call)(void *context, const char *id), void *context)
{
	for (size_t i = 0; i < invitations->adopted_count; i++) {
		const struct jc_adopted_invitations *adopted = &invitations->adopted[i];

		for (size_t k = 0; strcmp(adopted->space, space) == 0 && k < adopted->count; k++) {
			call(context, adopted->ids[k]);
		}
	}
}

static bool is_adopted(const struct jc_invitations *invitations, const char *id)
{
	for (size_t i = 0; i < invitations->adopted_count; i++) {
		for (size_t k = 0; k < invitations->adopted[i].count; k++) {
			if (strcmp(invitations->adopted[i].ids[k], id) == 0) {
				return true;
			}
		}
	}
	return false;
}

bool jc_invitations_accept(
	const struct jc_invitations *invitations, const struct jc_keyring *keyring, const char *id)
{
	const struct jc_invitation *found = jc_invitation_list_find(&invitations->list, id);
	const struct jc_key *key = found ? jc_keyring_find(keyring, found->key_id) : NULL;

	return found ? !found->is_revoked && key && !key->revoked : is_adopted(invitations, id);
}

const uint8_t *jc_invitations_people(const struct jc_invitations *invitations)
{
	return invitations->has_people ? invitations->people : NULL;
}

uint64_t jc_invitations_revision(const struct jc_invitations *invitations)
{
	return invitations->saver.changed;
}

const struct jc_invitation_list *jc_invitations_list(
	struct jc_invitations *invitations, int64_t now_s)
{
	jc_invitation_list_expire(&invitations->list, now_s);
	return &invitations->list;
}

void jc_invitations_await(struct jc_invitations *invitations, struct jc_state_wait *wait)
{
	jc_state_saver_await(&invitations->saver, wait);
}

const struct jc_diagnostic *jc_invitations_problem(const struct jc_invitations *invitations)
{
	return jc_state_saver_problem(&invitations->saver);
}
