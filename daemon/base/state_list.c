/* Entries of the earlier file are found by their keys, because lists change their order. */
#include "base/state_list.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/state_file.h"

/* The entries of an earlier file by their keys. */
static json_t *index_entries(const struct jc_state_list *kind, const json_t *earlier)
{
	json_t *index = json_object();
	const json_t *list = json_object_get(earlier, kind->format);
	char key[JC_STATE_LIST_KEY];

	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *entry = json_array_get(list, i);

		if (kind->find_key(entry, key)) {
			json_object_set(index, key, entry);
		}
	}
	return index;
}

static json_t *pack_list(
	const struct jc_state_list *kind, const void *list, size_t count, const json_t *index)
{
	json_t *packed = json_array();
	char key[JC_STATE_LIST_KEY];

	for (size_t i = 0; i < count && packed; i++) {
		json_t *entry = kind->pack(list, i);
		const json_t *before =
			kind->find_key(entry, key) ? json_object_get(index, key) : NULL;

		if (jc_state_file_keep(entry, before, kind->known) != JC_OK ||
			json_array_append(packed, entry) != 0) {
			json_decref(packed);
			packed = NULL;
		}
		json_decref(entry);
	}
	return packed;
}

/* Adds the entries that only a newer version knows. */
static int keep_newer(const struct jc_state_list *kind, json_t *packed, const json_t *earlier)
{
	const json_t *list = json_object_get(earlier, kind->format);

	for (size_t i = 0; kind->is_newer && i < json_array_size(list); i++) {
		json_t *entry = json_array_get(list, i);

		if (kind->is_newer(entry) && json_array_append(packed, entry) != 0) {
			return JC_ERROR_MEMORY;
		}
	}
	return JC_OK;
}

char *jc_state_list_format(const struct jc_state_list *kind, const void *list, size_t count,
	const char *earlier, size_t length)
{
	const char *const known[] = { "jointcast", "version", kind->format, NULL };
	json_t *before = jc_state_file_earlier(earlier, length, kind->format);
	json_t *index = index_entries(kind, before);
	json_t *file = jc_state_file_head(kind->format);
	char *text = NULL;

	if (file && index &&
		json_object_set_new(file, kind->format, pack_list(kind, list, count, index)) == 0 &&
		keep_newer(kind, json_object_get(file, kind->format), before) == JC_OK &&
		jc_state_file_keep(file, before, known) == JC_OK) {
		text = json_dumps(file, JSON_INDENT(1));
	}
	json_decref(before);
	json_decref(index);
	json_decref(file);
	return text;
}

/* An operator has put the file of a newer version in place: it is not this one's to replace. */
static int check_version(const struct jc_state_list *kind, const char *earlier, size_t length,
	struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	json_t *file = earlier ? json_loadb(earlier, length, 0, NULL) : NULL;
	int status = jc_state_file_check(file, kind->format, &reason);

	json_decref(file);
	return status == JC_ERROR_UNSUPPORTED
		       ? jc_diagnose(diagnostic, status, NULL, "%s", reason.what)
		       : JC_OK;
}

int jc_state_list_write(const struct jc_state_list *kind, const char *path, const void *list,
	size_t count, struct jc_diagnostic *diagnostic)
{
	char *earlier = NULL;
	size_t length = 0;
	int status = JC_OK;

	if (access(path, F_OK) == 0 || errno != ENOENT) {
		status = jc_file_read(path, kind->file_bytes, &earlier, &length, diagnostic);
	}
	if (status == JC_OK) {
		status = check_version(kind, earlier, length, diagnostic);
	}
	if (status != JC_OK) {
		free(earlier);
		return status;
	}
	char *text = jc_state_list_format(kind, list, count, earlier, length);

	status = text ? jc_file_replace(path, text, strlen(text), diagnostic)
		      : jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	free(text);
	free(earlier);
	return status;
}

int jc_state_list_parse(const struct jc_state_list *kind, const char *bytes, size_t length,
	void *list, struct jc_diagnostic *diagnostic)
{
	json_t *file = json_loadb(bytes, length, 0, NULL);
	const json_t *entries = json_object_get(file, kind->format);
	int status = jc_state_file_check(file, kind->format, diagnostic);

	if (status == JC_OK && !json_is_array(entries)) {
		status = jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "not a list of %s", kind->format);
	}
	for (size_t i = 0; status == JC_OK && i < json_array_size(entries); i++) {
		status = kind->add(list, json_array_get(entries, i), i, diagnostic);
	}
	json_decref(file);
	if (status != JC_OK) {
		kind->finish(list);
	}
	return status;
}

int jc_state_list_read(const struct jc_state_list *kind, const char *path, void *list,
	struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	size_t length;
	char *bytes;

	if (access(path, F_OK) != 0 && errno == ENOENT) {
		return JC_OK;
	}
	int status = jc_file_read(path, kind->file_bytes, &bytes, &length, &reason);

	if (status == JC_OK) {
		status = jc_state_list_parse(kind, bytes, length, list, &reason);
		free(bytes);
	}
	if (status != JC_OK) {
		jc_diagnose(diagnostic, status, path, "%s", reason.what);
	}
	return status;
}
