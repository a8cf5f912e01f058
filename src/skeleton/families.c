/* The name families of motion files, each seen in files of the field. */
#include "families.h"

#include <stddef.h>

/* MotionBuilder's characterisation names; CMU's cgspeed conversion, Mixamo,
 * LAFAN1, Perception Neuron and Shadow use them with additions of their own. */
static const struct jc_family_row motionbuilder_body[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%shoulder", JC_BONE_LEFT_SHOULDER },
	{ "%arm", JC_BONE_LEFT_UPPER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%upleg", JC_BONE_LEFT_UPPER_LEG },
	{ "%leg", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toebase", JC_BONE_LEFT_TOES },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ "%forefoot", JC_BONE_LEFT_TOES },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "jaw", JC_BONE_JAW },
	{ NULL, JC_BONE_NONE },
};

/* A fourth joint is the tip; "InHand" joints and unnumbered ones are
 * metacarpals of fingers, which the bone set does not have. */
static const struct jc_family_row motionbuilder_hands[] = {
	{ "%handthumb1", JC_BONE_LEFT_THUMB_METACARPAL },
	{ "%handthumb2", JC_BONE_LEFT_THUMB_PROXIMAL },
	{ "%handthumb3", JC_BONE_LEFT_THUMB_DISTAL },
	{ "%handindex1", JC_BONE_LEFT_INDEX_PROXIMAL },
	{ "%handindex2", JC_BONE_LEFT_INDEX_INTERMEDIATE },
	{ "%handindex3", JC_BONE_LEFT_INDEX_DISTAL },
	{ "%handmiddle1", JC_BONE_LEFT_MIDDLE_PROXIMAL },
	{ "%handmiddle2", JC_BONE_LEFT_MIDDLE_INTERMEDIATE },
	{ "%handmiddle3", JC_BONE_LEFT_MIDDLE_DISTAL },
	{ "%handring1", JC_BONE_LEFT_RING_PROXIMAL },
	{ "%handring2", JC_BONE_LEFT_RING_INTERMEDIATE },
	{ "%handring3", JC_BONE_LEFT_RING_DISTAL },
	{ "%handpinky1", JC_BONE_LEFT_LITTLE_PROXIMAL },
	{ "%handpinky2", JC_BONE_LEFT_LITTLE_INTERMEDIATE },
	{ "%handpinky3", JC_BONE_LEFT_LITTLE_DISTAL },
	{ NULL, JC_BONE_NONE },
};

/* cgspeed's CMU files have both sides' hip joints at the root; their fingers
 * move as one, which no single bone stands for. */
static const struct jc_family_row cmu_thumbs[] = {
	{ "lthumb", JC_BONE_LEFT_THUMB_METACARPAL },
	{ "rthumb", JC_BONE_RIGHT_THUMB_METACARPAL },
	{ NULL, JC_BONE_NONE },
};

/* Poser and DAZ Studio, cgspeed's second conversion among them. */
static const struct jc_family_row daz_body[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "lefteye", JC_BONE_LEFT_EYE },
	{ "righteye", JC_BONE_RIGHT_EYE },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "%collar", JC_BONE_LEFT_SHOULDER },
	{ "%shldr", JC_BONE_LEFT_UPPER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%thigh", JC_BONE_LEFT_UPPER_LEG },
	{ "%shin", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

static const struct jc_family_row daz_hands[] = {
	{ "%thumb1", JC_BONE_LEFT_THUMB_METACARPAL },
	{ "%thumb2", JC_BONE_LEFT_THUMB_PROXIMAL },
	{ "%thumb3", JC_BONE_LEFT_THUMB_DISTAL },
	{ "%index1", JC_BONE_LEFT_INDEX_PROXIMAL },
	{ "%index2", JC_BONE_LEFT_INDEX_INTERMEDIATE },
	{ "%index3", JC_BONE_LEFT_INDEX_DISTAL },
	{ "%mid1", JC_BONE_LEFT_MIDDLE_PROXIMAL },
	{ "%mid2", JC_BONE_LEFT_MIDDLE_INTERMEDIATE },
	{ "%mid3", JC_BONE_LEFT_MIDDLE_DISTAL },
	{ "%ring1", JC_BONE_LEFT_RING_PROXIMAL },
	{ "%ring2", JC_BONE_LEFT_RING_INTERMEDIATE },
	{ "%ring3", JC_BONE_LEFT_RING_DISTAL },
	{ "%pinky1", JC_BONE_LEFT_LITTLE_PROXIMAL },
	{ "%pinky2", JC_BONE_LEFT_LITTLE_INTERMEDIATE },
	{ "%pinky3", JC_BONE_LEFT_LITTLE_DISTAL },
	{ NULL, JC_BONE_NONE },
};

/* Joints named for joints, from Biovision's own files to Xsens MVN: here a
 * shoulder is where the upper arm turns. */
static const struct jc_family_row biovision_body[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%collar", JC_BONE_LEFT_SHOULDER },
	{ "%shoulder", JC_BONE_LEFT_UPPER_ARM },
	{ "%uparm", JC_BONE_LEFT_UPPER_ARM },
	{ "%elbow", JC_BONE_LEFT_LOWER_ARM },
	{ "%lowarm", JC_BONE_LEFT_LOWER_ARM },
	{ "%wrist", JC_BONE_LEFT_HAND },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%hip", JC_BONE_LEFT_UPPER_LEG },
	{ "%upleg", JC_BONE_LEFT_UPPER_LEG },
	{ "%knee", JC_BONE_LEFT_LOWER_LEG },
	{ "%lowleg", JC_BONE_LEFT_LOWER_LEG },
	{ "%ankle", JC_BONE_LEFT_FOOT },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ "%toes", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

const struct jc_family jc_families[] = {
	{ "cmu", "left", "right", "hips", NULL, "lhipjoint", { motionbuilder_body, cmu_thumbs } },
	{ "mixamo", "left", "right", "hips", "mixamorig", NULL,
		{ motionbuilder_body, motionbuilder_hands } },
	{ "lafan", "left", "right", "hips", NULL, "lefttoe",
		{ motionbuilder_body, motionbuilder_hands } },
	{ "motionbuilder", "left", "right", "hips", NULL, NULL,
		{ motionbuilder_body, motionbuilder_hands } },
	{ "daz", "l", "r", "hip", NULL, NULL, { daz_body, daz_hands } },
	{ "biovision", "left", "right", "hips", NULL, NULL, { biovision_body, NULL } },
	{ NULL, NULL, NULL, NULL, NULL, NULL, { NULL, NULL } },
};
