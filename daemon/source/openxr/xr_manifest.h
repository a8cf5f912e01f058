/* The manifest: the file that names the OpenXR runtime and its library to the Khronos loader. The
 * loader's results do not give the reason for a missing runtime; this module finds the reason by
 * the loader's own rules (OpenXR-SDK, src/loader/manifest_file.cpp). */
#ifndef JC_XR_MANIFEST_H
#define JC_XR_MANIFEST_H

#include <limits.h>

#include "jointcast/error.h"

/* Empty texts: unknown. */
struct jc_xr_manifest {
	char path[PATH_MAX];
	char runtime[64]; /* its name for people */
	/* A path, or a name without '/' that the dynamic linker looks for. */
	char library[PATH_MAX];
};

/* Finds and reads the manifest in the environment of this process: XR_RUNTIME_JSON, else
 * openxr/1/active_runtime.json in the folders of the XDG configuration. In each folder the file of
 * this architecture, such as active_runtime.x86_64.json, goes before it, as with loaders from
 * 1.0.30 on. Earlier loaders ignore that file: with one of them a folder that has it may be judged
 * by a file that the loader does not read, and the diagnostic names the file that was judged.
 * Returns 0, or a negative error with the diagnostic filled: JC_ERROR_ABSENT if there is none, and
 * the diagnostic names the folders; otherwise it names the file and its fault. */
int jc_xr_manifest_read(struct jc_xr_manifest *out_manifest, struct jc_diagnostic *diagnostic);

/* Whether the library of a manifest can be loaded and is a runtime; loads and unloads it, as the
 * loader does. Returns 0, or a negative error with the diagnostic filled. */
int jc_xr_manifest_check_library(
	const struct jc_xr_manifest *manifest, struct jc_diagnostic *diagnostic);

#endif
