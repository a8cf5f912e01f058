/* One body with the names of every family: all families and joints are recognised. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/recognition.h"
#include "unit_test.h"

#define MAX_JOINTS 96

struct tree {
	size_t count;
	char names[MAX_JOINTS][JC_LIMIT_NAME_BYTES];
	int parents[MAX_JOINTS];
};

/* Limbs of the left side; those of the right side follow. */
enum part {
	HIPS,
	SPINE,
	NECK,
	HEAD,
	COLLAR,
	UPPER_ARM,
	LOWER_ARM,
	HAND,
	THUMB,
	INDEX,
	UPPER_LEG,
	LOWER_LEG,
	FOOT,
	TOES,
	PART_COUNT
};

static const struct part_of_body {
	enum jc_bone bone;
	int parent;
} body[PART_COUNT] = {
	[HIPS] = { JC_BONE_HIPS, -1 },
	[SPINE] = { JC_BONE_SPINE, HIPS },
	[NECK] = { JC_BONE_NECK, SPINE },
	[HEAD] = { JC_BONE_HEAD, NECK },
	[COLLAR] = { JC_BONE_LEFT_SHOULDER, SPINE },
	[UPPER_ARM] = { JC_BONE_LEFT_UPPER_ARM, COLLAR },
	[LOWER_ARM] = { JC_BONE_LEFT_LOWER_ARM, UPPER_ARM },
	[HAND] = { JC_BONE_LEFT_HAND, LOWER_ARM },
	[THUMB] = { JC_BONE_LEFT_THUMB_METACARPAL, HAND },
	[INDEX] = { JC_BONE_LEFT_INDEX_PROXIMAL, HAND },
	[UPPER_LEG] = { JC_BONE_LEFT_UPPER_LEG, HIPS },
	[LOWER_LEG] = { JC_BONE_LEFT_LOWER_LEG, UPPER_LEG },
	[FOOT] = { JC_BONE_LEFT_FOOT, LOWER_LEG },
	[TOES] = { JC_BONE_LEFT_TOES, FOOT },
};

/* '%' becomes left, right; '@' Left, Right; '$' L, R; '&' l, r. An empty name is a joint
 * that the family lacks. */
static void write_side(const char *pattern, bool is_right, char *out_name, size_t size)
{
	static const char *const words[2][4] = { { "left", "Left", "L", "l" },
		{ "right", "Right", "R", "r" } };
	size_t used = 0;

	for (; *pattern; pattern++) {
		const char *mark = strchr("%@$&", *pattern);

		used += (size_t)snprintf(out_name + used, size - used, "%s",
			mark ? words[is_right][mark - "%@$&"] : (char[]){ *pattern, '\0' });
	}
}

static const struct named_body {
	const char *family;
	const char *names[PART_COUNT];
} named_bodies[] = {
	{ "mixamo", { "mixamorig:Hips", "mixamorig:Spine", "mixamorig:Neck", "mixamorig:Head",
			    "mixamorig:@Shoulder", "mixamorig:@Arm", "mixamorig:@ForeArm",
			    "mixamorig:@Hand", "mixamorig:@HandThumb1", "mixamorig:@HandIndex1",
			    "mixamorig:@UpLeg", "mixamorig:@Leg", "mixamorig:@Foot",
			    "mixamorig:@ToeBase" } },
	{ "mixamo", { "mixamorigHips", "mixamorigSpine", "mixamorigNeck", "mixamorigHead",
			    "mixamorig@Shoulder", "mixamorig@Arm", "mixamorig@ForeArm",
			    "mixamorig@Hand", "mixamorig@HandThumb1", "mixamorig@HandIndex1",
			    "mixamorig@UpLeg", "mixamorig@Leg", "mixamorig@Foot",
			    "mixamorig@ToeBase" } },
	{ "unreal", { "pelvis", "spine_01", "neck_01", "head", "clavicle_&", "upperarm_&",
			    "lowerarm_&", "hand_&", "thumb_01_&", "index_01_&", "thigh_&", "calf_&",
			    "foot_&", "ball_&" } },
	{ "biped", { "Bip01 Pelvis", "Bip01 Spine", "Bip01 Neck", "Bip01 Head", "Bip01 $ Clavicle",
			   "Bip01 $ UpperArm", "Bip01 $ Forearm", "Bip01 $ Hand", "Bip01 $ Finger0",
			   "Bip01 $ Finger1", "Bip01 $ Thigh", "Bip01 $ Calf", "Bip01 $ Foot",
			   "Bip01 $ Toe0" } },
	{ "rigify", { "DEF-spine", "DEF-spine.001", "DEF-spine.004", "DEF-spine.006",
			    "DEF-shoulder.$", "DEF-upper_arm.$", "DEF-forearm.$", "DEF-hand.$",
			    "DEF-thumb.01.$", "DEF-f_index.01.$", "DEF-thigh.$", "DEF-shin.$",
			    "DEF-foot.$", "DEF-toe.$" } },
	{ "rigify", { "ORG-spine", "ORG-spine.001", "ORG-spine.004", "ORG-spine.006",
			    "ORG-shoulder.$", "ORG-upper_arm.$", "ORG-forearm.$", "ORG-hand.$",
			    "ORG-thumb.01.$", "ORG-f_index.01.$", "ORG-thigh.$", "ORG-shin.$",
			    "ORG-foot.$", "ORG-toe.$" } },
	{ "rigify", { "DEF-hips", "DEF-spine.001", "DEF-neck", "DEF-head", "DEF-shoulder.$",
			    "DEF-upper_arm.$", "DEF-forearm.$", "DEF-hand.$", "DEF-thumb.01.$",
			    "DEF-f_index.01.$", "DEF-thigh.$", "DEF-shin.$", "DEF-foot.$",
			    "DEF-toe.$" } },
	{ "rokoko", { "Hips", "Spine1", "Neck", "Head", "@Shoulder", "@Arm", "@ForeArm", "@Hand",
			    "@Finger1Metacarpal", "@Finger2Proximal", "@Thigh", "@Shin", "@Foot",
			    "@Toe" } },
	{ "soma", { "Hips", "Spine1", "Neck1", "Head", "@Shoulder", "@Arm", "@ForeArm", "@Hand",
			  "@HandThumb1", "@HandIndex2", "@Leg", "@Shin", "@Foot", "@ToeBase" } },
	{ "vroid", { "J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Neck", "J_Bip_C_Head",
			   "J_Bip_$_Shoulder", "J_Bip_$_UpperArm", "J_Bip_$_LowerArm",
			   "J_Bip_$_Hand", "J_Bip_$_Thumb1", "J_Bip_$_Index1", "J_Bip_$_UpperLeg",
			   "J_Bip_$_LowerLeg", "J_Bip_$_Foot", "J_Bip_$_ToeBase" } },
	{ "smpl", { "pelvis", "spine1", "neck", "head", "%_collar", "%_shoulder", "%_elbow",
			  "%_wrist", "%_thumb1", "%_index1", "%_hip", "%_knee", "%_ankle",
			  "%_foot" } },
	{ "smpl", { "m_avg_Pelvis", "m_avg_Spine1", "m_avg_Neck", "m_avg_Head", "m_avg_$_Collar",
			  "m_avg_$_Shoulder", "m_avg_$_Elbow", "m_avg_$_Wrist", "", "",
			  "m_avg_$_Hip", "m_avg_$_Knee", "m_avg_$_Ankle", "m_avg_$_Foot" } },
	{ "kinect", { "HipCenter", "Spine", "ShoulderCenter", "Head", "", "Shoulder@", "Elbow@",
			    "Wrist@", "", "", "Hip@", "Knee@", "Ankle@", "Foot@" } },
	{ "kinect", { "SpineBase", "SpineMid", "Neck", "Head", "", "Shoulder@", "Elbow@", "Wrist@",
			    "Thumb@", "", "Hip@", "Knee@", "Ankle@", "Foot@" } },
	{ "openpose", { "MidHip", "Spine", "Neck", "Nose", "", "$Shoulder", "$Elbow", "$Wrist", "",
			      "", "$Hip", "$Knee", "$Ankle", "$BigToe" } },
	{ "daz", { "hip", "abdomen", "neck", "head", "&Collar", "&Shldr", "&ForeArm", "&Hand",
			 "&Thumb1", "&Index1", "&Thigh", "&Shin", "&Foot", "&Toe" } },
	{ "daz", { "hip", "abdomenLower", "neckLower", "head", "&Collar", "&ShldrBend",
			 "&ForearmBend", "&Hand", "&Thumb1", "&Index1", "&ThighBend", "&Shin",
			 "&Foot", "&Toe" } },
	{ "xsens", { "Pelvis", "T8", "Neck", "Head", "@Shoulder", "@UpperArm", "@ForeArm", "@Hand",
			   "", "", "@UpperLeg", "@LowerLeg", "@Foot", "@Toe" } },
	{ "ready-player-me",
		{ "Hips", "Spine", "Neck", "Head", "@Shoulder", "@Arm", "@ForeArm", "@Hand",
			"@HandThumb1", "@HandIndex1", "@UpLeg", "@Leg", "@Foot", "@ToeBase" } },
	{ "perception-neuron",
		{ "Hips", "Spine", "Neck", "Head", "@Shoulder", "@Arm", "@ForeArm", "@Hand",
			"@HandThumb1", "@HandIndex1", "@UpLeg", "@Leg", "@Foot", "" } },
	{ "character-creator",
		{ "CC_Base_Hip", "CC_Base_Waist", "CC_Base_NeckTwist01", "CC_Base_Head",
			"CC_Base_$_Clavicle", "CC_Base_$_Upperarm", "CC_Base_$_Forearm",
			"CC_Base_$_Hand", "CC_Base_$_Thumb1", "CC_Base_$_Index1", "CC_Base_$_Thigh",
			"CC_Base_$_Calf", "CC_Base_$_Foot", "CC_Base_$_ToeBase" } },
	{ "humanoid", { "hips", "spine", "neck", "head", "%Shoulder", "%UpperArm", "%LowerArm",
			      "%Hand", "%ThumbMetacarpal", "%IndexProximal", "%UpperLeg",
			      "%LowerLeg", "%Foot", "%Toes" } },
	{ "vrchat", { "Hips", "Spine", "Neck", "Head", "@ shoulder", "@ arm", "@ elbow", "@ wrist",
			    "Thumb0_$", "IndexFinger1_$", "@ leg", "@ knee", "@ ankle", "@ toe" } },
	{ "common", { "Hips", "Spine", "Neck", "Head", "Clavicle_@", "Upper_Arm_@", "Lower_Arm_@",
			    "Hand_@", "Thumb_1_@", "Index_1_@", "Upper_Leg_@", "Lower_Leg_@",
			    "Foot_@", "Toes_@" } },
	{ "common", { "root", "spine", "neck", "head", "&_clavicle", "&_uparm", "&_loarm",
			    "&_wrist", "", "", "&_thigh", "&_calf", "&_foot", "&_ball" } },
};

#define NAMED_BODIES (sizeof(named_bodies) / sizeof(*named_bodies))

/* Further joints that distinguish families, if the body lacks them. */
static const char *const extras[][2] = { { "ready-player-me", "HeadTop_End" },
	{ "perception-neuron", "LeftInHandIndex" } };

static int add(struct tree *tree, const char *name, int parent)
{
	snprintf(tree->names[tree->count], sizeof(tree->names[0]), "%s", name);
	tree->parents[tree->count] = parent;
	return (int)tree->count++;
}

static void add_part(struct tree *tree, const struct named_body *named, int part, bool is_right,
	int places[PART_COUNT])
{
	int parent = body[part].parent;
	char name[JC_LIMIT_NAME_BYTES];

	while (parent >= 0 && !*named->names[parent]) {
		parent = body[parent].parent;
	}
	places[part] = -1;
	if (*named->names[part]) {
		write_side(named->names[part], is_right, name, sizeof(name));
		places[part] = add(tree, name, parent < 0 ? -1 : places[parent]);
	}
}

/* left and right receive the positions of the parts of both sides; the middle is on both. */
static void build(struct tree *tree, const struct named_body *named, int left[PART_COUNT],
	int right[PART_COUNT])
{
	tree->count = 0;
	for (int part = 0; part < PART_COUNT; part++) {
		add_part(tree, named, part, false, left);
	}
	memcpy(right, left, PART_COUNT * sizeof(*right));
	for (int part = COLLAR; part < PART_COUNT; part++) {
		add_part(tree, named, part, true, right);
	}
	for (size_t e = 0; e < sizeof(extras) / sizeof(*extras); e++) {
		if (strcmp(extras[e][0], named->family) == 0) {
			add(tree, extras[e][1], left[HEAD]);
		}
	}
}

static void recognises_every_name_family(void **)
{
	for (size_t i = 0; i < NAMED_BODIES; i++) {
		const struct named_body *named = &named_bodies[i];
		struct tree tree;
		const char *names[MAX_JOINTS];
		int left[PART_COUNT], right[PART_COUNT];
		struct jc_recognition found;

		build(&tree, named, left, right);
		for (size_t n = 0; n < tree.count; n++) {
			names[n] = tree.names[n];
		}
		assert_int_equal(jc_recognize(&(struct jc_joint_tree){ .count = tree.count,
						      .joint_count = tree.count,
						      .names = names,
						      .parents = tree.parents },
					 &found, NULL),
			JC_OK);
		if (strcmp(found.family, named->family) != 0) {
			fail_msg("%zu: '%s', not '%s'", i, found.family, named->family);
		}
		assert_float_equal(found.confidence, 1.0f, 1e-6f);
		for (int part = 0; part < PART_COUNT; part++) {
			enum jc_bone bone = body[part].bone;

			if (found.bones[bone] != left[part] ||
				found.bones[jc_bone_mirror(bone)] != right[part]) {
				fail_msg("%zu, '%s': '%s' is not %s", i, named->family,
					named->names[part], jc_bone_name(bone));
			}
		}
	}
}

/* Fingers from the thumb, and their joints from the hand: a name is a finger's and a joint's. */
static const struct named_hand {
	const char *family;
	const char *fingers[5];
	const char *thumb[3], *phalanges[3];
	const char *metacarpal; /* NULL for none */
} named_hands[] = {
	{ "rigify", { "DEF-thumb", "DEF-f_index", "DEF-f_middle", "DEF-f_ring", "DEF-f_pinky" },
		{ ".01.$", ".02.$", ".03.$" }, { ".01.$", ".02.$", ".03.$" }, NULL },
	{ "rokoko", { "@Finger1", "@Finger2", "@Finger3", "@Finger4", "@Finger5" },
		{ "Metacarpal", "Proximal", "Distal" }, { "Proximal", "Medial", "Distal" },
		"Metacarpal" },
	{ "soma", { "@HandThumb", "@HandIndex", "@HandMiddle", "@HandRing", "@HandPinky" },
		{ "1", "2", "3" }, { "2", "3", "4" }, "1" },
};

/* The last body of a family, without its fingers. */
static struct named_body body_of(const char *family)
{
	struct named_body found = { .family = NULL };

	for (size_t i = 0; i < NAMED_BODIES; i++) {
		if (strcmp(named_bodies[i].family, family) == 0) {
			found = named_bodies[i];
		}
	}
	found.names[THUMB] = found.names[INDEX] = "";
	return found;
}

static int add_phalanx(
	struct tree *tree, const char *finger, const char *phalanx, bool is_right, int parent)
{
	char pattern[JC_LIMIT_NAME_BYTES], name[JC_LIMIT_NAME_BYTES];

	snprintf(pattern, sizeof(pattern), "%s%s", finger, phalanx);
	write_side(pattern, is_right, name, sizeof(name));
	return add(tree, name, parent);
}

/* Adds the fingers of a hand; `bones` receives their joints. */
static void add_hand(
	struct tree *tree, const struct named_hand *named, bool is_right, int hand, int *bones)
{
	static const enum jc_bone firsts[] = { JC_BONE_LEFT_THUMB_METACARPAL,
		JC_BONE_LEFT_INDEX_PROXIMAL, JC_BONE_LEFT_MIDDLE_PROXIMAL,
		JC_BONE_LEFT_RING_PROXIMAL, JC_BONE_LEFT_LITTLE_PROXIMAL };

	for (int f = 4; f >= 0; f--) {
		const char *finger = named->fingers[f];
		int joint = hand;

		if (f > 0 && named->metacarpal) {
			joint = add_phalanx(tree, finger, named->metacarpal, is_right, joint);
		}
		for (int p = 0; p < 3; p++) {
			enum jc_bone bone = (enum jc_bone)((int)firsts[f] + p);

			joint = add_phalanx(tree, finger,
				f > 0 ? named->phalanges[p] : named->thumb[p], is_right, joint);
			bones[is_right ? jc_bone_mirror(bone) : bone] = joint;
		}
		add_phalanx(tree, finger, "Tip", is_right, joint);
	}
}

static void maps_all_joints_of_all_fingers(void **)
{
	for (size_t i = 0; i < sizeof(named_hands) / sizeof(*named_hands); i++) {
		const struct named_hand *named = &named_hands[i];
		const struct named_body whole = body_of(named->family);
		struct tree tree;
		const char *names[MAX_JOINTS];
		int left[PART_COUNT], right[PART_COUNT], bones[JC_BONE_COUNT];
		struct jc_recognition found;

		build(&tree, &whole, left, right);
		add_hand(&tree, named, false, left[HAND], bones);
		add_hand(&tree, named, true, right[HAND], bones);
		for (size_t n = 0; n < tree.count; n++) {
			names[n] = tree.names[n];
		}
		assert_int_equal(jc_recognize(&(struct jc_joint_tree){ .count = tree.count,
						      .joint_count = tree.count,
						      .names = names,
						      .parents = tree.parents },
					 &found, NULL),
			JC_OK);
		assert_string_equal(found.family, named->family);
		for (int b = JC_BONE_LEFT_THUMB_METACARPAL; b < JC_BONE_COUNT; b++) {
			if (found.bones[b] != bones[b]) {
				fail_msg("'%s': %s is '%s', not '%s'", named->family,
					jc_bone_name((enum jc_bone)b),
					found.bones[b] < 0 ? "" : names[found.bones[b]],
					names[bones[b]]);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recognises_every_name_family),
		cmocka_unit_test(maps_all_joints_of_all_fingers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
