/* Finds the humanoid in a hierarchy of named joints: limbs, neck and head by
 * name, the trunk by where it stands. */
#include <stdbool.h>
#include <string.h>

#include "families.h"
#include "jointcast/skeleton.h"

/* The hierarchy that is asked about; everything is borrowed. */
struct tree {
	size_t count;
	const char *const *names;
	const int *parents;
};

/* What one family makes of it. */
struct match {
	int bones[JC_BONE_COUNT];
	size_t count;
	bool is_humanoid;
};

static char fold_case(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_separator(char c)
{
	return c == ' ' || c == '_' || c == '-' || c == '.';
}

static const char *skip_separators(const char *name)
{
	while (is_separator(*name)) {
		name++;
	}
	return name;
}

/* Advances *name over `word`, not looking at case and separators. */
static bool eat(const char **name, const char *word, size_t length)
{
	const char *at = *name;
	size_t i;

	for (i = 0; i < length; i++) {
		at = skip_separators(at);
		if (fold_case(*at) != word[i]) {
			return false;
		}
		at++;
	}
	*name = at;
	return true;
}

/* `side` replaces the '%' of the pattern, which stands in front or nowhere. */
static bool is_named(const char *name, const char *pattern, const char *side)
{
	if (*pattern == '%') {
		if (!eat(&name, side, strlen(side))) {
			return false;
		}
		pattern++;
	}
	return eat(&name, pattern, strlen(pattern)) && *skip_separators(name) == '\0';
}

/* Without what stands before the last colon ("mixamorig:Hips"). */
static const char *without_namespace(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon ? colon + 1 : name;
}

/* A prefix that joints share without a colon ("Character1_Hips"), as found on
 * the hips; whole namespaces count as prefix when a family asks for one. */
struct prefix {
	const char *text;
	size_t length;
};

static const char *without_prefix(const char *name, struct prefix prefix)
{
	const char *local = without_namespace(name);

	if (prefix.length > 0 && strncmp(local, prefix.text, prefix.length) == 0) {
		return local + prefix.length;
	}
	return local;
}

/* The joint that is the hips under its bare name, else the first whose name
 * ends like it; -1 when there is none. */
static int find_hips(const struct tree *tree, const char *hips, struct prefix *out_prefix)
{
	size_t i;

	*out_prefix = (struct prefix){ "", 0 };
	for (i = 0; i < tree->count; i++) {
		if (is_named(without_namespace(tree->names[i]), hips, "")) {
			return (int)i;
		}
	}
	for (i = 0; i < tree->count; i++) {
		const char *local = without_namespace(tree->names[i]);
		size_t length = strlen(local);
		size_t tail = strlen(hips);

		if (length > tail && is_named(local + length - tail, hips, "")) {
			*out_prefix = (struct prefix){ local, length - tail };
			return (int)i;
		}
	}
	return -1;
}

static int find_joint(
	const struct tree *tree, struct prefix prefix, const char *pattern, const char *side)
{
	size_t i;

	for (i = 0; i < tree->count; i++) {
		if (is_named(without_prefix(tree->names[i], prefix), pattern, side)) {
			return (int)i;
		}
	}
	return -1;
}

static void match_rows(const struct tree *tree, const struct jc_family *family,
	struct prefix prefix, const struct jc_family_row *row, struct match *match)
{
	for (; row->name; row++) {
		int *bone = &match->bones[row->bone];
		int *mirrored = &match->bones[jc_bone_mirror(row->bone)];

		if (*bone < 0) {
			*bone = find_joint(tree, prefix, row->name, family->left);
		}
		if (*row->name == '%' && *mirrored < 0) {
			*mirrored = find_joint(tree, prefix, row->name, family->right);
		}
	}
}

/* Steps up from `joint` to `ancestor`: 0 for itself, -1 when it is not above.
 * Trees with cycles end after as many steps as there are joints. */
static int steps_up(const struct tree *tree, int joint, int ancestor)
{
	size_t steps;

	for (steps = 0; joint >= 0 && steps <= tree->count; steps++) {
		if (joint == ancestor) {
			return (int)steps;
		}
		joint = tree->parents[joint];
	}
	return -1;
}

static int climb(const struct tree *tree, int joint, int steps)
{
	while (steps-- > 0 && joint >= 0) {
		joint = tree->parents[joint];
	}
	return joint;
}

static int common_ancestor(const struct tree *tree, int a, int b)
{
	size_t steps;

	for (steps = 0; a >= 0 && steps <= tree->count; steps++) {
		if (steps_up(tree, b, a) >= 0) {
			return a;
		}
		a = tree->parents[a];
	}
	return -1;
}

static int first_of(int a, int b)
{
	return a >= 0 ? a : b;
}

/* The joint that carries neck and shoulders: the top of the trunk. Where arms
 * hang on the hips directly it is what carries the neck alone. */
static int find_trunk_top(const struct tree *tree, const int *bones)
{
	const int carried[] = {
		first_of(bones[JC_BONE_NECK], bones[JC_BONE_HEAD]),
		first_of(bones[JC_BONE_LEFT_SHOULDER], bones[JC_BONE_LEFT_UPPER_ARM]),
		first_of(bones[JC_BONE_RIGHT_SHOULDER], bones[JC_BONE_RIGHT_UPPER_ARM]),
	};
	int hips = bones[JC_BONE_HIPS];
	int top = -1;
	bool any = false;
	size_t i;

	for (i = 0; i < sizeof(carried) / sizeof(*carried); i++) {
		if (carried[i] < 0) {
			continue;
		}
		top = any ? common_ancestor(tree, top, tree->parents[carried[i]])
			  : tree->parents[carried[i]];
		any = true;
	}
	if (steps_up(tree, top, hips) > 0) {
		return top;
	}
	return carried[0] >= 0 ? tree->parents[carried[0]] : -1;
}

/* One trunk joint is the spine, two are spine and chest; of more the first is
 * the spine, the last, which carries the shoulders, upperChest, and the chest
 * is the one halfway (the upper of two). The others stay unmapped and fold. A
 * neck without that name is the first joint between trunk and head; further
 * joints of a neck fold into the head. */
static void match_trunk(const struct tree *tree, int *bones)
{
	int top = find_trunk_top(tree, bones);
	int count = steps_up(tree, top, bones[JC_BONE_HIPS]);
	int above = steps_up(tree, bones[JC_BONE_HEAD], top);

	if (bones[JC_BONE_NECK] < 0 && top >= 0 && above > 1) {
		bones[JC_BONE_NECK] = climb(tree, bones[JC_BONE_HEAD], above - 1);
	}
	if (count >= 1) {
		bones[JC_BONE_SPINE] = climb(tree, top, count - 1);
	}
	if (count == 2) {
		bones[JC_BONE_CHEST] = top;
	}
	if (count >= 3) {
		bones[JC_BONE_CHEST] = climb(tree, top, count - 1 - count / 2);
		bones[JC_BONE_UPPER_CHEST] = top;
	}
}

static bool is_bone_above(enum jc_bone ancestor, enum jc_bone bone)
{
	while (bone != JC_BONE_NONE && bone != ancestor) {
		bone = jc_bone_parent(bone);
	}
	return bone == ancestor;
}

/* The bone whose joint is nearest above that of `bone`. */
static enum jc_bone mapped_above(const struct tree *tree, const int *bones, int bone)
{
	int best_steps = 0;
	enum jc_bone best = JC_BONE_NONE;
	int other;

	for (other = 0; other < JC_BONE_COUNT; other++) {
		int steps = bones[other] < 0 || other == bone
				    ? -1
				    : steps_up(tree, bones[bone], bones[other]);

		if (steps >= 0 && (best == JC_BONE_NONE || steps < best_steps)) {
			best = (enum jc_bone)other;
			best_steps = steps;
		}
	}
	return best;
}

/* Drops bones that hang where no humanoid has them, or on another's joint. */
static void drop_misplaced(const struct tree *tree, int *bones)
{
	int bone;

	for (bone = 0; bone < JC_BONE_COUNT; bone++) {
		enum jc_bone above;

		if (bones[bone] < 0) {
			continue;
		}
		above = mapped_above(tree, bones, bone);
		if (above != JC_BONE_NONE && (!is_bone_above(above, (enum jc_bone)bone) ||
						     bones[above] == bones[bone])) {
			bones[bone] = -1;
		}
	}
}

static bool has_pair(const int *bones, enum jc_bone upper, enum jc_bone lower)
{
	return bones[upper] >= 0 && bones[jc_bone_mirror(upper)] >= 0 && bones[lower] >= 0 &&
	       bones[jc_bone_mirror(lower)] >= 0;
}

static void match_family(
	const struct tree *tree, const struct jc_family *family, struct match *match)
{
	struct prefix prefix;
	int bone;
	int t;

	match->count = 0;
	match->is_humanoid = false;
	for (bone = 0; bone < JC_BONE_COUNT; bone++) {
		match->bones[bone] = -1;
	}
	match->bones[JC_BONE_HIPS] = find_hips(tree, family->hips, &prefix);
	if (match->bones[JC_BONE_HIPS] < 0) {
		return;
	}
	if (family->prefix && strncmp(tree->names[match->bones[JC_BONE_HIPS]], family->prefix,
				      strlen(family->prefix)) != 0) {
		return;
	}
	if (family->mark && find_joint(tree, prefix, family->mark, "") < 0) {
		return;
	}
	for (t = 0; t < JC_FAMILY_TABLES && family->tables[t]; t++) {
		match_rows(tree, family, prefix, family->tables[t], match);
	}
	match_trunk(tree, match->bones);
	drop_misplaced(tree, match->bones);
	for (bone = 0; bone < JC_BONE_COUNT; bone++) {
		match->count += match->bones[bone] >= 0;
	}
	match->is_humanoid =
		match->bones[JC_BONE_HIPS] >= 0 &&
		(has_pair(match->bones, JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG) ||
			has_pair(match->bones, JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM));
}

size_t jc_skeleton_name_bones(size_t count, const char *const *names, const int *parents,
	int out_bones[JC_BONE_COUNT], const char **out_family)
{
	const struct tree tree = { count, names, parents };
	const struct jc_family *family;
	const char *best_family = "";
	struct match best = { .count = 0 };
	struct match match;
	int bone;

	for (bone = 0; bone < JC_BONE_COUNT; bone++) {
		best.bones[bone] = -1;
	}
	for (family = jc_families; family->name; family++) {
		match_family(&tree, family, &match);
		if (match.is_humanoid > best.is_humanoid ||
			(match.is_humanoid == best.is_humanoid && match.count > best.count)) {
			best = match;
			best_family = family->name;
		}
	}
	memcpy(out_bones, best.bones, sizeof(best.bones));
	if (out_family) {
		*out_family = best.is_humanoid ? best_family : "";
	}
	return best.is_humanoid ? best.count : 0;
}
