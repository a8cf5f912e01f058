/* Only ids of invitations travel: neither secrets nor their hashes. */
#include "cluster/guest/guest_message.h"

#include <stdlib.h>
#include <string.h>

#include "invitation/invitations.h"

#define MOST_KEY 1024u /* bytes of a public key on P-256 in PEM */

static void add_id(void *list, const char *id)
{
	json_array_append_new(list, json_string(id));
}

json_t *jc_guest_message_pack(struct jc_invitations *invitations, const struct jc_keyring *keyring,
	const char *space, int64_t now_s)
{
	const struct jc_key *key = invitations ? jc_keyring_find(keyring, JC_KEY_INVITE) : NULL;
	const struct jc_invitation_list *all = key ? jc_invitations_list(invitations, now_s) : NULL;
	json_t *list;

	if (!key) {
		return json_null();
	}
	list = json_array();
	for (size_t i = 0; i < all->count; i++) {
		const struct jc_invitation *one = &all->list[i];

		if (strcmp(one->space, space) == 0 &&
			jc_invitations_accept(invitations, keyring, one->id)) {
			json_array_append_new(list, json_string(one->id));
		}
	}
	jc_invitations_each_adopted(invitations, space, add_id, list);
	return json_pack("{ss so}", "key", (const char *)key->bytes, "invitations", list);
}

static bool is_id(const json_t *value)
{
	return json_is_string(value) && json_string_length(value) == JC_INVITATION_ID - 1 &&
	       strspn(json_string_value(value), "0123456789abcdef") == JC_INVITATION_ID - 1;
}

static const char *read_ids(const json_t *list, struct jc_guest_pass *pass)
{
	size_t count = json_array_size(list);

	if (!json_is_array(list) || count > JC_MAX_INVITATIONS) {
		return "invitations of guests must be a list";
	}
	pass->ids = calloc(count + 1, sizeof(pass->ids[0]));
	if (!pass->ids) {
		return "out of memory";
	}
	for (size_t i = 0; i < count; i++) {
		const json_t *id = json_array_get(list, i);

		if (!is_id(id)) {
			return "an invitation must be 16 hex digits";
		}
		memcpy(pass->ids[pass->count++], json_string_value(id), JC_INVITATION_ID);
	}
	return NULL;
}

const char *jc_guest_message_read(const json_t *message, struct jc_guest_pass *out_pass)
{
	const json_t *key = json_object_get(message, "key");
	struct jc_guest_pass pass = { .count = 0 };
	struct jc_diagnostic diagnostic;
	const char *wrong;

	if (!message || json_is_null(message)) {
		return NULL;
	}
	if (!json_is_string(key) || json_string_length(key) > MOST_KEY ||
		jc_keyring_add(&pass.keyring, JC_KEY_INVITE, JC_KEY_ES256,
			(const uint8_t *)json_string_value(key), json_string_length(key),
			&diagnostic) != JC_OK) {
		return "the key of guests must be a public key on P-256";
	}
	wrong = read_ids(json_object_get(message, "invitations"), &pass);
	if (wrong) {
		jc_guest_pass_finish(&pass);
	} else {
		*out_pass = pass;
	}
	return wrong;
}

void jc_guest_pass_finish(struct jc_guest_pass *pass)
{
	jc_keyring_finish(&pass->keyring);
	free(pass->ids);
	*pass = (struct jc_guest_pass){ .count = 0 };
}
