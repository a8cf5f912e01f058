/* Reads --bone-axes for the commands that write skeletons. */
#include "bone_axes_option.h"

#include <string.h>

#include "error_report.h"

int jc_bone_axes_option_read(const struct jc_command *command, const char *name, void *out_option)
{
	struct jc_bone_axes_option *option = out_option;

	if (strcmp(optarg, "anatomic") != 0 && strcmp(optarg, "child") != 0) {
		return jc_command_misuse(
			command, "--%s: '%.80s' is neither anatomic nor child", name, optarg);
	}
	option->is_given = true;
	option->axes = optarg[0] == 'c' ? JC_BONE_AXES_CHILD : JC_BONE_AXES_ANATOMIC;
	return JC_EXIT_DONE;
}
