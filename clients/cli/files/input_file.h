/* The bytes of an input file and of the neighbours it may refer to. */
#ifndef JC_CLI_INPUT_FILE_H
#define JC_CLI_INPUT_FILE_H

#include <stddef.h>

#include "jointcast/gltf.h"

struct jc_input_file_neighbour;

struct jc_input_file {
	const char *path; /* borrowed */
	void *bytes;
	size_t length;
	size_t total; /* of the file and its neighbours, held under one maximum */
	struct jc_input_file_neighbour *neighbours;
};

/* Reads all of path; what can be opened but not sized (a pipe) too. Reports
 * what goes wrong and returns enum jc_exit. */
int jc_input_file_read(const char *path, struct jc_input_file *out_input);
void jc_input_file_finish(struct jc_input_file *input);

/* Answers for external buffers with files in the folder of the input or below it,
 * links followed; never an absolute path, `..`, or anything that is no regular
 * file. What it returns lives as long as the file. */
struct jc_gltf_resolver jc_input_file_resolver(struct jc_input_file *input);

#endif
