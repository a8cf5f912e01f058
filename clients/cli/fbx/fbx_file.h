/* FBX files as inputs: a child process converts them to glTF with libassimp. */
#ifndef JC_CLI_FBX_FILE_H
#define JC_CLI_FBX_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the bytes are those of an FBX file, binary or ASCII. */
bool jc_fbx_is(const void *bytes, size_t length);

/* Converts an FBX file to GLB: its joints, bind matrices and motions, in metres and with +Y up. The
 * caller frees *out_glb, which is as untrusted as the file. Reports errors for `path`; returns enum
 * jc_exit. */
int jc_fbx_convert(
	const char *path, const void *bytes, size_t length, void **out_glb, size_t *out_length);

#endif
