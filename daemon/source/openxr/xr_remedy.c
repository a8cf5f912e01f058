/* Follows the way of the loader to the runtime's service, and names the first thing that is
 * missing. */
#include "source/openxr/xr_remedy.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jointcast_private/text.h"
#include "source/openxr/xr_manifest.h"

#define NO_RUNTIME "no OpenXR runtime"

/* Known runtimes. The socket is below XDG_RUNTIME_DIR (Monado: u_file_get_runtime_dir and
 * XRT_IPC_MSG_SOCK_FILENAME, which WiVRn sets). */
struct runtime {
	const char *name; /* part of the runtime's name */
	const char *file; /* part of its library's file name */
	const char *socket;
	const char *service; /* the program to start */
	const char *headset; /* how a headset is connected */
};

static const struct runtime runtimes[] = {
	{ "Monado", "monado", "monado_comp_ipc", "monado-service",
		"connect it, then restart monado-service" },
	{ "WiVRn", "wivrn", "wivrn/comp_ipc", "wivrn-server", "connect it with the WiVRn app" },
	{ "SteamVR", "vrclient", NULL, "SteamVR", "connect it to SteamVR" },
};

static const struct runtime *find_runtime(const char *name, const char *library)
{
	const char *slash = strrchr(library, '/');
	const char *file = slash ? slash + 1 : library;

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
		if (strstr(name, runtimes[i].name) || strstr(file, runtimes[i].file)) {
			return &runtimes[i];
		}
	}
	return NULL;
}

const char *jc_xr_remedy_headset(const char *runtime)
{
	const struct runtime *known = find_runtime(runtime, "");

	return known ? known->headset : "connect it";
}

/* Whether systemd started this very process: its unit hides files and sockets of users. */
static bool is_unit(void)
{
	const char *pid = getenv("SYSTEMD_EXEC_PID");

	return pid && strtol(pid, NULL, 10) == getpid();
}

static void write_detail(
	const char *what, const char *reason, const char *remedy, char out_detail[JC_SOURCE_DETAIL])
{
	/* The reason is cut, never the remedy. */
	const char *hint = is_unit() ? " (headset.conf)" : "";
	size_t rest = strlen(what) + strlen(remedy) + strlen(hint) + sizeof(": : ");
	size_t length = jc_utf8_cut(reason, JC_SOURCE_DETAIL - rest);

	snprintf(out_detail, JC_SOURCE_DETAIL, "%s: %.*s: %s%s", what, (int)length, reason, remedy,
		hint);
	jc_text_clean(out_detail);
}

void jc_xr_remedy_loader(char out_detail[JC_SOURCE_DETAIL])
{
	const char *reason = JC_XR_LOADER_FILE " lacks functions of OpenXR 1.0";
	void *library = dlopen(JC_XR_LOADER_FILE, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		reason = dlerror();
	}
	write_detail("no OpenXR loader", reason, "install libopenxr-loader1", out_detail);
	if (library) {
		dlclose(library);
	}
}

/* The library was loaded, so its service is missing or silent. */
static void write_service(
	const struct jc_xr_manifest *manifest, XrResult why, char out_detail[JC_SOURCE_DETAIL])
{
	const struct runtime *known = find_runtime(manifest->runtime, manifest->library);
	const char *name = manifest->runtime[0] ? manifest->runtime : known ? known->name : "?";
	const char *service = known ? known->service : "its service";
	const char *folder = getenv("XDG_RUNTIME_DIR");
	char path[PATH_MAX] = "", reason[2 * JC_SOURCE_DETAIL], remedy[64];

	if (known && known->socket && !folder) {
		write_detail(NO_RUNTIME, "XDG_RUNTIME_DIR is not set",
			"set it to that of the headset's user", out_detail);
		return;
	}
	if (known && known->socket) {
		snprintf(path, sizeof(path), "%s/%s", folder, known->socket);
	}
	if (path[0] && access(path, F_OK) != 0) {
		bool is_denied = errno == EACCES;

		snprintf(reason, sizeof(reason), "'%s' has no socket %.120s (%s)", name, path,
			strerror(errno));
		snprintf(remedy, sizeof(remedy), "%s%s",
			is_denied ? "run jointcastd as the user of " : "start ", service);
	} else {
		struct jc_xr_result_name result = jc_xr_result_name(why);

		snprintf(reason, sizeof(reason), "'%s' does not answer%s%.120s (%s)", name,
			path[0] ? " at " : "", path, result.text);
		snprintf(remedy, sizeof(remedy), "restart %s", service);
	}
	write_detail(NO_RUNTIME, reason, remedy, out_detail);
}

void jc_xr_remedy_runtime(
	const struct jc_xr_loader *loader, XrResult why, char out_detail[JC_SOURCE_DETAIL])
{
	struct jc_xr_manifest manifest = { .runtime = "" };
	struct jc_diagnostic diagnostic = { 0 };
	uint32_t count = 0;
	int fault = jc_xr_manifest_read(&manifest, &diagnostic);

	if (XR_SUCCEEDED(loader->enumerate_extensions(NULL, 0, &count, NULL))) {
		/* The loader has a runtime, even if it was found in another way. */
		write_service(&manifest, why, out_detail);
	} else if (fault == JC_ERROR_ABSENT) {
		write_detail(NO_RUNTIME, diagnostic.what,
			"install Monado, start WiVRn or SteamVR, or set XR_RUNTIME_JSON",
			out_detail);
	} else if (fault) {
		write_detail(NO_RUNTIME, diagnostic.what,
			getenv("XR_RUNTIME_JSON") ? "correct the file or XR_RUNTIME_JSON"
						  : "correct it or install the runtime again",
			out_detail);
	} else if (jc_xr_manifest_check_library(&manifest, &diagnostic)) {
		write_detail(NO_RUNTIME, diagnostic.what, "install the runtime again", out_detail);
	} else {
		write_service(&manifest, why, out_detail);
	}
}
