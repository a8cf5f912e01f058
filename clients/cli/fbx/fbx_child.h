/* The child process that reads one FBX file. */
#ifndef JC_CLI_FBX_CHILD_H
#define JC_CLI_FBX_CHILD_H

#include <stddef.h>

/* How the child exits. */
enum {
	JC_FBX_CHILD_DONE = 0,    /* it wrote a GLB file */
	JC_FBX_CHILD_REFUSED = 1, /* it wrote the text of an error, without a line end */
	JC_FBX_CHILD_UNHEARD = 2, /* it could not write */
};

/* Converts the file and writes to `output`. Does not return. */
_Noreturn void jc_fbx_child_run(const void *bytes, size_t length, int output);

#endif
