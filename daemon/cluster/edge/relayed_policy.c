/* Policy, sanctions, removals and texts of a relayed space. */
#include "cluster/edge/relayed_policy.h"

#include <string.h>

#include "base/shared_text.h"
#include "cluster/guest/guest_passes.h"
#include "cluster/policy_message.h"
#include "moderation/sanctions.h"
#include "space/fanout.h"

const char *jc_relayed_policy_take_guests(struct jc_relayed_space *space, const json_t *message)
{
	return space->context->guests
		       ? jc_guest_passes_take(space->context->guests, space->name, message)
		       : NULL;
}

void jc_relayed_policy_take_text(
	struct jc_relayed_space *space, const char *key, const json_t *value)
{
	struct jc_fanout *fanout = space->views.fanout;
	const char *chars = json_string_value(value);
	struct jc_shared_text *text =
		chars ? jc_shared_text_create(chars, json_string_length(value)) : NULL;

	if (!text) {
		return;
	}
	if (strcmp(key, "props") == 0) {
		jc_fanout_set_props(fanout, text);
	} else if (strcmp(key, "replaying") == 0) {
		jc_shared_text_drop(space->replaying);
		space->replaying = text;
		jc_fanout_change_text(fanout, JC_SPACE_TEXT_REPLAYING, text);
	} else {
		jc_shared_text_drop(text);
	}
}

const char *jc_relayed_policy_take(struct jc_relayed_space *space, const json_t *value)
{
	struct jc_fanout *fanout = space->views.fanout;
	struct jc_space_policy policy;
	bool is_closed;
	const char *wrong = jc_policy_message_read(value, &policy, &is_closed);

	if (wrong) {
		return wrong;
	}
	fanout->policy = policy;
	jc_space_limit(fanout->space, 0, policy.streams);
	if (is_closed && !space->is_closed) {
		space->context->on_closed(space->context->owner, fanout);
	}
	space->is_closed = is_closed;
	return NULL;
}

const char *jc_relayed_policy_take_removal(struct jc_relayed_space *space, const json_t *removal)
{
	const char *who = json_string_value(json_object_get(removal, "who"));
	const char *text = json_string_value(json_object_get(removal, "text"));
	const json_t *spares = json_object_get(removal, "sparesAdministrators");

	if (!who || !text || !json_is_boolean(spares)) {
		return "moderated has no who, text or sparesAdministrators";
	}
	space->context->on_removed(
		space->context->owner, space->views.fanout, who, text, json_is_true(spares));
	return NULL;
}

const char *jc_relayed_policy_take_sanctions(struct jc_relayed_space *space, const json_t *list)
{
	return jc_policy_message_read_sanctions(list, space->name, space->context->sanctions);
}
