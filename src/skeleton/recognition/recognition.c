/* Recognises the bones of a joint tree: by names, because they show the author's
 * intention, then by structure for the bones without a name. */
#include "jointcast_private/recognition.h"

#include <stdbool.h>
#include <stdlib.h>

#include "completeness.h"
#include "jointcast/limits.h"
#include "naming.h"
#include "stance.h"
#include "structure.h"

static int check_tree(const struct jc_joint_tree *tree, struct jc_diagnostic *diagnostic)
{
	if (tree->count > JC_LIMIT_NODES || tree->joint_count > tree->count) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "too many joints");
	}
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->parents[i] < -1 || tree->parents[i] >= (int)i) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"joint %zu does not come after its parent", i);
		}
	}
	return JC_OK;
}

static int refuse(const struct jc_joint_tree *tree, const struct jc_recognition *recognition,
	struct jc_diagnostic *diagnostic)
{
	char missing[100];

	jc_completeness_list_missing(recognition->bones, missing, sizeof(missing));
	if (*recognition->family) {
		return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
			"no humanoid: the bones have human names, but the figure stands on four "
			"legs");
	}
	if (recognition->bone_count > 0 && !(recognition->confidence > 0.0f)) {
		return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
			"no humanoid: %zu joints, of which names show %zu bones but no whole part "
			"of a "
			"body; missing: %s",
			tree->joint_count, recognition->bone_count, missing);
	}
	return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
		"no humanoid: %zu joints, and neither names nor structure show more of a body than "
		"%.0f %%; missing: %s",
		tree->joint_count, (double)recognition->confidence * 100.0, missing);
}

/* Whether names and structure give no bone different joints. */
static bool agree(const struct jc_recognition *named, const struct jc_recognition *structured)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (named->bones[b] >= 0 && structured->bones[b] >= 0 &&
			named->bones[b] != structured->bones[b]) {
			return false;
		}
	}
	return true;
}

/* If structure shows more of a body, takes its result as a whole if the two disagree,
 * else adds its bones to those found by name. */
static void complete(struct jc_recognition *named, const struct jc_recognition *structured)
{
	if (structured->confidence <= named->confidence) {
		return;
	}
	if (!*named->family || !agree(named, structured)) {
		*named = *structured;
		return;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (named->bones[b] < 0 && structured->bones[b] >= 0) {
			named->bones[b] = structured->bones[b];
			named->bone_count++;
		}
	}
	named->confidence = structured->confidence;
}

int jc_recognize(const struct jc_joint_tree *tree, struct jc_recognition *out_recognition,
	struct jc_diagnostic *diagnostic)
{
	struct jc_joint_name *names;
	struct jc_recognition structure;
	int error = check_tree(tree, diagnostic);

	if (error) {
		return error;
	}
	names = calloc(tree->count + 1, sizeof(*names));
	if (!names) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < tree->joint_count; i++) {
		jc_joint_name_parse(tree->names[i], &names[i]);
	}
	jc_naming_match(tree, names, out_recognition);
	if (tree->positions && out_recognition->confidence < 1.0f) {
		error = jc_structure_match(tree, names, &structure);
		if (error) {
			jc_diagnose(diagnostic, error, NULL, "out of memory");
		} else {
			complete(out_recognition, &structure);
		}
	}
	free(names);
	if (error) {
		return error;
	}
	if (!*out_recognition->family || jc_stance_is_on_four_legs(tree, out_recognition->bones)) {
		return refuse(tree, out_recognition, diagnostic);
	}
	return JC_OK;
}
