/* Matches limbs, neck and head by name, the trunk by position. */
#include "naming.h"

#include <ctype.h>
#include <string.h>

#include "completeness.h"
#include "families.h"
#include "limb_order.h"
#include "trunk.h"

/* Input of the search. */
struct naming {
	const struct jc_joint_tree *tree;
	const struct jc_joint_name *names;
	char prefix[JC_NAME_CORE]; /* prefix of all joints, as found on the hips */
};

/* Whether a part of the full name, including namespaces, begins with the prefix. */
static bool has_prefix(const char *name, const char *prefix)
{
	while (name) {
		const char *at = name;
		const char *rest = prefix;

		while (*rest && *at) {
			if (isalnum((unsigned char)*at)) {
				if (tolower((unsigned char)*at) != *rest) {
					break;
				}
				rest++;
			}
			at++;
		}
		if (*rest == '\0') {
			return true;
		}
		name = strpbrk(name, ":|");
		name = name ? name + 1 : NULL;
	}
	return false;
}

/* The joint with the plain name of the hips, else the first whose name ends in it; -1 if
 * there is none. */
static int find_hips(struct naming *naming, const struct jc_family *family)
{
	size_t tail = strlen(family->hips);
	int best = -1;

	naming->prefix[0] = '\0';
	for (size_t i = 0; i < naming->tree->joint_count; i++) {
		const struct jc_joint_name *name = &naming->names[i];
		size_t length = strlen(name->core);

		if (name->side != JC_NAME_MIDDLE || length < tail ||
			strcmp(name->core + length - tail, family->hips) != 0 ||
			(family->prefix && !has_prefix(naming->tree->names[i], family->prefix))) {
			continue;
		}
		if (length == tail) {
			naming->prefix[0] = '\0';
			return (int)i;
		}
		if (best < 0) {
			best = (int)i;
			memcpy(naming->prefix, name->core, length - tail);
			naming->prefix[length - tail] = '\0';
		}
	}
	return best;
}

/* How well a joint matches a name on a side, 0 not at all. A side letter without
 * separator (lfoot), a joint without the common prefix, and helpers cost more than the
 * difference of 01 and 1. */
static int fit(
	const struct naming *naming, size_t joint, const char *pattern, enum jc_name_side side)
{
	const struct jc_joint_name *name = &naming->names[joint];
	size_t length = strlen(naming->prefix);
	const char *core = name->core;
	int quality = name->is_helper ? 7 : 10;
	int found;

	if (length > 0 && strncmp(core, naming->prefix, length) == 0) {
		core += length;
	} else if (length > 0) {
		quality -= 2;
	}
	if (name->side != side) {
		if (name->side != JC_NAME_MIDDLE || *core != (side == JC_NAME_LEFT ? 'l' : 'r')) {
			return 0;
		}
		core++;
		quality -= 4;
	}
	found = jc_joint_name_fit(core, pattern);
	return found ? quality + found - 2 : 0;
}

/* The joint with the best match below another joint, or anywhere if `above` is -1; the first
 * of equals; -1 if none matches. */
static int find_joint(
	const struct naming *naming, const char *pattern, enum jc_name_side side, int above)
{
	int best = -1;
	int most = 0;

	pattern += *pattern == '%';
	for (size_t i = 0; i < naming->tree->joint_count; i++) {
		int quality = fit(naming, i, pattern, side);

		if (quality > most &&
			(above < 0 || jc_limb_order_is_below(naming->tree, (int)i, above))) {
			most = quality;
			best = (int)i;
		}
	}
	return best;
}

static bool has_mark(const struct naming *naming, const char *mark)
{
	for (size_t i = 0; i < naming->tree->joint_count; i++) {
		enum jc_name_side side = *mark == '%' ? JC_NAME_LEFT : JC_NAME_MIDDLE;

		if (fit(naming, i, mark + (*mark == '%'), side) == 10) {
			return true;
		}
	}
	return false;
}

static void match_rows(const struct naming *naming, const struct jc_family_row *row, int *bones)
{
	for (; row->name; row++) {
		int *bone = &bones[row->bone];
		int *mirrored = &bones[jc_bone_mirror(row->bone)];

		if (*row->name != '%') {
			if (*bone < 0) {
				*bone = find_joint(naming, row->name, JC_NAME_MIDDLE, -1);
			}
			continue;
		}
		if (*bone < 0) {
			*bone = find_joint(naming, row->name, JC_NAME_LEFT, -1);
		}
		if (*mirrored < 0) {
			*mirrored = find_joint(naming, row->name, JC_NAME_RIGHT, -1);
		}
	}
}

/* A joint below `above` with a name of the bone, or -1. */
static int find_below(
	const struct naming *naming, const struct jc_family *family, enum jc_bone bone, int above)
{
	enum jc_bone mirrored = jc_bone_mirror(bone);

	for (int t = 0; t < JC_FAMILY_TABLES && family->tables[t]; t++) {
		for (const struct jc_family_row *row = family->tables[t]; row->name; row++) {
			enum jc_name_side side = row->bone == bone ? JC_NAME_LEFT : JC_NAME_RIGHT;
			int joint = -1;

			if (*row->name == '%' && (row->bone == bone || row->bone == mirrored)) {
				joint = find_joint(naming, row->name, side, above);
			}
			if (joint >= 0) {
				return joint;
			}
		}
	}
	return -1;
}

/* Control rigs have joints with the names of bones beside the body. A joint that hangs below
 * the rest of its limb is used instead. Without one, a hand or foot keeps its joint, which
 * shows how it turns; a knee or elbow is then a pole, which shows nothing. */
static void match_below(const struct naming *naming, const struct jc_family *family, int *bones)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		int above = jc_limb_order_above(bones, bone);
		int joint;

		if (bones[b] < 0 || above < 0 ||
			jc_limb_order_is_below(naming->tree, bones[b], above)) {
			continue;
		}
		joint = find_below(naming, family, bone, above);
		if (joint >= 0 || jc_limb_order_is_middle(bone)) {
			bones[b] = joint;
		}
	}
}

/* The bones by name below hips that are given, which may be -1. */
static void match_bones(
	const struct naming *naming, const struct jc_family *family, struct jc_recognition *match)
{
	int *bones = match->bones;

	for (int t = 0; t < JC_FAMILY_TABLES && family->tables[t]; t++) {
		match_rows(naming, family->tables[t], bones);
	}
	match_below(naming, family, bones);
	jc_limb_order_settle(naming->tree, naming->names, bones);
	if (bones[JC_BONE_HIPS] < 0) {
		bones[JC_BONE_HIPS] = jc_limb_order_hips(naming->tree, bones);
	}
	jc_trunk_map(naming->tree, bones);
	jc_limb_order_drop_misplaced(naming->tree, bones);
	jc_completeness_count(match);
	match->family = match->confidence < JC_RECOGNITION_LEAST || bones[JC_BONE_HIPS] < 0
				? ""
				: family->name;
}

/* By the limbs alone if the hips have another name than the family's. */
static void match_family(struct naming *naming, const struct jc_family *family, bool by_limbs,
	struct jc_recognition *match)
{
	jc_completeness_clear(match);
	match->bones[JC_BONE_HIPS] = find_hips(naming, family);
	if (by_limbs != (match->bones[JC_BONE_HIPS] < 0) || (by_limbs && family->prefix) ||
		(family->mark && !has_mark(naming, family->mark))) {
		match->bones[JC_BONE_HIPS] = -1;
		return;
	}
	match_bones(naming, family, match);
}

void jc_naming_match(const struct jc_joint_tree *tree, const struct jc_joint_name *names,
	struct jc_recognition *out_match)
{
	struct naming naming = { .tree = tree, .names = names };
	struct jc_recognition match;

	jc_completeness_clear(out_match);
	for (int by_limbs = 0; by_limbs < 2 && !*out_match->family; by_limbs++) {
		for (const struct jc_family *family = jc_families; family->name; family++) {
			bool is_first, is_fuller;

			match_family(&naming, family, by_limbs == 1, &match);
			is_first = *match.family && !*out_match->family;
			is_fuller = (*match.family != '\0') == (*out_match->family != '\0') &&
				    match.bone_count > out_match->bone_count;
			if (is_first || is_fuller) {
				*out_match = match;
			}
		}
	}
}
