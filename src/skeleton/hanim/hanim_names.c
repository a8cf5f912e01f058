/* Finds H-Anim joints by name. Left and right differ only in their prefix, so each pair
 * is listed once. Names of 1.0 and 1.1 come first, then those of 2.0. */
#include "hanim_names.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "jointcast_private/hanim.h"

#define NONE JC_BONE_NONE

struct pair {
	const char *old, *name; /* without l_; old may be NULL */
	enum jc_bone left;
	enum jc_bone left_stand_in;
	const char *old_segment, *segment; /* the same, of the segment */
};

static const struct pair pairs[] = {
	{ "hip", "hip", JC_BONE_LEFT_UPPER_LEG, NONE, NULL, "thigh" },
	{ "knee", "knee", JC_BONE_LEFT_LOWER_LEG, NONE, NULL, "calf" },
	{ "ankle", "talocrural", JC_BONE_LEFT_FOOT, NONE, "hindfoot", "talus" },
	{ "subtalar", "tarsometatarsal_2", NONE, NONE, "midproximal", "metatarsal_2" },
	{ "midtarsal", "metatarsophalangeal_2", JC_BONE_LEFT_TOES, NONE, "middistal",
		"tarsal_proximal_phalanx_2" },
	{ "metatarsal", "tarsal_distal_interphalangeal_2", NONE, JC_BONE_LEFT_TOES, "forefoot",
		"tarsal_distal_phalanx_2" },
	{ NULL, "talocalcaneonavicular", NONE, NONE, NULL, "navicular" },
	{ NULL, "calcaneocuboid", NONE, NONE, NULL, "calcaneus" },
	{ NULL, "transversetarsal", NONE, NONE, NULL, "cuboid" },
	{ NULL, "cuneonavicular_1", NONE, NONE, NULL, "cuneiform_1" },
	{ NULL, "cuneonavicular_2", NONE, NONE, NULL, "cuneiform_2" },
	{ NULL, "cuneonavicular_3", NONE, NONE, NULL, "cuneiform_3" },
	{ NULL, "tarsometatarsal_1", NONE, NONE, NULL, "metatarsal_1" },
	{ NULL, "tarsometatarsal_3", NONE, NONE, NULL, "metatarsal_3" },
	{ NULL, "tarsometatarsal_4", NONE, NONE, NULL, "metatarsal_4" },
	{ NULL, "tarsometatarsal_5", NONE, NONE, NULL, "metatarsal_5" },
	{ NULL, "metatarsophalangeal_1", NONE, NONE, NULL, "tarsal_proximal_phalanx_1" },
	{ NULL, "metatarsophalangeal_3", NONE, NONE, NULL, "tarsal_proximal_phalanx_3" },
	{ NULL, "metatarsophalangeal_4", NONE, NONE, NULL, "tarsal_proximal_phalanx_4" },
	{ NULL, "metatarsophalangeal_5", NONE, NONE, NULL, "tarsal_proximal_phalanx_5" },
	{ NULL, "tarsal_interphalangeal_1", NONE, NONE, NULL, "tarsal_distal_phalanx_1" },
	{ NULL, "tarsal_distal_interphalangeal_1", NONE, NONE, NULL, "tarsal_distal_phalanx_1" },
	{ NULL, "tarsal_proximal_interphalangeal_2", NONE, NONE, NULL, "tarsal_middle_phalanx_2" },
	{ NULL, "tarsal_proximal_interphalangeal_3", NONE, NONE, NULL, "tarsal_middle_phalanx_3" },
	{ NULL, "tarsal_proximal_interphalangeal_4", NONE, NONE, NULL, "tarsal_middle_phalanx_4" },
	{ NULL, "tarsal_proximal_interphalangeal_5", NONE, NONE, NULL, "tarsal_middle_phalanx_5" },
	{ NULL, "tarsal_distal_interphalangeal_3", NONE, NONE, NULL, "tarsal_distal_phalanx_3" },
	{ NULL, "tarsal_distal_interphalangeal_4", NONE, NONE, NULL, "tarsal_distal_phalanx_4" },
	{ NULL, "tarsal_distal_interphalangeal_5", NONE, NONE, NULL, "tarsal_distal_phalanx_5" },

	{ NULL, "eyelid_joint", NONE, NONE, NULL, "eyelid" },
	{ NULL, "eyeball_joint", JC_BONE_LEFT_EYE, NONE, NULL, "eyeball" },
	{ NULL, "eyebrow_joint", NONE, NONE, NULL, "eyebrow" },

	{ "sternoclavicular", "sternoclavicular", JC_BONE_LEFT_SHOULDER, NONE, NULL, "clavicle" },
	{ "acromioclavicular", "acromioclavicular", NONE, NONE, NULL, "scapula" },
	{ "shoulder", "shoulder", JC_BONE_LEFT_UPPER_ARM, NONE, NULL, "upperarm" },
	{ "elbow", "elbow", JC_BONE_LEFT_LOWER_ARM, NONE, NULL, "forearm" },
	{ "wrist", "radiocarpal", JC_BONE_LEFT_HAND, NONE, "hand", "carpal" },

	{ "thumb1", "carpometacarpal_1", JC_BONE_LEFT_THUMB_METACARPAL, NONE, "thumb_metacarpal",
		"metacarpal_1" },
	{ "thumb2", "metacarpophalangeal_1", JC_BONE_LEFT_THUMB_PROXIMAL, NONE, "thumb_proximal",
		"carpal_proximal_phalanx_1" },
	{ "thumb3", "carpal_interphalangeal_1", JC_BONE_LEFT_THUMB_DISTAL, NONE, "thumb_distal",
		"carpal_distal_phalanx_1" },
	{ "index0", "carpometacarpal_2", NONE, NONE, "index_metacarpal", "metacarpal_2" },
	{ "index1", "metacarpophalangeal_2", JC_BONE_LEFT_INDEX_PROXIMAL, NONE, "index_proximal",
		"carpal_proximal_phalanx_2" },
	{ "index2", "carpal_proximal_interphalangeal_2", JC_BONE_LEFT_INDEX_INTERMEDIATE, NONE,
		"index_middle", "carpal_middle_phalanx_2" },
	{ "index3", "carpal_distal_interphalangeal_2", JC_BONE_LEFT_INDEX_DISTAL, NONE,
		"index_distal", "carpal_distal_phalanx_2" },
	{ "middle0", "carpometacarpal_3", NONE, NONE, "middle_metacarpal", "metacarpal_3" },
	{ "middle1", "metacarpophalangeal_3", JC_BONE_LEFT_MIDDLE_PROXIMAL, NONE, "middle_proximal",
		"carpal_proximal_phalanx_3" },
	{ "middle2", "carpal_proximal_interphalangeal_3", JC_BONE_LEFT_MIDDLE_INTERMEDIATE, NONE,
		"middle_middle", "carpal_middle_phalanx_3" },
	{ "middle3", "carpal_distal_interphalangeal_3", JC_BONE_LEFT_MIDDLE_DISTAL, NONE,
		"middle_distal", "carpal_distal_phalanx_3" },
	{ "ring0", "carpometacarpal_4", NONE, NONE, "ring_metacarpal", "metacarpal_4" },
	{ "ring1", "metacarpophalangeal_4", JC_BONE_LEFT_RING_PROXIMAL, NONE, "ring_proximal",
		"carpal_proximal_phalanx_4" },
	{ "ring2", "carpal_proximal_interphalangeal_4", JC_BONE_LEFT_RING_INTERMEDIATE, NONE,
		"ring_middle", "carpal_middle_phalanx_4" },
	{ "ring3", "carpal_distal_interphalangeal_4", JC_BONE_LEFT_RING_DISTAL, NONE, "ring_distal",
		"carpal_distal_phalanx_4" },
	{ "pinky0", "carpometacarpal_5", NONE, NONE, "pinky_metacarpal", "metacarpal_5" },
	{ "pinky1", "metacarpophalangeal_5", JC_BONE_LEFT_LITTLE_PROXIMAL, NONE, "pinky_proximal",
		"carpal_proximal_phalanx_5" },
	{ "pinky2", "carpal_proximal_interphalangeal_5", JC_BONE_LEFT_LITTLE_INTERMEDIATE, NONE,
		"pinky_middle", "carpal_middle_phalanx_5" },
	{ "pinky3", "carpal_distal_interphalangeal_5", JC_BONE_LEFT_LITTLE_DISTAL, NONE,
		"pinky_distal", "carpal_distal_phalanx_5" },
	{ NULL, "midcarpal_1", NONE, NONE, NULL, "trapezium" },
	{ NULL, "midcarpal_2", NONE, NONE, NULL, "trapezoid" },
	{ NULL, "midcarpal_3", NONE, NONE, NULL, "capitate" },
	{ NULL, "midcarpal_4_5", NONE, NONE, NULL, "hamate" },
};

struct single {
	const char *old, *name;
	enum jc_bone bone;
	const char *segment;
};

static const struct single singles[] = {
	{ "HumanoidRoot", "humanoid_root", JC_BONE_HIPS, "sacrum" },
	{ NULL, "sacroiliac", NONE, "pelvis" },
	{ NULL, "skullbase", JC_BONE_HEAD, "skull" },
	{ NULL, "temporomandibular", JC_BONE_JAW, "jaw" },
};

/* vl5 .. vl1, vt12 .. vt1, vc7 .. vc1 */
static const struct {
	const char *prefix;
	int count, first;
} parts[] = { { "vl", 5, 0 }, { "vt", 12, 5 }, { "vc", 7, 17 } };

enum {
	VERTEBRAE = JC_HANIM_VERTEBRA_COUNT,
	SINGLES = sizeof(singles) / sizeof(*singles),
	PAIRS = sizeof(pairs) / sizeof(*pairs),
};
_Static_assert(VERTEBRAE + SINGLES + 2 * PAIRS <= JC_HANIM_NAME_COUNT, "too many names");

static int find_vertebra(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		char *end;
		long number;

		if (strncasecmp(name, parts[i].prefix, 2) != 0 || name[2] < '1' || name[2] > '9') {
			continue;
		}
		number = strtol(name + 2, &end, 10);
		if (*end == '\0' && number <= parts[i].count) {
			return parts[i].first + parts[i].count - (int)number;
		}
	}
	return -1;
}

const char *jc_hanim_names_vertebra(int vertebra)
{
	static const char *const names[VERTEBRAE] = { "vl5", "vl4", "vl3", "vl2", "vl1", "vt12",
		"vt11", "vt10", "vt9", "vt8", "vt7", "vt6", "vt5", "vt4", "vt3", "vt2", "vt1",
		"vc7", "vc6", "vc5", "vc4", "vc3", "vc2", "vc1" };

	return names[vertebra];
}

static bool is_spelled(const char *name, const char *old, const char *other)
{
	return strcasecmp(name, other) == 0 || (old && strcasecmp(name, old) == 0);
}

static bool is_left(const char *name)
{
	return strncasecmp(name, "l_", 2) == 0;
}

static const struct pair *find_pair(const char *name)
{
	if (!is_left(name) && strncasecmp(name, "r_", 2) != 0) {
		return NULL;
	}
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		if (is_spelled(name + 2, pairs[i].old, pairs[i].name)) {
			return &pairs[i];
		}
	}
	return NULL;
}

static const struct single *find_single(const char *name)
{
	for (size_t i = 0; i < sizeof(singles) / sizeof(*singles); i++) {
		if (is_spelled(name, singles[i].old, singles[i].name)) {
			return &singles[i];
		}
	}
	return NULL;
}

static enum jc_bone on_side(enum jc_bone left_bone, bool left)
{
	return left || left_bone == NONE ? left_bone : jc_bone_mirror(left_bone);
}

bool jc_hanim_names_find(const char *name, struct jc_hanim_name *out_name)
{
	int vertebra = find_vertebra(name);
	const struct single *single = find_single(name);
	const struct pair *pair = find_pair(name);

	if (vertebra >= 0) {
		*out_name = (struct jc_hanim_name){ vertebra, NONE, NONE, vertebra };
	} else if (single) {
		*out_name = (struct jc_hanim_name){ VERTEBRAE + (int)(single - singles),
			single->bone, NONE, -1 };
	} else if (pair) {
		bool left = is_left(name);

		*out_name = (struct jc_hanim_name){ VERTEBRAE + SINGLES + 2 * (int)(pair - pairs) +
							    left,
			on_side(pair->left, left), on_side(pair->left_stand_in, left), -1 };
	} else {
		return false;
	}
	return true;
}

static void label_pair(const struct pair *pair, bool left, enum jc_hanim_spelling spelling,
	struct jc_hanim_label *out_label)
{
	bool is_old = spelling == JC_HANIM_SPELLING_1;
	char side = left ? 'l' : 'r';

	snprintf(out_label->joint, sizeof(out_label->joint), "%c_%s", side,
		is_old && pair->old ? pair->old : pair->name);
	snprintf(out_label->segment, sizeof(out_label->segment), "%c_%s", side,
		is_old && pair->old_segment ? pair->old_segment : pair->segment);
}

static void label_single(const struct single *single, enum jc_hanim_spelling spelling,
	struct jc_hanim_label *out_label)
{
	bool is_old = spelling == JC_HANIM_SPELLING_1;

	snprintf(out_label->joint, sizeof(out_label->joint), "%s",
		is_old && single->old ? single->old : single->name);
	snprintf(out_label->segment, sizeof(out_label->segment), "%s", single->segment);
}

static void label_vertebra(int vertebra, struct jc_hanim_label *out_label)
{
	snprintf(out_label->joint, sizeof(out_label->joint), "%s",
		jc_hanim_names_vertebra(vertebra));
	snprintf(out_label->segment, sizeof(out_label->segment), "%s", out_label->joint + 1);
}

bool jc_hanim_label_joint(
	const char *name, enum jc_hanim_spelling spelling, struct jc_hanim_label *out_label)
{
	int vertebra = find_vertebra(name);
	const struct single *single = find_single(name);
	const struct pair *pair = find_pair(name);

	if (vertebra >= 0) {
		label_vertebra(vertebra, out_label);
	} else if (single) {
		label_single(single, spelling, out_label);
	} else if (pair) {
		label_pair(pair, is_left(name), spelling, out_label);
	} else {
		return false;
	}
	return true;
}

void jc_hanim_label_bone(
	enum jc_bone bone, enum jc_hanim_spelling spelling, struct jc_hanim_label *out_label)
{
	static const struct {
		enum jc_bone bone;
		const char *name;
	} trunk[] = { { JC_BONE_SPINE, "vl5" }, { JC_BONE_CHEST, "vl1" },
		{ JC_BONE_UPPER_CHEST, "vt6" }, { JC_BONE_NECK, "vc7" } };

	for (size_t i = 0; i < sizeof(trunk) / sizeof(*trunk); i++) {
		if (trunk[i].bone == bone) {
			jc_hanim_label_joint(trunk[i].name, spelling, out_label);
		}
	}
	for (size_t i = 0; i < sizeof(singles) / sizeof(*singles); i++) {
		if (singles[i].bone == bone) {
			label_single(&singles[i], spelling, out_label);
		}
	}
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		if (pairs[i].left != NONE &&
			(pairs[i].left == bone || jc_bone_mirror(pairs[i].left) == bone)) {
			label_pair(&pairs[i], pairs[i].left == bone, spelling, out_label);
		}
	}
}
