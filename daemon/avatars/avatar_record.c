/* A record has two lines: what it states, then the descriptor of the skeleton, so that a start does
 * not read meshes. A file is written before its record, and removed after it. */
#include "avatars/avatar_record.h"

#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/state_file.h"
#include "base/state_folder.h"
#include "jointcast/limits.h"
#include "jointcast_private/text.h"
#include "registry/skeleton_file.h"

#define FOLDER       "avatars"
#define FILES        "@files" /* never the escaped name of a subject */
#define FORMAT       "avatar"
#define HEADER_BYTES 1024u
#define MAX_INDEX    999999

void jc_avatar_record_finish(struct jc_avatar_record *record)
{
	jc_avatar_file_finish(&record->file);
	jc_skeleton_asset_destroy(record->asset);
	*record = (struct jc_avatar_record){ .asset = NULL };
}

static bool file_path(const char *state, const char *hash, char out_path[PATH_MAX])
{
	return snprintf(out_path, PATH_MAX, "%s/" FOLDER "/" FILES "/%s", state, hash) <
	       PATH_MAX - 8;
}

static bool copy_number(const json_t *object, const char *key, json_int_t most, json_int_t *out)
{
	const json_t *number = json_object_get(object, key);

	*out = json_integer_value(number);
	return json_is_integer(number) && *out >= 0 && *out <= most;
}

static bool read_statements(const json_t *header, struct jc_avatar_record *record)
{
	const char *rights = json_string_value(json_object_get(header, "rights"));
	struct jc_worn_avatar *worn = &record->file.worn;
	json_int_t bytes, index;

	if (!jc_state_file_text(header, "hash", worn->hash, sizeof(worn->hash)) ||
		!jc_sha256_is_hex(worn->hash, strlen(worn->hash)) ||
		!copy_number(header, "bytes", (json_int_t)jc_avatar_default_caps().bytes, &bytes) ||
		!copy_number(header, "index", MAX_INDEX, &index) || bytes == 0) {
		return false;
	}
	worn->bytes = (uint64_t)bytes;
	worn->index = (uint32_t)index;
	record->file.is_binary = json_is_true(json_object_get(header, "binary"));
	return rights && jc_avatar_rights_find(rights, &record->claim.rights) &&
	       jc_state_file_text(
		       header, "subject", record->claim.subject, sizeof(record->claim.subject)) &&
	       jc_state_file_text(
		       header, "licence", record->claim.licence, sizeof(record->claim.licence)) &&
	       record->claim.licence[0];
}

int jc_avatar_record_read(const char *bytes, size_t length, struct jc_avatar_record *out_record,
	struct jc_diagnostic *diagnostic)
{
	const char *end = memchr(bytes, '\n', length < HEADER_BYTES ? length : HEADER_BYTES);
	struct jc_avatar_record record = { .asset = NULL };

	if (!end) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "not an avatar");
	}
	json_t *header = json_loadb(bytes, (size_t)(end - bytes), 0, NULL);
	int status = jc_state_file_check(header, FORMAT, diagnostic);
	const char *skeleton = json_string_value(json_object_get(header, "skeleton"));

	if (status == JC_OK && (!read_statements(header, &record) || !skeleton)) {
		status = jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "not an avatar");
	}
	if (status == JC_OK) {
		status = jc_skeleton_file_read_descriptor(end + 1,
			length - (size_t)(end + 1 - bytes), skeleton, &record.asset, diagnostic);
	}
	if (status == JC_OK) {
		*out_record = record;
	}
	json_decref(header);
	return status;
}

char *jc_avatar_record_format(const struct jc_worn_avatar *worn, bool is_binary,
	const struct jc_avatar_claim *claim, const struct jc_skeleton_asset *asset)
{
	json_t *header = json_pack("{ss si ss sI sI sb ss ss ss ss}", "jointcast", FORMAT,
		"version", JC_STATE_VERSION, "hash", worn->hash, "bytes", (json_int_t)worn->bytes,
		"index", (json_int_t)worn->index, "binary", is_binary, "subject", claim->subject,
		"rights", jc_avatar_rights_name(claim->rights), "licence", claim->licence,
		"skeleton", asset->hash);
	char *line = header ? json_dumps(header, JSON_COMPACT) : NULL;
	char *text = NULL;

	if (line && asprintf(&text, "%s\n%.*s\n", line, (int)asset->descriptor_length,
			    jc_skeleton_asset_descriptor(asset)) < 0) {
		text = NULL;
	}
	free(line);
	json_decref(header);
	return text;
}

/* The bytes are those of the hash that names the file: one of that size is complete. */
static int save_file(const char *path, const char *bytes, struct jc_avatar_file *file,
	struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	if (stat(path, &file->status) != 0 || (uint64_t)file->status.st_size != file->worn.bytes) {
		status = jc_file_replace(path, bytes, (size_t)file->worn.bytes, diagnostic);
		if (status == JC_OK && stat(path, &file->status) != 0) {
			status = jc_diagnose(diagnostic, JC_ERROR_INVALID, path, "is gone");
		}
	}
	free(file->path);
	file->path = status == JC_OK ? strdup(path) : NULL;
	return status == JC_OK && !file->path
		       ? jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory")
		       : status;
}

int jc_avatar_record_save(const char *state, const char *bytes,
	const struct jc_skeleton_asset *asset, struct jc_avatar_record *record,
	struct jc_diagnostic *diagnostic)
{
	struct jc_avatar_file *file = &record->file;
	char path[PATH_MAX], record_path[PATH_MAX];
	int status = JC_OK;

	if (!file_path(state, file->worn.hash, path) ||
		!jc_state_folder_path(
			state, FOLDER, record->claim.subject, file->worn.hash, record_path)) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "the path is too long");
	}
	char *text = jc_avatar_record_format(&file->worn, file->is_binary, &record->claim, asset);

	if (!text) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	status = jc_state_folder_make(state, FOLDER, path, diagnostic);
	if (status == JC_OK) {
		status = jc_state_folder_make(state, FOLDER, record_path, diagnostic);
	}
	if (status == JC_OK) {
		status = save_file(path, bytes, file, diagnostic);
	}
	if (status == JC_OK) {
		status = jc_file_replace(record_path, text, strlen(text), diagnostic);
	}
	free(text);
	return status;
}

/* Whether any owner has a record of the hash, also one that was not loaded: of a newer version, or
 * one too many. */
static bool is_named(const char *state, const char *hash)
{
	char folder[PATH_MAX], path[PATH_MAX];
	const struct dirent *entry;
	bool is_found = false;

	snprintf(folder, sizeof(folder), "%.*s/" FOLDER, PATH_MAX - 32, state);
	DIR *directory = opendir(folder);

	while (directory && !is_found && (entry = readdir(directory))) {
		is_found = entry->d_name[0] != '.' &&
			   snprintf(path, sizeof(path), "%s/%s/%s.jsonl", folder, entry->d_name,
				   hash) < (int)sizeof(path) &&
			   access(path, F_OK) == 0;
	}
	if (directory) {
		closedir(directory);
	}
	return is_found;
}

int jc_avatar_record_remove(const char *state, const char *subject, const char *hash,
	bool with_file, struct jc_diagnostic *diagnostic)
{
	char path[PATH_MAX];
	int status = jc_state_folder_path(state, FOLDER, subject, hash, path)
			     ? jc_state_folder_remove(path, diagnostic)
			     : JC_OK;

	return status == JC_OK && with_file && !is_named(state, hash) &&
			       file_path(state, hash, path)
		       ? jc_state_folder_remove(path, diagnostic)
		       : status;
}

void jc_avatar_record_touch(
	const char *state, const char *subject, const char *hash, int64_t used_ns)
{
	char path[PATH_MAX];

	if (jc_state_folder_path(state, FOLDER, subject, hash, path)) {
		jc_state_folder_touch(path, used_ns);
	}
}

struct loading {
	const char *state;
	const struct jc_log *log;
	int (*take)(void *context, struct jc_avatar_record *record);
	void *context;
};

/* Finds the file of a record. A copied record describes an avatar that was loaded already. */
static int complete(const struct loading *loading, const char *path,
	struct jc_avatar_record *record, struct jc_diagnostic *diagnostic)
{
	struct jc_avatar_file *file = &record->file;
	char own_path[PATH_MAX], bytes_path[PATH_MAX];

	if (!jc_state_folder_path(
		    loading->state, FOLDER, record->claim.subject, file->worn.hash, own_path) ||
		strcmp(own_path, path) != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"it is in the folder of another avatar");
	}
	if (!file_path(loading->state, file->worn.hash, bytes_path) ||
		stat(bytes_path, &file->status) != 0 ||
		(uint64_t)file->status.st_size != file->worn.bytes) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"its file is missing or has another size");
	}
	file->path = strdup(bytes_path);
	record->claim.used_ns = jc_state_folder_time(path);
	return file->path ? JC_OK : JC_ERROR_MEMORY;
}

static int load_record(void *context, const char *path)
{
	struct loading *loading = context;
	struct jc_avatar_record record = { .asset = NULL };
	struct jc_diagnostic diagnostic = { 0 };
	char *bytes = NULL;
	size_t length = 0;
	int status = jc_file_read(
		path, HEADER_BYTES + JC_LIMIT_DESCRIPTOR_BYTES + 2, &bytes, &length, &diagnostic);

	if (status == JC_OK) {
		status = jc_avatar_record_read(bytes, length, &record, &diagnostic);
	}
	if (status == JC_OK) {
		status = complete(loading, path, &record, &diagnostic);
	}
	if (status == JC_OK) {
		status = loading->take(loading->context, &record);
	} else if (status != JC_ERROR_MEMORY) {
		jc_state_folder_set_aside(
			path, "avatar", status != JC_ERROR_UNSUPPORTED, &diagnostic, loading->log);
		status = JC_OK;
	}
	jc_avatar_record_finish(&record);
	free(bytes);
	return status;
}

int jc_avatar_records_load(const char *state, const struct jc_log *log,
	int (*take)(void *context, struct jc_avatar_record *record), void *context)
{
	struct loading loading = { .state = state, .log = log, .take = take, .context = context };

	return jc_state_folder_walk(state, FOLDER, load_record, &loading);
}

void jc_avatar_records_clean(
	const char *state, bool (*is_known)(void *context, const char *hash), void *context)
{
	char folder[PATH_MAX], path[PATH_MAX];
	const struct dirent *entry;

	snprintf(folder, sizeof(folder), "%.*s/" FOLDER "/" FILES, PATH_MAX - 32, state);
	DIR *directory = opendir(folder);

	while (directory && (entry = readdir(directory))) {
		if (entry->d_name[0] != '.' && !is_known(context, entry->d_name) &&
			!is_named(state, entry->d_name) &&
			snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) <
				(int)sizeof(path)) {
			unlink(path);
		}
	}
	if (directory) {
		closedir(directory);
	}
}
