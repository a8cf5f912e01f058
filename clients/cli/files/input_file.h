/* The bytes of an input file and of the files that it refers to. */
#ifndef JC_CLI_INPUT_FILE_H
#define JC_CLI_INPUT_FILE_H

#include <stddef.h>

#include "jointcast/gltf.h"

struct jc_input_file_neighbour;

struct jc_input_file {
	const char *path;   /* borrowed */
	const char *format; /* "fbx": bytes is a GLB file that was made from it; NULL: the file */
	void *bytes;
	size_t length;
	size_t total; /* bytes of the file and the files it refers to; one maximum limits the sum */
	struct jc_input_file_neighbour *neighbours;
};

/* Reads the whole file; also a pipe, whose size is unknown. An FBX file becomes glTF. Reports
 * errors and returns enum jc_exit. */
int jc_input_file_read(const char *path, struct jc_input_file *out_input);
void jc_input_file_finish(struct jc_input_file *input);

/* A resolver for external buffers. It reads regular files in the folder of the input or below it,
 * after following links; no absolute paths and no `..`. The bytes live as long as the input. */
struct jc_gltf_resolver jc_input_file_resolver(struct jc_input_file *input);

#endif
