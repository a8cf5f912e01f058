/* Formats and reads the file of sanctions. Reading is strict: a ban must not get lost silently.
 * Members that a newer version added stay in the file. */
#include "moderation/sanction_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/state_file.h"

#define FORMAT     "sanctions"
#define FILE_BYTES (8u << 20)
#define KEY_BYTES  (JC_MAX_SPACE_NAME + JC_MAX_WHO + 64)

static const char *const file_keys[] = { "jointcast", "version", "sanctions", NULL };
static const char *const entry_keys[] = { "space", "kind", "who", "by", "reason", "since", "until",
	NULL };

static json_t *pack(const struct jc_sanction *sanction)
{
	json_t *until = sanction->until_s < INT64_MAX ? json_integer(sanction->until_s) : NULL;

	return json_pack("{ss ss ss ss ss sI so*}", "space", sanction->space, "kind",
		jc_sanction_kind_name(sanction->kind), "who", sanction->who, "by", sanction->by,
		"reason", sanction->reason, "since", (json_int_t)sanction->since_s, "until", until);
}

/* Identifies a sanction in two files: a later one on the same person began at another time. */
static bool find_key(const json_t *entry, char out_key[KEY_BYTES])
{
	const char *space = json_string_value(json_object_get(entry, "space"));
	const char *kind = json_string_value(json_object_get(entry, "kind"));
	const char *who = json_string_value(json_object_get(entry, "who"));
	json_int_t since = json_integer_value(json_object_get(entry, "since"));

	return space && kind && who &&
	       snprintf(out_key, KEY_BYTES, "%s\n%s\n%s\n%" JSON_INTEGER_FORMAT, space, kind, who,
		       since) < (int)KEY_BYTES;
}

/* The entries of an earlier file by their keys. */
static json_t *index_entries(const json_t *earlier)
{
	json_t *index = json_object();
	const json_t *list = json_object_get(earlier, "sanctions");
	char key[KEY_BYTES];

	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *entry = json_array_get(list, i);

		if (find_key(entry, key)) {
			json_object_set(index, key, entry);
		}
	}
	return index;
}

static json_t *pack_list(const struct jc_sanctions *sanctions, const json_t *index)
{
	json_t *list = json_array();
	char key[KEY_BYTES];

	for (size_t i = 0; i < sanctions->count; i++) {
		json_t *entry = pack(&sanctions->list[i]);
		const json_t *before = find_key(entry, key) ? json_object_get(index, key) : NULL;

		if (jc_state_file_keep(entry, before, entry_keys) != JC_OK ||
			json_array_append(list, entry) != 0) {
			json_decref(list);
			list = NULL;
		}
		json_decref(entry);
	}
	return list;
}

char *jc_sanction_file_format(
	const struct jc_sanctions *sanctions, const char *earlier, size_t length)
{
	json_t *before = jc_state_file_earlier(earlier, length, FORMAT);
	json_t *index = index_entries(before);
	json_t *file = jc_state_file_head(FORMAT);
	char *text = NULL;

	if (file && index &&
		json_object_set_new(file, "sanctions", pack_list(sanctions, index)) == 0 &&
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

static bool read_sanction(const json_t *entry, struct jc_sanction *out_sanction)
{
	const char *kind_name = json_string_value(json_object_get(entry, "kind"));
	const json_t *since = json_object_get(entry, "since");
	const json_t *until = json_object_get(entry, "until");
	int kind = kind_name ? jc_sanction_kind_find(kind_name) : -1;

	*out_sanction = (struct jc_sanction){
		.kind = (enum jc_sanction_kind)kind,
		.since_s = json_integer_value(since),
		.until_s = until ? json_integer_value(until) : INT64_MAX,
	};
	return kind >= 0 && json_is_integer(since) && (!until || json_is_integer(until)) &&
	       read_text(entry, "space", out_sanction->space, sizeof(out_sanction->space)) &&
	       read_text(entry, "who", out_sanction->who, sizeof(out_sanction->who)) &&
	       read_text(entry, "by", out_sanction->by, sizeof(out_sanction->by)) &&
	       read_text(entry, "reason", out_sanction->reason, sizeof(out_sanction->reason));
}

static int read_list(
	const json_t *list, struct jc_sanctions *sanctions, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	if (!json_is_array(list)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "not a list of sanctions");
	}
	for (size_t i = 0; i < json_array_size(list) && status == JC_OK; i++) {
		struct jc_sanction sanction;

		if (!read_sanction(json_array_get(list, i), &sanction)) {
			return jc_diagnose(
				diagnostic, JC_ERROR_INVALID, NULL, "sanction %zu is invalid", i);
		}
		status = jc_sanctions_put(sanctions, &sanction);
	}
	return status == JC_OK ? JC_OK
			       : jc_diagnose(diagnostic, status, NULL, "too many sanctions");
}

int jc_sanction_file_parse(const char *bytes, size_t length, struct jc_sanctions *sanctions,
	struct jc_diagnostic *diagnostic)
{
	json_t *file = json_loadb(bytes, length, 0, NULL);
	int status = jc_state_file_check(file, FORMAT, diagnostic);

	if (status == JC_OK) {
		status = read_list(json_object_get(file, "sanctions"), sanctions, diagnostic);
	}
	json_decref(file);
	if (status != JC_OK) {
		jc_sanctions_finish(sanctions);
	}
	return status;
}

int jc_sanction_file_write(
	const char *path, const struct jc_sanctions *sanctions, struct jc_diagnostic *diagnostic)
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
	char *text = jc_sanction_file_format(sanctions, earlier, length);

	status = text ? jc_file_replace(path, text, strlen(text), diagnostic)
		      : jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	free(text);
	free(earlier);
	return status;
}

int jc_sanction_file_read(
	const char *path, struct jc_sanctions *sanctions, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	size_t length;
	char *bytes;

	if (access(path, F_OK) != 0 && errno == ENOENT) {
		return JC_OK;
	}
	int status = jc_file_read(path, FILE_BYTES, &bytes, &length, &reason);

	if (status == JC_OK) {
		status = jc_sanction_file_parse(bytes, length, sanctions, &reason);
		free(bytes);
	}
	if (status != JC_OK) {
		jc_diagnose(diagnostic, status, path, "%s", reason.what);
	}
	return status;
}
