/* The MOTION and SKELETON arguments of all commands: a file, or one of the
 * things that are built in. Both report what goes wrong and return enum
 * jc_exit; lint may be NULL. */
#ifndef JC_CLI_LOADER_H
#define JC_CLI_LOADER_H

#include <stdbool.h>
#include <stddef.h>

#include "files/input_file.h"
#include "jointcast/lint.h"
#include "jointcast/motion.h"
#include "jointcast/skeleton.h"

enum jc_content {
	JC_CONTENT_SKELETONS,
	JC_CONTENT_MOTIONS,
	JC_CONTENT_BOTH, /* skeletons, motions or both: glTF and scenes */
};

/* Whether an argument names something built in, and whether that is a motion. */
bool jc_load_is_builtin(const char *argument);
bool jc_load_is_demo(const char *argument);

/* Which reader a file is for: by what is in it, never by its name. */
enum jc_content jc_load_content(const struct jc_input_file *input);

/* Parts FILE#N where what follows the last '#' is a number; without one *out_index
 * stays as it is. *out_path is the caller's to free. Fails, and says so, for want of memory. */
int jc_load_split(const char *argument, char **out_path, size_t *out_index);

/* What is done to a motion before anything else. */
struct jc_load_options {
	bool as_tracked; /* body frames stay as they are, else are made whole */
	bool mirror;     /* as a mirror shows it */
};

/* A path or demo:NAME. */
int jc_load_motion(const char *argument, size_t index, const struct jc_load_options *options,
	struct jc_motion **out_motion, struct jc_lint *lint);

/* A path or `humanoid`. */
int jc_load_skeleton(const char *argument, size_t index, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint);

#endif
