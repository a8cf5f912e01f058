/* One question at a time: a standby asks about its spaces in turn. */
#include "cluster/origin/succession.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "auth/keyring.h"
#include "cluster/guest/guest_message.h"
#include "cluster/nats_link.h"
#include "cluster/origin/sanction_exchange.h"
#include "cluster/subjects.h"
#include "invitation/invitations.h"
#include "jointcast/error.h"
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

/* Sessions and bodies follow within a second, with the next sweep. Returns the own changes that the
 * other host lacks, for the caller to release; NULL: none. */
static json_t *take_sanctions(
	const struct jc_succession *succession, const char *space, const json_t *message)
{
	json_t *later;

	if (jc_sanction_exchange_take(jc_moderation_history(succession->moderation), space, message,
		    (int64_t)time(NULL), &later)) {
		jc_moderation_save(succession->moderation);
	}
	return later;
}

/* Steals the message; NULL: nothing is to be returned. */
static void give_back(const struct jc_succession *succession, json_t *later)
{
	char *text = later ? json_dumps(later, JSON_COMPACT) : NULL;

	if (text) {
		jc_nats_link_publish_parts(
			succession->link, JC_SUBJECT_SUCCESSION, text, strlen(text));
	}
	free(text);
	json_decref(later);
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
		give_back(succession, take_sanctions(succession, succession->space, answer));
		take_guests(succession, json_object_get(answer, "guests"));
	}
	json_decref(answer);
}

static void on_return(void *context, const struct jc_nats_message *message)
{
	struct jc_succession *succession = context;
	const char *bytes = NULL;
	size_t length = 0;

	if (!message || jc_parts_take(&succession->parts, message->bytes, message->length,
				message->arrived_ns, &bytes, &length) != JC_OK) {
		return;
	}
	json_t *object = bytes ? json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL) : NULL;
	const char *space = json_string_value(json_object_get(object, "space"));

	if (space && succession->serves(succession->context, space)) {
		json_decref(take_sanctions(succession, space, object));
	}
	json_decref(object);
}

int jc_succession_begin(struct jc_succession *succession)
{
	return jc_nats_link_subscribe(succession->link, JC_SUBJECT_SUCCESSION, on_return,
		succession, &succession->returns);
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
	jc_nats_subscription_end(succession->returns);
	succession->returns = NULL;
	jc_parts_finish(&succession->parts);
	jc_nats_link_forget(succession->link, succession);
}
