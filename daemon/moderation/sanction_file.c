/* The entries of the file of sanctions. Reading is strict: a ban must not get lost silently. */
#include "moderation/sanction_file.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/state_file.h"
#include "base/state_list.h"

static const char *const entry_keys[] = { "space", "kind", "who", "by", "reason", "since", "until",
	NULL };

json_t *jc_sanction_file_pack(const struct jc_sanction *sanction)
{
	json_t *until = sanction->until_s < INT64_MAX ? json_integer(sanction->until_s) : NULL;

	return json_pack("{ss ss ss ss ss sI so*}", "space", sanction->space, "kind",
		jc_sanction_kind_name(sanction->kind), "who", sanction->who, "by", sanction->by,
		"reason", sanction->reason, "since", (json_int_t)sanction->since_s, "until", until);
}

static json_t *pack(const void *list, size_t i)
{
	return jc_sanction_file_pack(&((const struct jc_sanctions *)list)->list[i]);
}

/* Identifies a sanction in two files: a later one on the same person began at another time. */
static bool find_key(const json_t *entry, char out_key[JC_STATE_LIST_KEY])
{
	const char *space = json_string_value(json_object_get(entry, "space"));
	const char *kind = json_string_value(json_object_get(entry, "kind"));
	const char *who = json_string_value(json_object_get(entry, "who"));
	json_int_t since = json_integer_value(json_object_get(entry, "since"));

	return space && kind && who &&
	       snprintf(out_key, JC_STATE_LIST_KEY, "%s\n%s\n%s\n%" JSON_INTEGER_FORMAT, space,
		       kind, who, since) < JC_STATE_LIST_KEY;
}

bool jc_sanction_file_unpack(const json_t *entry, struct jc_sanction *out_sanction)
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
	       jc_state_file_text(
		       entry, "space", out_sanction->space, sizeof(out_sanction->space)) &&
	       jc_state_file_text(entry, "who", out_sanction->who, sizeof(out_sanction->who)) &&
	       jc_state_file_text(entry, "by", out_sanction->by, sizeof(out_sanction->by)) &&
	       jc_state_file_text(
		       entry, "reason", out_sanction->reason, sizeof(out_sanction->reason));
}

/* A kind that a newer version added: a word, as all of them are. */
static bool is_newer(const json_t *entry)
{
	const char *name = json_string_value(json_object_get(entry, "kind"));

	return name && name[0] && strspn(name, "abcdefghijklmnopqrstuvwxyz-") == strlen(name) &&
	       jc_sanction_kind_find(name) < 0;
}

static int add(void *list, const json_t *entry, size_t i, struct jc_diagnostic *diagnostic)
{
	struct jc_sanction sanction;

	if (is_newer(entry)) {
		((struct jc_sanctions *)list)->unknown++;
		return JC_OK;
	}
	if (!jc_sanction_file_unpack(entry, &sanction)) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "sanction %zu is invalid", i);
	}
	int status = jc_sanctions_put(list, &sanction);

	return status == JC_OK ? JC_OK
			       : jc_diagnose(diagnostic, status, NULL, "too many sanctions");
}

static void finish(void *list)
{
	jc_sanctions_finish(list);
}

static const struct jc_state_list kind = { .format = "sanctions",
	.file_bytes = 8u << 20,
	.known = entry_keys,
	.pack = pack,
	.find_key = find_key,
	.is_newer = is_newer,
	.add = add,
	.finish = finish };

char *jc_sanction_file_format(
	const struct jc_sanctions *sanctions, const char *earlier, size_t length)
{
	return jc_state_list_format(&kind, sanctions, sanctions->count, earlier, length);
}

int jc_sanction_file_write(
	const char *path, const struct jc_sanctions *sanctions, struct jc_diagnostic *diagnostic)
{
	return jc_state_list_write(&kind, path, sanctions, sanctions->count, diagnostic);
}

int jc_sanction_file_parse(const char *bytes, size_t length, struct jc_sanctions *sanctions,
	struct jc_diagnostic *diagnostic)
{
	return jc_state_list_parse(&kind, bytes, length, sanctions, diagnostic);
}

int jc_sanction_file_read(
	const char *path, struct jc_sanctions *sanctions, struct jc_diagnostic *diagnostic)
{
	return jc_state_list_read(&kind, path, sanctions, diagnostic);
}
