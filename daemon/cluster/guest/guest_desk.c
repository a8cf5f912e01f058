/* The desk lives until the last answer that waits for the disk is over. */
#include "cluster/guest/guest_desk.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "auth/auth_policy.h"
#include "cluster/origin/outlet.h"
#include "config/config.h"
#include "invitation/guest_token.h"
#include "invitation/invitations.h"
#include "maxima.h"

struct jc_guest_desk {
	struct jc_guest_desk_options options;
	size_t waiting;
	bool is_closed;
};

/* An answer that waits for the disk. */
struct answer {
	struct jc_state_wait wait;
	struct jc_guest_desk *desk;
	char id[JC_INVITATION_ID];
	char reply[JC_MAX_NATS_SUBJECT];
	char *text; /* owned */
};

struct jc_guest_desk *jc_guest_desk_create(const struct jc_guest_desk_options *options)
{
	struct jc_guest_desk *desk = calloc(1, sizeof(*desk));

	if (desk) {
		desk->options = *options;
	}
	return desk;
}

void jc_guest_desk_close(struct jc_guest_desk *desk)
{
	if (desk) {
		desk->is_closed = true;
		if (desk->waiting == 0) {
			free(desk);
		}
	}
}

static void say(const struct jc_guest_desk *desk, const char *reply, const char *text)
{
	struct jc_outlet *outlet = desk->options.outlet;

	if (!desk->is_closed) {
		outlet->ops->publish_parts(outlet, reply, text, strlen(text));
	}
}

static void refuse(const struct jc_guest_desk *desk, const char *reply, int status)
{
	say(desk, reply,
		status == 410   ? "{\"error\":\"no such invitation\",\"status\":410}"
		: status == 429 ? "{\"error\":\"too many failures\",\"status\":429}"
				: "{\"error\":\"cannot be stored\",\"status\":503}");
}

static void on_stored(struct jc_state_wait *wait, bool is_stored)
{
	struct answer *answer = (struct answer *)wait;
	struct jc_guest_desk *desk = answer->desk;

	if (is_stored) {
		say(desk, answer->reply, answer->text);
	} else {
		jc_invitations_return_use(desk->options.invitations, answer->id);
		refuse(desk, answer->reply, 503);
	}
	jc_guest_token_free(answer->text);
	free(answer);
	if (--desk->waiting == 0 && desk->is_closed) {
		free(desk);
	}
}

static void welcome(struct jc_guest_desk *desk, const char *reply,
	const struct jc_invitation *invitation, int64_t now_s)
{
	struct jc_invitations *invitations = desk->options.invitations;
	struct answer *answer = calloc(1, sizeof(*answer));
	char *text = jc_invitations_welcome(
		invitations, invitation, desk->options.auth_policy->config->audience, now_s);

	if (!answer || !text) {
		free(answer);
		jc_guest_token_free(text);
		jc_invitations_return_use(invitations, invitation->id);
		refuse(desk, reply, 503);
		return;
	}
	*answer = (struct answer){ .wait.done = on_stored, .desk = desk, .text = text };
	strcpy(answer->id, invitation->id);
	strcpy(answer->reply, reply);
	desk->waiting++;
	jc_invitations_await(invitations, &answer->wait);
}

void jc_guest_desk_redeem(struct jc_guest_desk *desk, const char *edge, const char *reply,
	const uint8_t *bytes, size_t length, int64_t now_ns)
{
	const struct jc_auth_policy *auth_policy = desk->options.auth_policy;
	struct jc_invitations *invitations = desk->options.invitations;
	struct jc_redemption_request request;
	struct jc_invitation invitation;
	struct jc_diagnostic diagnostic = { 0 };
	const struct jc_guest guest = { .source.edge = edge,
		.keyring = &auth_policy->keyring,
		.now_s = (int64_t)time(NULL),
		.now_ns = now_ns };
	int status = JC_ERROR_ABSENT;

	if (strlen(reply) >= JC_MAX_NATS_SUBJECT) {
		return;
	}
	if (invitations && jc_auth_policy_invites(auth_policy) &&
		jc_redemption_request_parse((const char *)bytes, length, &request, &diagnostic) ==
			JC_OK) {
		status = jc_invitations_redeem(invitations, &request, &guest, &invitation);
		jc_secret_wipe(&request, sizeof(request));
	}
	if (status == JC_OK && !desk->options.serves(desk->options.context, invitation.space)) {
		jc_invitations_return_use(invitations, invitation.id);
		status = JC_ERROR_ABSENT;
	}
	if (status == JC_OK) {
		welcome(desk, reply, &invitation, guest.now_s);
	} else {
		refuse(desk, reply, status == JC_ERROR_LIMIT ? 429 : 410);
	}
}
