/* The directory is JC_WEB_FROM_PROGRAM away from that of the program, both where
 * it is installed and where it was built. */
#include "app/web_root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

void jc_web_root(char out_path[PATH_MAX])
{
	char program[PATH_MAX - sizeof(JC_WEB_FROM_PROGRAM)];
	char beside[PATH_MAX];
	size_t length = sizeof(program);

	snprintf(out_path, PATH_MAX, "%s", JC_WEB_INSTALLED);
	if (uv_exepath(program, &length) != 0 || length >= sizeof(program) - 1) {
		return;
	}
	*strrchr(program, '/') = '\0';
	snprintf(beside, sizeof(beside), "%s/%s", program, JC_WEB_FROM_PROGRAM);
	if (!realpath(beside, out_path)) {
		snprintf(out_path, PATH_MAX, "%s", JC_WEB_INSTALLED);
	}
}
