/* Permits stand in messages as in the configuration. Reading is strict: an edge without the whole
 * policy would admit too many. */
#include "cluster/policy_message.h"

#include <stdio.h>
#include <string.h>

#include "jointcast_private/json.h"
#include "moderation/sanction_file.h"

#define ROLES 5

static const struct {
	enum jc_role role;
	const char *name;
} roles[ROLES] = { { JC_ROLE_WATCH, "watch" }, { JC_ROLE_PUBLISH, "publish" },
	{ JC_ROLE_RECORD, "record" }, { JC_ROLE_MODERATE, "moderate" },
	{ JC_ROLE_ADMINISTER, "administer" } };

static json_t *pack_permit(const struct jc_permit *permit)
{
	json_t *list = json_array();

	if (permit->anyone) {
		json_array_append_new(list, json_string("anyone"));
	}
	for (size_t i = 0; i < ROLES; i++) {
		if (permit->roles & (unsigned)roles[i].role) {
			json_array_append_new(list, json_sprintf("role:%s", roles[i].name));
		}
	}
	for (size_t i = 0; i < permit->count; i++) {
		json_array_append_new(list, json_sprintf("subject:%s", permit->subjects[i]));
	}
	return list;
}

json_t *jc_policy_message_pack(const struct jc_space_policy *policy, bool is_closed)
{
	struct jc_space_policy copy = *policy;
	json_t *permits = json_object();

	for (size_t i = 0; i < ROLES; i++) {
		json_object_set_new(permits, roles[i].name,
			pack_permit(jc_space_policy_permit(&copy, roles[i].role)));
	}
	json_object_set_new(permits, "fine", pack_permit(&policy->fine));
	json_object_set_new(permits, "standard", pack_permit(&policy->standard));
	return json_pack("{si s{si si si si} so sb sb sb sb}", "hz", (int)policy->hz, "limits",
		"bodies", (int)policy->bodies, "subscribers", (int)policy->subscribers, "streams",
		(int)policy->streams, "leaveAfter", (int)policy->leave_after_s, "permits", permits,
		"contacts", (int)policy->contacts, "closed", (int)is_closed, "recordings",
		(int)policy->has_recordings, "tokens", (int)policy->needs_token);
}

static bool read_unsigned(
	const json_t *object, const char *key, long long least, long long most, unsigned *out)
{
	long long value = 0;
	bool is_right = jc_json_is_integer(json_object_get(object, key), &value) &&
			value >= least && value <= most;

	*out = is_right ? (unsigned)value : 0;
	return is_right;
}

static bool read_permit(const json_t *permits, const char *key, struct jc_permit *out_permit)
{
	const json_t *list = json_object_get(permits, key);
	struct jc_diagnostic ignored;

	if (!json_is_array(list) || json_array_size(list) > 1 + ROLES + JC_PERMIT_SUBJECTS) {
		return false;
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *text = json_string_value(json_array_get(list, i));

		if (!text || jc_permit_add(out_permit, text, &ignored) != JC_OK) {
			return false;
		}
	}
	return true;
}

const char *jc_policy_message_read(
	const json_t *object, struct jc_space_policy *out_policy, bool *out_is_closed)
{
	const json_t *limits = json_object_get(object, "limits");
	const json_t *permits = json_object_get(object, "permits");
	const json_t *closed = json_object_get(object, "closed");
	struct jc_space_policy policy = { 0 };

	if (!read_unsigned(object, "hz", JC_LEAST_TICK_HZ, JC_MAX_TICK_HZ, &policy.hz)) {
		return "hz is not a rate of ticks";
	}
	if (!read_unsigned(limits, "bodies", 0, JC_MAX_BODIES, &policy.bodies) ||
		!read_unsigned(limits, "subscribers", 0, JC_MAX_CONNECTIONS, &policy.subscribers) ||
		!read_unsigned(limits, "streams", 0, JC_MAX_STREAMS, &policy.streams) ||
		!read_unsigned(
			limits, "leaveAfter", 0, JC_MAX_LEAVE_AFTER_S, &policy.leave_after_s)) {
		return "limits must have bodies, subscribers, streams and leaveAfter";
	}
	for (size_t i = 0; i < ROLES; i++) {
		if (!read_permit(permits, roles[i].name,
			    jc_space_policy_permit(&policy, roles[i].role))) {
			return "permits must have a list of permits for each role";
		}
	}
	if (!read_permit(permits, "fine", &policy.fine) ||
		!read_permit(permits, "standard", &policy.standard)) {
		return "permits must have lists for fine and standard";
	}
	if (!json_is_boolean(closed)) {
		return "closed must be true or false";
	}
	policy.contacts = json_is_true(json_object_get(object, "contacts"));
	policy.has_recordings = json_is_true(json_object_get(object, "recordings"));
	policy.needs_token = json_is_true(json_object_get(object, "tokens"));
	*out_policy = policy;
	*out_is_closed = json_is_true(closed);
	return NULL;
}

json_t *jc_policy_message_pack_sanctions(const struct jc_sanctions *sanctions, const char *space)
{
	const struct jc_sanction *first;
	size_t count = jc_sanctions_of(sanctions, space, &first);
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		json_array_append_new(list, jc_sanction_file_pack(&first[i]));
	}
	return list;
}

const char *jc_policy_message_read_sanctions(
	const json_t *list, const char *space, struct jc_sanctions *sanctions)
{
	const struct jc_sanction *first;
	struct jc_sanction sanction;

	if (!json_is_array(list) || json_array_size(list) > JC_MAX_SANCTIONS_OF_SPACE) {
		return "sanctions must be a list";
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (!jc_sanction_file_unpack(json_array_get(list, i), &sanction) ||
			strcmp(sanction.space, space) != 0) {
			return "a sanction is invalid";
		}
	}
	while (jc_sanctions_of(sanctions, space, &first) > 0) {
		sanction = *first;
		jc_sanctions_lift(sanctions, space, sanction.kind, sanction.who);
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		jc_sanction_file_unpack(json_array_get(list, i), &sanction);
		if (jc_sanctions_put(sanctions, &sanction) != JC_OK) {
			return "too many sanctions";
		}
	}
	return NULL;
}
