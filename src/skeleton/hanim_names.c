/* Left and right differ only in their prefix, so each pair stands once. Names
 * of 1.0 and 1.1 in the first column, of 2.0 in the second. */
#include "hanim_names.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NONE JC_BONE_NONE

struct pair {
	const char *old, *name; /* without l_; old may be NULL */
	enum jc_bone left;
	enum jc_bone left_stand_in;
};

static const struct pair pairs[] = {
	{ "hip", "hip", JC_BONE_LEFT_UPPER_LEG, NONE },
	{ "knee", "knee", JC_BONE_LEFT_LOWER_LEG, NONE },
	{ "ankle", "talocrural", JC_BONE_LEFT_FOOT, NONE },
	{ "subtalar", "tarsometatarsal_2", NONE, NONE },
	{ "midtarsal", "metatarsophalangeal_2", JC_BONE_LEFT_TOES, NONE },
	{ "metatarsal", "tarsal_distal_interphalangeal_2", NONE, JC_BONE_LEFT_TOES },
	{ NULL, "talocalcaneonavicular", NONE, NONE },
	{ NULL, "calcaneocuboid", NONE, NONE },
	{ NULL, "transversetarsal", NONE, NONE },
	{ NULL, "cuneonavicular_1", NONE, NONE },
	{ NULL, "cuneonavicular_2", NONE, NONE },
	{ NULL, "cuneonavicular_3", NONE, NONE },
	{ NULL, "tarsometatarsal_1", NONE, NONE },
	{ NULL, "tarsometatarsal_3", NONE, NONE },
	{ NULL, "tarsometatarsal_4", NONE, NONE },
	{ NULL, "tarsometatarsal_5", NONE, NONE },
	{ NULL, "metatarsophalangeal_1", NONE, NONE },
	{ NULL, "metatarsophalangeal_3", NONE, NONE },
	{ NULL, "metatarsophalangeal_4", NONE, NONE },
	{ NULL, "metatarsophalangeal_5", NONE, NONE },
	{ NULL, "tarsal_interphalangeal_1", NONE, NONE },
	{ NULL, "tarsal_distal_interphalangeal_1", NONE, NONE },
	{ NULL, "tarsal_proximal_interphalangeal_2", NONE, NONE },
	{ NULL, "tarsal_proximal_interphalangeal_3", NONE, NONE },
	{ NULL, "tarsal_proximal_interphalangeal_4", NONE, NONE },
	{ NULL, "tarsal_proximal_interphalangeal_5", NONE, NONE },
	{ NULL, "tarsal_distal_interphalangeal_3", NONE, NONE },
	{ NULL, "tarsal_distal_interphalangeal_4", NONE, NONE },
	{ NULL, "tarsal_distal_interphalangeal_5", NONE, NONE },

	{ NULL, "eyelid_joint", NONE, NONE },
	{ NULL, "eyeball_joint", JC_BONE_LEFT_EYE, NONE },
	{ NULL, "eyebrow_joint", NONE, NONE },

	{ "sternoclavicular", "sternoclavicular", JC_BONE_LEFT_SHOULDER, NONE },
	{ "acromioclavicular", "acromioclavicular", NONE, NONE },
	{ "shoulder", "shoulder", JC_BONE_LEFT_UPPER_ARM, NONE },
	{ "elbow", "elbow", JC_BONE_LEFT_LOWER_ARM, NONE },
	{ "wrist", "radiocarpal", JC_BONE_LEFT_HAND, NONE },

	{ "thumb1", "carpometacarpal_1", JC_BONE_LEFT_THUMB_METACARPAL, NONE },
	{ "thumb2", "metacarpophalangeal_1", JC_BONE_LEFT_THUMB_PROXIMAL, NONE },
	{ "thumb3", "carpal_interphalangeal_1", JC_BONE_LEFT_THUMB_DISTAL, NONE },
	{ "index0", "carpometacarpal_2", NONE, NONE },
	{ "index1", "metacarpophalangeal_2", JC_BONE_LEFT_INDEX_PROXIMAL, NONE },
	{ "index2", "carpal_proximal_interphalangeal_2", JC_BONE_LEFT_INDEX_INTERMEDIATE, NONE },
	{ "index3", "carpal_distal_interphalangeal_2", JC_BONE_LEFT_INDEX_DISTAL, NONE },
	{ "middle0", "carpometacarpal_3", NONE, NONE },
	{ "middle1", "metacarpophalangeal_3", JC_BONE_LEFT_MIDDLE_PROXIMAL, NONE },
	{ "middle2", "carpal_proximal_interphalangeal_3", JC_BONE_LEFT_MIDDLE_INTERMEDIATE, NONE },
	{ "middle3", "carpal_distal_interphalangeal_3", JC_BONE_LEFT_MIDDLE_DISTAL, NONE },
	{ "ring0", "carpometacarpal_4", NONE, NONE },
	{ "ring1", "metacarpophalangeal_4", JC_BONE_LEFT_RING_PROXIMAL, NONE },
	{ "ring2", "carpal_proximal_interphalangeal_4", JC_BONE_LEFT_RING_INTERMEDIATE, NONE },
	{ "ring3", "carpal_distal_interphalangeal_4", JC_BONE_LEFT_RING_DISTAL, NONE },
	{ "pinky0", "carpometacarpal_5", NONE, NONE },
	{ "pinky1", "metacarpophalangeal_5", JC_BONE_LEFT_LITTLE_PROXIMAL, NONE },
	{ "pinky2", "carpal_proximal_interphalangeal_5", JC_BONE_LEFT_LITTLE_INTERMEDIATE, NONE },
	{ "pinky3", "carpal_distal_interphalangeal_5", JC_BONE_LEFT_LITTLE_DISTAL, NONE },
	{ NULL, "midcarpal_1", NONE, NONE },
	{ NULL, "midcarpal_2", NONE, NONE },
	{ NULL, "midcarpal_3", NONE, NONE },
	{ NULL, "midcarpal_4_5", NONE, NONE },
};

struct single {
	const char *name;
	enum jc_bone bone;
};

static const struct single singles[] = {
	{ "HumanoidRoot", JC_BONE_HIPS },
	{ "humanoid_root", JC_BONE_HIPS },
	{ "sacroiliac", NONE },
	{ "skullbase", JC_BONE_HEAD },
	{ "temporomandibular", JC_BONE_JAW },
};

/* vl5 .. vl1, vt12 .. vt1, vc7 .. vc1 */
static int find_vertebra(const char *name)
{
	static const struct {
		const char *prefix;
		int count, first;
	} parts[] = { { "vl", 5, 0 }, { "vt", 12, 5 }, { "vc", 7, 17 } };

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

static bool find_pair(const char *name, struct jc_hanim_name *out_name)
{
	bool left = strncasecmp(name, "l_", 2) == 0;

	if (!left && strncasecmp(name, "r_", 2) != 0) {
		return false;
	}
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		const struct pair *pair = &pairs[i];

		if (strcasecmp(name + 2, pair->name) != 0 &&
			(!pair->old || strcasecmp(name + 2, pair->old) != 0)) {
			continue;
		}
		*out_name = (struct jc_hanim_name){ pair->left, pair->left_stand_in, -1 };
		if (!left) {
			out_name->bone = pair->left == NONE ? NONE : jc_bone_mirror(pair->left);
			out_name->stand_in = pair->left_stand_in == NONE
						     ? NONE
						     : jc_bone_mirror(pair->left_stand_in);
		}
		return true;
	}
	return false;
}

bool jc_hanim_find_name(const char *name, struct jc_hanim_name *out_name)
{
	int vertebra = find_vertebra(name);

	if (vertebra >= 0) {
		*out_name = (struct jc_hanim_name){ NONE, NONE, vertebra };
		return true;
	}
	for (size_t i = 0; i < sizeof(singles) / sizeof(*singles); i++) {
		if (strcasecmp(name, singles[i].name) == 0) {
			*out_name = (struct jc_hanim_name){ singles[i].bone, NONE, -1 };
			return true;
		}
	}
	return find_pair(name, out_name);
}
