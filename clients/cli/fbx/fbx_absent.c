/* Stands in for the converter in a program that was built without the headers of libassimp. */
#include <string.h>
#include <unistd.h>

#include "fbx/fbx_child.h"
#include "files/output_file.h"

_Noreturn void jc_fbx_child_run(const void *bytes, size_t length, int output)
{
	static const char refusal[] = "this program was built without FBX files (-DJC_FBX=OFF)";

	(void)bytes;
	(void)length;
	jc_output_file_write_all(output, refusal, strlen(refusal));
	_exit(JC_FBX_CHILD_REFUSED);
}
