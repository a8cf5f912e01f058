/* A file has two lines: owner, name and hash; then the descriptor, of which the hash is the
 * SHA-256. The file name is derived from owner and name. */
#include "registry/skeleton_file.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/state_file.h"
#include "base/state_folder.h"
#include "jointcast_private/array.h"
#include "registry/skeleton_upload.h"

#define FOLDER       "skeletons"
#define FORMAT       "skeleton"
#define HEADER_BYTES 1024u

int jc_skeleton_file_save(const char *state, const char *subject, const char *name,
	const struct jc_skeleton_asset *asset, struct jc_diagnostic *diagnostic)
{
	char path[PATH_MAX];
	char *text = NULL;

	if (!jc_state_folder_path(state, FOLDER, subject, name, path)) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "the path is too long");
	}
	int status = jc_state_folder_make(state, FOLDER, path, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	json_t *header = json_pack("{ss si ss ss ss}", "jointcast", FORMAT, "version",
		JC_STATE_VERSION, "subject", subject, "name", name, "hash", asset->hash);
	char *line = header ? json_dumps(header, JSON_COMPACT) : NULL;
	int length = line ? asprintf(&text, "%s\n%.*s\n", line, (int)asset->descriptor_length,
				    jc_skeleton_asset_descriptor(asset))
			  : -1;

	if (length < 0) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	} else {
		status = jc_file_replace(path, text, (size_t)length, diagnostic);
		free(text);
	}
	free(line);
	json_decref(header);
	return status;
}

void jc_skeleton_file_touch(
	const char *state, const char *subject, const char *name, int64_t last_used_ns)
{
	char path[PATH_MAX];

	if (jc_state_folder_path(state, FOLDER, subject, name, path)) {
		jc_state_folder_touch(path, last_used_ns);
	}
}

int jc_skeleton_file_remove(
	const char *state, const char *subject, const char *name, struct jc_diagnostic *diagnostic)
{
	char path[PATH_MAX];

	return jc_state_folder_path(state, FOLDER, subject, name, path)
		       ? jc_state_folder_remove(path, diagnostic)
		       : JC_OK;
}

static int refuse(struct jc_diagnostic *diagnostic, const char *what)
{
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "%s", what);
}

static int read_header(const json_t *header, struct jc_skeleton_file *file, const char **out_hash,
	struct jc_diagnostic *diagnostic)
{
	int status = jc_state_file_check(header, FORMAT, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	*out_hash = json_string_value(json_object_get(header, "hash"));
	if (!*out_hash ||
		!jc_state_file_text(header, "subject", file->subject, sizeof(file->subject)) ||
		!jc_state_file_text(header, "name", file->name, sizeof(file->name)) ||
		!file->name[0]) {
		return refuse(diagnostic, "not a registered skeleton");
	}
	return JC_OK;
}

/* Whether the text is the one that was hashed. */
static bool is_intact(const char *text, size_t length, const char *hash)
{
	char hex[JC_HASH_TEXT];

	if (length > 0 && text[length - 1] == '\n') {
		length--;
	}
	return jc_sha256_hex(text, length, hex) && strcmp(hex, hash) == 0;
}

int jc_skeleton_file_read_descriptor(const char *text, size_t length, const char *hash,
	struct jc_skeleton_asset **out_asset, struct jc_diagnostic *diagnostic)
{
	int status = jc_skeleton_upload_read(text, length, 0, out_asset, NULL, diagnostic);

	if (status == JC_ERROR_MEMORY ||
		(status == JC_OK && strcmp((*out_asset)->hash, hash) == 0)) {
		return status;
	}
	if (is_intact(text, length, hash)) {
		return status == JC_OK ? JC_OK : JC_ERROR_UNSUPPORTED;
	}
	if (status == JC_OK) {
		jc_skeleton_asset_destroy(*out_asset);
		*out_asset = NULL;
		jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"the content does not match the hash of the skeleton");
	}
	return JC_ERROR_INVALID;
}

int jc_skeleton_file_read(const char *bytes, size_t length, struct jc_skeleton_file *out_file,
	struct jc_diagnostic *diagnostic)
{
	const char *end = memchr(bytes, '\n', length < HEADER_BYTES ? length : HEADER_BYTES);
	struct jc_skeleton_file file = { .asset = NULL };
	const char *hash = NULL;

	if (!end) {
		return refuse(diagnostic, "not a registered skeleton");
	}
	json_t *header = json_loadb(bytes, (size_t)(end - bytes), 0, NULL);
	int status = read_header(header, &file, &hash, diagnostic);

	if (status == JC_OK) {
		status = jc_skeleton_file_read_descriptor(
			end + 1, length - (size_t)(end + 1 - bytes), hash, &file.asset, diagnostic);
	}
	if (status == JC_OK) {
		*out_file = file;
	}
	json_decref(header);
	return status;
}

/* A copied file describes a skeleton that was loaded already. */
static int check_place(const char *path, const char *state, struct jc_skeleton_file *file,
	struct jc_diagnostic *diagnostic)
{
	char own_path[PATH_MAX];

	if (jc_state_folder_path(state, FOLDER, file->subject, file->name, own_path) &&
		strcmp(own_path, path) == 0) {
		return JC_OK;
	}
	jc_skeleton_asset_destroy(file->asset);
	file->asset = NULL;
	return refuse(diagnostic, "it is in the folder of another skeleton");
}

static int read_file(const char *path, const char *state, struct jc_skeleton_file *file,
	struct jc_diagnostic *diagnostic)
{
	char *bytes = NULL;
	size_t length = 0;
	int error = jc_file_read(
		path, HEADER_BYTES + JC_LIMIT_DESCRIPTOR_BYTES + 2, &bytes, &length, diagnostic);

	if (error == JC_OK) {
		error = jc_skeleton_file_read(bytes, length, file, diagnostic);
	}
	if (error == JC_OK) {
		error = check_place(path, state, file, diagnostic);
	}
	if (error == JC_OK) {
		file->last_used_ns = jc_state_folder_time(path);
	}
	free(bytes);
	return error;
}

struct loading {
	const char *state;
	const struct jc_log *log;
	size_t most, count, capacity;
	struct jc_skeleton_file *files;
};

static struct jc_skeleton_file *next_file(struct loading *loading)
{
	if (!jc_array_grow(&loading->files, &loading->capacity, loading->count + 1, SIZE_MAX,
		    sizeof(loading->files[0]))) {
		return NULL;
	}
	loading->files[loading->count] = (struct jc_skeleton_file){ .asset = NULL };
	return &loading->files[loading->count];
}

static int load_file(void *context, const char *path)
{
	struct loading *loading = context;
	struct jc_diagnostic diagnostic = { 0 };

	if (loading->count == loading->most) {
		jc_log_write(loading->log, JC_LOG_WARNING,
			"skeleton '%s' is not loaded: the maximum is %zu", path, loading->most);
		return JC_OK;
	}
	struct jc_skeleton_file *file = next_file(loading);

	if (!file) {
		return JC_ERROR_MEMORY;
	}
	int status = read_file(path, loading->state, file, &diagnostic);

	if (status == JC_OK) {
		loading->count++;
	} else if (status != JC_ERROR_MEMORY) {
		jc_state_folder_set_aside(path, "skeleton", status != JC_ERROR_UNSUPPORTED,
			&diagnostic, loading->log);
		status = JC_OK;
	}
	return status;
}

static int compare_worn(const void *a, const void *b)
{
	int64_t one = ((const struct jc_skeleton_file *)a)->last_used_ns;
	int64_t other = ((const struct jc_skeleton_file *)b)->last_used_ns;

	return one < other ? -1 : one > other;
}

int jc_skeleton_files_load(const char *state, size_t most, const struct jc_log *log,
	struct jc_skeleton_file **out_files, size_t *out_count)
{
	struct loading loading = { .state = state, .log = log, .most = most };
	int status = jc_state_folder_walk(state, FOLDER, load_file, &loading);

	if (status != JC_OK) {
		while (loading.count > 0) {
			jc_skeleton_asset_destroy(loading.files[--loading.count].asset);
		}
		free(loading.files);
		return status;
	}
	if (loading.count > 0) {
		qsort(loading.files, loading.count, sizeof(loading.files[0]), compare_worn);
	}
	*out_files = loading.files;
	*out_count = loading.count;
	return JC_OK;
}
