/* Formats and reads the file of invitations. Reading is strict: a revocation must not get lost
 * silently. Members that a newer version added stay in the file. */
#include "invitation/invitation_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/state_file.h"

#define FORMAT     "invitations"
#define FILE_BYTES (4u << 20)

static const char *const file_keys[] = { "jointcast", "version", "invitations", NULL };
static const char *const entry_keys[] = { "id", "space", "role", "note", "by", "key", "expires",
	"uses", "used", "revoked", "hash", NULL };

static void write_hex(const struct jc_digest *digest, char out_text[65])
{
	for (size_t i = 0; i < 64; i++) {
		out_text[i] = "0123456789abcdef"[digest->bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
	}
	out_text[64] = '\0';
}

static json_t *pack(const struct jc_invitation *one)
{
	char hash[65];

	write_hex(&one->hash, hash);
	return json_pack("{ss ss ss ss ss ss sI si si sb ss*}", "id", one->id, "space", one->space,
		"role", one->role == JC_ROLE_PUBLISH ? "publish" : "watch", "note", one->note, "by",
		one->by, "key", one->key_id, "expires", (json_int_t)one->expires_s, "uses",
		(int)one->uses, "used", (int)one->used, "revoked", (int)one->is_revoked, "hash",
		one->has_secret ? hash : NULL);
}

/* The entries of an earlier file by their ids. */
static json_t *index_entries(const json_t *earlier)
{
	json_t *index = json_object();
	const json_t *list = json_object_get(earlier, "invitations");

	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *entry = json_array_get(list, i);
		const char *id = json_string_value(json_object_get(entry, "id"));

		if (id) {
			json_object_set(index, id, entry);
		}
	}
	return index;
}

static json_t *pack_list(const struct jc_invitation_list *invitations, const json_t *index)
{
	json_t *list = json_array();

	for (size_t i = 0; i < invitations->count && list; i++) {
		json_t *entry = pack(&invitations->list[i]);
		const json_t *before = json_object_get(index, invitations->list[i].id);

		if (jc_state_file_keep(entry, before, entry_keys) != JC_OK ||
			json_array_append(list, entry) != 0) {
			json_decref(list);
			list = NULL;
		}
		json_decref(entry);
	}
	return list;
}

char *jc_invitation_file_format(
	const struct jc_invitation_list *invitations, const char *earlier, size_t length)
{
	json_t *before = jc_state_file_earlier(earlier, length, FORMAT);
	json_t *index = index_entries(before);
	json_t *file = jc_state_file_head(FORMAT);
	char *text = NULL;

	if (file && index &&
		json_object_set_new(file, "invitations", pack_list(invitations, index)) == 0 &&
		jc_state_file_keep(file, before, file_keys) == JC_OK) {
		text = json_dumps(file, JSON_INDENT(1));
	}
	json_decref(before);
	json_decref(index);
	json_decref(file);
	return text;
}

static bool read_text(const json_t *entry, const char *key, char *out_text, size_t size)
{
	const char *text = json_string_value(json_object_get(entry, key));

	if (!text || strlen(text) >= size) {
		return false;
	}
	strcpy(out_text, text);
	return true;
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
	if (!text || strlen(text) != 64 || strspn(text, digits) != 64) {
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
		!read_text(entry, "id", one.id, sizeof(one.id)) || !one.id[0] ||
		!read_text(entry, "space", one.space, sizeof(one.space)) ||
		!read_text(entry, "note", one.note, sizeof(one.note)) ||
		!read_text(entry, "by", one.by, sizeof(one.by)) ||
		!read_text(entry, "key", one.key_id, sizeof(one.key_id)) ||
		!read_count(entry, "uses", &one.uses) || !read_count(entry, "used", &one.used) ||
		!read_hash(entry, &one)) {
		return false;
	}
	*out_invitation = one;
	return true;
}

static int read_list(const json_t *list, struct jc_invitation_list *invitations,
	struct jc_diagnostic *diagnostic)
{
	if (!json_is_array(list)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "not a list of invitations");
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct jc_invitation one;

		if (!read_invitation(json_array_get(list, i), &one)) {
			return jc_diagnose(
				diagnostic, JC_ERROR_INVALID, NULL, "invitation %zu is invalid", i);
		}
		int status = jc_invitation_list_add(invitations, &one);

		if (status != JC_OK) {
			return jc_diagnose(diagnostic, status, NULL,
				status == JC_ERROR_INVALID ? "invitation %zu exists twice"
							   : "too many invitations, at %zu",
				i);
		}
	}
	return JC_OK;
}

int jc_invitation_file_parse(const char *bytes, size_t length,
	struct jc_invitation_list *invitations, struct jc_diagnostic *diagnostic)
{
	json_t *file = json_loadb(bytes, length, 0, NULL);
	int status = jc_state_file_check(file, FORMAT, diagnostic);

	if (status == JC_OK) {
		status = read_list(json_object_get(file, "invitations"), invitations, diagnostic);
	}
	json_decref(file);
	if (status != JC_OK) {
		jc_invitation_list_finish(invitations);
	}
	return status;
}

int jc_invitation_file_write(const char *path, const struct jc_invitation_list *invitations,
	struct jc_diagnostic *diagnostic)
{
	char *earlier = NULL;
	size_t length = 0;
	int status = JC_OK;

	if (access(path, F_OK) == 0 || errno != ENOENT) {
		status = jc_file_read(path, FILE_BYTES, &earlier, &length, diagnostic);
	}
	if (status != JC_OK) {
		return status;
	}
	char *text = jc_invitation_file_format(invitations, earlier, length);

	status = text ? jc_file_replace(path, text, strlen(text), diagnostic)
		      : jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	free(text);
	free(earlier);
	return status;
}

int jc_invitation_file_read(
	const char *path, struct jc_invitation_list *invitations, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	size_t length;
	char *bytes;

	if (access(path, F_OK) != 0 && errno == ENOENT) {
		return JC_OK;
	}
	int status = jc_file_read(path, FILE_BYTES, &bytes, &length, &reason);

	if (status == JC_OK) {
		status = jc_invitation_file_parse(bytes, length, invitations, &reason);
		free(bytes);
	}
	if (status != JC_OK) {
		jc_diagnose(diagnostic, status, path, "%s", reason.what);
	}
	return status;
}
