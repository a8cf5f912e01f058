/* The entries of the file of invitations. Reading is strict: a revocation must not get lost
 * silently. */
#include "invitation/invitation_file.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "base/state_file.h"
#include "base/state_list.h"

static const char *const entry_keys[] = { "id", "space", "role", "note", "by", "key", "expires",
	"uses", "used", "revoked", "hash", NULL };

static void write_hex(const struct jc_digest *digest, char out_text[JC_HASH_TEXT])
{
	for (size_t i = 0; i < 64; i++) {
		out_text[i] = "0123456789abcdef"[digest->bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
	}
	out_text[64] = '\0';
}

static json_t *pack(const void *list, size_t i)
{
	const struct jc_invitation *one = &((const struct jc_invitation_list *)list)->list[i];
	char hash[JC_HASH_TEXT];

	write_hex(&one->hash, hash);
	return json_pack("{ss ss ss ss ss ss sI si si sb ss*}", "id", one->id, "space", one->space,
		"role", one->role == JC_ROLE_PUBLISH ? "publish" : "watch", "note", one->note, "by",
		one->by, "key", one->key_id, "expires", (json_int_t)one->expires_s, "uses",
		(int)one->uses, "used", (int)one->used, "revoked", (int)one->is_revoked, "hash",
		one->has_secret ? hash : NULL);
}

static bool find_key(const json_t *entry, char out_key[JC_STATE_LIST_KEY])
{
	const char *id = json_string_value(json_object_get(entry, "id"));

	return id && snprintf(out_key, JC_STATE_LIST_KEY, "%s", id) < JC_STATE_LIST_KEY;
}

/* 64 hexadecimal digits; none at all without a secret. */
static bool read_hash(const json_t *entry, struct jc_invitation *invitation)
{
	static const char digits[] = "0123456789abcdef";
	const json_t *value = json_object_get(entry, "hash");
	const char *text = json_string_value(value);

	invitation->has_secret = value != NULL;
	if (!value) {
		return true;
	}
	if (!text || !jc_sha256_is_hex(text, strlen(text))) {
		return false;
	}
	for (size_t i = 0; i < 64; i++) {
		unsigned digit = (unsigned)(strchr(digits, text[i]) - digits);
		uint8_t *byte = &invitation->hash.bytes[i / 2];

		*byte = (uint8_t)((unsigned)*byte << 4 | digit);
	}
	return true;
}

static bool read_count(const json_t *entry, const char *key, unsigned *out_count)
{
	const json_t *value = json_object_get(entry, key);
	json_int_t count = json_integer_value(value);

	*out_count = (unsigned)count;
	return json_is_integer(value) && count >= 0 && count <= JC_MAX_INVITATION_USES;
}

static bool read_invitation(const json_t *entry, struct jc_invitation *out_invitation)
{
	const char *role = json_string_value(json_object_get(entry, "role"));
	const json_t *expires = json_object_get(entry, "expires");
	const json_t *revoked = json_object_get(entry, "revoked");
	struct jc_invitation one = { .expires_s = json_integer_value(expires),
		.is_revoked = json_is_true(revoked),
		.role = (enum jc_role)(role ? jc_role_find(role) : 0u) };

	if ((one.role != JC_ROLE_WATCH && one.role != JC_ROLE_PUBLISH) ||
		!json_is_integer(expires) || !json_is_boolean(revoked) ||
		!jc_state_file_text(entry, "id", one.id, sizeof(one.id)) || !one.id[0] ||
		!jc_state_file_text(entry, "space", one.space, sizeof(one.space)) ||
		!jc_state_file_text(entry, "note", one.note, sizeof(one.note)) ||
		!jc_state_file_text(entry, "by", one.by, sizeof(one.by)) ||
		!jc_state_file_text(entry, "key", one.key_id, sizeof(one.key_id)) ||
		!read_count(entry, "uses", &one.uses) || !read_count(entry, "used", &one.used) ||
		!read_hash(entry, &one)) {
		return false;
	}
	*out_invitation = one;
	return true;
}

static int add(void *list, const json_t *entry, size_t i, struct jc_diagnostic *diagnostic)
{
	struct jc_invitation one;

	if (!read_invitation(entry, &one)) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "invitation %zu is invalid", i);
	}
	int status = jc_invitation_list_add(list, &one);

	if (status == JC_ERROR_INVALID) {
		return jc_diagnose(diagnostic, status, NULL, "invitation %zu exists twice", i);
	}
	return status == JC_OK ? JC_OK
			       : jc_diagnose(diagnostic, status, NULL, "too many invitations");
}

static void finish(void *list)
{
	jc_invitation_list_finish(list);
}

static const struct jc_state_list kind = { .format = "invitations",
	.file_bytes = 4u << 20,
	.known = entry_keys,
	.pack = pack,
	.find_key = find_key,
	.add = add,
	.finish = finish };

char *jc_invitation_file_format(
	const struct jc_invitation_list *invitations, const char *earlier, size_t length)
{
	return jc_state_list_format(&kind, invitations, invitations->count, earlier, length);
}

int jc_invitation_file_write(const char *path, const struct jc_invitation_list *invitations,
	struct jc_diagnostic *diagnostic)
{
	return jc_state_list_write(&kind, path, invitations, invitations->count, diagnostic);
}

int jc_invitation_file_parse(const char *bytes, size_t length,
	struct jc_invitation_list *invitations, struct jc_diagnostic *diagnostic)
{
	return jc_state_list_parse(&kind, bytes, length, invitations, diagnostic);
}

int jc_invitation_file_read(
	const char *path, struct jc_invitation_list *invitations, struct jc_diagnostic *diagnostic)
{
	return jc_state_list_read(&kind, path, invitations, diagnostic);
}
