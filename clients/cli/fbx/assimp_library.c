/* Loads libassimp when an FBX file is read: other files do not need it. */
#include "fbx/assimp_library.h"

#include <assimp/config.h>
#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include "fbx/confinement.h"

#define NAME    "libassimp.so.5"
#define PACKAGE "libassimp5"

static int open_functions(void *handle, struct jc_assimp_library *library)
{
	const struct {
		const char *name;
		void *function; /* the address of a pointer to a function */
	} functions[] = {
		{ "aiImportFileFromMemoryWithProperties", (void *)&library->import },
		{ "aiGetErrorString", (void *)&library->error_string },
		{ "aiCreatePropertyStore", (void *)&library->create_properties },
		{ "aiSetImportPropertyInteger", (void *)&library->set_property },
		{ "aiGetVersionMajor", (void *)&library->major },
		{ "aiGetVersionMinor", (void *)&library->minor },
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *address = dlsym(handle, functions[i].name);

		if (!address) {
			return JC_ERROR_ABSENT;
		}
		memcpy(functions[i].function, &address, sizeof(address));
	}
	return JC_OK;
}

int jc_assimp_library_open(struct jc_assimp_library *out_library, struct jc_diagnostic *diagnostic)
{
	void *handle = dlopen(NAME, RTLD_NOW | RTLD_LOCAL);
	struct jc_assimp_library library;

	if (!handle) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"FBX files need libassimp: apt install " PACKAGE);
	}
	if (open_functions(handle, &library)) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			NAME " lacks functions that FBX files need: apt install " PACKAGE);
	}
	if (library.major() != JC_ASSIMP_MAJOR || library.minor() != JC_ASSIMP_MINOR) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"this program reads FBX files with libassimp %d.%d, and %u.%u is installed",
			JC_ASSIMP_MAJOR, JC_ASSIMP_MINOR, library.major(), library.minor());
	}
	*out_library = library;
	return JC_OK;
}

int jc_assimp_library_read(const struct jc_assimp_library *library, const void *bytes,
	size_t length, const struct aiScene **out_scene, struct jc_diagnostic *diagnostic)
{
	/* Bones without vertices keep their bind matrices. Without materials, a mesh stays in
	 * one piece. */
	static const char *const off[] = {
		AI_CONFIG_IMPORT_FBX_READ_MATERIALS,
		AI_CONFIG_IMPORT_FBX_READ_TEXTURES,
		AI_CONFIG_IMPORT_FBX_READ_CAMERAS,
		AI_CONFIG_IMPORT_FBX_READ_LIGHTS,
		AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES,
	};
	struct aiPropertyStore *properties = library->create_properties();
	const struct aiScene *scene;

	if (!properties || length > UINT_MAX) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		library->set_property(properties, off[i], 0);
	}
	/* The helper nodes of pivots are kept: without them, libassimp drops what moves them. */
	library->set_property(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
	scene = library->import(bytes, (unsigned)length, 0, "fbx", properties);
	if (!scene && strstr(library->error_string(), "bad_alloc")) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"libassimp needs more than %u MiB of memory for this file",
			JC_CONFINED_BYTES >> 20);
	}
	if (!scene) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL, "libassimp: %s",
			library->error_string());
	}
	*out_scene = scene;
	return JC_OK;
}
