/* Packs and reads announcements. */
#include "cluster/origin_message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/nats_url.h"
#include "jointcast_private/json.h"

bool jc_origin_wins(
	uint64_t epoch, const char *origin, uint64_t other_epoch, const char *other_origin)
{
	return epoch != other_epoch ? epoch > other_epoch : strcmp(origin, other_origin) < 0;
}

uint64_t jc_origin_default_epoch(uint64_t opened_us)
{
	return ((UINT64_C(1) << 53) - opened_us) / 256;
}

json_t *jc_origin_message_pack(const struct jc_origin_message *message)
{
	json_t *spaces = json_array();

	for (size_t i = 0; i < message->count; i++) {
		char epoch[17];

		snprintf(epoch, sizeof(epoch), "%" PRIx64, message->claims[i].epoch);
		json_array_append_new(spaces,
			json_pack("{ss ss sI}", "space", message->claims[i].space, "epoch", epoch,
				"revision", (json_int_t)message->claims[i].revision));
	}
	return json_pack("{ss ss so so*}", "origin", message->origin, "incarnation",
		message->incarnation, "spaces", spaces, "leaving",
		message->is_leaving ? json_true() : NULL);
}

static bool is_hex(const char *text, size_t most)
{
	size_t length = strspn(text, "0123456789abcdef");

	return length > 0 && length <= most && !text[length];
}

bool jc_origin_read_epoch(const json_t *value, uint64_t *out_epoch)
{
	const char *text = json_string_value(value);

	if (!text || !is_hex(text, 16)) {
		return false;
	}
	*out_epoch = strtoull(text, NULL, 16);
	return true;
}

static bool read_claim(const json_t *object, struct jc_origin_claim *claim)
{
	const char *space = json_string_value(json_object_get(object, "space"));
	long long revision;

	if (!space || !*space || strlen(space) >= sizeof(claim->space) ||
		!jc_json_is_integer(json_object_get(object, "revision"), &revision) ||
		revision < 0 ||
		!jc_origin_read_epoch(json_object_get(object, "epoch"), &claim->epoch)) {
		return false;
	}
	strcpy(claim->space, space);
	claim->revision = (uint64_t)revision;
	return true;
}

static const char *read_root(const json_t *root, struct jc_origin_message *message)
{
	const char *origin = json_string_value(json_object_get(root, "origin"));
	const char *incarnation = json_string_value(json_object_get(root, "incarnation"));
	const json_t *spaces = json_object_get(root, "spaces");
	const json_t *leaving = json_object_get(root, "leaving");

	if (!origin || !jc_host_id_is_valid(origin)) {
		return "origin is not the name of a host";
	}
	if (!incarnation || !is_hex(incarnation, JC_MAX_INCARNATION - 1)) {
		return "incarnation must be hex digits";
	}
	if (!json_is_array(spaces) || json_array_size(spaces) > JC_MAX_SPACES) {
		return "spaces must be a list";
	}
	if (leaving && !json_is_boolean(leaving)) {
		return "leaving must be true or false";
	}
	strcpy(message->origin, origin);
	strcpy(message->incarnation, incarnation);
	message->is_leaving = json_is_true(leaving);
	message->count = 0;
	for (size_t i = 0; i < json_array_size(spaces); i++) {
		if (!read_claim(json_array_get(spaces, i), &message->claims[message->count++])) {
			return "a space must have a name, an epoch and a revision";
		}
	}
	return NULL;
}

const char *jc_origin_message_read(
	const char *bytes, size_t length, struct jc_origin_message *out_message)
{
	json_t *root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
	const char *wrong =
		json_is_object(root) ? read_root(root, out_message) : "not a JSON object";

	json_decref(root);
	return wrong;
}
