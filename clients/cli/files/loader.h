/* Loads the MOTION and SKELETON arguments of all commands: files or built-in ones. The functions
 * report errors and return enum jc_exit; lint may be NULL. */
#ifndef JC_CLI_LOADER_H
#define JC_CLI_LOADER_H

#include <stdbool.h>
#include <stddef.h>

#include "files/input_file.h"
#include "jointcast/bone_map.h"
#include "jointcast/lint.h"
#include "jointcast/motion.h"
#include "jointcast/skeleton.h"

enum jc_content {
	JC_CONTENT_SKELETONS,
	JC_CONTENT_MOTIONS,
	JC_CONTENT_BOTH, /* glTF and scenes: skeletons, motions or both */
};

/* Whether an argument names a built-in motion or skeleton, and whether it names a built-in
 * motion. */
bool jc_load_is_builtin(const char *argument);
bool jc_load_is_demo(const char *argument);

/* Which readers a file needs, judged by its bytes and not by its name. */
enum jc_content jc_load_content(const struct jc_input_file *input);

/* Splits FILE#N if the text after the last '#' is a number; otherwise *out_index stays unchanged.
 * The caller frees *out_path. Fails only without memory. */
int jc_load_split(const char *argument, char **out_path, size_t *out_index);

/* Changes to a motion after loading. */
struct jc_load_options {
	bool as_tracked;   /* leave body frames as they are; otherwise estimate the joints that were
			      not tracked */
	bool mirror;       /* exchange left and right */
	double from;       /* seconds: the motion begins there */
	double until;      /* seconds; 0: its end */
	const char *bones; /* the file of a bone map, or NULL */
};

/* Loads a path or demo:NAME. */
int jc_load_motion(const char *argument, size_t index, const struct jc_load_options *options,
	struct jc_motion **out_motion, struct jc_lint *lint);

/* Loads a path or `humanoid`. bones: the file of a bone map, or NULL. */
int jc_load_skeleton(const char *argument, size_t index, const char *bones,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint);

/* Reads a bone map; NULL for the path NULL. The caller destroys *out_map. */
int jc_load_bone_map(const char *path, struct jc_bone_map **out_map);

/* Reports that a map cannot apply to a built-in motion or skeleton, or to a recording. */
int jc_load_refuse_map(const char *argument);

/* Reads a file in which jc_skeleton_read found no humanoid as a prop: a glTF file with virtual
 * transforms. lint is cleared first. On entry *refusal is the diagnostic of jc_skeleton_read.
 * Returns enum jc_error: JC_OK leaves *refusal; JC_ERROR_NO_HUMANOID adds to it what a glTF file
 * lacks to be a prop, unless it names the place of the defect in the file. */
int jc_load_prop(const struct jc_input_file *input, struct jc_skeleton **out_prop,
	struct jc_lint *lint, struct jc_diagnostic *refusal);

#endif
