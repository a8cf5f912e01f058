/* One question at a time: a standby asks about its spaces in turn. */
#include "cluster/origin/succession.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auth/keyring.h"
#include "cluster/guest/guest_message.h"
#include "cluster/nats_link.h"
#include "cluster/policy_message.h"
#include "cluster/subjects.h"
#include "invitation/invitations.h"
#include "moderation/moderation.h"

#define SECOND     INT64_C(1000000000)
#define TIMEOUT_MS 1000
#define EVERY_NS   (2 * SECOND)
#define LEAST_NS   (SECOND / 10)

static const char question[] = "{\"type\":\"succession\"}";

bool jc_succession_is_due(const struct jc_succession *succession, size_t spaces, int64_t now_ns)
{
	int64_t every_ns = spaces > 0 ? EVERY_NS / (int64_t)spaces : EVERY_NS;

	return !succession->is_asked &&
	       now_ns - succession->asked_ns >= (every_ns > LEAST_NS ? every_ns : LEAST_NS);
}

/* Each change is written to a file: those that are here already are no change. */
static void take_sanctions(const struct jc_succession *succession, const json_t *list)
{
	struct jc_sanctions *sanctions = jc_moderation_sanctions(succession->moderation);
	json_t *own = jc_policy_message_pack_sanctions(sanctions, succession->space);

	if (json_is_array(list) && !json_equal(own, list) &&
		!jc_policy_message_read_sanctions(list, succession->space, sanctions)) {
		jc_moderation_save(succession->moderation);
	}
	json_decref(own);
}

/* Tokens that another key signed are not accepted here: neither are their invitations. */
static void take_guests(const struct jc_succession *succession, const json_t *message)
{
	const struct jc_key *own = jc_keyring_find(succession->keyring, JC_KEY_INVITE);
	const char *key = json_string_value(json_object_get(message, "key"));
	struct jc_guest_pass pass = { .count = 0 };
	bool is_same = own && key && strcmp(key, (const char *)own->bytes) == 0;

	if (!succession->invitations || jc_guest_message_read(message, &pass)) {
		return;
	}
	jc_invitations_adopt(succession->invitations, succession->space,
		(const char(*)[JC_INVITATION_ID])pass.ids, is_same ? pass.count : 0);
	jc_guest_pass_finish(&pass);
}

static void on_answer(void *context, const struct jc_nats_message *message)
{
	struct jc_succession *succession = context;
	json_t *answer = message ? json_loadb((const char *)message->bytes, message->length,
					   JSON_REJECT_DUPLICATES, NULL)
				 : NULL;

	succession->is_asked = false;
	if (json_object_get(answer, "sanctions")) {
		take_sanctions(succession, json_object_get(answer, "sanctions"));
		take_guests(succession, json_object_get(answer, "guests"));
	}
	json_decref(answer);
}

void jc_succession_ask(struct jc_succession *succession, const char *space, int64_t now_ns)
{
	char subject[JC_MAX_NATS_SUBJECT];

	snprintf(succession->space, sizeof(succession->space), "%s", space);
	jc_subject_of_edge(space, JC_SUBJECT_REQUESTS, succession->host, subject);
	succession->asked_ns = now_ns;
	succession->is_asked =
		jc_nats_link_request(succession->link, subject, question, sizeof(question) - 1,
			TIMEOUT_MS, on_answer, succession) == JC_OK;
}

void jc_succession_end(struct jc_succession *succession)
{
	jc_nats_link_forget(succession->link, succession);
}
