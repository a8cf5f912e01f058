/* Recognises the bones of a joint tree: by names, because they show the author's
 * intention, then by structure for the bones without a name. */
#include "jointcast_private/recognition.h"

#include <stdbool.h>
#include <stdlib.h>

#include "completeness.h"
#include "hand_fan.h"
#include "jointcast/limits.h"
#include "jointcast_private/bone_map_match.h"
#include "limb_order.h"
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
			"no humanoid: arms, legs and trunk are those of an animal");
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
		}
	}
	named->confidence = structured->confidence;
}

/* A hand or foot that its name gives to a control, beside the limb, is the joint that structure
 * shows below the limb. */
static void replace_controls(const struct jc_joint_tree *tree, struct jc_recognition *named,
	const struct jc_recognition *structured)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int above = jc_limb_order_above(named->bones, (enum jc_bone)b);
		int better = structured->bones[b];

		if (named->bones[b] >= 0 && above >= 0 && better >= 0 &&
			!jc_limb_order_is_below(tree, named->bones[b], above) &&
			jc_limb_order_is_below(tree, better, above)) {
			named->bones[b] = better;
		}
	}
}

/* Adds the bones that the names do not show. */
static int add_by_structure(const struct jc_joint_tree *tree, const struct jc_joint_name *names,
	struct jc_recognition *recognition)
{
	struct jc_recognition structure;

	if (jc_structure_match(tree, names, &structure)) {
		return JC_ERROR_MEMORY;
	}
	replace_controls(tree, recognition, &structure);
	complete(recognition, &structure);
	return *recognition->family ? jc_hand_fan_complete(tree, recognition->bones) : JC_OK;
}

static int apply_map(const struct jc_joint_tree *tree, struct jc_recognition *out_recognition,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_named_joints joints = { tree->joint_count, tree->names, tree->parents,
		false };
	int error = jc_bone_map_match(tree->map, &joints, out_recognition->bones, diagnostic);

	if (error) {
		return error;
	}
	if (out_recognition->bones[JC_BONE_HIPS] < 0) {
		return jc_bone_map_refuse(
			tree->map, diagnostic, JC_ERROR_INVALID, "the map has no 'hips'");
	}
	out_recognition->family = JC_BONE_MAP_FAMILY;
	out_recognition->confidence = 1.0f;
	jc_completeness_count_bones(out_recognition);
	return JC_OK;
}

static int recognize(const struct jc_joint_tree *tree, bool by_structure,
	struct jc_recognition *out_recognition, struct jc_diagnostic *diagnostic)
{
	struct jc_joint_name *names;
	bool is_animal;
	int error = check_tree(tree, diagnostic);

	if (error || tree->map) {
		return error ? error : apply_map(tree, out_recognition, diagnostic);
	}
	names = calloc(tree->count + 1, sizeof(*names));
	if (!names) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < tree->joint_count; i++) {
		jc_joint_name_parse(tree->names[i], &names[i]);
	}
	jc_naming_match(tree, names, out_recognition);
	if (by_structure && tree->positions) {
		error = add_by_structure(tree, names, out_recognition);
	}
	is_animal = !error && *out_recognition->family &&
		    jc_stance_is_animal(tree, names, out_recognition->bones);
	free(names);
	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "out of memory");
	}
	jc_completeness_count_bones(out_recognition);
	if (!*out_recognition->family || is_animal) {
		return refuse(tree, out_recognition, diagnostic);
	}
	return JC_OK;
}

int jc_recognize(const struct jc_joint_tree *tree, struct jc_recognition *out_recognition,
	struct jc_diagnostic *diagnostic)
{
	return recognize(tree, true, out_recognition, diagnostic);
}

int jc_recognize_names(const struct jc_joint_tree *tree, struct jc_recognition *out_recognition,
	struct jc_diagnostic *diagnostic)
{
	return recognize(tree, false, out_recognition, diagnostic);
}
