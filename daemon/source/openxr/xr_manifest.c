/* Repeats the loader's search for a runtime, in order to name what is missing. */
#include "source/openxr/xr_manifest.h"

#include <dlfcn.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "jointcast_private/json.h"
#include "jointcast_private/text.h"

#define MANIFEST_BYTES (1u << 20) /* largest file that is read */
#define MANIFEST_NAME  "openxr/1/active_runtime.json"

/* The name that the loader prefers in each folder, with its word for this architecture. */
#if defined(__x86_64__) && !defined(__ILP32__)
#define PREFERRED_NAME "openxr/1/active_runtime.x86_64.json"
#elif defined(__aarch64__) && defined(__LP64__)
#define PREFERRED_NAME "openxr/1/active_runtime.aarch64.json"
#elif defined(__i386__)
#define PREFERRED_NAME "openxr/1/active_runtime.i686.json"
#elif defined(__arm__) && __ARM_ARCH >= 7 && defined(__ARM_PCS_VFP)
#define PREFERRED_NAME "openxr/1/active_runtime.armv7a-vfp.json"
#elif defined(__riscv_xlen) && __riscv_xlen == 64
#define PREFERRED_NAME "openxr/1/active_runtime.riscv64.json"
#else
#define PREFERRED_NAME MANIFEST_NAME
#endif

#define FORMAT_VERSION "1.0.0" /* the only one that the loader accepts */
#define SHOWN_BYTES    80      /* of a path in a message: its end */
#define FOLDERS_BYTES  110     /* of the list of folders in a message */

/* The loader's search: the folders so far, for the message. */
struct search {
	char *path; /* PATH_MAX bytes: the file that was looked for last */
	char folders[FOLDERS_BYTES];
	bool is_cut; /* `folders` lacks some */
};

static bool is_set(const char *text)
{
	return text && text[0];
}

/* The end of a path, as much as a message shows. */
static const char *find_end(const char *path)
{
	size_t length = strlen(path);
	const char *end = length > SHOWN_BYTES ? path + length - SHOWN_BYTES : path;

	while (((unsigned char)*end & 0xc0) == 0x80) {
		end++; /* not from within a character */
	}
	return end;
}

/* Whether the folder has one of the two files. */
static bool look_in(struct search *search, const char *folder, size_t length)
{
	size_t used = strlen(search->folders);
	size_t room = search->is_cut ? 0 : sizeof(search->folders) - used;

	if (length + strlen(", ") < room) {
		snprintf(search->folders + used, room, "%s%.*s", used > 0 ? ", " : "", (int)length,
			folder);
	} else {
		search->is_cut = true;
	}
	snprintf(search->path, PATH_MAX, "%.*s/" PREFERRED_NAME, (int)length, folder);
	if (access(search->path, F_OK) == 0) {
		return true;
	}
	snprintf(search->path, PATH_MAX, "%.*s/" MANIFEST_NAME, (int)length, folder);
	return access(search->path, F_OK) == 0;
}

static bool look_in_home(struct search *search)
{
	const char *config = secure_getenv("XDG_CONFIG_HOME");
	const char *home = secure_getenv("HOME");
	char folder[PATH_MAX];

	if (is_set(config)) {
		return look_in(search, config, strlen(config));
	}
	if (!is_set(home)) {
		return false;
	}
	snprintf(folder, sizeof(folder), "%s/.config", home);
	return look_in(search, folder, strlen(folder));
}

static bool look_in_system(struct search *search)
{
	const char *folders = secure_getenv("XDG_CONFIG_DIRS");

	folders = is_set(folders) ? folders : "/etc/xdg";
	while (*folders) {
		size_t length = strcspn(folders, ":");

		if (length > 0 && look_in(search, folders, length)) {
			return true;
		}
		folders += length + (folders[length] == ':');
	}
	return look_in(search, "/etc", strlen("/etc"));
}

static int find_path(char out_path[PATH_MAX], struct jc_diagnostic *diagnostic)
{
	struct search search = { .path = out_path };
	const char *path = secure_getenv("XR_RUNTIME_JSON");

	if (is_set(path)) {
		snprintf(out_path, PATH_MAX, "%s", path);
		return JC_OK;
	}
	if (look_in_home(&search) || look_in_system(&search)) {
		return JC_OK;
	}
	return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL, "no " MANIFEST_NAME " in %s%s",
		search.folders, search.is_cut ? " and further folders" : "");
}

/* A path relative to the manifest becomes absolute; a name stays one. The loader starts at the file
 * to which symbolic links lead, or at the link where that cannot be found. */
static void resolve_library(const char *library, struct jc_xr_manifest *manifest)
{
	char canonical[PATH_MAX];
	const char *path = realpath(manifest->path, canonical) ? canonical : manifest->path;
	const char *slash = strrchr(path, '/');

	if (library[0] == '/' || !strchr(library, '/') || !slash) {
		snprintf(manifest->library, sizeof(manifest->library), "%s", library);
	} else if ((size_t)snprintf(manifest->library, sizeof(manifest->library), "%.*s/%s",
			   (int)(slash - path), path, library) >= sizeof(manifest->library)) {
		manifest->library[0] = '\0';
	}
}

static int take_members(
	const json_t *root, struct jc_xr_manifest *manifest, struct jc_diagnostic *diagnostic)
{
	const char *version = json_string_value(json_object_get(root, "file_format_version"));
	const json_t *runtime = json_object_get(root, "runtime");
	const char *library = json_string_value(json_object_get(runtime, "library_path"));
	const char *name = json_string_value(json_object_get(runtime, "name"));

	if (!version || strcmp(version, FORMAT_VERSION) != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' has no file_format_version \"" FORMAT_VERSION "\"",
			find_end(manifest->path));
	}
	if (!library) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' has no runtime.library_path", find_end(manifest->path));
	}
	resolve_library(library, manifest);
	if (name) {
		size_t length = jc_utf8_cut(name, sizeof(manifest->runtime) - 1);

		memcpy(manifest->runtime, name, length);
		jc_text_clean(manifest->runtime);
	}
	return JC_OK;
}

int jc_xr_manifest_read(struct jc_xr_manifest *out_manifest, struct jc_diagnostic *diagnostic)
{
	struct jc_xr_manifest manifest = { .runtime = "" };
	struct jc_diagnostic fault = { 0 };
	json_t *root = NULL;
	char *bytes = NULL;
	size_t length;
	int status = find_path(manifest.path, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_file_read(manifest.path, MANIFEST_BYTES, &bytes, &length, &fault);
	if (status != JC_OK) {
		return jc_diagnose(
			diagnostic, status, NULL, "'%s' %s", find_end(manifest.path), fault.what);
	}
	status = jc_json_parse(bytes, length, &root, &fault);
	if (status == JC_OK) {
		status = take_members(root, &manifest, diagnostic);
	} else {
		jc_diagnose(diagnostic, status, NULL, "'%s' is not valid JSON (%s)",
			find_end(manifest.path), fault.where[0] ? fault.where : fault.what);
	}
	json_decref(root);
	free(bytes);
	if (status == JC_OK) {
		*out_manifest = manifest;
	}
	return status;
}

int jc_xr_manifest_check_library(
	const struct jc_xr_manifest *manifest, struct jc_diagnostic *diagnostic)
{
	const char *path = manifest->library;

	if (strchr(path, '/') && access(path, F_OK) != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"the library '%s' does not exist", find_end(path));
	}
	void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

	if (!library) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "%s", find_end(dlerror()));
	}
	bool is_runtime = dlsym(library, "xrNegotiateLoaderRuntimeInterface") != NULL;

	dlclose(library);
	return is_runtime ? JC_OK
			  : jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				    "'%s' is no OpenXR runtime", find_end(path));
}
