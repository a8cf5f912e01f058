/* --bone-axes, which selects the axes of the bones in written skeletons. */
#ifndef JC_CLI_BONE_AXES_OPTION_H
#define JC_CLI_BONE_AXES_OPTION_H

#include "command.h"
#include "jointcast/write.h"

struct jc_bone_axes_option {
	bool is_given;
	enum jc_bone_axes axes;
};

/* Reads optarg into the option, for a table of options (JC_OPTION_OTHER). */
int jc_bone_axes_option_read(const struct jc_command *command, const char *name, void *out_option);

#endif
