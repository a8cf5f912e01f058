/* Loads libassimp, gives up all rights, reads the file and writes what it contains. */
#include "fbx/fbx_child.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fbx/assimp_library.h"
#include "fbx/confinement.h"
#include "fbx/fbx_gltf.h"
#include "fbx/fbx_scene.h"
#include "files/output_file.h"

static int convert(const void *bytes, size_t length, char **out_glb, size_t *out_length,
	struct jc_diagnostic *diagnostic)
{
	const struct aiScene *file = NULL;
	struct jc_assimp_library library;
	struct jc_fbx_scene scene;
	int error = jc_assimp_library_open(&library, diagnostic);

	if (error) {
		return error;
	}
	if (jc_confinement_close() != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_READ, NULL,
			"the process that reads FBX files could not be confined");
	}
	error = jc_assimp_library_read(&library, bytes, length, &file, diagnostic);
	if (error) {
		return error;
	}
	error = jc_fbx_scene_init(&scene, file, diagnostic);
	if (!error) {
		error = jc_fbx_gltf_write(&scene, out_glb, out_length, diagnostic);
		jc_fbx_scene_finish(&scene);
	}
	return error;
}

/* Ends the process at once: nothing of libassimp is freed, and no function that a library
 * registered for the end is called. */
static _Noreturn void leave(int status)
{
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

_Noreturn void jc_fbx_child_run(const void *bytes, size_t length, int output)
{
	struct jc_diagnostic diagnostic = { .what = "the FBX converter could not start" };
	int error = jc_confinement_keep(output);
	char *glb = NULL;
	size_t glb_length = 0;

	if (!error) {
		error = convert(bytes, length, &glb, &glb_length, &diagnostic);
		output = STDOUT_FILENO;
	}
	if (error) {
		jc_output_file_write_all(output, diagnostic.what, strlen(diagnostic.what));
		leave(JC_FBX_CHILD_REFUSED);
	}
	leave(jc_output_file_write_all(output, glb, glb_length) == 0 ? JC_FBX_CHILD_DONE
								     : JC_FBX_CHILD_UNHEARD);
}
