/* Reports problems that any file may have: missing bones, limbs below the wrong bone, and
 * transforms that rotations cannot express. rest_lint.c reports how the figure stands. */
#include "skeleton_lint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gltf/constraint_list.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"

void jc_skeleton_lint_add_bone(struct jc_skeleton_lint_bones *list, enum jc_bone bone)
{
	const char *name = jc_bone_name(bone);
	const char *separator = list->used ? ", " : "";
	size_t left = sizeof(list->text) - list->used;

	if (list->count++ == 0) {
		list->first = bone;
	}
	if (strlen(name) + sizeof(", , ...") <= left) {
		list->used +=
			(size_t)snprintf(list->text + list->used, left, "%s%s", separator, name);
	} else if (list->used && list->text[list->used - 1] != '.') {
		list->used += (size_t)snprintf(list->text + list->used, left, ", ...");
	}
}

/* Bones that VRM requires (in both versions, except for the neck), on which other
 * software depends. */
static const enum jc_bone required_bones[] = {
	JC_BONE_HIPS,
	JC_BONE_SPINE,
	JC_BONE_HEAD,
	JC_BONE_LEFT_UPPER_ARM,
	JC_BONE_LEFT_LOWER_ARM,
	JC_BONE_LEFT_HAND,
	JC_BONE_RIGHT_UPPER_ARM,
	JC_BONE_RIGHT_LOWER_ARM,
	JC_BONE_RIGHT_HAND,
	JC_BONE_LEFT_UPPER_LEG,
	JC_BONE_LEFT_LOWER_LEG,
	JC_BONE_LEFT_FOOT,
	JC_BONE_RIGHT_UPPER_LEG,
	JC_BONE_RIGHT_LOWER_LEG,
	JC_BONE_RIGHT_FOOT,
};

/* Abilities that a figure loses without these bones. */
static const struct feature {
	enum jc_bone first, last;
	const char *loss;
} features[] = {
	{ JC_BONE_HIPS, JC_BONE_HIPS, "the figure neither travels nor turns as a whole" },
	{ JC_BONE_SPINE, JC_BONE_UPPER_CHEST, "the trunk bends in fewer places" },
	{ JC_BONE_NECK, JC_BONE_HEAD, "the head nods and turns in fewer places, or not at all" },
	{ JC_BONE_LEFT_SHOULDER, JC_BONE_LEFT_SHOULDER, "shrugs move the left upper arm only" },
	{ JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_HAND,
		"parts of the left arm do not follow the motion" },
	{ JC_BONE_RIGHT_SHOULDER, JC_BONE_RIGHT_SHOULDER, "shrugs move the right upper arm only" },
	{ JC_BONE_RIGHT_UPPER_ARM, JC_BONE_RIGHT_HAND,
		"parts of the right arm do not follow the motion" },
	{ JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_FOOT,
		"parts of the left leg do not follow the motion" },
	{ JC_BONE_LEFT_TOES, JC_BONE_LEFT_TOES, "the left foot does not bend at the toes" },
	{ JC_BONE_RIGHT_UPPER_LEG, JC_BONE_RIGHT_FOOT,
		"parts of the right leg do not follow the motion" },
	{ JC_BONE_RIGHT_TOES, JC_BONE_RIGHT_TOES, "the right foot does not bend at the toes" },
	{ JC_BONE_LEFT_EYE, JC_BONE_RIGHT_EYE, "the gaze does not turn both eyes" },
	{ JC_BONE_JAW, JC_BONE_JAW, "no bone opens the mouth" },
	{ JC_BONE_LEFT_THUMB_METACARPAL, JC_BONE_LEFT_LITTLE_DISTAL,
		"the left hand does not close completely" },
	{ JC_BONE_RIGHT_THUMB_METACARPAL, JC_BONE_RIGHT_LITTLE_DISTAL,
		"the right hand does not close completely" },
};

static bool is_missing(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return jc_skeleton_bone_node(skeleton, bone) < 0;
}

/* Streams carry JC_LIMIT_STREAM_VIRTUALS virtual transforms at a time. */
static void lint_virtual_transforms(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	const struct jc_virtual_transform *all = jc_skeleton_virtual_transforms(skeleton);
	size_t count = jc_skeleton_virtual_transform_count(skeleton), unnamed = 0;

	for (size_t i = 0; i < count; i++) {
		unnamed += !all[i].name[0];
	}
	if (count > JC_LIMIT_STREAM_VIRTUALS) {
		jc_lint_add(lint, JC_WARNING, "virtual-transforms-many",
			"a stream carries %u of the %zu virtual transforms: the first ones, "
			"unless the subscriber chooses others by index or tag",
			JC_LIMIT_STREAM_VIRTUALS, count);
	}
	if (unnamed > 0) {
		jc_lint_add(lint, JC_NOTE, "virtual-transform-unnamed",
			"%zu of %zu virtual transforms have no name: programs find them by index "
			"or "
			"tag alone",
			unnamed, count);
	}
}

static void lint_missing(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	struct jc_skeleton_lint_bones required = { .count = 0 };

	for (size_t i = 0; i < sizeof(required_bones) / sizeof(*required_bones); i++) {
		if (is_missing(skeleton, required_bones[i])) {
			jc_skeleton_lint_add_bone(&required, required_bones[i]);
		}
	}
	if (required.count) {
		jc_lint_add_at(lint, JC_WARNING, "missing-bones", required.first, -1,
			"bones that VRM requires are missing: %s", required.text);
	}
	for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++) {
		struct jc_skeleton_lint_bones missing = { .count = 0 };

		for (int b = (int)features[i].first; b <= (int)features[i].last; b++) {
			if (is_missing(skeleton, (enum jc_bone)b)) {
				jc_skeleton_lint_add_bone(&missing, (enum jc_bone)b);
			}
		}
		if (missing.count) {
			jc_lint_add_at(lint, JC_NOTE, "missing-feature", missing.first, -1,
				"%s: no %s", features[i].loss, missing.text);
		}
	}
}

/* Finds nodes whose scale affects a bone: those of bones and their ancestors. out_bones:
 * by node, the first such bone, JC_BONE_NONE for other nodes. */
static void find_carriers(const struct jc_skeleton *skeleton, enum jc_bone *out_bones)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	for (size_t i = 0; i < jc_skeleton_node_count(skeleton); i++) {
		out_bones[i] = JC_BONE_NONE;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		for (int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
			node >= 0 && out_bones[node] == JC_BONE_NONE; node = nodes[node].parent) {
			out_bones[node] = (enum jc_bone)b;
		}
	}
}

enum scale_fault { SCALE_FINE, SCALE_EVEN, SCALE_UNEVEN, SCALE_MIRRORED, SCALE_FAULTS };

static enum scale_fault find_scale_fault(struct jc_vec3 s)
{
	const float near = 1e-3f;
	float most = fmaxf(s.x, fmaxf(s.y, s.z));
	float least = fminf(s.x, fminf(s.y, s.z));

	if (least < 0.0f) {
		return SCALE_MIRRORED;
	}
	if (most - least > near * most) {
		return SCALE_UNEVEN;
	}
	return fabsf(most - 1.0f) > near ? SCALE_EVEN : SCALE_FINE;
}

/* Reports the first node of each fault. */
static void lint_scales(
	const struct jc_skeleton *skeleton, const enum jc_bone *carriers, struct jc_lint *lint)
{
	static const struct {
		enum jc_severity severity;
		const char *code, *what;
	} faults[] = {
		[SCALE_EVEN] = { JC_NOTE, "scaled", "scales its children" },
		[SCALE_UNEVEN] = { JC_WARNING, "uneven-scale", "is scaled unevenly" },
		[SCALE_MIRRORED] = { JC_WARNING, "mirrored",
			"has a negative scale, so its children may turn the other way" },
	};
	size_t counts[SCALE_FAULTS] = { 0 };
	int firsts[SCALE_FAULTS] = { 0 };

	for (size_t i = 0; i < jc_skeleton_node_count(skeleton); i++) {
		enum scale_fault fault =
			find_scale_fault(jc_skeleton_nodes(skeleton)[i].rest.scale);

		if (carriers[i] != JC_BONE_NONE && counts[fault]++ == 0) {
			firsts[fault] = (int)i;
		}
	}
	for (int f = SCALE_EVEN; f < SCALE_FAULTS; f++) {
		const struct jc_skeleton_node *node = &jc_skeleton_nodes(skeleton)[firsts[f]];
		struct jc_vec3 s = node->rest.scale;

		if (counts[f]) {
			jc_lint_add_at(lint, faults[f].severity, faults[f].code,
				carriers[firsts[f]], firsts[f],
				"'%.60s' %s: %.4g, %.4g, %.4g; nodes of this kind above or at "
				"bones: %zu",
				node->name, faults[f].what, (double)s.x, (double)s.y, (double)s.z,
				counts[f]);
		}
	}
}

static bool is_mirrored(const struct jc_skeleton *skeleton, int node)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	for (; node >= 0; node = nodes[node].parent) {
		if (find_scale_fault(nodes[node].rest.scale) == SCALE_MIRRORED) {
			return true;
		}
	}
	return false;
}

/* Reports the first bone with a transform that rotations cannot express. */
static void lint_shear(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const char *name = jc_bone_name((enum jc_bone)b);
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
		struct jc_transform world;
		float shear = 0.0f;

		if (node < 0 || is_mirrored(skeleton, node)) {
			continue;
		}
		if (!jc_mat4_decompose(jc_skeleton_rest_worlds(skeleton)[node], &world, &shear)) {
			jc_lint_add_at(lint, JC_WARNING, "flat-bone", (enum jc_bone)b, node,
				"%s: its node is scaled to nothing", name);
			return;
		}
		if (shear > 1e-3f) {
			jc_lint_add_at(lint, JC_WARNING, "sheared-bone", (enum jc_bone)b, node,
				"%s: uneven scale above a turned node shears it", name);
			return;
		}
	}
}

static void lint_hierarchy(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone expected = jc_bone_parent((enum jc_bone)b);
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		while (expected != JC_BONE_NONE && is_missing(skeleton, expected)) {
			expected = jc_bone_parent(expected);
		}
		if (node >= 0 && jc_skeleton_mapped_parent(skeleton, (enum jc_bone)b) != expected) {
			jc_lint_add_at(lint, JC_WARNING, "detached-bone", (enum jc_bone)b, node,
				"%s is not below %s", jc_bone_name((enum jc_bone)b),
				jc_bone_name(expected));
		}
	}
}

/* Reports joints that share the twist of a limb. Constraints of the avatar turn them, or
 * nothing does. */
static void lint_twist_joints(
	const struct jc_skeleton *skeleton, const enum jc_bone *carriers, struct jc_lint *lint)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	size_t count = 0, between = 0;
	int first = -1;

	for (size_t i = 0; i < jc_skeleton_node_count(skeleton); i++) {
		bool is_bone = carriers[i] != JC_BONE_NONE &&
			       jc_skeleton_bone_node(skeleton, carriers[i]) == (int)i;

		if (!is_bone && strcasestr(nodes[i].name, "twist")) {
			between += carriers[i] != JC_BONE_NONE;
			first = count++ == 0 ? (int)i : first;
		}
	}
	if (count) {
		jc_lint_add_at(lint, JC_NOTE, "twist-joints", JC_BONE_NONE, first,
			"%zu twist joints, '%.60s' the first, %zu of them between bones; jointcast "
			"leaves them at rest",
			count, nodes[first].name, between);
	}
}

static bool has_bones(const struct jc_skeleton *skeleton)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) >= 0) {
			return true;
		}
	}
	return false;
}

int jc_skeleton_lint(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	enum jc_bone *carriers;
	int error;

	if (!lint) {
		return JC_OK;
	}
	lint_virtual_transforms(skeleton, lint);
	if (!has_bones(skeleton)) {
		return JC_OK; /* a prop */
	}
	carriers = calloc(jc_skeleton_node_count(skeleton) + 1, sizeof(*carriers));
	if (!carriers) {
		return JC_ERROR_MEMORY;
	}
	find_carriers(skeleton, carriers);
	lint_missing(skeleton, lint);
	lint_hierarchy(skeleton, lint);
	lint_scales(skeleton, carriers, lint);
	lint_shear(skeleton, lint);
	error = jc_rest_lint(skeleton, lint);
	lint_twist_joints(skeleton, carriers, lint);
	jc_constraint_list_report(skeleton, carriers, lint);
	free(carriers);
	return error;
}
