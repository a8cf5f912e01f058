/* libassimp, loaded at run time. */
#ifndef JC_CLI_ASSIMP_LIBRARY_H
#define JC_CLI_ASSIMP_LIBRARY_H

#include <stddef.h>

#include "jointcast/error.h"

struct aiScene;
struct aiPropertyStore;

/* Functions of the library; their meaning stands in its header assimp/cimport.h. */
struct jc_assimp_library {
	const struct aiScene *(*import)(const char *bytes, unsigned length, unsigned flags,
		const char *hint, const struct aiPropertyStore *properties);
	const char *(*error_string)(void);
	struct aiPropertyStore *(*create_properties)(void);
	void (*set_property)(struct aiPropertyStore *properties, const char *name, int value);
	unsigned (*major)(void);
	unsigned (*minor)(void);
};

/* Loads the library; it stays loaded. JC_ERROR_UNSUPPORTED: it is not installed, or has another
 * version than the headers that this program was built with, and so other structs. */
int jc_assimp_library_open(struct jc_assimp_library *out_library, struct jc_diagnostic *diagnostic);

/* Reads an FBX file. *out_scene is never freed. */
int jc_assimp_library_read(const struct jc_assimp_library *library, const void *bytes,
	size_t length, const struct aiScene **out_scene, struct jc_diagnostic *diagnostic);

#endif
