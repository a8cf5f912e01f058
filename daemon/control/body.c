/* What is said of a body is its publisher's affair; where it stands also that of whoever
 * moderates the space. */
#include "control/admission.h"
#include "control/client.h"
#include "control/fields.h"
#include "control/messages.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "net/session.h"
#include "space/description.h"

void jc_control_amend(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	const json_t *number = json_object_get(message, "publication");
	struct jc_description description;
	const char *wrong = json_is_integer(number) ? jc_description_read(message, &description)
						    : "publication is an integer";

	if (wrong) {
		jc_reply_error(client, "bad-field", wrong, "amend");
		return;
	}
	struct jc_publication *publication =
		jc_publications_find(&client->publications, json_integer_value(number));

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
	int told = publication->number;

	jc_space_describe(publication->space, publication->body, description.display,
		jc_description_about(&description));
	jc_reply_send(client, json_pack("{ss si}", "type", "amended", "publication", told));
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

static const char *read_place(
	const json_t *message, int64_t *out_body, bool *out_teleport, struct jc_stand *out_stand)
{
	const json_t *body = json_object_get(message, "body");
	const json_t *teleport = json_object_get(message, "teleport");

	if (!json_is_integer(body) || (teleport && !json_is_boolean(teleport))) {
		return "body is an id, teleport a boolean";
	}
	*out_body = json_integer_value(body);
	*out_teleport = json_is_true(teleport);
	return jc_fields_stand(message, out_stand);
}

void jc_control_place(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, "place");
	struct jc_stand stand;
	bool teleport;
	int64_t id;

	(void)now_ns;
	if (!fanout) {
		return;
	}
	const char *wrong = read_place(message, &id, &teleport, &stand);
	const struct jc_body *body = wrong ? NULL : jc_space_find(fanout->space, id);

	if (wrong) {
		jc_reply_error(client, "bad-field", wrong, "place");
	} else if (!body) {
		jc_reply_error(client, "unknown-body", "no body of that id", "place");
	} else if (!is_own(client, fanout->space, body) &&
		   !jc_admission_allows(client, JC_ROLE_MODERATE,
			   jc_space_options(fanout->space)->name, "place")) {
		return;
	} else {
		jc_space_place(
			fanout->space, body->id, &stand.placement, stand.seat_height, teleport);
	}
}

void jc_control_stage(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, "stage");
	const json_t *id = json_object_get(message, "body");
	const json_t *stage = json_object_get(message, "stage");

	(void)now_ns;
	if (!fanout || !jc_admission_allows(client, JC_ROLE_MODERATE,
			       jc_space_options(fanout->space)->name, "stage")) {
		return;
	}
	if (!json_is_integer(id) || (stage && !json_is_boolean(stage))) {
		jc_reply_error(client, "bad-field", "body is an id, stage a boolean", "stage");
		return;
	}
	const struct jc_body *body = jc_space_find(fanout->space, json_integer_value(id));

	if (body) {
		jc_space_stage(fanout->space, body->id, !json_is_false(stage));
	} else {
		jc_reply_error(client, "unknown-body", "no body of that id", "stage");
	}
}
