/* Messages `amend`, `place` and `stage`. Only its publisher describes a body; the publisher
 * and the moderators of the space place it. */
#include "control/admission.h"
#include "control/client.h"
#include "control/fields.h"
#include "control/messages.h"
#include "control/moderate.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "control/skeletons.h"
#include "net/session.h"
#include "space/description.h"

/* Puts on the avatar of the message (null: none). False: the client got an error. */
static bool change_avatar(
	struct jc_client *client, struct jc_publication *publication, const char *hash)
{
	const struct jc_body *body = jc_space_find(publication->space, publication->body);
	struct jc_outfit outfit = { .asset = body->asset };

	if (hash && !jc_skeletons_outfit(client, jc_space_options(publication->space)->name,
			    &(struct jc_outfit_hashes){ .avatar = hash }, &outfit, "amend")) {
		return false;
	}
	publication->body =
		jc_space_wear(publication->space, publication->body, outfit.asset, outfit.avatar);
	return true;
}

void jc_control_amend(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fields fields = jc_fields_of(message);
	const json_t *avatar = json_object_get(message, "avatar");
	struct jc_description description;
	const char *hash = NULL;
	int64_t number = 0;

	jc_fields_publication(&fields, &number);
	if (!json_is_null(avatar)) {
		jc_fields_hash(&fields, "avatar", &hash);
	}
	jc_fields_fail(&fields, jc_description_read(message, &description));
	if (jc_fields_refuse(&fields, client, "amend")) {
		return;
	}
	struct jc_publication *publication = jc_publications_find(&client->publications, number);

	if (!publication) {
		jc_reply_error(
			client, "unknown-publication", "no publication of that number", "amend");
		return;
	}
	if (!jc_token_bucket_spend(
		    &client->publications.changes, 1, JC_MAX_PUBLISHES_PER_SECOND, now_ns)) {
		jc_reply_error(client, "too-many", "too many changes a second", "amend");
		return;
	}
	if (avatar && !change_avatar(client, publication, hash)) {
		return;
	}
	jc_space_describe(publication->space, publication->body, description.display,
		jc_description_about(&description));
	jc_reply_answer(
		client, json_pack("{ss si sI}", "type", "amended", "publication",
				publication->number, "body", (json_int_t)publication->body));
}

static bool is_own(
	const struct jc_client *client, const struct jc_space *space, const struct jc_body *body)
{
	for (size_t i = 0; i < client->publications.count; i++) {
		const struct jc_publication *publication = &client->publications.list[i];

		if (publication->space == space && publication->body == body->id) {
			return true;
		}
	}
	return false;
}

void jc_control_place(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, "place");
	struct jc_fields fields = jc_fields_of(message);
	struct jc_stand stand;
	bool teleport = false;
	int64_t id = 0;

	(void)now_ns;
	if (!fanout) {
		return;
	}
	jc_fields_body(&fields, &id);
	jc_fields_flag(&fields, "teleport", &teleport);
	jc_fields_stand(&fields, &stand);
	if (jc_fields_refuse(&fields, client, "place")) {
		return;
	}
	const struct jc_body *body = jc_space_find(fanout->space, id);

	if (!body) {
		jc_reply_error(client, "unknown-body", "no body of that id", "place");
	} else if (is_own(client, fanout->space, body) ||
		   jc_admission_allows(client, JC_ROLE_MODERATE,
			   jc_space_options(fanout->space)->name, "place")) {
		jc_space_place(
			fanout->space, body->id, &stand.placement, stand.seat_height, teleport);
	}
}

void jc_control_stage(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, "stage");
	struct jc_fields fields = jc_fields_of(message);
	bool is_on_stage = true;
	int64_t id = 0;

	(void)now_ns;
	if (!fanout || !jc_admission_allows(client, JC_ROLE_MODERATE,
			       jc_space_options(fanout->space)->name, "stage")) {
		return;
	}
	jc_fields_body(&fields, &id);
	jc_fields_flag(&fields, "stage", &is_on_stage);
	if (jc_fields_refuse(&fields, client, "stage")) {
		return;
	}
	const struct jc_body *body = jc_space_find(fanout->space, id);

	if (body) {
		jc_space_stage(fanout->space, body->id, is_on_stage);
	} else {
		jc_reply_error(client, "unknown-body", "no body of that id", "stage");
	}
}
